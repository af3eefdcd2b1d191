"""`inequalities`: the bound written at every node that the search cut: ≤ v at MIN, ≥ v at MAX.

Fail-hard returns a bound from many nodes that it searched to the end: there only the nodes where it stopped are asked
for, and a bound that holds elsewhere costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader.answers import Bound, bound
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import INNER, Given
from grader.questions.conditions import inner_root, prunes
from grader.questions.following import Following, Own
from grader.questions.nodes import NodeAsk, asked_nodes, node_of, search_of, stated_values
from grader.questions.presentation import SPACE_FOR_VALUES, searched
from grader.questions.shown import NO_BOUND, worth_fact
from grader.questions.values import BOUND_SIGN
from solver.game import MAX, Node
from solver.languages import Fact, Sentence
from solver.search import Search


class Inequalities(NodeAsk):
    name = "inequalities"
    conditions = (inner_root, prunes)
    takes = ("nodes", "depth")
    items_are = INNER
    on_the_tree = frozenset({SPACE_FOR_VALUES})
    read_by = ("depth_unit",)
    box = "bound"
    unreadable = "unreadable.whole.inequalities"
    names_tell = True
    where_nothing = NO_BOUND
    claims_cost = True
    nodes_asked = True

    def key(self, question: KeyedQuestion) -> Mapping[str, Bound]:
        solution, search = question.solution, search_of(question)
        usual = [node for node in solution.tree.inner if search.known(node) in BOUND_SIGN]
        if question.convention.returns == "fail-hard":
            stopped = {cut.node for cut in search.cuts}
            usual = [node for node in usual if node in stopped]
        nodes = asked_nodes(question, solution, usual)
        return {
            str(solution.tree.ids[node]): _known(search, node) for node in nodes if search.returned[node] is not None
        }

    def rightly_beyond(self, question: KeyedQuestion, item: str, value: Bound) -> bool:
        search, node = search_of(question), node_of(question, item)
        return search.known(node) in BOUND_SIGN and value == _known(search, node)

    def read_alike(self, question: KeyedQuestion) -> str:
        return f"bound, {question.decimal_comma}"

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Bound:
        return bound(raw, comma=question.decimal_comma)

    def follows(self, question: KeyedQuestion, item: str, value: Bound, own: Following) -> bool:
        node = node_of(question, item)
        sign = ">=" if own.tree.turn[node] == MAX else "<="
        return value.sign == (sign if own.stopped_early(node) else "=") and value.number in own.worth(node)

    def fact(self, question: KeyedQuestion, item: str, expected: Bound) -> Fact:
        return worth_fact(expected.sign, expected.number)

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        return question.reasons.of_value(node_of(question, item))

    def stated(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Own:
        return stated_values(question, given)

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence(
            "ask.inequalities.cut" if question.nodes is None else "ask.inequalities", None, searched(question)
        )

    def own_remarks(self, question: KeyedQuestion) -> Iterator[Sentence]:
        if question.nodes is not None:
            yield Sentence("paper.unvisited")

    def left_blank(self, question: KeyedQuestion) -> bool:
        return question.nodes is None


def _known(search: Search, node: Node) -> Bound:
    """What a visited node returned, with its sign."""
    sign: Any = BOUND_SIGN.get(search.known(node), "=")
    number: Any = search.scale.number(search.returned[node])  # type: ignore[arg-type]
    return Bound(sign, number)
