"""`inequalities`: the bound written at every node that the search cut: ≤ v at MIN, ≥ v at MAX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.answers import Bound, bound
from grader.questions.answer_key import Setting
from grader.questions.exercise import Question
from grader.questions.following import Following
from grader.questions.nodes import NodeAsk, asked_nodes, node_of, search_of
from grader.questions.shown import worth_text
from grader.questions.values import BOUND_SIGN
from solver.game import MAX
from solver.languages import Sentence


class Inequalities(NodeAsk):
    name = "inequalities"
    box = "bound"
    names_tell = True

    def key(self, question: Question, setting: Setting) -> Mapping[str, Bound]:
        solution, search = setting.solution(question), search_of(setting, question)
        usual = [node for node in solution.tree.inner if search.known(node) in BOUND_SIGN]
        found: dict[str, Bound] = {}
        for node in asked_nodes(question, solution, usual):
            returned = search.returned[node]
            if returned is not None:
                sign: Any = BOUND_SIGN.get(search.known(node), "=")
                number: Any = search.scale.number(returned)
                found[str(solution.tree.ids[node])] = Bound(sign, number)
        return found

    def read_alike(self, question: Question, setting: Setting) -> str:
        return f"bound, {setting.decimal_comma}"

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Bound:
        return bound(raw, comma=setting.decimal_comma)

    def follows(self, question: Question, setting: Setting, item: str, value: Bound, own: Following) -> bool:
        node = node_of(setting, question, item)
        sign = ">=" if own.tree.turn[node] == MAX else "<="
        return value.sign == (sign if own.stopped_early(node) else "=") and value.number in own.worth(node)

    def show(self, question: Question, setting: Setting, item: str, expected: Bound) -> str:
        return worth_text(expected.sign, expected.number)

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        return setting.reasons(question).of_value(node_of(setting, question, item))
