"""V: mistakes in games of several players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader.mistakes.behaviour import Behaviour, Model
from grader.mistakes.induction import induced, written
from grader.mistakes.minimax import mean_by_chance
from solver.game import CHANCE, Convention, Tree
from solver.search import Solution

Run = Callable[[Tree, Convention, Solution], Behaviour | None]
Chooser = Callable[[int, list[Any]], Any]
"""Which of the children's vectors a node takes, the children being in the order in which ties are broken."""


def _choosing(chooser_of: Callable[[Tree], Chooser | None]) -> Run:
    """max^n with another way to choose."""

    def run(_: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
        tree = solution.tree
        chooser = chooser_of(tree) if isinstance(solution.value, tuple) and tree.inner else None
        if chooser is None:
            return None
        step = -1 if (convention.ties == "last") != (convention.order == "right-to-left") else 1

        def rule(node: int, values: list[Any]) -> Any:
            return _mean(tree, node, values) if tree.turn[node] == CHANCE else chooser(node, values[::step])

        return written(tree, convention, induced(tree, rule))

    return run


def _mean(tree: Tree, node: int, vectors: list[Any]) -> Any:
    return tuple(mean_by_chance(tree, node, side) for side in zip(*vectors, strict=True))


def _side(tree: Tree, node: int) -> int:
    return (tree.side_of or {})[str(tree.turn[node])]


def _paranoid(tree: Tree) -> Chooser | None:
    """Everybody plays against whoever moves first, each child's vector being returned whole."""
    if tree.turn[0] == CHANCE:
        return None
    own = _side(tree, 0)

    def choose(node: int, vectors: list[Any]) -> Any:
        best = max if _side(tree, node) == own else min
        return best(vectors, key=lambda vector: vector[own])

    return choose


def _first_component(_: Tree) -> Chooser:
    return lambda _, vectors: max(vectors, key=lambda vector: vector[0])


def _componentwise(_: Tree) -> Chooser:
    return lambda _, vectors: tuple(map(max, zip(*vectors, strict=True)))


def _mover_shifted(by: int) -> Callable[[Tree], Chooser | None]:
    def chooser_of(tree: Tree) -> Chooser | None:
        sides = len(tree.sides)
        if sides < 2:
            return None
        return lambda node, vectors: max(vectors, key=lambda vector: vector[(_side(tree, node) + by) % sides])

    return chooser_of


FAMILY = "vectors"
MODELS = [
    Model("V1", FAMILY, _choosing(_paranoid)),
    Model("V2", FAMILY, _choosing(_first_component)),
    Model("V3", FAMILY, _choosing(_componentwise)),
    Model("V4", FAMILY, _choosing(_mover_shifted(1))),
    Model("V4.before", FAMILY, _choosing(_mover_shifted(-1))),
]
