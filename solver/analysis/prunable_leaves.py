"""Which leaves alpha-beta can prune for some values of the leaves, with the children in the order given.

A leaf can be pruned iff, on its path, some MAX node and some MIN node are both left by a child that is not searched
first (where turns alternate: at depths j < k with k − j odd). If: see `witness`. Only if: a MIN node is cut by the
value of an earlier child, so the path leaves it by a later one; and by an α that an earlier child of a MAX node above
it set, so the path leaves that one by a later child, too. The same with MAX and MIN exchanged. What cannot be pruned is
the minimal tree of Knuth and Moore.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solver.analysis.minimal_tree import node_types
from solver.analysis.tree_shape import require_max_and_min
from solver.game.tree import MAX, NodeId, Tree
from solver.kernel.errors import UsageError


@dataclass(frozen=True, slots=True)
class Witness:
    """Values with which a leaf is pruned: `upper` sets a bound that the value of `lower` is past."""

    leaf: NodeId
    upper: NodeId
    lower: NodeId
    values: Mapping[NodeId, int]
    """For every leaf of the tree, in document order."""


def prunable(tree: Tree, right_to_left: bool = False) -> dict[NodeId, bool]:
    """For every leaf, whether it is pruned for some values, the search starting from (−∞, +∞)."""
    require_max_and_min(tree, "the leaves that can be pruned", numbers=False)
    types = node_types(tree, right_to_left)
    return {tree.ids[leaf]: types[leaf] is None for leaf in tree.leaves}


def witness(tree: Tree, leaf: NodeId, right_to_left: bool = False) -> Witness | None:
    """Values of 0 and 1 with which the leaf is pruned, under either cut test, or None if it never is.

    Say a MAX node is the upper one. Its earlier children are worth 1 and all other leaves 0: then α is 1 on the way
    down to the MIN node, whose earlier children are worth 0. The search stops there, if it has not stopped before.
    """
    require_max_and_min(tree, "the leaves that can be pruned", numbers=False)
    if leaf not in tree.index or tree.children[tree.index[leaf]]:
        raise UsageError(f"there is no leaf {leaf}")
    first = -1 if right_to_left else 0
    left: list[tuple[int, int]] = []
    child = tree.index[leaf]
    while (node := tree.parent[child]) >= 0:
        if child != tree.children[node][first]:
            left.append((node, child))
        child = node
    if len({tree.turn[node] for node, _ in left}) < 2:
        return None
    upper, its_child = left[-1]
    lower = next(node for node, _ in reversed(left) if tree.turn[node] != tree.turn[upper])
    high = 1 if tree.turn[upper] == MAX else 0
    children = tree.children[upper]
    place = children.index(its_child)
    earlier = children[place + 1 :] if right_to_left else children[:place]
    start, end = min(earlier), tree.last[max(earlier)]
    values = {tree.ids[node]: high if start <= node <= end else 1 - high for node in tree.leaves}
    return Witness(leaf, tree.ids[upper], tree.ids[lower], values)
