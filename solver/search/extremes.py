"""The fewest and the most leaves that alpha-beta can evaluate, over all orders of the children.

Both hold for MAX/MIN trees, the cut test `at-bound` and the window (−∞, +∞).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from solver.game.tree import MAX, ROOT, Node, Tree
from solver.search.ranks import LOWEST, Rank

MOST_LEAVES = 16
MOST_CHILDREN = 4


def fewest_leaves(tree: Tree, value: Sequence[Rank]) -> int:
    """Proofs that the root is worth at least, and at most, its value share one leaf: LB + UB − 1 (Knuth & Moore 1975).

    LB(leaf) = 1 if it is worth enough, else ∞; at MAX the cheapest child proves it, at MIN all must. UB is the dual.
    """
    goal, never = value[0], len(tree) + 1
    at_least = [1 if rank >= goal else never for rank in value]
    at_most = [1 if rank <= goal else never for rank in value]
    turn, children = tree.turn, tree.children
    for node in tree.bottom_up():
        cheapest, dearest = (at_least, at_most) if turn[node] == MAX else (at_most, at_least)
        below = children[node]
        cheapest[node] = min(map(cheapest.__getitem__, below))
        together = sum(map(dearest.__getitem__, below))
        dearest[node] = together if together < never else never
    return at_least[0] + at_most[0] - 1


def most_leaves(tree: Tree, value: Sequence[Rank], infinity: Rank) -> int | None:
    """The worst order's count, or None for a tree too large to try all orders.

    What a node returns, clamped to its window, does not depend on the order below it. So the orders of its children are
    tried once for each window that it is called with, whatever the orders elsewhere.
    """
    if len(tree.leaves) > MOST_LEAVES or max(map(len, tree.children)) > MOST_CHILDREN:
        return None

    return _WorstOrder(tree, value).most(ROOT, LOWEST, infinity)


class _WorstOrder:
    """It calls itself only where the tree branches, so never deeper than `MOST_LEAVES`."""

    def __init__(self, tree: Tree, value: Sequence[Rank]) -> None:
        self.children = tree.children
        self.turn = tree.turn
        self.value = value
        self.known: dict[tuple[Node, Rank, Rank], int] = {}
        self.leaves = leaves = [1] * len(tree)
        for node in tree.bottom_up():
            leaves[node] = sum(map(leaves.__getitem__, tree.children[node]))

    def most(self, node: Node, alpha: Rank, beta: Rank) -> int:
        """Leaves evaluated below a node that is called with a window that is not empty."""
        children = self.children[node]
        while len(children) == 1:
            node = children[0]
            children = self.children[node]
        if not children:
            return 1
        if (found := self.known.get((node, alpha, beta))) is not None:
            return found
        value, every, maximising = self.value, self.leaves[node], self.turn[node] == MAX
        if every == len(children):
            going_on = sum([value[child] < beta if maximising else value[child] > alpha for child in children])
            found = min(going_on + 1, every)
        else:
            found = 0
            # Whoever moves α or β least comes first: most often this order evaluates all, and no other is tried.
            for order in permutations(sorted(children, key=value.__getitem__, reverse=not maximising)):
                found = max(found, self.evaluated(order, maximising, alpha, beta))
                if found == every:
                    break
        self.known[node, alpha, beta] = found
        return found

    def evaluated(self, order: Sequence[Node], maximising: bool, alpha: Rank, beta: Rank) -> int:
        """Leaves evaluated below a node whose children come in this order, each with its own worst order below."""
        count = 0
        for child in order:
            count += self.most(child, alpha, beta)
            if maximising:
                alpha = max(alpha, self.value[child])
            else:
                beta = min(beta, self.value[child])
            if alpha >= beta:
                break
        return count
