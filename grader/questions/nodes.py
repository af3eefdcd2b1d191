"""Questions whose items are nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from grader.answers import UNVISITED, Bound
from grader.mistakes.words import WORTH
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Ask, Given
from grader.questions.following import Own
from grader.questions.presentation import Field
from solver.game import Node, Tree
from solver.render import value_text
from solver.search import Search, Solution


class NodeAsk(Ask):
    """A question whose items are inner nodes: every one of them may be written about, whichever the key has."""

    def items(self, question: KeyedQuestion) -> Collection[str]:
        return question.inner_names

    def asked(self, question: KeyedQuestion) -> Sequence[str]:
        """Every node that is named, or every inner node there is."""
        tree = question.solution.tree
        return question.nodes or [str(tree.ids[node]) for node in tree.inner]

    def blank(self, question: KeyedQuestion) -> Sequence[Field]:
        return [Field(name, self.box) for name in self.asked(question)]


def stated_values(question: KeyedQuestion, given: Mapping[str, Given]) -> Own:
    """The values that were written, by node."""
    values: dict[str, Any] = {}
    bounds: set[str] = set()
    for item, here in given.items():
        if here.read and here.value is not UNVISITED:
            if isinstance(here.value, Bound):
                bounds.add(item)
                values[item] = here.value.number
            else:
                values[item] = here.value
    return Own(values, frozenset(bounds), digits=question.digits)


def value_with(tree: Tree, item: str, different: Mapping[Any, Any]) -> str | None:
    """What a node is worth to somebody who differs from the key in these cells."""
    index: Mapping[Any, Node] = tree.index
    value = different.get((WORTH, index[item]))
    return value if value is None or isinstance(value, str) else value_text(value)


def asked_nodes(question: KeyedQuestion, solution: Solution, usual: Iterable[Node]) -> list[Node]:
    """The nodes that a question names, or those that such a question usually asks about."""
    index: Any = solution.tree.index
    return list(usual) if question.nodes is None else [index[name] for name in question.nodes if name in index]


def node_of(question: KeyedQuestion, item: str) -> Node:
    index: Mapping[Any, Node] = question.solution.tree.index
    return index[item]


def search_of(question: KeyedQuestion) -> Search:
    search = question.solution.search
    assert search is not None, "an exercise is checked: its tree has a search for this question"
    return search
