"""`vectors`: what every inner node is worth to each player. At ties every equilibrium vector is right, unless the
exercise writes out how ties are broken."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice, product
from typing import Any

from grader.answers import folded, number, vector
from grader.kernel.numbers import near
from grader.questions.aids import unreadable
from grader.questions.answer_key import Setting
from grader.questions.ask import Ask, Given
from grader.questions.exercise import Question
from grader.questions.following import Following
from grader.questions.nodes import asked_nodes, node_of
from solver.game import CHANCE, Node, Tree, Vector, expected
from solver.languages import Sentence
from solver.render import value_text
from solver.search import Solution

Vectors = tuple[Vector, ...]
"""All that are right, the one that `ties` picks first."""

MOST_VECTORS = 1_000
"""Ties multiply: where a node has more equilibrium vectors, only the one that `ties` picks is known to be right."""
MOST_SHOWN = 4


class VectorsAsk(Ask):
    name = "vectors"

    def key(self, question: Question, setting: Setting) -> Mapping[str, Vectors]:
        solution = setting.solution(question)
        by_node = setting.once(("vectors", question.id), lambda: _by_node(setting, solution))
        nodes = asked_nodes(question, solution, solution.tree.inner)
        return {str(solution.tree.ids[node]): by_node[node] for node in nodes}

    def read_item(self, question: Question, setting: Setting, item: str, raw: Any) -> Vector:
        sides = setting.solution(question).tree.sides
        read = _by_name(raw, sides) if isinstance(raw, dict) else vector(raw)
        if len(read) != len(sides):
            raise unreadable("unreadable.vector.length", raw, sides=str(len(sides)))
        return read

    def agrees(self, question: Question, setting: Setting, item: str, value: Vector, expected: Vectors) -> bool:
        return any(near(value, each, question.digits) for each in expected)

    def follows(self, question: Question, setting: Setting, item: str, value: Vector, own: Following) -> bool:
        node, tree = node_of(setting, question, item), own.tree
        by_node = setting.once(("vectors", question.id), lambda: _by_node(setting, own.solution))
        below: list[Vectors] = []
        for child in tree.children[node]:
            stated: Any = own.stated.get(child)
            below.append((stated,) if isinstance(stated, tuple) else by_node[child])
        found = _picked(setting, tree, node, below) if _ties_printed(setting) else _handed_up(tree, node, below)
        return found is not None and any(near(value, each, question.digits) for each in found)

    def perfect(self, question: Question, setting: Setting) -> Any:
        return {item: value_text(each[0]) for item, each in self.keyed(question, setting).items()}

    def show(self, question: Question, setting: Setting, item: str, expected: Vectors) -> str:
        more = " / …" if len(expected) > MOST_SHOWN else ""
        return " / ".join(map(value_text, expected[:MOST_SHOWN])) + more

    def why(self, question: Question, setting: Setting, item: str) -> Sequence[Sentence]:
        return setting.reasons(question).of_value(node_of(setting, question, item))

    def compared(self, question: Question, setting: Setting) -> Collection[str]:
        return ("values",)

    def cells(self, question: Question, setting: Setting, given: Mapping[str, Given]) -> Mapping[Any, Any]:
        return {("value", node_of(setting, question, item)): here.value for item, here in given.items() if here.read}


def _by_name(raw: Mapping[str, Any], sides: Sequence[str]) -> Vector:
    """A mapping from each player, or team, to a number."""
    written = {folded(name): each for name, each in raw.items()}
    if set(written) != set(map(folded, sides)):
        raise unreadable("unreadable.vector", raw)
    return tuple(number(written[folded(side)]) for side in sides)


def _by_node(setting: Setting, solution: Solution) -> list[Vectors]:
    """Every node's vectors that are right, from the leaves up."""
    tree = solution.tree
    picked: Any = solution.values
    if _ties_printed(setting):
        return [(each,) for each in picked]
    possible: list[Vectors] = [(leaf,) if isinstance(leaf, tuple) else () for leaf in tree.leaf]
    for node in tree.bottom_up():
        found = _handed_up(tree, node, [possible[child] for child in tree.children[node]])
        possible[node] = (picked[node],) if found is None else tuple(dict.fromkeys((picked[node], *found)))
    return possible


def _ties_printed(setting: Setting) -> bool:
    return "ties" in setting.exercise.printed and setting.convention.ties != "any"


def _picked(setting: Setting, tree: Tree, node: Node, below: Sequence[Vectors]) -> Vectors:
    """The one vector that the convention's tie rule hands up, each child having one."""
    if tree.turn[node] == CHANCE:
        return (_mean(tree, node, [vectors[0] for vectors in below]),)
    own = (tree.side_of or {})[str(tree.turn[node])]
    convention = setting.convention
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
