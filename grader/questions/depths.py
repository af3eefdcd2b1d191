"""`depths`: value and move of a search to each of several depths, an item for each of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.answers import folded, number
from grader.kernel.numbers import near
from grader.questions.aids import child_named, unreadable
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import DEPTHS, Ask, ExamFacts, Given, Parameter
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


class Depths(Ask):
    name = "depths"
    of_values = True
    required_by = ("depth_moves",)
    conditions = (*WITH_CHANCE, every_depth)
    parameters = (Parameter("depths", "depths", required=True),)
    items_are = DEPTHS
    paper_box = NUMBER
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
        if not isinstance(raw, dict):
            problem = unreadable("unreadable.shape", raw)
            return {item: Given(raw, problem=problem) for item in items}
        written: dict[str, Any] = {}
        for name, each in raw.items():
            written.update(_parts(name, each))
        return {item: self._given(question, item, written[item]) for item in items if item in written}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Number | str:
        depth, what = item.split(" ")
        if what == VALUE:
            return number(raw, comma=question.decimal_comma)
        tree = _solution(question, int(depth)).tree
        # By name: under another convention the search stops elsewhere, and children have other numbers.
        return str(tree.move[child_named(question.names(tree), ROOT, raw)])

    def agrees(self, question: KeyedQuestion, item: str, value: Any, expected: Any) -> bool:
        return value in expected if isinstance(expected, tuple) else near(value, expected, question.digits)

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


def _parts(name: str, written: Any) -> Iterator[tuple[str, Any]]:
    """What is under one depth: `{1: {value: 4, move: a1}}`, `{1: [4, a1]}`, `{1: 4}` or `{1 value: 4}`."""
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
