"""The fewest and the most leaves that alpha-beta can evaluate, over all orders of the children.

Both hold for MAX/MIN trees, the cut test `at-bound` and the window (−∞, +∞).
"""

from __future__ import annotations

from collections.abc import Sequence

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

    What a node returns, clamped to its window, does not depend on the order below it. So the window in which a child
    is searched depends only on the set of siblings before it, and a dynamic programme over (node, window, set) tries
    every order without listing any.
    """
    if len(tree.leaves) > MOST_LEAVES or max(map(len, tree.children)) > MOST_CHILDREN:
        return None

    return _WorstOrder(tree, value).most(ROOT, LOWEST, infinity)


class _WorstOrder:
    """The dynamic programme. It calls itself only where the tree branches, so never deeper than `MOST_LEAVES`."""

    def __init__(self, tree: Tree, value: Sequence[Rank]) -> None:
        self.tree = tree
        self.value = value
        self.known: dict[tuple[Node, Rank, Rank], int] = {}
        self.leaves = [1] * len(tree)
        for node in tree.bottom_up():
            self.leaves[node] = sum([self.leaves[child] for child in tree.children[node]])

    def most(self, node: Node, alpha: Rank, beta: Rank) -> int:
        """Leaves evaluated below a node that is called with a window that is not empty."""
        children = self.tree.children[node]
        while len(children) == 1:
            node = children[0]
            children = self.tree.children[node]
        if not children:
            return 1
        if (found := self.known.get((node, alpha, beta))) is not None:
            return found
        value, maximising = self.value, self.tree.turn[node] == MAX
        if self.leaves[node] > len(children):
            # Whoever moves α or β least comes first: most often no order evaluates more, and no other is tried.
            likely = sorted(children, key=value.__getitem__, reverse=not maximising)
            found = self.rest(likely, (1 << len(likely)) - 1, maximising, alpha, beta, {})
        else:
            going_on = sum([value[child] < beta if maximising else value[child] > alpha for child in children])
            found = min(going_on + 1, len(children))
        self.known[node, alpha, beta] = found
        return found

    def rest(
        self, children: Sequence[Node], remaining: int, maximising: bool, alpha: Rank, beta: Rank, known: dict[int, int]
    ) -> int:
        """Leaves evaluated below the remaining children, a set of bits, when the window is (α, β) before them."""
        if alpha >= beta or not remaining:
            return 0
        if remaining in known:
            return known[remaining]
        found = 0
        every = sum([self.leaves[child] for place, child in enumerate(children) if remaining >> place & 1])
        for place, child in enumerate(children):
            if remaining >> place & 1:
                handed_up = max(alpha, min(beta, self.value[child]))
                window = (handed_up, beta) if maximising else (alpha, handed_up)
                count = self.most(child, alpha, beta)
                count += self.rest(children, remaining & ~(1 << place), maximising, *window, known)
                found = max(found, count)
                if found == every:
                    break
        known[remaining] = found
        return found
