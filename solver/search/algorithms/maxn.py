"""max^n for any number of players (Russell & Norvig, AIMA 3e, section 5.2.2; Luckhardt & Irani 1986)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from solver.game.convention import Convention
from solver.game.game_tree import CHANCE, PLAYER_TREES, Node, Tree, Vector, expected
from solver.kernel.exact import Number
from solver.search.solution import Algorithm, Sampling, Solution

MOST_VECTORS = 1_000
"""Ties multiply: past this many equilibrium vectors at a node they are not listed."""


@dataclass(frozen=True, slots=True)
class Maxn:
    value: list[Vector]
    """Every node's vector when ties are broken by the rule given."""
    vectors: list[Vector] | None
    """Every vector that some way of breaking ties gives the root, in document order; None if there are too many."""


def maxn(tree: Tree, utility: Sequence[Vector], take_last: bool) -> Maxn:
    """Each player takes the child that is best for it; `take_last` says which of several equally good ones."""
    side_of = tree.side_of or {}
    value = list(utility)
    for node in tree.bottom_up():
        children = tree.children[node]
        turn = tree.turn[node]
        if turn == CHANCE:
            value[node] = _mean(tree, node, [value[child] for child in children])
        else:
            own = side_of[str(turn)]
            best = max(value[child][own] for child in children)
            ties = [child for child in children if value[child][own] == best]
            value[node] = value[ties[-1 if take_last else 0]]
    return Maxn(value, _equilibria(tree, utility))


def _equilibria(tree: Tree, utility: Sequence[Vector]) -> list[Vector] | None:
    """Backward induction over sets: a child's vector can be the outcome if, for some choice of the other children's
    vectors, none of them is better for the player who moves."""
    side_of = tree.side_of or {}
    possible: list[list[Vector]] = [[vector] for vector in utility]
    for node in tree.bottom_up():
        children = tree.children[node]
        turn = tree.turn[node]
        below = [possible[child] for child in children]
        if turn == CHANCE:
            ways = 1
            for vectors in below:
                ways *= len(vectors)
                if ways > MOST_VECTORS:
                    return None
            found = [_mean(tree, node, choice) for choice in product(*below)]
        else:
            own = side_of[str(turn)]
            worst = [min(vector[own] for vector in vectors) for vectors in below]
            # What the mover is sure of, whichever way the ties below are broken.
            sure = max(worst)
            found = [vector for vectors in below for vector in vectors if vector[own] >= sure]
        possible[node] = list(dict.fromkeys(found))
        if len(possible[node]) > MOST_VECTORS:
            return None
        for child in children:
            possible[child] = []
    return possible[0]


def _mean(tree: Tree, node: Node, vectors: Sequence[Vector]) -> Vector:
    sides = range(len(vectors[0]))
    means: list[Number] = [expected(tree, node, [vector[side] for vector in vectors]) for side in sides]
    return tuple(means)


def _solve(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    leaves: Any = tree.leaf
    take_last = (convention.ties == "last") != (convention.order == "right-to-left")
    found = maxn(tree, leaves, take_last)
    return Solution(tree, MAXN.name, convention, found.value, vectors=found.vectors)


MAXN = Algorithm("maxn", PLAYER_TREES, _solve, natural=True, opening="open.maxn")
