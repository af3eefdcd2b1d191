"""`heights`: how far each inner node is from its deepest leaf. A mapping over nodes with follow-through: a height that
is one more than the largest that the student gives for the children follows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from grader.answers import number
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import INNER, Ask, Given
from grader.questions.conditions import inner_root, solved
from grader.questions.following import Following
from grader.questions.items import Marked
from grader.questions.nodes import NodeAsk, asked_nodes, node_of
from grader.questions.presentation import NUMBER
from solver.game import Tree
from solver.kernel import Number
from solver.languages import Fact, Sentence


class Heights(NodeAsk):
    name = "heights"
    box = NUMBER
    conditions = (inner_root, solved)
    takes = ("nodes",)
    items_are = INNER

    def key(self, question: KeyedQuestion) -> Mapping[str, int]:
        tree = question.solution.tree
        heights = _heights(tree)
        nodes = asked_nodes(question, question.solution, tree.inner)
        return {str(tree.ids[node]): heights[node] for node in nodes}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Number:
        return number(raw, comma=question.decimal_comma)

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        written: dict[str, Any] = question.once("written", dict)
        written.clear()
        written.update({item: here.value for item, here in given.items() if here.read})
        return super().mark(question, given, own, follow_through)

    def follows(self, question: KeyedQuestion, item: str, value: Number, own: Following) -> bool:
        written: dict[str, Any] = question.once("written", dict)
        tree = question.solution.tree
        heights = _heights(tree)
        below = [written.get(str(tree.ids[each]), heights[each]) for each in tree.children[node_of(question, item)]]
        return bool(value == 1 + max(below))

    def fact(self, question: KeyedQuestion, item: str, expected: int) -> Fact:
        return expected

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence("ask.values")


def _heights(tree: Tree) -> list[int]:
    heights = [0] * len(tree)
    for node in tree.bottom_up():
        heights[node] = 1 + max(heights[child] for child in tree.children[node])
    return heights


ASK: Ask = Heights()
