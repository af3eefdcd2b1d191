"""`assign`: values for the unknown leaves that make something happen. Any that do are right: the search is run on them.

The goal is a condition as for `range`, or that alpha-beta prunes as many leaves as any values allow, or as few: `most`,
`least`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, floor
from typing import Any

from grader.answers import IntervalSet, number
from grader.answers.item_names import ItemNames, ignored, mapping_of
from grader.questions.aids import hinted, unreadable
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Answered, Ask, ExamFacts, Given, Parameter
from grader.questions.conditions import ALPHA_BETA, a_move_if_asked, no_chance_if_pruning, only, some_unknown
from grader.questions.following import Following
from grader.questions.items import Marked
from grader.questions.presentation import UNKNOWN_VALUES, by_name, listed
from grader.questions.ranges import domain_of, sample, wanted_facts, wanted_of
from solver.analysis import one_unknown, substituted
from solver.game import CHANCE, MAX, MIN, Tree, Unknown
from solver.kernel import Number, Refusal
from solver.languages import Fact, Formula, Items, Limit, Sentence
from solver.render import bound_text
from solver.search import expectiminimax, pruned_nodes

Values = Mapping[str, Number]

MOST_VISITS = 1_000_000
"""Nodes of all the searches that look for values: a few seconds, once for an exercise."""


class Assign(Ask):
    name = "assign"
    conditions = (only(MAX, MIN, CHANCE), some_unknown, no_chance_if_pruning, a_move_if_asked)
    parameters = (
        Parameter("unknowns", "unknowns"),
        Parameter("goal", "condition", required=True),
    )
    algorithms = ALPHA_BETA
    unreadable = "unreadable.whole.assign"
    many_right = True
    open_ended = True
    own_items = ("values",)

    def key(self, question: KeyedQuestion) -> Mapping[str, Values | None]:
        """Values that do it, as an example; None where none were found."""
        return {"values": _goal(question).example()}

    def read(self, question: KeyedQuestion, raw: Any) -> Mapping[str, Given]:
        if raw is None or raw == {}:
            return {}
        names = question.once("unknown names", lambda: ItemNames(_unknowns(question), self.label))
        written = mapping_of(raw, names)
        left: list[str] = []
        if written is not None:
            items, left = names.sorted(written)
            raw = {item: written[name] for item, name in items.items()} or raw
        return Answered({"values": self._given(question, "values", raw)}, ignored(question.id, left, names.items))

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Values:
        unknowns = _unknowns(question)
        if not isinstance(raw, dict):
            if len(unknowns) != 1:
                raise unreadable(self.unreadable, raw)
            return {unknowns[0]: number(raw, comma=question.decimal_comma)}
        missing = next((name for name in unknowns if name not in raw), None)
        if missing is not None:
            raise unreadable("unreadable.assign.missing", raw, name=missing)
        return {name: number(raw[name], comma=question.decimal_comma) for name in unknowns}

    def agrees(self, question: KeyedQuestion, item: str, value: Values, expected: Any) -> bool:
        goal = _goal(question)
        return goal.inside(value) and goal.reached(value)

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        goal = _goal(question)

        def hint(_: str, value: Values) -> Sentence:
            return goal.outcome(value) if goal.inside(value) else Sentence("hint.assign.bounds")

        return hinted(super().mark(question, given, own, follow_through), given, hint)

    def perfect(self, question: KeyedQuestion) -> Any:
        found = self.keyed(question)["values"]
        return None if found is None else {name: bound_text(value) for name, value in found.items()}

    def fact(self, question: KeyedQuestion, item: str, expected: Values | None) -> Fact:
        if expected is None:
            return "—"
        return Items(tuple(Formula((name, " = ", Limit(each))) for name, each in expected.items()), len(expected))

    def read_fact(self, question: KeyedQuestion, item: str, value: Values) -> Fact:
        return self.fact(question, item, value)

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        found = self.keyed(question)["values"]
        if found is None:
            return ()
        values = tuple(Formula((name, " = ", Limit(value))) for name, value in found.items())
        return (Sentence("why.assign", None, {"values": Items(values[:12], len(values))}),)

    def wording(self, question: KeyedQuestion) -> Sentence:
        goal = question.parameters["goal"]
        what, says = (goal, None) if isinstance(goal, str) else wanted_of(goal)
        facts = {"unknowns": listed(question.parameters["unknowns"]), **wanted_facts(what, says)}
        return Sentence(f"ask.assign.{what}", None, facts)

    def assembled(self, written: Mapping[str, str]) -> Any:
        return by_name(written[""], "[;,]") if list(written) == [""] else dict(written)

    def longest(self, question: KeyedQuestion) -> tuple[int, str]:
        return len(question.parameters["unknowns"]), UNKNOWN_VALUES

    def exam_facts(self, question: KeyedQuestion) -> ExamFacts:
        return ExamFacts(unanswered=int(self.keyed(question)["values"] is None))


class _Goal:
    """What the values are for, on one tree under one convention."""

    def __init__(self, question: KeyedQuestion) -> None:
        self.tree, self.convention = question.tree, question.convention
        self.unknowns, self.domain = _unknowns(question), domain_of(question)
        goal = question.parameters["goal"]
        self.what: str
        self.says: Any
        self.what, self.says = (goal, None) if isinstance(goal, str) else wanted_of(goal)
        self._extreme: int | None = None

    def inside(self, values: Values) -> bool:
        """Whether the values are such as the game allows."""
        return all(value in self.domain for value in values.values())

    def reached(self, values: Values) -> bool:
        tree = substituted(self.tree, values)
        match self.what:
            case "most" | "least":
                return self._count(tree) == self.extreme
            case "pruned":
                pruned = set(pruned_nodes(tree, self.convention))
                return all(tree.index[name] in pruned for name in self.says)
            case "move":
                worth = _worth(tree)
                return any(tree.move[child] == self.says and worth[child] == worth[0] for child in tree.children[0])
        return bool(_worth(tree)[0] == self.says)

    def outcome(self, values: Values) -> Sentence:
        """What comes of values that do not reach the goal."""
        tree = substituted(self.tree, values)
        if self.what in ("most", "least"):
            return Sentence(f"hint.assign.{self.what}", self._count(tree))
        if self.what == "pruned":
            pruned = set(pruned_nodes(tree, self.convention))
            return Sentence(
                "hint.assign.visited",
                None,
                {"node": next(name for name in self.says if tree.index[name] not in pruned)},
            )
        return Sentence(f"hint.assign.{self.what}", None, {"value": _worth(tree)[0]})

    def example(self) -> Values | None:
        if self.what in ("most", "least"):
            return next(values for values in self.candidates() if self.reached(values))
        return next((values for values in self.candidates() if self.reached(values)), None)

    @property
    def extreme(self) -> int:
        """The most, or the fewest, leaves that are pruned for any values."""
        if self._extreme is None:
            best: Callable[[Iterator[int]], int] = max if self.what == "most" else min
            self._extreme = best(self._count(substituted(self.tree, values)) for values in self.candidates())
        return self._extreme

    def _count(self, tree: Tree) -> int:
        return sum(tree.turn[node] is None for node in pruned_nodes(tree, self.convention))

    def candidates(self) -> Iterator[Values]:
        """Values in every order that they can have among the leaves: a search only compares, so without chance these
        decide whether there are any."""
        grid = [each for each in self._grid() if each in self.domain]
        if len(grid) ** len(self.unknowns) * len(self.tree) > MOST_VISITS:
            message = f"values for {len(self.unknowns)} unknowns in a tree of {len(self.tree):,} nodes: too many to try"
            raise Refusal(self.tree.ids[0], "too-hard", message)
        for choice in product(grid, repeat=len(self.unknowns)):
            yield dict(zip(self.unknowns, choice, strict=True))

    def _grid(self) -> Sequence[Number]:
        """The numbers of the tree, the window and the goal, and between each two as many as there are unknowns."""
        count = len(self.unknowns)
        numbers: set[Any] = {leaf for leaf in self.tree.leaf if isinstance(leaf, int | Fraction)}
        window: Any = self.convention.window
        numbers.update(bound for bound in (*(self.tree.bounds or ()), *(window if isinstance(window, tuple) else ())))
        numbers -= {"-inf", "inf"}
        if self.what == "value":
            numbers.add(self.says)
            numbers.update(_solving(self))
        known = sorted(numbers or {0})
        grid: list[Number] = list(known)
        grid += [known[0] - step for step in range(1, count + 1)] + [known[-1] + step for step in range(1, count + 1)]
        if CHANCE in self.tree.turns:
            spread = 1 + known[-1] - known[0]
            grid += [known[0] - 1000 * spread, known[-1] + 1000 * spread]
        for low, high in pairwise(known):
            grid += _between(low, high, count)
        return list(dict.fromkeys(sorted(grid)))


def _solving(goal: _Goal) -> Iterator[Number]:
    """A common value of all unknowns at which the root is worth what is asked. If any values do it, some common one
    does: the root's value never falls, and never jumps, while all rise together."""
    leaf = tuple(Unknown(goal.unknowns[0]) if isinstance(each, Unknown) else each for each in goal.tree.leaf)
    where = one_unknown(replace(goal.tree, leaf=leaf, unknowns=goal.unknowns[:1])).where_value_is(goal.says)
    found = IntervalSet.of(where.intervals) & goal.domain
    if found:
        yield sample(found)


def _between(low: Number, high: Number, count: int) -> list[Number]:
    """This many numbers between two, whole ones if there are enough."""
    first, last = floor(low) + 1, ceil(high) - 1
    if last - first + 1 >= count:
        return list(range(first, first + count))
    return [low + Fraction(high - low) * step / (count + 1) for step in range(1, count + 1)]


def _worth(tree: Tree) -> Sequence[Number]:
    leaves: Any = tree.leaf
    worth: Sequence[Number] = expectiminimax(tree, leaves)
    return worth


def _goal(question: KeyedQuestion) -> _Goal:
    return question.once("assign goal", lambda: _Goal(question))


def _unknowns(question: KeyedQuestion) -> tuple[str, ...]:
    return tuple(question.parameters["unknowns"])
