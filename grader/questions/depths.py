"""`depths`: value and move of a search to each of several depths, an item for each of both."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.answers import Unreadable, folded, number, pairs
from grader.answers.item_names import ignored
from grader.kernel.verdicts import is_near
from grader.questions.aids import child_named
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import DEPTHS, Answered, Ask, ExamFacts, Given, Parameter
from grader.questions.conditions import WITH_CHANCE, every_depth
from grader.questions.exercise import Question
from grader.questions.following import Following
from grader.questions.items import Marked
from grader.questions.presentation import NUMBER
from grader.questions.shown import either, worth_fact
from solver.game import ROOT
from solver.kernel import Number
from solver.languages import Amount, Fact, Items, Sentence
from solver.render import value_text
from solver.search import Solution

VALUE, MOVE = "value", "move"
_WORDS = {
    VALUE: ("value", "valor", "ارزش", "مقدار"),
    MOVE: ("move", "jogada", "lance", "movimento", "jugada", "movimiento", "حرکت"),
}
_BESIDE = frozenset(
    map(folded, ["depth", "d", "best", "profundidade", "profundidad", "melhor", "mejor", "عمق", "بهترین"])
)
"""What else may stand in the name of an item."""
_VALUE_AND_MOVE = re.compile(
    rf"\s*(?:(?:{'|'.join(_WORDS[VALUE])})\s*[:=]?\s*)?(?P<value>[^:=]+?)[\s,;،؛]+"
    rf"(?:(?:{'|'.join(_WORDS[MOVE])})\s*[:=]?\s*)?(?P<move>[^\s,;،؛]*[^\W\d_][^\s,;،؛]*)\s*",
    re.IGNORECASE,
)
_VALUE_OR_MOVE = re.compile(
    rf"\s*(?:(?:{'|'.join(_WORDS[VALUE])})\s*[:=]\s*(?P<value>.+)|(?:{'|'.join(_WORDS[MOVE])})\s*[:=]\s*(?P<move>.+))",
    re.IGNORECASE,
)


class Depths(Ask):
    name = "depths"
    of_values = True
    required_by = ("depth_moves",)
    conditions = (*WITH_CHANCE, every_depth)
    parameters = (Parameter("depths", "depths", required=True),)
    items_are = DEPTHS
    paper_box = NUMBER
    unreadable = "unreadable.whole.depths"
    nested = True

    def key(self, question: KeyedQuestion) -> Mapping[str, Any]:
        return dict(self._items(question))

    def _items(self, question: KeyedQuestion) -> Iterator[tuple[str, Any]]:
        for depth in question.parameters["depths"]:
            solution = _solution(question, depth)
            yield f"{depth} {VALUE}", solution.value
            if solution.best[0]:
                yield f"{depth} {MOVE}", _best(question, solution)

    def read(self, question: KeyedQuestion, raw: Any) -> Mapping[str, Given]:
        if raw is None:
            return {}
        items = self.keyed(question)
        depths = {_depth(item) for item in items}
        pairs_of = raw.items() if isinstance(raw, dict) else _lines(raw, depths)
        if not pairs_of:
            return self.unread(question, raw)
        written: dict[str, Any] = {}
        left: list[str] = []
        for name, each in pairs_of:
            found = {item: part for item, part in _parts(name, each) if item in items}
            written.update(found)
            left.extend([] if found else [name])
        given = {item: self._given(question, item, written[item]) for item in items if item in written}
        return Answered(given, ignored(question.id, left, [str(depth) for depth in sorted(depths)]))

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Number | str:
        depth, what = item.split(" ")
        if what == VALUE:
            return number(raw, comma=question.decimal_comma, rounded=question.digits is not None)
        tree = _solution(question, int(depth)).tree
        # By name: under another convention the search stops elsewhere, and children have other numbers.
        return str(tree.move[child_named(question.names(tree), ROOT, raw)])

    def agrees(self, question: KeyedQuestion, item: str, value: Any, expected: Any) -> bool:
        return value in expected if isinstance(expected, tuple) else is_near(value, expected, question.digits)

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        """A rubric weighs depths, so both items of a depth have its weight."""
        weights = question.rubric.weights
        if not weights:
            return super().mark(question, given, own, follow_through)
        by_item = {
            item: weights[item.partition(" ")[0]] for item in self.keyed(question) if item.partition(" ")[0] in weights
        }
        rubric = replace(question.rubric, weights={**weights, **by_item})
        weighed = question.once("depths weighed", lambda: question.changed(rubric=rubric))
        return super().mark(weighed, given, own, follow_through)

    def perfect(self, question: KeyedQuestion) -> Any:
        key = self.keyed(question)
        return {item: each[0] if isinstance(each, tuple) else value_text(each) for item, each in key.items()}

    def fact(self, question: KeyedQuestion, item: str, expected: Any) -> Fact:
        return either(expected) if isinstance(expected, tuple) else worth_fact("exact", expected)

    def beside_numbers(self, question: KeyedQuestion, item: str) -> Sequence[str]:
        tree = question.tree
        return [str(tree.move[child]) for child in tree.children[ROOT]] if item.rpartition(" ")[2] == "move" else []

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        return _to_depth(question, _depth(item)).reasons.of_value(ROOT)

    def has_depth(self, question: Question) -> bool:
        return True

    def wording(self, question: KeyedQuestion) -> Sentence:
        depths = tuple(Amount(depth) for depth in question.parameters["depths"])
        return Sentence("ask.depths", None, {"depths": Items(depths, len(depths))})

    def label(self, item: str) -> Sentence | None:
        depth, _, what = item.partition(" ")
        return Sentence(f"paper.item.depth-{what}", None, {"depth": Amount(int(depth))})

    def assembled(self, written: Mapping[str, str]) -> Any:
        nested: dict[str, dict[str, str]] = {}
        for item, text in written.items():
            depth, _, what = item.partition(" ")
            nested.setdefault(depth, {})[what] = text
        return nested

    def exam_facts(self, question: KeyedQuestion) -> ExamFacts:
        key = self.keyed(question)
        return ExamFacts(depth_moves=frozenset(each for item, each in key.items() if item.endswith(f" {MOVE}")))


def _depth(item: str) -> int:
    return int(item.partition(" ")[0])


def _to_depth(question: KeyedQuestion, depth: int) -> KeyedQuestion:
    return question.once(("depth", depth), lambda: question.changed(depth=depth))


def _solution(question: KeyedQuestion, depth: int) -> Solution:
    return _to_depth(question, depth).solution


def _best(question: KeyedQuestion, solution: Solution) -> tuple[str, ...]:
    """The moves that are right."""
    choice, move_of = solution.choice(ROOT), solution.tree.move
    if "ties" in question.exercise.printed and question.convention.ties != "any" and choice is not None:
        return (str(move_of[choice]),)
    return tuple(str(move_of[child]) for child in solution.best[0])


def _lines(raw: Any, depths: Collection[int]) -> Sequence[tuple[str, str]]:
    """`1: 4, a1; 2: 5, a2`"""
    try:
        return pairs(raw, lambda name: (place := _place(name)) is not None and place[0] in depths)
    except Unreadable:
        return ()


def _place(name: str) -> tuple[int, str | None] | None:
    """The depth that a name is about, and whether it is about the value or the move: `1`, `depth 1: value`."""
    plain = folded(name)
    numbers, words = re.findall(r"\d+", plain), re.findall(r"[^\W\d_]+", plain)
    told = [what for word in words for what in (VALUE, MOVE) if word in map(folded, _WORDS[what])]
    others = [word for word in words if word not in _BESIDE and not any(word in map(folded, _WORDS[w]) for w in _WORDS)]
    if len(numbers) != 1 or len(told) > 1 or others or len(numbers[0]) > 9:
        return None
    return int(numbers[0]), told[0] if told else None


def _parts(name: str, written: Any) -> Iterator[tuple[str, Any]]:
    """What is under one depth: `{1: {value: 4, move: a1}}`, `{1: [4, a1]}`, `{1: 4}` or `{1 value: 4}`."""
    place = _place(name)
    if place is None:
        return
    depth, told = place
    if told is not None:
        yield f"{depth} {told}", written
    elif isinstance(written, dict):
        for key, each in written.items():
            for what in (VALUE, MOVE):
                if folded(key) in map(folded, _WORDS[what]):
                    yield f"{depth} {what}", each
    elif isinstance(written, list):
        yield from ((f"{depth} {what}", each) for what, each in zip((VALUE, MOVE), written, strict=False))
    elif isinstance(written, str) and (both := _VALUE_AND_MOVE.fullmatch(written)):
        yield from ((f"{depth} {what}", both[what]) for what in (VALUE, MOVE))
    elif isinstance(written, str) and (one := _VALUE_OR_MOVE.fullmatch(written)):
        yield from ((f"{depth} {what}", one[what]) for what in (VALUE, MOVE) if one[what] is not None)
    else:
        yield f"{depth} {VALUE}", written
