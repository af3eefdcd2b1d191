"""What every type of question is: a key, a way to read an answer, and a way to mark it, item by item.

What a type takes and which trees can answer it is declared here too; how it shows itself is `presentation`'s.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grader.answers import IntervalSet, Unreadable, raw_text
from grader.answers.item_names import Ignored, ItemNames, ignored, mapping_of
from grader.answers.refusal import quoted
from grader.kernel.verdicts import FOLLOW_THROUGH, MISSING, RIGHT, UNREADABLE, WHOLE, WRONG, ZERO, Verdict
from grader.questions.answer_key import KeyedQuestion
from grader.questions.conditions import Condition
from grader.questions.exercise import Question
from grader.questions.following import NO_OWN, Following, Own
from grader.questions.items import AnswerRow, Item, Marked, marked
from grader.questions.presentation import Field, Presentation
from grader.questions.scoring import worth
from grader.questions.shown import spelt
from solver.languages import Fact, Sentence
from solver.search import Solution

MISSING_VALUE = object()
"""In place of what was not written."""


@dataclass(frozen=True, slots=True)
class Given:
    """One item as it was written and read."""

    raw: object
    value: object = MISSING_VALUE
    problem: Unreadable | None = None
    text: str | None = field(init=False)
    """As a report shows it; None if nothing was written."""
    read: bool = field(init=False)
    """Whether it could be."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", None if self.raw is None else raw_text(self.raw))
        object.__setattr__(self, "read", self.value is not MISSING_VALUE)

    @property
    def blank(self) -> bool:
        return self.problem is None and not self.read


NOTHING = Given(None)


class Answered(dict[str, Given]):
    """A question's items as they were read, and the names in the answer that are none of its items."""

    def __init__(self, items: Mapping[str, Given], ignored: Sequence[Ignored] = ()) -> None:
        super().__init__(items)
        self.ignored = tuple(ignored)


ONE, PLACES, INNER, STOPS, LEAVES, NODES = "one", "places", "inner nodes", "stops", "leaves", "nodes"
DEPTHS, UNKNOWNS, PARTS = "depths", "unknowns", "parts"
"""What an item of an answer belongs to: `places` are those of a list, a stop is called by the node that is cut."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A key of its own that a question may have."""

    key: str
    reads: str
    """How its value is read, of the kinds in `grader.documents.question_fields`."""
    default: Any = None
    """Where nothing is written; None: nothing."""
    required: bool = False
    choices: tuple[str, ...] = ()
    """Of the words that the schema lists for this key, those that this type takes; empty: all."""


@dataclass(frozen=True, slots=True)
class ExamFacts:
    """What recipes can require of a key."""

    ranges: tuple[IntervalSet, ...] = ()
    """Ranges of an unknown leaf, within the game's bounds."""
    depth_moves: frozenset[Any] | None = None
    """The moves that are best at some depth."""
    thresholds: tuple[Fraction | None, ...] = ()
    """The probability from which another move is best; None if it is irrational, or there is none."""
    unanswered: int = 0
    """How often nothing would be right."""


NO_FACTS = ExamFacts()

SEARCH_KEYS = ("cut", "returns", "order", "ties", "window", "depth_unit")
"""What decides about a search and what it returns; when windows move, and which are written, is for windows only."""
MOST_REMEMBERED = 20_000
_READ: dict[tuple[str | None, object], Given] = {}
"""What was read before: most students write the same."""


def in_document_order(question: KeyedQuestion, names: Iterable[str]) -> list[str]:
    """Names of nodes as the tree has them; others come last, as they are."""
    index: Mapping[Any, int] = question.tree.index
    return sorted(names, key=lambda name: index.get(name, len(index)))


def _hashable(raw: Any) -> object:
    """None for what is too rare to remember."""
    if isinstance(raw, list) and all(isinstance(each, str) for each in raw):
        return tuple(raw)
    return raw if isinstance(raw, str) else None


