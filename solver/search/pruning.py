"""Which nodes alpha-beta leaves unvisited under a convention, and nothing more about the search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from solver.game.convention import Bound, Convention, Window
from solver.game.tree import Node, Tree
from solver.game.window import declared_window
from solver.search.algorithms.alpha_beta import Rules, alpha_beta, rules_of
from solver.search.ranks import Rank, Ranks, scale_of


def ranked_window(tree: Tree, window: Window | None, utility: Sequence[Rank], rank: Callable[[Bound], Rank]) -> Ranks:
    """The root's window in ranks; that of the utilities is from the smallest leaf to the largest."""
    if window is not None:
        return rank(window[0]), rank(window[1])
    leaves = [utility[leaf] for leaf in tree.leaves]
    return min(leaves), max(leaves)


def visited_nodes(tree: Tree, utility: Sequence[Rank], window: Ranks, infinity: Rank, rules: Rules) -> Sequence[Node]:
    """The nodes that the search comes to, in its order."""
    return alpha_beta(tree, utility, window, infinity, rules).visited


def pruned_nodes(tree: Tree, convention: Convention) -> list[Node]:
    """Every unvisited node of a tree of max, min and numbers, in document order."""
    window = declared_window(tree, convention)
    also: Any = () if window is None else window
    scale = scale_of(tree, also)
    ranks = ranked_window(tree, window, scale.utility, scale.rank)
    visited = set(visited_nodes(tree, scale.utility, ranks, scale.infinity, rules_of(convention)))
    return [node for node in tree.nodes if node not in visited]
