"""What every question type is: a key, a way to read an answer, and a way to mark it, item by item."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grader.answers import Unreadable, raw_text
from grader.kernel.verdicts import FOLLOW_THROUGH, MISSING, RIGHT, UNREADABLE, WRONG, Verdict
from grader.questions.answer_key import Setting
from grader.questions.exercise import Question
from grader.questions.following import Following
from grader.questions.items import Item, Marked, marked
from grader.questions.scoring import worth
from solver.languages import Sentence
from solver.search import Solution

MISSING_VALUE = object()
"""In place of what was not written."""


@dataclass(frozen=True, slots=True)
class Field:
    """A box for an answer, on paper or on a screen."""

    item: str
    """What stands beside it; empty if the question needs no more than one."""
    box: str
    """What goes into it: a value, a window, names, …"""


@dataclass(frozen=True, slots=True)
class Given:
    """One item as it was written and read."""

    raw: object
    value: object = MISSING_VALUE
    problem: Unreadable | None = None
    text: str | None = field(init=False)
    """As a report shows it; None if nothing was written."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", None if self.raw is None else raw_text(self.raw))

    @property
    def read(self) -> bool:
        return self.value is not MISSING_VALUE


NOTHING = Given(None)


SEARCH_KEYS = ("cut", "returns", "order", "ties", "window", "depth_unit")
"""What decides about a search and what it hands up; when windows move, and which are written, is for windows only."""
MOST_REMEMBERED = 20_000
_READ: dict[tuple[str | None, object], Given] = {}
"""What was read before: most students write the same."""


def _hashable(raw: Any) -> object:
    """None for what is too rare to remember."""
    if isinstance(raw, list) and all(isinstance(each, str) for each in raw):
        return tuple(raw)
    return raw if isinstance(raw, str) else None


