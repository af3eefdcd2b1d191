"""Facts about one solution, ready for sentences."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from solver.game.convention import Bound
from solver.game.tree import MAX, MIN, Node, Tree
from solver.kernel.exact import Number
from solver.languages.facts import MOST_ITEMS, Between, Fact, Formula, Items, Limit, Sentence
from solver.search.events import CutKind
from solver.search.solution import Solution
from solver.search.trace import Known

TIMES = Sentence("sign.times")
SIGNS = {"exact": " = ", "at-most": " ≤ ", "at-least": " ≥ "}


class About:
    def __init__(self, solution: Solution) -> None:
        self.solution, self.tree, self.search = solution, solution.tree, solution.search
        self.past_bound = solution.convention.cut == "past-bound"
        self.right_to_left = solution.convention.order == "right-to-left"

    def name(self, node: Node) -> str:
        return self.tree.ids[node]

    def names(self, nodes: Sequence[Node]) -> Items:
        return Items(tuple(self.tree.ids[node] for node in nodes[:MOST_ITEMS]), len(nodes))

    def moves(self, nodes: Sequence[Node], joint: str = "and") -> Items:
        return Items(tuple(str(self.tree.move[node]) for node in nodes[:MOST_ITEMS]), len(nodes), joint)

    def in_order(self, node: Node) -> tuple[Node, ...]:
        """The children as they are searched."""
        return self.tree.children[node][:: -1 if self.right_to_left else 1]

    def last_child(self, node: Node) -> Node:
        return self.tree.children[node][0 if self.right_to_left else -1]

    def by_mover(self, node: Node, key: str, count: int | None, facts: dict[str, Fact]) -> Sentence:
        """What MAX or MIN does at a node; where they stand for players, what the player does who moves there."""
        mover = self.mover(node)
        return (
            Sentence(key, count, facts)
            if mover is None
            else Sentence(f"{key}.player", count, {**facts, "player": mover})
        )

    def mover(self, node: Node) -> str | None:
        return None if self.tree.movers is None else self.tree.movers[node]

    def side(self, node: Node) -> Fact:
        mover = self.mover(node)
        if mover is not None:
            return mover
        return _SIDES.get(str(self.tree.turn[node]), str(self.tree.turn[node]))

    def is_estimate(self, leaf: Node) -> bool:
        """Whether a depth limit made the node a leaf."""
        estimates = self.tree.estimates or {}
        return leaf in estimates and self.tree.leaf[leaf] == estimates[leaf]

    def known(self, node: Node) -> Known:
        return "exact" if self.search is None else self.search.known(node)

    def returned(self, node: Node) -> Any:
        """What the search returned from a node; without pruning that is its value."""
        if self.search is None:
            return self.solution.values[node]
        rank = self.search.returned[node]
        return None if rank is None else self.search.scale.number(rank)

    def worth(self, node: Node) -> Formula:
        """`C ≤ 2`, or `L4 = 2 → 3` for a leaf whose value is clamped."""
        returned, own = self.returned(node), self.solution.values[node]
        if self.tree.turn[node] is not None:
            return self.equation(node, returned, self.known(node))
        if returned == own or returned is None:
            return self.equation(node, own)
        return Formula((self.tree.ids[node], " = ", fact(own), " → ", fact(returned)))

    def equation(self, node: Node, value: Any, known: Known = "exact") -> Formula:
        return Formula((self.tree.ids[node], SIGNS[known], fact(value)))

    def window(self, node: Node) -> Between:
        """The window that a node was entered with."""
        assert self.search is not None
        entry, number = self.search.entry[node], self.search.scale.number
        assert entry is not None
        return Between((number(entry[0]), number(entry[1])))

    def test(self, kind: CutKind, value: Bound, bound: Bound) -> Formula:
        """`2 ≤ α = 3`, as the convention has it."""
        sign = ("<" if self.past_bound else "≤") if kind == "alpha" else (">" if self.past_bound else "≥")
        return Formula((Limit(value), f" {sign} ", "α = " if kind == "alpha" else "β = ", Limit(bound)))

    def passes(self, kind: CutKind, value: Bound, bound: Bound) -> bool:
        low, high = (value, bound) if kind == "alpha" else (bound, value)
        return less(low, high) or (low == high and not self.past_bound)

    def leaves_below(self, nodes: Iterable[Node]) -> Items:
        """All leaves of some subtrees, named by the first few."""
        tree, total = self.tree, 0
        first: list[Fact] = []
        for node in nodes:
            start, end = bisect_left(tree.leaves, node), bisect_right(tree.leaves, tree.last[node])
            total += end - start
            first.extend(tree.ids[leaf] for leaf in tree.leaves[start : min(end, start + MOST_ITEMS - len(first))])
        return Items(tuple(first), total)

    def weighted(self, node: Node, values: Iterator[Any], result: Any) -> Formula:
        """`1/2·3 + 1/2·5 = 4`; vectors are weighted alike."""
        parts: list[Fact] = []
        children = self.in_order(node)
        for child, value in islice(zip(children, values, strict=True), MOST_ITEMS):
            chance = self.tree.probability[child]
            assert chance is not None
            parts += [" + " if parts else "", chance, TIMES, *factor(value)]
        if len(children) > MOST_ITEMS:
            parts.append(" + …")
        return Formula((*parts, " = ", fact(result)))

    def outcome_values(self, node: Node) -> Iterator[Any]:
        return map(self.returned, self.in_order(node))


_SIDES: dict[str, Fact] = {MAX: Sentence("side.max"), MIN: Sentence("side.min")}


def fact(value: Any) -> Fact:
    """A value as a fact."""
    if isinstance(value, bool):
        return Sentence("word.success") if value else Sentence("word.failure")
    return value if isinstance(value, tuple) else Limit(value)


def factor(value: Any) -> tuple[Fact, ...]:
    negative = not isinstance(value, tuple | str) and value < 0
    return ("(", fact(value), ")") if negative else (fact(value),)


def less(low: Bound, high: Bound) -> bool:
    """low < high, infinities included."""
    if isinstance(low, str) or isinstance(high, str):
        return low != high and (low == "-inf" or high == "inf")
    return low < high


def expectation(tree: Tree, children: Sequence[Node], values: Iterable[Number]) -> Number:
    """The mean of the children's values, each weighted by its probability."""
    return sum(((tree.probability[child] or 0) * value for child, value in zip(children, values, strict=True)), start=0)
