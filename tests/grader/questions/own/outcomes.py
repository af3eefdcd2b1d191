"""`outcomes`: the ids of all leaves, in any order. A list that is read as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.answers import names
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import PLACES, Ask
from grader.questions.conditions import inner_root
from grader.questions.presentation import NAMES, Field
from solver.languages import Fact, Items, Sentence


class Outcomes(Ask):
    name = "outcomes"
    box = NAMES
    conditions = (inner_root,)
    items_are = PLACES
    is_list = True

    def key(self, question: KeyedQuestion) -> Mapping[str, frozenset[int]]:
        return {"outcomes": frozenset(question.tree.leaves)}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Any:
        return names(raw, question.names(question.tree).node)

    def agrees(self, question: KeyedQuestion, item: str, value: Any, expected: frozenset[int]) -> bool:
        return len(value) == len(expected) and set(value) == expected

    def fact(self, question: KeyedQuestion, item: str, expected: frozenset[int]) -> Fact:
        leaves = tuple(str(question.tree.ids[leaf]) for leaf in question.tree.leaves)
        return Items(leaves, len(leaves), "then")

    def blank(self, question: KeyedQuestion) -> Sequence[Field]:
        return [Field("", self.box)]

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence("ask.visited.leaves", None, {"algorithm": Sentence("paper.algorithm.minimax")})

    def longest(self, question: KeyedQuestion) -> tuple[int, str]:
        return len(question.tree.leaves), NAMES


ASK: Ask = Outcomes()
