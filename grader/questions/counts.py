"""`count` and `fewest`: how many leaves or nodes, in this order or in the best or worst one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.answers import amount
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Ask, Parameter
from grader.questions.conditions import extreme, solved
from grader.questions.following import Following
from grader.questions.presentation import searched
from solver.game import ROOT, Node, Tree
from solver.kernel import Number
from solver.languages import Fact, Sentence
from solver.search import Search


class CountAsk(Ask):
    name = "count"
    conditions = (solved,)
    parameters = (Parameter("what", "word", "evaluated", choices=("evaluated", "pruned", "visited")),)
    takes = ("depth",)
    box = "number"
    own_items = ("count",)

    def key(self, question: KeyedQuestion) -> Mapping[str, int]:
        solution = question.solution
        return {"count": _counted(question.parameters.get("what", "evaluated"), solution.tree, set(solution.visited))}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Number:
        return amount(raw, comma=question.decimal_comma)

    def follows(self, question: KeyedQuestion, item: str, value: Number, own: Following) -> bool:
        """By the leaves that the student crossed out, or by the search with the student's values."""
        what, tree = question.parameters.get("what", "evaluated"), own.tree
        counts: set[int] = set()
        if own.own.crossed is not None:
            counts.add(
                _counted(what, tree, {Node(node) for node in range(len(tree)) if not own.crossed_out_whole[node]})
            )
        again: Search | None = own.rerun
        if again is not None:
            counts.add(_counted(what, tree, set(again.visited)))
        return value in counts

    def refuses(self, question: KeyedQuestion, own: Following) -> bool:
        return own.too_easy(ROOT) or own.nothing_cut

    def fact(self, question: KeyedQuestion, item: str, expected: int) -> Fact:
        return expected

    def node_of_item(self, item: str) -> str | None:
        return None

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence(f"ask.count.{question.parameters['what']}", None, searched(question))


class Fewest(Ask):
    name = "fewest"
    conditions = (extreme,)
    parameters = (Parameter("what", "word", "fewest", choices=("fewest", "most")),)
    takes = ("depth",)
    algorithms = ("alpha-beta", "minimax")
    about_alpha_beta = True
    box = "number"
    own_items = ("fewest",)

    def key(self, question: KeyedQuestion) -> Mapping[str, int | None]:
        fewest, most = question.solution.fewest_and_most
        return {"fewest": fewest if question.parameters.get("what", "fewest") == "fewest" else most}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Number:
        return amount(raw, comma=question.decimal_comma)

    def fact(self, question: KeyedQuestion, item: str, expected: int | None) -> Fact:
        return "—" if expected is None else expected

    def node_of_item(self, item: str) -> str | None:
        return None

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence(f"ask.fewest.{question.parameters['what']}", None, searched(question))


def _counted(what: str, tree: Tree, visited: set[Node]) -> int:
    leaves = sum(node in visited for node in tree.leaves)
    return {"evaluated": leaves, "pruned": len(tree.leaves) - leaves, "visited": len(visited)}[what]
