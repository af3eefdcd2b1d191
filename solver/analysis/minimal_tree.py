"""The minimal tree (Knuth & Moore 1975): what alpha-beta must visit, whatever the values, in a given order.

Knuth and Moore's types, by place alone:

    1   the root, and the first child of a node of type 1
    2   the other children of a node of type 1, and every child of type 3: its first child can cut
    3   the first child of a node of type 2: all its children must be searched

Beside the first line of play a node has only to be shown to be at most (below MAX) or at least (below MIN) something.
One child suffices for "at most" at MIN, all are needed at MAX; so types follow from that and the turn, and hold where
turns do not alternate, too. A leaf has the type that it would have if the turn passed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solver.analysis.tree_shape import require_max_and_min
from solver.game.tree import MAX, MIN, NodeId, Tree


@dataclass(frozen=True, slots=True)
class MinimalTree:
    types: Mapping[NodeId, int]
    """1, 2 or 3 for each node of the minimal tree, in document order."""
    leaves: tuple[NodeId, ...]
    """Its leaves: evaluated by every search with the children in this order, and the only ones if the order is best."""


def minimal_tree(tree: Tree, right_to_left: bool = False) -> MinimalTree:
    """The minimal tree for the children in their order; see `orders.fewest` for a best one."""
    require_max_and_min(tree, "the minimal tree", numbers=False)
    types = node_types(tree, right_to_left)
    named = {tree.ids[node]: kind for node, kind in enumerate(types) if kind is not None}
    return MinimalTree(named, tuple(tree.ids[leaf] for leaf in tree.leaves if types[leaf] is not None))


def node_types(tree: Tree, right_to_left: bool = False) -> list[int | None]:
    """Each node's type; None outside the minimal tree."""
    types: list[int | None] = [None] * len(tree)
    types[0] = 1
    # At which turn the path first left a first child: beyond it, only nodes of that turn have all children searched.
    left_at: list[str | None] = [None] * len(tree)
    first = -1 if right_to_left else 0
    for node in tree.inner:
        if types[node] is None:
            continue
        turn = tree.turn[node]
        for child in tree.children[node]:
            is_first = child == tree.children[node][first]
            above = left_at[node]
            if not is_first and above is not None and above != turn:
                continue
            left_at[child] = above if above is not None or is_first else turn
            mover = tree.turn[child] or (MIN if turn == MAX else MAX)
            types[child] = 1 if left_at[child] is None else 3 if left_at[child] == mover else 2
    return types
