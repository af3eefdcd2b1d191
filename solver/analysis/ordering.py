"""The fewest and the most leaves that alpha-beta can evaluate, over all orders of the children.

Both hold for MAX/MIN trees, the cut test `at-bound` and the window (−∞, +∞).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from solver.tree import MAX, Tree

MOST_LEAVES = 16
MOST_CHILDREN = 4


def fewest_leaves(tree: Tree, value: Sequence[int]) -> int:
    """Proofs that the root is worth at least, and at most, its value share one leaf: LB + UB − 1 (Knuth & Moore 1975).

    LB(leaf) = 1 if it is worth enough, else ∞; at MAX the cheapest child proves it, at MIN all must. UB is the dual.
    """
    goal, never = value[0], len(tree) + 1
    at_least = [0] * len(tree)
    at_most = [0] * len(tree)
    for node in tree.bottom_up():
        children = tree.children[node]
        if not children:
            at_least[node] = 1 if value[node] >= goal else never
            at_most[node] = 1 if value[node] <= goal else never
        else:
            low, high = [at_least[child] for child in children], [at_most[child] for child in children]
            maximising = tree.turn[node] == MAX
            at_least[node] = min(never, min(low) if maximising else sum(low))
            at_most[node] = min(never, sum(high) if maximising else min(high))
    return at_least[0] + at_most[0] - 1


def most_leaves(tree: Tree, value: Sequence[int], infinity: int) -> int | None:
    """The worst order's count, or None for a tree too large to try all orders.

    What a node hands up, clamped to its window, does not depend on the order below it. So the window in which a child
    is searched depends only on the set of siblings before it, and a dynamic programme over (node, window, set) tries
    every order without listing any.
    """
    if len(tree.leaves) > MOST_LEAVES or max(map(len, tree.children)) > MOST_CHILDREN:
        return None

    @cache
    def most(node: int, alpha: int, beta: int) -> int:
        while len(tree.children[node]) == 1:
            node = tree.children[node][0]
        children = tree.children[node]
        if not children:
            return 1
        maximising = tree.turn[node] == MAX
        inner = [child for child in children if tree.children[child]]
        if not inner:
            going_on = sum(value[child] < beta if maximising else value[child] > alpha for child in children)
            return min(going_on + 1, len(children))

        @cache
        def rest(done: int, low: int, high: int) -> int:
            if low >= high:
                return 0
            found = 0
            for place, child in enumerate(children):
                if not done >> place & 1:
                    handed_up = max(low, min(high, value[child]))
                    window = (handed_up, high) if maximising else (low, handed_up)
                    found = max(found, most(child, low, high) + rest(done | 1 << place, *window))
            return found

        return rest(0, alpha, beta)

    return most(0, -1, infinity)
