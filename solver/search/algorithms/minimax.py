"""Minimax (Russell & Norvig, AIMA 3e, Figure 5.3; AIMA 4e, Figure 5.3)."""

from __future__ import annotations

from collections.abc import Sequence

from solver.game.convention import Convention
from solver.game.game_tree import MAX, MINIMAX_TREES, Tree
from solver.search.solution import Algorithm, Sampling, Solution
from solver.search.trace import Rank, scale_of


def minimax(tree: Tree, utility: Sequence[Rank]) -> list[Rank]:
    """The MINIMAX value of every node. Utilities are ranks: only their order counts.

    MINIMAX(s) = UTILITY(s) at a leaf, the largest value of the children at MAX, the smallest at MIN.
    """
    value, turn, children = list(utility), tree.turn, tree.children
    of = value.__getitem__
    for node in tree.bottom_up():
        value[node] = (max if turn[node] == MAX else min)(map(of, children[node]))
    return value


def _solve(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    scale = scale_of(tree)
    return Solution(tree, MINIMAX.name, convention, scale.values(minimax(tree, scale.utility)))


MINIMAX = Algorithm("minimax", MINIMAX_TREES, _solve, opening="open.minimax")
