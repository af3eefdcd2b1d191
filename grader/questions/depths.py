"""`depths`: value and move of a search to each of several depths, an item for each of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.answers import folded, number
from grader.kernel.numbers import near
from grader.questions.aids import child_named, unreadable
from grader.questions.answer_key import Setting
from grader.questions.ask import Ask, Given
from grader.questions.exercise import Question
from grader.questions.following import Following
from grader.questions.items import Marked
from solver.game import ROOT
from solver.kernel import Number
from solver.languages import Sentence
from solver.render import value_text
from solver.search import Solution

VALUE, MOVE = "value", "move"
_WORDS = {
    VALUE: ("value", "valor", "ارزش", "مقدار"),
    MOVE: ("move", "jogada", "lance", "movimento", "jugada", "movimiento", "حرکت"),
}


class Depths(Ask):
    name = "depths"

    def key(self, question: Question, setting: Setting) -> Mapping[str, Any]:
        return dict(self._items(question, setting))

    def _items(self, question: Question, setting: Setting) -> Iterator[tuple[str, Any]]:
        for depth in question.parameters["depths"]:
            solution = _solution(question, setting, depth)
            yield f"{depth} {VALUE}", solution.value
            if solution.best[0]:
                yield f"{depth} {MOVE}", _best(setting, solution)

    def read(self, question: Question, setting: Setting, raw: Any) -> Mapping[str, Given]:
        if raw is None:
            return {}
        items = self.keyed(question, setting)
        if not isinstance(raw, dict):
            problem = unreadable("unreadable.shape", raw)
            return {item: Given(raw, problem=problem) for item in items}
        written: dict[str, Any] = {}
        for name, each in raw.items():
            written.update(_parts(name, each))
        return {item: self._given(question, setting, item, written[item]) for item in items if item in written}

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Number | str:
        depth, what = item.split(" ")
        if what == VALUE:
            return number(raw, comma=setting.decimal_comma)
        tree = _solution(question, setting, int(depth)).tree
        # By name: under another convention the search stops elsewhere, and children have other numbers.
        return str(tree.move[child_named(setting.names(tree), ROOT, raw)])

    def agrees(self, question: Question, setting: Setting, item: str, value: Any, expected: Any) -> bool:
        return value in expected if isinstance(expected, tuple) else near(value, expected, question.digits)

    def mark(
        self, question: Question, setting: Setting, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        """A rubric weighs depths, so both items of a depth have its weight."""
        weights = question.rubric.weights
        if not weights:
            return super().mark(question, setting, given, own, follow_through)
        by_item = {
            item: weights[item.partition(" ")[0]]
            for item in self.keyed(question, setting)
            if item.partition(" ")[0] in weights
        }
        rubric = replace(question.rubric, weights={**weights, **by_item})
        weighed = setting.once(("depths weighed", question.id), lambda: replace(question, rubric=rubric))
        return super().mark(weighed, setting, given, own, follow_through)

    def perfect(self, question: Question, setting: Setting) -> Any:
        key = self.keyed(question, setting)
        return {item: each[0] if isinstance(each, tuple) else value_text(each) for item, each in key.items()}

    def show(self, question: Question, setting: Setting, item: str, expected: Any) -> str:
        return " / ".join(expected) if isinstance(expected, tuple) else value_text(expected)

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        return setting.reasons(_to_depth(question, setting, _depth(item))).of_value(0)


def _depth(item: str) -> int:
    return int(item.partition(" ")[0])


def _to_depth(question: Question, setting: Setting, depth: int) -> Question:
    return setting.once(("depths", question.id, depth), lambda: replace(question, depth=depth))


def _solution(question: Question, setting: Setting, depth: int) -> Solution:
    return setting.solution(_to_depth(question, setting, depth))


def _best(setting: Setting, solution: Solution) -> tuple[str, ...]:
    """The moves that are right."""
    choice, move_of = solution.choice(ROOT), solution.tree.move
    if "ties" in setting.exercise.printed and setting.convention.ties != "any" and choice is not None:
        return (str(move_of[choice]),)
    return tuple(str(move_of[child]) for child in solution.best[0])


def _parts(name: str, written: Any) -> Iterator[tuple[str, Any]]:
    """What stands under one depth: `{1: {value: 4, move: a1}}`, `{1: [4, a1]}`, `{1: 4}` or `{1 value: 4}`."""
    depth, _, word = folded(name).partition(" ")
    if word:
        yield from ((f"{depth} {what}", written) for what in (VALUE, MOVE) if word in map(folded, _WORDS[what]))
    elif isinstance(written, dict):
        for key, each in written.items():
            for what in (VALUE, MOVE):
                if folded(key) in map(folded, _WORDS[what]):
                    yield f"{depth} {what}", each
    elif isinstance(written, list):
        yield from ((f"{depth} {what}", each) for what, each in zip((VALUE, MOVE), written, strict=False))
    else:
        yield f"{depth} {VALUE}", written
