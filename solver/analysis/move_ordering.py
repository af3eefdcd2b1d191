"""Orders of the children: the tree in another order, and orders in which alpha-beta evaluates the fewest and the most
leaves.

An order names, for some nodes, their children in the new order; other nodes keep theirs. All counts are alpha-beta's
own from the window (−∞, +∞), on MAX/MIN trees. A search for an order may leave the children of some nodes as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import factorial, prod
from types import MappingProxyType
from typing import TypeAlias

from solver.analysis.tree_shape import require_max_and_min
from solver.game.game_tree import MAX, NOWHERE, ROOT, Node, NodeId, Tree
from solver.kernel.errors import Refusal
from solver.kernel.exact import Number
from solver.search.algorithms.alpha_beta import Rules, alpha_beta
from solver.search.algorithms.minimax import minimax
from solver.search.solution import MOST_CHILDREN, MOST_LEAVES, fewest_leaves
from solver.search.trace import LOWEST, Rank, Ranks, Scale, scale_of

Order: TypeAlias = Mapping[NodeId, Sequence[NodeId]]
AS_LISTED: Order = MappingProxyType({})
AIMA = Rules()
MOST_STEPS = 100_000
"""Nodes of a tree times orders, where some nodes may be reordered and every order of theirs is searched."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """A number of leaves and an order in which alpha-beta evaluates this many; nodes that keep theirs are not in it."""

    leaves: int
    order: Order


def not_a_reordering(tree: Tree, order: Order) -> str | None:
    """Why an order is none of this tree's children, or None if it is one."""
    for name, children in order.items():
        node = tree.index.get(name)
        if node is None:
            return f"there is no node {name}"
        if not tree.children[node]:
            return f"{tree.name(node)} has no children to put in order"
        ours = {tree.ids[child] for child in tree.children[node]}
        moves = {str(tree.move[child]): tree.ids[child] for child in tree.children[node]}
        for child in children:
            if child in moves and child not in ours:
                return f"{child} is a move of {tree.name(node)}: name the child, {moves[child]}"
            if child not in ours:
                return f"{child} is not a child of {tree.name(node)}"
        if len(set(children)) < len(children):
            twice = next(child for place, child in enumerate(children) if child in children[:place])
            return f"{twice} is listed twice among the children of {tree.name(node)}"
        if len(children) < len(ours):
            left_out = next(tree.ids[child] for child in tree.children[node] if tree.ids[child] not in set(children))
            return f"{left_out} is missing among the children of {tree.name(node)}"
    return None


def is_reordering(tree: Tree, order: Order) -> bool:
    return not_a_reordering(tree, order) is None


def reordered(tree: Tree, order: Order) -> Tree:
    """The tree with its children in another order: the same ids, moves and values, in the new document order."""
    reason = not_a_reordering(tree, order)
    if reason is not None:
        raise ValueError(reason)
    children = list(tree.children)
    for name, names in order.items():
        children[tree.index[name]] = tuple(tree.index[child] for child in names)
    listed: list[Node] = []
    waiting = [ROOT]
    while waiting:
        node = waiting.pop()
        listed.append(node)
        waiting.extend(reversed(children[node]))
    new = dict(zip(listed, tree.nodes, strict=True))

    def moved(numbers: Mapping[Node, Number] | None) -> Mapping[Node, Number] | None:
        return numbers and {new[node]: number for node, number in numbers.items()}

    return replace(
        tree,
        ids=tuple(tree.ids[node] for node in listed),
        turn=tuple(tree.turn[node] for node in listed),
        parent=tuple(new[tree.parent[node]] if node else NOWHERE for node in listed),
        children=tuple(tuple(new[child] for child in children[node]) for node in listed),
        depth=tuple(tree.depth[node] for node in listed),
        move=tuple(tree.move[node] for node in listed),
        probability=tuple(tree.probability[node] for node in listed),
        leaf=tuple(tree.leaf[node] for node in listed),
        estimates=moved(tree.estimates),
        visits=moved(tree.visits),
        totals=moved(tree.totals),
    )


def leaves_evaluated(tree: Tree, order: Order = AS_LISTED, rules: Rules = AIMA) -> list[NodeId]:
    """The leaves that alpha-beta evaluates with the children in this order, as it comes to them."""
    require_max_and_min(tree, "the leaves evaluated")
    if order:
        tree = reordered(tree, order)
    scale = scale_of(tree)
    noted = alpha_beta(tree, scale.utility, (LOWEST, scale.infinity), scale.infinity, rules)
    return [tree.ids[node] for node in noted.visited if tree.turn[node] is None]


