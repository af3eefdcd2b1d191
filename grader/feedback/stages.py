"""At which stage of a search an answer first differs from it. Only for whom the key is due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.kernel.verdicts import RIGHT
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.registry import ask_of
from solver.game import Node, Tree
from solver.kernel import Refusal
from solver.search import Solution

AFTER = " after "
"""In the name of a stop, before the child after which the search stops."""
ENTRY = "entry"


def searched(answer_key: AnswerKey) -> KeyedQuestion | None:
    """Of the questions about a search, the first whose search prunes, or else the first that can be run at all."""
    found = [each for each in answer_key.questions if not isinstance(each.attempt(), Refusal)]
    return next((each for each in found if each.solution.search is not None), found[0] if found else None)


def first_difference(
    solution: Solution, questions: Sequence[KeyedQuestion], verdicts: Mapping[str, Mapping[str, str | None]]
) -> int | None:
    """How many leaves the search has evaluated when it comes to the first thing of which something else was said; None
    where nothing was. Verdicts are by question and item."""
    return min(_stages(solution, questions, verdicts), default=None)


def _stages(
    solution: Solution, questions: Sequence[KeyedQuestion], verdicts: Mapping[str, Mapping[str, str | None]]
) -> Iterator[int]:
    stages = Stages(solution)
    for question in questions:
        for item, verdict in verdicts.get(question.id, {}).items():
            if verdict != RIGHT:
                yield stages.of(question, item)


class Stages:
    """At which stage of a search something is known: how many leaves have been evaluated by then, at least one."""

    def __init__(self, solution: Solution) -> None:
        self.first: dict[str, int] = {}
        """By node, with its first leaf;"""
        self.last: dict[str, int] = {}
        """by node, with its last."""
        self.count = 0
        tree = solution.tree
        for node in solution.visited:
            if tree.turn[node] is None:
                self.count += 1
                self._reached(tree, node)

    def of(self, question: KeyedQuestion, item: str) -> int:
        """A window is known as its node is entered, a stop when the child before it is done, all else of a node when
        the node is done. What is said of no node, or of one that the search leaves out, is known at the end."""
        ask = ask_of(question)
        at, _, after = item.partition(AFTER)
        node = ask.node_of_item(at)
        known = self.first if ask.windows_written(question) == ENTRY else self.last
        return max(known.get(after or node or "", self.count), 1)

    def _reached(self, tree: Tree, leaf: Node) -> None:
        at = leaf
        while at >= 0:
            name = str(tree.ids[at])
            self.first.setdefault(name, self.count)
            self.last[name] = self.count
            at = tree.parent[at]
