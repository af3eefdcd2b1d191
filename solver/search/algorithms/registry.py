"""Every algorithm by name: what it accepts, and how its findings become a solution.

The algorithms that most games do not need are loaded when they are asked for, so that the others start fast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from solver.game.convention import Convention
from solver.game.traits import AND_OR_TREES, CHANCE_TREES, MINIMAX_TREES, PLAYER_TREES, Needs
from solver.game.tree import CHANCE, Tree
from solver.search.algorithms.expectiminimax import expectiminimax
from solver.search.algorithms.maxn import maxn
from solver.search.algorithms.minimax import minimax
from solver.search.ranks import Scale, scale_of
from solver.search.run import searched
from solver.search.solution import Sampled, Sampling, Solution

TRACED_STEPS = 16
"""MCTS tells its first steps in full."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    name: str
    needs: Needs
    solve: Callable[[Tree, Convention, Sampling], Solution]
    prunes: bool = False
    """Whether it carries windows."""


def _minimax(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    scale = scale_of(tree)
    return Solution(tree, "minimax", convention, _numbers(scale, minimax(tree, scale.utility)))


def _alpha_beta(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    search = searched(tree, convention)
    return Solution(tree, "alpha-beta", convention, _numbers(search.scale, search.true), search)


def _expectiminimax(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    leaves: Any = tree.leaf
    return Solution(tree, "expectiminimax", convention, expectiminimax(tree, leaves))


def _maxn(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    leaves: Any = tree.leaf
    take_last = (convention.ties == "last") != (convention.order == "right-to-left")
    found = maxn(tree, leaves, take_last)
    return Solution(tree, "maxn", convention, found.value, vectors=found.vectors)


def _and_or(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    from solver.search.algorithms.and_or import and_or

    found = and_or(tree, convention.order == "right-to-left")
    return Solution(tree, "and-or", convention, found.success, plan=found)


def _mcts(tree: Tree, convention: Convention, sampling: Sampling) -> Solution:
    from solver.search.algorithms.mcts import mcts

    steps = sampling.steps or max(1, len(tree.playouts))
    found = mcts(tree, steps, sampling.seed, convention.order == "right-to-left", traced=TRACED_STEPS)
    leaves: Any = tree.leaf
    return Solution(
        tree, "mcts", convention, expectiminimax(tree, leaves), sampled=Sampled(found, replace(sampling, steps=steps))
    )


def _star1(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    from solver.search.star_trace import star_solution

    return star_solution(tree, convention, probe=False)


def _star2(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    from solver.search.star_trace import star_solution

    return star_solution(tree, convention, probe=True)


def _paranoid(tree: Tree, convention: Convention, sampling: Sampling) -> Solution:
    from solver.search.algorithms.paranoid import paranoid_tree

    seen = paranoid_tree(tree)
    solve = _expectiminimax if CHANCE in seen.turns else _alpha_beta
    return replace(solve(seen, convention, sampling), algorithm="paranoid")


def _numbers(scale: Scale, ranks: Sequence[int]) -> list[Any]:
    return [scale.numbers[rank] for rank in ranks]


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("minimax", MINIMAX_TREES, _minimax),
        Algorithm("alpha-beta", MINIMAX_TREES, _alpha_beta, prunes=True),
        Algorithm("expectiminimax", CHANCE_TREES, _expectiminimax),
        Algorithm("star1", CHANCE_TREES, _star1, prunes=True),
        Algorithm("star2", CHANCE_TREES, _star2, prunes=True),
        Algorithm("maxn", PLAYER_TREES, _maxn),
        Algorithm("paranoid", PLAYER_TREES, _paranoid, prunes=True),
        Algorithm("and-or", AND_OR_TREES, _and_or),
        Algorithm("mcts", CHANCE_TREES, _mcts),
    )
}