def order_with_fewest(tree: Tree, rules: Rules = AIMA, of: Collection[NodeId] | None = None) -> Extreme:
    """The fewest leaves, and an order that attains it; in linear time, unless `past_bound` meets equal leaves, or the
    order is one of the children of some nodes only and does worse than the best of all.

    The order follows the two cheapest proofs whose sizes `fewest_leaves` adds up: that the root is worth at least V, by
    one child of each MAX node, and at most V, by one of each MIN node. The line that both share is searched first, with
    an open window, and is worth V; so beside it every window is (V, +∞) below MAX or (−∞, V) below MIN. Where the
    child that proves "at most V" comes first at MIN, it cuts at once; MAX has all its children searched, as the proof
    says, and none moves α. So the search evaluates the leaves of the two proofs and no other.
    """
    require_max_and_min(tree, "the fewest leaves")
    scale = scale_of(tree)
    value = minimax(tree, scale.utility)
    if rules.past_bound and len(scale.numbers) < len(tree.leaves):
        return _exhaustive_order(tree, scale, value, rules, of, worst=False)
    leaves = fewest_leaves(tree, value)
    if len(leaves_evaluated(tree, AS_LISTED, rules)) == leaves:
        return Extreme(leaves, AS_LISTED)
    first = _proving(tree, value)
    if of is None:
        return Extreme(leaves, _first_children(tree, first, rules))
    order = _first_children(tree, {node: child for node, child in first.items() if tree.ids[node] in of}, rules)
    if len(leaves_evaluated(tree, order, rules)) == leaves:
        return Extreme(leaves, order)
    return _exhaustive_order(tree, scale, value, rules, of, worst=False)


def order_with_most(tree: Tree, rules: Rules = AIMA, of: Collection[NodeId] | None = None) -> Extreme:
    """The most leaves, and an order that attains it, of the children of some nodes or of all; Refusal for a tree too
    large to try every order.
    """
    require_max_and_min(tree, "the most leaves")
    scale = scale_of(tree)
    return _exhaustive_order(tree, scale, minimax(tree, scale.utility), rules, of, worst=True)


def _proving(tree: Tree, value: Sequence[Rank]) -> dict[Node, Node]:
    """For each node of the two proofs that needs one child only, that child."""
    goal, never = value[0], len(tree) + 1
    at_least = [1 if rank >= goal else never for rank in value]
    at_most = [1 if rank <= goal else never for rank in value]
    for node in tree.bottom_up():
        children = tree.children[node]
        one, all_of = (at_least, at_most) if tree.turn[node] == MAX else (at_most, at_least)
        one[node] = min([one[child] for child in children])
        all_of[node] = min(never, sum([all_of[child] for child in children]))
    first: dict[Node, Node] = {}
    # A node with what is to be proved of it: that it is at least V, at most V.
    waiting = [(ROOT, True, True)]
    while waiting:
        node, low, high = waiting.pop()
        children = tree.children[node]
        if not children:
            continue
        maximising = tree.turn[node] == MAX
        if low if maximising else high:
            first[node] = min(children, key=(at_least if maximising else at_most).__getitem__)
        for child in children:
            chosen = first.get(node) == child
            needs_low, needs_high = (low and chosen, high) if maximising else (low, high and chosen)
            if needs_low or needs_high:
                waiting.append((child, needs_low, needs_high))
    return first


def _first_children(tree: Tree, first: Mapping[Node, Node], rules: Rules) -> Order:
    """The order in which these children are searched first; the others stay as they are."""
    order = {}
    for node in sorted(first):
        children = tree.children[node][::-1] if rules.right_to_left else tree.children[node]
        chosen = first[node]
        if children[0] != chosen:
            order[node] = [chosen, *(child for child in children if child != chosen)]
    return _named(tree, order, rules)


def _named(tree: Tree, order: Mapping[Node, Sequence[Node]], rules: Rules) -> Order:
    """An order as searched, written as listed: by ids, where it is new."""
    step = -1 if rules.right_to_left else 1
    return {
        tree.ids[node]: tuple(tree.ids[child] for child in order[node][::step])
        for node in sorted(order)
        if tuple(order[node][::step]) != tree.children[node]
    }


def _exhaustive_order(
    tree: Tree, scale: Scale, value: Sequence[Rank], rules: Rules, of: Collection[NodeId] | None, *, worst: bool
) -> Extreme:
    """The worst or the best of all orders, within the limits of `extremes`; of a few orders, in a tree of any size."""
    free = [node for node in tree.inner if of is None or tree.ids[node] in of]
    if of is not None and prod(factorial(len(tree.children[node])) for node in free) * len(tree) <= MOST_STEPS:
        return _extreme_of_few(tree, rules, free, worst)
    asked = "the most leaves" if worst else "the fewest leaves"
    if not worst and of is None:
        asked += " when a search goes on at equality"
    for node in free:
        if len(tree.children[node]) > MOST_CHILDREN:
            reason = f"{tree.name(node)} has {len(tree.children[node])} children, more than {MOST_CHILDREN}"
            raise Refusal(tree.ids[node], "too-hard", f"{asked}: every order is tried, and {reason}")
    if len(tree.leaves) > MOST_LEAVES:
        reason = f"the tree has {len(tree.leaves)} leaves, more than {MOST_LEAVES}"
        raise Refusal(tree.ids[0], "too-hard", f"{asked}: every order is tried, and {reason}")
    programme = _EveryOrder(tree, value, rules, frozenset(free), worst)
    leaves = programme.count(ROOT, LOWEST, scale.infinity)
    return Extreme(leaves, _named(tree, programme.order(scale.infinity), rules))


