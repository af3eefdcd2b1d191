"""`values`: what every inner node is worth. `of: search` asks for what the search returns, `of: minimax` for truth.

Under a search a cut node takes the number returned or exactly its bound, and a node that was never visited takes `-`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.answers import UNVISITED, Bound, value
from grader.kernel.numbers import near
from grader.questions.answer_key import Setting
from grader.questions.ask import Given
from grader.questions.exercise import Question
from grader.questions.following import Following
from grader.questions.nodes import NodeAsk, asked_nodes, node_of
from grader.questions.shown import worth_text
from solver.game import MAX
from solver.kernel import Refusal
from solver.languages import Sentence
from solver.search import Solution


@dataclass(frozen=True, slots=True)
class Worth:
    """exact, at-most, at-least or unvisited, and the number."""

    known: str
    value: Any = None


BOUND_SIGN = {"at-most": "<=", "at-least": ">="}


class Values(NodeAsk):
    name = "values"
    box = "value"

    def of_search(self, question: Question, setting: Setting) -> bool:
        asked = question.parameters.get("of")
        by_default = setting.asks_about_a_search
        searched = setting.solution(question).search is not None
        return searched and (asked == "search" or (asked is None and by_default))

    def key(self, question: Question, setting: Setting) -> Mapping[str, Worth]:
        solution = setting.solution(question)
        search = solution.search if self.of_search(question, setting) else None
        found: dict[str, Worth] = {}
        for node in asked_nodes(question, solution, solution.tree.inner):
            name = str(solution.tree.ids[node])
            if search is None:
                found[name] = Worth("exact", solution.values[node])
            else:
                returned = search.returned[node]
                found[name] = Worth(search.known(node), None if returned is None else search.scale.number(returned))
        return found

    def read_alike(self, question: Question, setting: Setting) -> str:
        return f"value, {setting.decimal_comma}"

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Any:
        return value(raw, comma=setting.decimal_comma)

    def agrees(self, question: Question, setting: Setting, item: str, value: Any, expected: Worth) -> bool:
        if expected.known == "unvisited" or value is UNVISITED:
            return expected.known == "unvisited" and value is UNVISITED
        if isinstance(value, Bound):
            return value.sign == BOUND_SIGN.get(expected.known) and value.number == expected.value
        return near(value, expected.value, question.digits)

    def follows(self, question: Question, setting: Setting, item: str, value: Any, own: Following) -> bool:
        node = node_of(setting, question, item)
        if value is UNVISITED:
            return own.never_visited(node)
        number, sign = (value.number, value.sign) if isinstance(value, Bound) else (value, "")
        if sign and not (own.stopped_early(node) and sign == _cut_sign(own, node)):
            return False
        return any(near(number, worth, question.digits) for worth in own.worth(node))

    def show(self, question: Question, setting: Setting, item: str, expected: Worth) -> str:
        return "-" if expected.known == "unvisited" else worth_text(expected.known, expected.value)

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        by = question if self.of_search(question, setting) else self._without_search(question, setting)
        return setting.reasons(by).of_value(node_of(setting, question, item))

    def _without_search(self, question: Question, setting: Setting) -> Question:
        """The same question to an algorithm that visits everything, if one takes this tree."""
        plain = replace(question, algorithm="expectiminimax")
        try:
            setting.solution(plain)
        except Refusal:
            # Players, seen as MAX and MIN.
            return question
        return plain

    def compared(self, question: Question, setting: Setting) -> Collection[str]:
        return ("values",)

    def compared_by(self, question: Question, setting: Setting) -> Solution:
        solution = setting.solution(question)
        if solution.search is None or self.of_search(question, setting):
            return solution
        return setting.solution(self._without_search(question, setting))

    def cells(self, question: Question, setting: Setting, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        found: dict[Any, Any] = {}
        key = self.keyed(question, setting)
        for item, here in given.items():
            if here.read:
                number: Any = here.value.number if isinstance(here.value, Bound) else here.value
                if item in key and near(number, key[item].value, question.digits):
                    # A rounded number that is right is the key's.
                    number = key[item].value
                found["value", node_of(setting, question, item)] = "-" if number is UNVISITED else number
        return found


def _cut_sign(own: Following, node: int) -> str:
    return ">=" if own.tree.turn[node] == MAX else "<="