class Ask(ABC):
    """A question type whose items are marked one by one. Others override `mark`."""

    name: str
    depends_on: tuple[str, ...] = SEARCH_KEYS
    """The keys of a convention that can change how it is marked."""
    box = "text"
    """What goes into a box of this question."""
    names_tell = False
    """Whether the names of the items are themselves part of the key, such as which nodes are cut."""

    @abstractmethod
    def key(self, question: Question, setting: Setting) -> Mapping[str, Any]:
        """The items by name, in order, and what is right for each."""

    @abstractmethod
    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Any:
        """What was written for an item; Unreadable otherwise."""

    def keyed(self, question: Question, setting: Setting) -> Mapping[str, Any]:
        """The key, made once."""
        return setting.once(("key", question.id), lambda: self.key(question, setting))

    def shown(self, question: Question, setting: Setting) -> Mapping[str, str]:
        """The key as it is printed, made once."""
        return setting.once(
            ("shown", question.id),
            lambda: {
                item: self.show(question, setting, item, expected)
                for item, expected in self.keyed(question, setting).items()
            },
        )

    def items(self, question: Question, setting: Setting) -> Collection[str]:
        """The names that an answer may have items under: those of the key, and those of another convention's."""
        return self.keyed(question, setting)

    def read(self, question: Question, setting: Setting, raw: Any) -> Mapping[str, Given]:
        """Every item as it was written; a question with one item takes the whole answer for it."""
        items = self.items(question, setting)
        if len(items) == 1 and not isinstance(raw, dict):
            raw = {next(iter(items)): raw}
        if raw is None:
            return {}
        if not isinstance(raw, dict):
            problem = Unreadable("unreadable.shape", given=raw_text(raw))
            return {item: Given(raw, problem=problem) for item in items}
        return {item: self._given(question, setting, item, raw[name]) for item, name in self._named(items, raw)}

    def _named(self, items: Collection[str], raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """The items that were written, under whatever case their names were given."""
        by_fold: dict[str, list[str]] = {}
        for name in raw:
            if name in items:
                yield name, name
            else:
                by_fold.setdefault(name.strip().casefold(), []).append(name)
        if by_fold:
            for item in items:
                if item not in raw and len(found := by_fold.get(item.casefold(), [])) == 1:
                    yield item, found[0]

    def _given(self, question: Question, setting: Setting, item: str, raw: Any) -> Given:
        if raw is None or raw == "":
            return Given(raw)
        alike, key = self.read_alike(question, setting), _hashable(raw)
        remembered = alike is not None and key is not None
        if remembered and (found := _READ.get((alike, key))) is not None:
            return found
        try:
            found = Given(raw, self.read_item(question, setting, item, raw))
        except Unreadable as problem:
            found = Given(raw, problem=problem)
        if remembered:
            if len(_READ) >= MOST_REMEMBERED:
                _READ.clear()
            _READ[alike, key] = found
        return found

    def read_alike(self, question: Question, setting: Setting) -> str | None:
        """What decides how an item is read beside what is written, if nothing else does; None if more does."""
        return None

    def agrees(self, question: Question, setting: Setting, item: str, value: Any, expected: Any) -> bool:
        return bool(value == expected)

    def follows(self, question: Question, setting: Setting, item: str, value: Any, own: Following) -> bool:
        """Whether an item that is wrong by the key follows from the student's own answers."""
        return False

    def refuses(self, question: Question, setting: Setting, own: Following) -> bool:
        """Whether the student's own answers leave nothing to compare where the key has something."""
        return False

    @abstractmethod
    def show(self, question: Question, setting: Setting, item: str, expected: Any) -> str:
        """The key of an item as it is printed."""

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        """What makes the key of an item right."""
        return ()

    def mark(
        self, question: Question, setting: Setting, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        key, shown = self.keyed(question, setting), self.shown(question, setting)
        refused = follow_through > 0 and self.refuses(question, setting, own)
        items = []
        for name, expected in key.items():
            here = given.get(name, NOTHING)
            verdict, share = self._verdict(question, setting, name, here, expected, own, follow_through, refused)
            items.append(
                Item(
                    name,
                    here.text,
                    shown[name],
                    verdict,
                    share,
                    None,
                    None if here.problem is None else Sentence(here.problem.reason, None, dict(here.problem.facts)),
                    None if self.names_tell and verdict == MISSING and question.nodes is None else "",
                )
            )
        shares = setting.once(("worth", question.id), lambda: worth(question.rubric, question.marks, list(key)))
        extras = self._extras(key, given) if self.names_tell else []
        return marked([*items, *extras], [*shares, *[Fraction(0)] * len(extras)], refused)

    def _extras(self, key: Mapping[str, Any], given: Mapping[str, Given]) -> list[Item]:
        """What was written where the key has nothing: listed, so that what is listed does not tell the key."""
        extras = [(name, here) for name, here in given.items() if name not in key and (here.read or here.problem)]
        return [self._extra(name, here) for name, here in extras]

    def _extra(self, name: str, here: Given) -> Item:
        if here.read and self.rightly_left_out(here.value):
            return Item(name, here.text, "-", RIGHT, Fraction(1), ())
        return Item(name, here.text, "", WRONG if here.read else UNREADABLE, Fraction(0), ())

    def rightly_left_out(self, value: object) -> bool:
        """Whether what was written where the key has nothing says just that."""
        return False

    def _verdict(
        self,
        question: Question,
        setting: Setting,
        name: str,
        here: Given,
        expected: Any,
        own: Following,
        follow_through: Fraction,
        refused: bool,
    ) -> tuple[Verdict, Fraction]:
        if here.problem is not None:
            return UNREADABLE, Fraction(0)
        if not here.read:
            return MISSING, Fraction(0)
        if self.agrees(question, setting, name, here.value, expected):
            return RIGHT, Fraction(1)
        if follow_through > 0 and not refused and self.follows(question, setting, name, here.value, own):
            return FOLLOW_THROUGH, follow_through
        return WRONG, Fraction(0)

    def blank(self, question: Question, setting: Setting) -> Sequence[Field]:
        """The boxes to fill in. They never tell the key: where its items would, every item there could be has a box."""
        items = self.keyed(question, setting)
        return [Field("" if len(items) == 1 else item, self.box) for item in items]

    def perfect(self, question: Question, setting: Setting) -> Any:
        """An answer that is right in every item, as a student would write it."""
        shown = dict(self.shown(question, setting))
        return next(iter(shown.values())) if list(shown) == [self.name] else shown

    def compared(self, question: Question, setting: Setting) -> Collection[str]:
        """Which cells of `grader.mistakes.diagnosis` the question fills; none if no mistake says anything about it."""
        return ()

    def cell_digits(self, question: Question) -> int:
        """To how many digits irrational numbers are compared."""
        return 4

    def compared_by(self, question: Question, setting: Setting) -> Solution:
        """Whose cells they are."""
        return setting.solution(question)

    def cells(self, question: Question, setting: Setting, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        """What was written, in the form in which answers, keys and mistakes are compared; nothing if they are not."""
        return {}
