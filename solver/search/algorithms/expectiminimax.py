"""Expectiminimax (Russell & Norvig, AIMA 3e, section 5.5; AIMA 4e, section 5.5)."""

from __future__ import annotations

from collections.abc import Sequence

from solver.game.expectation import expected
from solver.game.tree import CHANCE, MAX, Tree
from solver.kernel.exact import Number


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