class Ask(Presentation, ABC):
    """A question type whose items are marked one by one. Others override `mark`."""

    name: str
    depends_on: tuple[str, ...] = SEARCH_KEYS
    """The keys of a convention that can change how it is marked."""
    read_by: tuple[str, ...] | None = None
    """The keys of a convention that can change how an answer is read; None: those that change how it is marked."""
    usual_algorithm = "auto"
    """What solves the question where it names no algorithm."""
    algorithms: tuple[str, ...] | None = None
    """The only ones that it can be about; None: any that accepts the tree."""
    conditions: tuple[Condition, ...] = ()
    """Which trees can answer it."""
    parameters: tuple[Parameter, ...] = ()
    """Its own."""
    takes: tuple[str, ...] = ()
    """Which of `nodes` and `depth` a question of this type may have."""
    items_are = ONE
    """What an item of the answer belongs to."""
    parts: tuple[str, ...] = ()
    """The names of the items, where they are parts."""
    other_items: tuple[str, ...] = ()
    """Items beside the nodes, where items are nodes."""
    about_search = False
    """Whether values asked beside it are those that the search returns, unless they say otherwise."""
    about_alpha_beta = False
    """Whether alpha-beta matters to it, whatever solves its tree."""
    writes_windows = False
    many_right = False
    """Whether the printed key is one of many right answers."""
    open_ended = False
    """Whether there are more right answers, or ways to write one, than can be listed."""
    open_as_text = False
    """Whether that is so where its key is not a number."""
    is_list = False
    """Whether an answer is one list, parts of which earn parts of the marks."""
    ordered = False
    """Whether the order of the key matters."""
    shows_search = False
    """Whether an answer shows a search even where nothing is pruned."""
    may_be_nothing = False
    """Whether an empty key is a key: nothing is then the right answer."""
    of_values = False
    """Whether it asks for values, which need no search although the usual algorithm would search."""
    required_by: tuple[str, ...] = ()
    """The requirements of recipes that are about its key."""
    follows_itself = False
    """Whether its items follow from each other."""
    unreadable = "unreadable.shape"
    """What is said of an answer that cannot be read as a whole."""
    positional = False
    """Whether the items may be written in their order, without their names."""
    names_tell = False
    """Whether the names of the items are themselves part of the key, such as which nodes are cut."""
    where_nothing: Fact | None = None
    """What is expected where the key has no item, if that can be said."""
    claims_cost = False
    """Whether what is written where the key has nothing costs what one item is worth, unless it follows."""

    @abstractmethod
    def key(self, question: KeyedQuestion) -> Mapping[str, Any]:
        """The items by name, in order, and what is right for each."""

    @abstractmethod
    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Any:
        """What was written for an item; Unreadable otherwise."""

    def keyed(self, question: KeyedQuestion) -> Mapping[str, Any]:
        """The key, made once."""
        return question.once("key", lambda: self.key(question))

    def facts(self, question: KeyedQuestion) -> Mapping[str, Fact]:
        """The key as languages show it, made once."""
        return question.once(
            "facts",
            lambda: {item: self.fact(question, item, expected) for item, expected in self.keyed(question).items()},
        )

    def shown(self, question: KeyedQuestion) -> Mapping[str, str]:
        """The key as it is spelt whatever the language, made once."""
        return question.once("shown", lambda: {item: spelt(fact) for item, fact in self.facts(question).items()})

    def items(self, question: KeyedQuestion) -> Collection[str]:
        """The names that an answer may have items under: those of the key, and those of another convention's."""
        return self.keyed(question)

    def read(self, question: KeyedQuestion, raw: Any) -> Mapping[str, Given]:
        """Every item as it was written; a question with one item takes the whole answer for it."""
        names = self.item_names(question)
        if raw is None:
            return {}
        if len(names.items) == 1 and not isinstance(raw, dict):
            raw = {next(iter(names.items)): raw}
        written = mapping_of(raw, names, self.positional)
        if written is None:
            return self.unread(question, raw)
        items, left = names.sorted(written)
        return Answered(
            {item: self._given(question, item, written[name]) for item, name in items.items()},
            ignored(question.id, left, names.items, [str(name) for name in question.tree.ids] if left else ()),
        )

    def item_names(self, question: KeyedQuestion) -> ItemNames:
        return question.once("item names", lambda: ItemNames(self.items(question), self.label))

    def unread(self, question: KeyedQuestion, raw: Any, problem: Unreadable | None = None) -> Mapping[str, Given]:
        """Nothing of the answer could be read."""
        problem = problem or Unreadable(self.unreadable, given=quoted(raw))
        return {item: Given(raw, problem=problem) for item in self.items(question)}

    def _given(self, question: KeyedQuestion, item: str, raw: Any) -> Given:
        if raw is None or raw == "":
            return Given(raw)
        alike, key = self.read_alike(question), _hashable(raw)
        remembered = alike is not None and key is not None
        if remembered and (found := _READ.get((alike, key))) is not None:
            return found
        try:
            found = Given(raw, self.read_item(question, item, raw))
        except Unreadable as problem:
            found = Given(raw, problem=problem)
        if remembered:
            if len(_READ) >= MOST_REMEMBERED:
                _READ.clear()
            _READ[alike, key] = found
        return found

    def read_alike(self, question: KeyedQuestion) -> str | None:
        """What decides how an item is read beside what is written, if nothing else does; None if more does."""
        return None

    def agrees(self, question: KeyedQuestion, item: str, value: Any, expected: Any) -> bool:
        return bool(value == expected)

    def follows(self, question: KeyedQuestion, item: str, value: Any, own: Following) -> bool:
        """Whether an item that is wrong by the key follows from the student's own answers."""
        return False

    def refuses(self, question: KeyedQuestion, own: Following) -> bool:
        """Whether the student's own answers leave nothing to compare where the key has something."""
        return False

    @abstractmethod
    def fact(self, question: KeyedQuestion, item: str, expected: Any) -> Fact:
        """The key of an item, for any language to show."""

    def read_fact(self, question: KeyedQuestion, item: str, value: Any) -> Fact | None:
        """What a list or mapping was read as, for any language to show; None where that is best shown as written."""
        return None

    def given_fact(self, question: KeyedQuestion, item: str, here: Given) -> Fact | None:
        """What was given: a student's own text stays as it is."""
        read = None if isinstance(here.raw, str) or not here.read else self.read_fact(question, item, here.value)
        return here.text if read is None else read

    def asked(self, question: KeyedQuestion) -> Sequence[str]:
        """The items that there could be, whatever the key: by default those that every key has."""
        return list(self.keyed(question))

    def rows(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Sequence[AnswerRow]:
        """What is listed below full feedback, in document order where the names are nodes."""
        names = dict.fromkeys([*self.asked(question), *(name for name, here in given.items() if not here.blank)])
        ordered = in_document_order(question, names) if self.items_are in (INNER, LEAVES, NODES) else list(names)
        return [self._row(question, name, given.get(name, NOTHING)) for name in ordered]

    def _row(self, question: KeyedQuestion, name: str, here: Given) -> AnswerRow:
        return AnswerRow(name, self.given_fact(question, name, here), here.problem, here.blank)

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        """What makes the key of an item right."""
        return ()

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        key, facts = self.keyed(question), self.facts(question)
        refused = follow_through > 0 and self.refuses(question, own)
        items = []
        for name, expected in key.items():
            here = given.get(name, NOTHING)
            verdict, share = self._verdict(question, name, here, expected, own, follow_through, refused)
            items.append(
                Item(
                    name,
                    self.given_fact(question, name, here),
                    facts[name],
                    verdict,
                    share,
                    None,
                    None if here.problem is None else Sentence(here.problem.reason, None, dict(here.problem.facts)),
                )
            )
        shares = question.once("worth", lambda: worth(question.rubric, question.marks, list(key)))
        extras: list[Item] = []
        if self.names_tell:
            # Listed, so that what is listed does not reveal the key.
            beyond = {name: here for name, here in given.items() if name not in key and (here.read or here.problem)}
            cost = question.marks / max(1, len(key)) if self.claims_cost else ZERO
            followed = follow_through > 0 and not refused
            extras = [self._extra(question, name, here, own, cost, followed) for name, here in beyond.items()]
        return marked([*items, *extras], [*shares, *[ZERO] * len(extras)], refused)

    def outcome(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        """What `mark` comes to at best: never fewer marks, never more faults. Items may be without words (what was
        given, what is expected, why)."""
        return self.mark(question, given, own, follow_through)

    def _extra(
        self, question: KeyedQuestion, name: str, here: Given, own: Following, cost: Fraction, followed: bool
    ) -> Item:
        """What was written where the key has nothing."""
        written, nothing = self.given_fact(question, name, here), self.where_nothing
        if not here.read:
            return Item(name, written, nothing, UNREADABLE, ZERO, ())
        if self.rightly_beyond(question, name, here.value):
            return Item(name, written, nothing, RIGHT, WHOLE, ())
        if followed and not own.is_unexplained(question, name) and self.follows(question, name, here.value, own):
            return Item(name, written, nothing, FOLLOW_THROUGH, WHOLE, ())
        return Item(name, written, nothing, WRONG, ZERO, (), penalty=cost)

    def rightly_beyond(self, question: KeyedQuestion, item: str, value: Any) -> bool:
        """Whether what was written where the key has nothing is right all the same."""
        return False

    def _verdict(
        self,
        question: KeyedQuestion,
        name: str,
        here: Given,
        expected: Any,
        own: Following,
        follow_through: Fraction,
        refused: bool,
    ) -> tuple[Verdict, Fraction]:
        if here.problem is not None:
            return UNREADABLE, ZERO
        if not here.read:
            return MISSING, ZERO
        if self.agrees(question, name, here.value, expected):
            return RIGHT, WHOLE
        may_follow = follow_through and not refused and not own.is_unexplained(question, name)
        if may_follow and self.follows(question, name, here.value, own):
            return FOLLOW_THROUGH, follow_through
        return WRONG, ZERO

    def blank(self, question: KeyedQuestion) -> Sequence[Field]:
        """The boxes to fill in. They never tell the key: where its items would, every item there could be has a box."""
        items = self.keyed(question)
        return [Field("" if len(items) == 1 else item, self.box) for item in items]

    def perfect(self, question: KeyedQuestion) -> Any:
        """An answer that is right in every item, as a student would write it."""
        shown = dict(self.shown(question))
        return next(iter(shown.values())) if list(shown) == [self.name] else shown

    def why_not(self, question: KeyedQuestion) -> str | None:
        """The first reason why the tree cannot answer a question of this type, or None."""
        if self.algorithms is not None and question.algorithm not in (None, "auto", *self.algorithms):
            return f"it is about {' or '.join(self.algorithms)}, not {question.algorithm}"
        return next((reason for holds in self.conditions if (reason := holds(question)) is not None), None)

    def asks_truth(self, question: KeyedQuestion) -> bool:
        """Whether it asks for true values, not for what a search returns."""
        return False

    def unexplained(
        self,
        questions: Sequence[KeyedQuestion],
        given: Mapping[str, Given],
        stated: Sequence[Mapping[str, Any]],
    ) -> Collection[str]:
        """The items that are wrong or missing beside any of several keys of the question, whatever follows from the
        values that were stated; none where that is not known. The keys are of conventions that are alike in what
        decides which numbers come up where (`grader.questions.unexplained`)."""
        return ()

    def stated(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Own:
        """What an answer states of the tree, from which other answers may follow."""
        return NO_OWN

    def windows_written(self, question: KeyedQuestion) -> str | None:
        """When the windows that it asks for are written: `entry`, `exit` or `all`; None if it asks for none."""
        return None

    def has_depth(self, question: Question) -> bool:
        """Whether a question stops a search at some depth."""
        return question.depth is not None

    def node_of_item(self, item: str) -> str | None:
        """The node that an item is about."""
        return item

    def exam_facts(self, question: KeyedQuestion) -> ExamFacts:
        """What recipes can require of its key."""
        return NO_FACTS

    def proof_problem(self, question: Mapping[str, Any], proof: Collection[str], about_search: bool) -> str | None:
        """Why the key of a recipe's question depends on the convention as soon as a node is cut, however the tree is
        drawn; None if it need not. `proof` are the keys that it may not depend on."""
        return None

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        """Which cells of `grader.mistakes.diagnosis` the question fills; none if no mistake says anything about it."""
        return ()

    def cell_digits(self, question: KeyedQuestion) -> int:
        """To how many digits irrational numbers are compared."""
        return 4

    def compared_by(self, question: KeyedQuestion) -> Solution:
        """Whose cells they are."""
        return question.solution

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        """What was written, in the form in which answers, keys and mistakes are compared; nothing if they are not."""
        return {}

    def written_with(self, question: KeyedQuestion, item: str, different: Mapping[Any, Any]) -> str | None:
        """What somebody writes for an item who differs from the key in these cells; None if that is the key, or is not
        known."""
        return None
