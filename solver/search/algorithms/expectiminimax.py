"""Expectiminimax (Russell & Norvig, AIMA 3e, section 5.5; AIMA 4e, section 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.game.convention import Convention
from solver.game.game_tree import CHANCE, CHANCE_TREES, MAX, Tree, expected
from solver.kernel.exact import Number
from solver.search.solution import Algorithm, Sampling, Solution


def expectiminimax(tree: Tree, utility: Sequence[Number]) -> list[Number]:
    """The EXPECTIMINIMAX value of every node: the largest of the children at MAX, the smallest at MIN, Σ P(r)·value
    at chance nodes, exactly."""
    value = list(utility)
    for node in tree.bottom_up():
        children = tree.children[node]
        if tree.turn[node] == CHANCE:
            value[node] = expected(tree, node, [value[child] for child in children])
        else:
            best = max if tree.turn[node] == MAX else min
            value[node] = best([value[child] for child in children])
    return value


def solve_by_expectiminimax(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    leaves: Any = tree.leaf
    return Solution(tree, EXPECTIMINIMAX.name, convention, expectiminimax(tree, leaves))


EXPECTIMINIMAX = Algorithm(
    "expectiminimax", CHANCE_TREES, solve_by_expectiminimax, natural=True, opening="open.expectiminimax"
)
