"""`values`: what every inner node is worth. `of: search` asks for what the search returns, `of: minimax` for truth.

Under a search a cut node takes the number returned or exactly its bound, and a node that was never visited takes `-`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.answers import UNVISITED, Bound, value
from grader.kernel.verdicts import is_near
from grader.mistakes.words import WORTH
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import INNER, Given, Parameter
from grader.questions.conditions import has_numbers, inner_root
from grader.questions.following import Following, Own
from grader.questions.nodes import NodeAsk, asked_nodes, node_of, stated_values, value_with
from grader.questions.presentation import SPACE_FOR_VALUES, searched
from grader.questions.shown import NEVER_VISITED, worth_fact
from grader.questions.unexplained import reach_of, unexplained_values
from solver.game import MAX, Node
from solver.kernel import Refusal
from solver.languages import Fact, Sentence
from solver.search import Solution


@dataclass(frozen=True, slots=True)
class Worth:
    """exact, at-most, at-least or unvisited, and the number."""

    known: str
    value: Any = None


BOUND_SIGN = {"at-most": "<=", "at-least": ">="}


class Values(NodeAsk):
    name = "values"
    conditions = (inner_root, has_numbers)
    parameters = (Parameter("of", "word"),)
    takes = ("nodes", "depth")
    items_are = INNER
    on_the_tree = frozenset({SPACE_FOR_VALUES})
    exact = True
    read_by = ("depth_unit",)
    box = "value"
    unreadable = "unreadable.whole.values"

    def of_search(self, question: KeyedQuestion) -> bool:
        asked = question.parameters.get("of")
        by_default = question.answer_key.asks_about_a_search
        searched = question.solution.search is not None
        return searched and (asked == "search" or (asked is None and by_default))

    def key(self, question: KeyedQuestion) -> Mapping[str, Worth]:
        solution = question.solution
        search = solution.search if self.of_search(question) else None
        found: dict[str, Worth] = {}
        for node in asked_nodes(question, solution, solution.tree.inner):
            name = str(solution.tree.ids[node])
            if search is None:
                found[name] = Worth("exact", solution.values[node])
            else:
                returned = search.returned[node]
                found[name] = Worth(search.known(node), None if returned is None else search.scale.number(returned))
        return found

    def read_alike(self, question: KeyedQuestion) -> str:
        return f"value, {question.decimal_comma}, {question.digits is not None}"

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Any:
        return value(raw, comma=question.decimal_comma, rounded=question.digits is not None)

    def agrees(self, question: KeyedQuestion, item: str, value: Any, expected: Worth) -> bool:
        if expected.known == "unvisited" or value is UNVISITED:
            return expected.known == "unvisited" and value is UNVISITED
        if isinstance(value, Bound):
            return value.sign == BOUND_SIGN.get(expected.known) and value.number == expected.value
        return is_near(value, expected.value, question.digits)

    def follows(self, question: KeyedQuestion, item: str, value: Any, own: Following) -> bool:
        node = node_of(question, item)
        if value is UNVISITED:
            return own.never_visited(node)
        number, sign = (value.number, value.sign) if isinstance(value, Bound) else (value, "")
        if sign and not (own.stopped_early(node) and sign == _cut_sign(own, node)):
            return False
        return any(is_near(number, worth, question.digits) for worth in own.worth(node))

    def fact(self, question: KeyedQuestion, item: str, expected: Worth) -> Fact:
        return NEVER_VISITED if expected.known == "unvisited" else worth_fact(expected.known, expected.value)

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        by = question if self.of_search(question) else self._without_search(question)
        return by.reasons.of_value(node_of(question, item))

    def _without_search(self, question: KeyedQuestion) -> KeyedQuestion:
        """The same question to an algorithm that visits everything, if one takes this tree."""
        plain = question.once("without search", lambda: question.changed(algorithm="expectiminimax"))
        # Players, seen as MAX and MIN, are refused.
        return question if isinstance(plain.attempt(), Refusal) else plain

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        return (WORTH,)

    def compared_by(self, question: KeyedQuestion) -> Solution:
        solution = question.solution
        if solution.search is None or self.of_search(question):
            return solution
        return self._without_search(question).solution

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        found: dict[Any, Any] = {}
        key = self.keyed(question)
        for item, here in given.items():
            if here.read:
                number: Any = here.value.number if isinstance(here.value, Bound) else here.value
                if item in key and is_near(number, key[item].value, question.digits):
                    # A rounded number that is right is the key's.
                    number = key[item].value
                found[WORTH, node_of(question, item)] = "-" if number is UNVISITED else number
        return found

    def unexplained(
        self,
        questions: Sequence[KeyedQuestion],
        given: Mapping[str, Given],
        stated: Sequence[Mapping[str, Any]],
    ) -> Collection[str]:
        reach = questions[0].once("reach", lambda: reach_of(questions))
        return () if reach is None else unexplained_values(reach, self.keyed(questions[0]), given, stated)

    def asks_truth(self, question: KeyedQuestion) -> bool:
        return not self.of_search(question)

    def stated(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Own:
        return stated_values(question, given)

    def written_with(self, question: KeyedQuestion, item: str, different: Mapping[Any, Any]) -> str | None:
        return value_with(self.compared_by(question).tree, item, different)

    def wording(self, question: KeyedQuestion) -> Sentence:
        if not self.of_search(question):
            return super().wording(question)
        return Sentence("ask.values.search", None, searched(question))

    def names_algorithm(self, question: KeyedQuestion) -> bool:
        return self.of_search(question)

    def own_remarks(self, question: KeyedQuestion) -> Iterator[Sentence]:
        if self.of_search(question):
            yield Sentence("paper.cut-value")
            yield Sentence("paper.unvisited")

    def proof_problem(self, question: Mapping[str, Any], proof: Collection[str], about_search: bool) -> str | None:
        if question.get("of", "search" if about_search else "minimax") != "search":
            return None
        return "what a cut node returns depends on `returns` or, at the bound, on `cut`; ask values with of: minimax"


def _cut_sign(own: Following, node: Node) -> str:
    return ">=" if own.tree.turn[node] == MAX else "<="
