"""Every algorithm by name: what it accepts, and how its findings become a solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from solver.algorithms.alpha_beta import Ranks, Rules, alpha_beta
from solver.algorithms.and_or import and_or
from solver.algorithms.expectiminimax import expectiminimax
from solver.algorithms.maxn import maxn
from solver.algorithms.mcts import mcts
from solver.algorithms.minimax import minimax
from solver.convention import Convention, Window
from solver.errors import Refusal
from solver.ranks import Scale, scale_of
from solver.search import retrace
from solver.solution import Sampled, Sampling, Solution
from solver.traits import AND_OR_TREES, CHANCE_TREES, MINIMAX_TREES, PLAYER_TREES, Needs
from solver.tree import Tree

TRACED_STEPS = 16
"""MCTS tells its first steps in full."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    name: str
    needs: Needs
    solve: Callable[[Tree, Convention, Sampling], Solution]


def _minimax(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    scale = scale_of(tree)
    return Solution(tree, "minimax", convention, _numbers(scale, minimax(tree, scale.utility)))


def _alpha_beta(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    bounds = initial_window(tree, convention)
    scale = scale_of(tree, bounds)
    window: Ranks = (scale.rank(bounds[0]), scale.rank(bounds[1]))
    rules = Rules(
        past_bound=convention.cut == "past-bound",
        update_before_test=convention.update == "before-test",
        fail_hard=convention.returns == "fail-hard",
        right_to_left=convention.order == "right-to-left",
    )
    events = alpha_beta(tree, scale.utility, window, scale.infinity, rules)
    true = minimax(tree, scale.utility)
    return Solution(tree, "alpha-beta", convention, _numbers(scale, true), retrace(tree, scale, true, window, events))


def _expectiminimax(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    leaves: Any = tree.leaf
    return Solution(tree, "expectiminimax", convention, expectiminimax(tree, leaves))


def _maxn(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    leaves: Any = tree.leaf
    take_last = (convention.ties == "last") != (convention.order == "right-to-left")
    found = maxn(tree, leaves, take_last)
    return Solution(tree, "maxn", convention, found.value, vectors=found.vectors)


def _and_or(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    found = and_or(tree, convention.order == "right-to-left")
    return Solution(tree, "and-or", convention, found.success, plan=found)


def _mcts(tree: Tree, convention: Convention, sampling: Sampling) -> Solution:
    steps = sampling.steps or max(1, len(tree.playouts))
    found = mcts(tree, steps, sampling.seed, convention.order == "right-to-left", traced=TRACED_STEPS)
    leaves: Any = tree.leaf
    return Solution(
        tree, "mcts", convention, expectiminimax(tree, leaves), sampled=Sampled(found, replace(sampling, steps=steps))
    )


def initial_window(tree: Tree, convention: Convention) -> Window:
    """The window that the search of the root starts with."""
    if not isinstance(convention.window, str):
        return convention.window
    if convention.window == "bounds":
        if tree.bounds is None:
            raise Refusal(
                tree.ids[0],
                "window",
                "the window is to be the game's bounds, but it declares none",
                "add bounds: [L, U]",
            )
        return tree.bounds
    values: Any = [tree.leaf[node] for node in tree.leaves]
    return min(values), max(values)


def _numbers(scale: Scale, ranks: list[int]) -> list[Any]:
    return [scale.numbers[rank] for rank in ranks]


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("minimax", MINIMAX_TREES, _minimax),
        Algorithm("alpha-beta", MINIMAX_TREES, _alpha_beta),
        Algorithm("expectiminimax", CHANCE_TREES, _expectiminimax),
        Algorithm("maxn", PLAYER_TREES, _maxn),
        Algorithm("and-or", AND_OR_TREES, _and_or),
        Algorithm("mcts", CHANCE_TREES, _mcts),
    )
}
