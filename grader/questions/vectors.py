"""`vectors`: what every inner node is worth to each player. At ties every equilibrium vector is right, unless the
exercise writes out how ties are broken."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice, product
from typing import Any

from grader.answers import folded, number, vector
from grader.kernel.verdicts import is_near
from grader.mistakes.words import WORTH
from grader.questions.aids import unreadable
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import INNER, Ask, Given
from grader.questions.conditions import inner_root, players, solved
from grader.questions.following import Following, Own
from grader.questions.nodes import asked_nodes, node_of, stated_values, value_with
from grader.questions.presentation import SPACE_FOR_VALUES, VECTOR, listed
from grader.questions.shown import either
from solver.game import CHANCE, Node, Tree, Vector, expected
from solver.languages import Fact, Sentence
from solver.render import value_text
from solver.search import Solution

Vectors = tuple[Vector, ...]
"""All that are right, the one that `ties` picks first."""

MOST_VECTORS = 1_000
"""Ties multiply: where a node has more equilibrium vectors, only the one that `ties` picks is known to be right."""
MOST_SHOWN = 4


class VectorsAsk(Ask):
    name = "vectors"
    conditions = (inner_root, players, solved)
    takes = ("nodes", "depth")
    items_are = INNER
    algorithms = ("maxn",)
    on_the_tree = frozenset({SPACE_FOR_VALUES})
    exact = True
    paper_box = VECTOR
    unreadable = "unreadable.whole.vectors"

    def key(self, question: KeyedQuestion) -> Mapping[str, Vectors]:
        solution = question.solution
        by_node = question.once("vectors", lambda: _by_node(question, solution))
        nodes = asked_nodes(question, solution, solution.tree.inner)
        return {str(solution.tree.ids[node]): by_node[node] for node in nodes}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Vector:
        sides = question.solution.tree.sides
        read = _by_name(raw, sides) if isinstance(raw, dict) else vector(raw)
        if len(read) != len(sides):
            raise unreadable("unreadable.vector.length", raw, sides=len(sides))
        return read

    def agrees(self, question: KeyedQuestion, item: str, value: Vector, expected: Vectors) -> bool:
        return any(is_near(value, each, question.digits) for each in expected)

    def follows(self, question: KeyedQuestion, item: str, value: Vector, own: Following) -> bool:
        node, tree = node_of(question, item), own.tree
        by_node = question.once("vectors", lambda: _by_node(question, own.solution))
        below: list[Vectors] = []
        for child in tree.children[node]:
            stated: Any = own.stated.get(child)
            below.append((stated,) if isinstance(stated, tuple) else by_node[child])
        found = _picked(question, tree, node, below) if _ties_printed(question) else _handed_up(tree, node, below)
        return found is not None and any(is_near(value, each, question.digits) for each in found)

    def perfect(self, question: KeyedQuestion) -> Any:
        return {item: value_text(each[0]) for item, each in self.keyed(question).items()}

    def fact(self, question: KeyedQuestion, item: str, expected: Vectors) -> Fact:
        return either([*expected[:MOST_SHOWN], *(["…"] if len(expected) > MOST_SHOWN else [])])

    def read_fact(self, question: KeyedQuestion, item: str, value: Vector) -> Fact:
        return value

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        return question.reasons.of_value(node_of(question, item))

    def compared(self, question: KeyedQuestion) -> Collection[str]:
        return (WORTH,)

    def cells(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        return {(WORTH, node_of(question, item)): here.value for item, here in given.items() if here.read}

    def stated(self, question: KeyedQuestion, given: Mapping[str, Given]) -> Own:
        return stated_values(question, given)

    def written_with(self, question: KeyedQuestion, item: str, different: Mapping[Any, Any]) -> str | None:
        return value_with(self.compared_by(question).tree, item, different)

    def wording(self, question: KeyedQuestion) -> Sentence:
        return Sentence("ask.vectors", None, {"sides": listed(question.tree.sides, "then")})


def _by_name(raw: Mapping[str, Any], sides: Sequence[str]) -> Vector:
    """A mapping from each player, or team, to a number."""
    written = {folded(name): each for name, each in raw.items()}
    if set(written) != set(map(folded, sides)):
        raise unreadable("unreadable.vector", raw)
    return tuple(number(written[folded(side)]) for side in sides)


def _by_node(question: KeyedQuestion, solution: Solution) -> list[Vectors]:
    """Every node's vectors that are right, from the leaves up."""
    tree = solution.tree
    picked: Any = solution.values
    if _ties_printed(question):
        return [(each,) for each in picked]
    possible: list[Vectors] = [(leaf,) if isinstance(leaf, tuple) else () for leaf in tree.leaf]
    for node in tree.bottom_up():
        found = _handed_up(tree, node, [possible[child] for child in tree.children[node]])
        possible[node] = (picked[node],) if found is None else tuple(dict.fromkeys((picked[node], *found)))
    return possible


def _ties_printed(question: KeyedQuestion) -> bool:
    return "ties" in question.exercise.printed and question.convention.ties != "any"


def _picked(question: KeyedQuestion, tree: Tree, node: Node, below: Sequence[Vectors]) -> Vectors:
    """The one vector that the convention's tie rule returns, each child having one."""
    if tree.turn[node] == CHANCE:
        return (_mean(tree, node, [vectors[0] for vectors in below]),)
    own = (tree.side_of or {})[str(tree.turn[node])]
    convention = question.convention
    step = -1 if (convention.ties == "last") != (convention.order == "right-to-left") else 1
    return (max((vectors[0] for vectors in below[::step]), key=lambda vector: vector[own]),)


def _handed_up(tree: Tree, node: Node, below: Sequence[Vectors]) -> Vectors | None:
    """The vectors that a node can have if its children have some of these; None if they are too many.

    A child's vector can be chosen if, for some choice of the other children's, none is better for the player who moves.
    """
    if tree.turn[node] == CHANCE:
        ways = list(islice(product(*below), MOST_VECTORS + 1))
        found = [_mean(tree, node, way) for way in ways]
    else:
        own = (tree.side_of or {})[str(tree.turn[node])]
        sure = max(min(each[own] for each in vectors) for vectors in below)
        found = [each for vectors in below for each in vectors if each[own] >= sure]
    distinct = tuple(dict.fromkeys(found))
    return distinct if len(found) <= MOST_VECTORS else None


def _mean(tree: Tree, node: Node, vectors: Sequence[Vector]) -> Vector:
    return tuple(expected(tree, node, list(side)) for side in zip(*vectors, strict=True))
