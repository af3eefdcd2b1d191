"""C: mistakes at chance nodes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from grader.mistakes.behaviour import Behaviour, Model
from grader.mistakes.induction import induced, written
from grader.mistakes.minimax import of_numbers, right_rule
from grader.mistakes.searching import rules_of, searched
from solver.game import CHANCE, MAX, MIN, Convention, Node, Tree
from solver.search import Solution

Run = Callable[[Tree, Convention, Solution], Behaviour | None]


def _at_chance(worth: Callable[[Tree, int, list[Any]], Any]) -> Run:
    """Expectiminimax with something else than the weighted mean at chance nodes."""

    def run(_: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
        tree = solution.tree
        if CHANCE not in tree.turns or not of_numbers(solution):
            return None
        right = right_rule(tree, tree.turn)

        def rule(node: Node, values: list[Any]) -> Any:
            return worth(tree, node, values) if tree.turn[node] == CHANCE else right(node, values)

        return written(tree, convention, induced(tree, rule))

    return run


def _plain_mean(_: Tree, __: int, values: list[Any]) -> Any:
    return Fraction(sum(values)) / len(values)


def _likeliest(tree: Tree, node: int, values: list[Any]) -> Any:
    """Of equally likely outcomes the first."""
    chances: list[Any] = [tree.probability[child] for child in tree.children[node]]
    return values[chances.index(max(chances))]


def _prunes_without_bounds(_: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
    """A chance node hands its window on as it is, as if each outcome had to be within it."""
    tree = solution.tree
    if CHANCE not in tree.turns or not tree.turns & {MAX, MIN} or not of_numbers(solution):
        return None
    return searched(solution, rules_of(convention))


FAMILY = "chance"
MODELS = [
    Model("C1", FAMILY, _at_chance(_plain_mean)),
    Model("C2", FAMILY, _at_chance(lambda _, __, values: min(values))),
    Model("C2.max", FAMILY, _at_chance(lambda _, __, values: max(values))),
    Model("C3", FAMILY, _at_chance(_likeliest)),
    Model("C4", FAMILY, _prunes_without_bounds),
]