def _extreme_of_few(tree: Tree, rules: Rules, free: Sequence[Node], worst: bool) -> Extreme:
    """By a search for each order. The first of equals: children stay as listed where that is as good."""
    found: Extreme | None = None
    for orders in product(*(permutations(tree.children[node]) for node in free)):
        order = {
            tree.ids[node]: tuple(tree.ids[child] for child in children)
            for node, children in zip(free, orders, strict=True)
            if children != tree.children[node]
        }
        leaves = len(leaves_evaluated(tree, order, rules))
        if found is None or (leaves > found.leaves if worst else leaves < found.leaves):
            found = Extreme(leaves, order)
    assert found is not None
    return found


class _EveryOrder:
    """The dynamic programme of `extremes.most_leaves`, for either extreme and either cut test, with its choices kept.

    A search past the bound returns whether a value is below, above or which one inside the window, ends included; so
    there values are clamped one rank further out. It calls itself only where the tree branches, so never deeper than
    `MOST_LEAVES`.
    """

    def __init__(self, tree: Tree, value: Sequence[Rank], rules: Rules, free: frozenset[Node], worst: bool) -> None:
        self.tree = tree
        self.value = value
        self.free = free
        step = -1 if rules.right_to_left else 1
        self.children: list[Sequence[Node]] = [children[::step] for children in tree.children]
        self.slack = 1 if rules.past_bound else 0
        self.better = max if worst else min
        self.known: dict[tuple[Node, Rank, Rank], tuple[int, Sequence[Node]]] = {}

    def count(self, node: Node, alpha: Rank, beta: Rank) -> int:
        """Leaves evaluated below a node that is called with this window."""
        while len(self.children[node]) == 1:
            node = self.children[node][0]
        if not self.children[node]:
            return 1
        return self.choice(node, alpha, beta)[0]

    def choice(self, node: Node, alpha: Rank, beta: Rank) -> tuple[int, Sequence[Node]]:
        """The leaves evaluated below a node that branches, and the order of its children that attains it."""
        found = self.known.get((node, alpha, beta))
        if found is None and node not in self.free:
            found = self.known[node, alpha, beta] = self.as_listed(node, alpha, beta), self.children[node]
        if found is None:
            everything = (1 << len(self.children[node])) - 1
            found = self.known[node, alpha, beta] = self.rest(node, everything, alpha, beta, {})
        return found

    def as_listed(self, node: Node, alpha: Rank, beta: Rank) -> int:
        """The leaves evaluated below a node that keeps its children in their order."""
        count = 0
        window: Ranks | None = (alpha, beta)
        for child in self.children[node]:
            if window is None:
                break
            count += self.count(child, *window)
            window = self.after(node, child, *window)
        return count

    def rest(
        self, node: Node, remaining: int, alpha: Rank, beta: Rank, known: dict[int, tuple[int, Sequence[Node]]]
    ) -> tuple[int, Sequence[Node]]:
        """The same for the children that are left, a set of bits, when the window is (α, β) before them."""
        if remaining in known:
            return known[remaining]
        ways = []
        for place, child in enumerate(self.children[node]):
            if remaining >> place & 1:
                after = self.after(node, child, alpha, beta)
                others = remaining & ~(1 << place)
                tail: Sequence[Node] = [each for bit, each in enumerate(self.children[node]) if others >> bit & 1]
                count = 0
                if after is not None and others:
                    count, tail = self.rest(node, others, *after, known)
                ways.append((self.count(child, alpha, beta) + count, [child, *tail]))
        # The first of equals: children stay as listed where that is as good.
        known[remaining] = self.better(ways, key=lambda way: way[0])
        return known[remaining]

    def after(self, node: Node, child: Node, alpha: Rank, beta: Rank) -> Ranks | None:
        """The window after a child, or None where it cuts."""
        value = Rank(max(alpha - self.slack, min(beta + self.slack, self.value[child])))
        if self.tree.turn[node] == MAX:
            return None if value >= beta + self.slack else (max(alpha, value), beta)
        return None if value <= alpha - self.slack else (alpha, min(beta, value))

    def order(self, infinity: Rank) -> dict[Node, Sequence[Node]]:
        """The choices along the search that they lead to; nodes that it does not visit keep their order."""
        order: dict[Node, Sequence[Node]] = {}
        waiting = [(ROOT, LOWEST, infinity)]
        while waiting:
            node, alpha, beta = waiting.pop()
            children = self.children[node]
            if len(children) > 1:
                children = order[node] = self.choice(node, alpha, beta)[1]
            window: Ranks | None = (alpha, beta)
            for child in children:
                if window is None:
                    break
                waiting.append((child, *window))
                window = self.after(node, child, *window)
        return order
