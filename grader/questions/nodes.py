"""Questions whose items are nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from grader.questions.answer_key import Setting
from grader.questions.ask import Ask, Field
from grader.questions.exercise import Question
from solver.game import Node, NodeId
from solver.search import Search, Solution


class NodeAsk(Ask):
    """A question whose items are inner nodes: every one of them may be written about, whichever the key has."""

    def items(self, question: Question, setting: Setting) -> Collection[str]:
        return setting.inner_names(question)

    def blank(self, question: Question, setting: Setting) -> Sequence[Field]:
        """A box for every node that is asked about, or for every inner node there is."""
        tree = setting.solution(question).tree
        return [Field(name, self.box) for name in question.nodes or [str(tree.ids[node]) for node in tree.inner]]


def asked_nodes(question: Question, solution: Solution, usual: Iterable[Node]) -> list[Node]:
    """The nodes that a question names, or those that such a question usually asks about."""
    index: Any = solution.tree.index
    return list(usual) if question.nodes is None else [index[name] for name in question.nodes if name in index]


def node_of(setting: Setting, question: Question, item: str) -> Node:
    return setting.solution(question).tree.index[NodeId(item)]


def search_of(setting: Setting, question: Question) -> Search:
    search = setting.solution(question).search
    assert search is not None, "an exercise is checked: its tree has a search for this question"
    return search
