"""`count` and `fewest`: how many leaves or nodes, in this order or in the best or worst one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.answers import number
from grader.questions.answer_key import Setting
from grader.questions.ask import Ask
from grader.questions.exercise import Question
from grader.questions.following import Following
from solver.game import ROOT, Tree
from solver.kernel import Number
from solver.search import Search


class Count(Ask):
    name = "count"
    box = "number"

    def key(self, question: Question, setting: Setting) -> Mapping[str, int]:
        solution = setting.solution(question)
        return {"count": _counted(question.parameters.get("what", "evaluated"), solution.tree, set(solution.visited))}

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Number:
        return number(raw, comma=setting.decimal_comma)

    def follows(self, question: Question, setting: Setting, item: str, value: Number, own: Following) -> bool:
        """By the leaves that the student crossed out, or by the search with the student's values."""
        what, tree = question.parameters.get("what", "evaluated"), own.tree
        counts: set[int] = set()
        if own.own.crossed is not None:
            counts.add(_counted(what, tree, {node for node in range(len(tree)) if not own.gone[node]}))
        again: Search | None = own.again
        if again is not None:
            counts.add(_counted(what, tree, set(again.visited)))
        return value in counts

    def refuses(self, question: Question, setting: Setting, own: Following) -> bool:
        return own.too_easy(ROOT, own.left(ROOT)) or own.nothing_cut

    def show(self, question: Question, setting: Setting, item: str, expected: int) -> str:
        return str(expected)


class Fewest(Ask):
    name = "fewest"
    box = "number"

    def key(self, question: Question, setting: Setting) -> Mapping[str, int | None]:
        fewest, most = setting.solution(question).fewest_and_most
        return {"fewest": fewest if question.parameters.get("what", "fewest") == "fewest" else most}

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Number:
        return number(raw, comma=setting.decimal_comma)

    def show(self, question: Question, setting: Setting, item: str, expected: int | None) -> str:
        return str(expected)


def _counted(what: str, tree: Tree, visited: set[int]) -> int:
    leaves = sum(node in visited for node in tree.leaves)
    return {"evaluated": leaves, "pruned": len(tree.leaves) - leaves, "visited": len(visited)}[what]
