"""What a story is made of: facts about one solution, ready for sentences, and what happened in its search.

What happened has one form for all algorithms that go through a tree: a node entered, evaluated or finished. Star2's
probes are followed beside it: which outcomes have been looked at with one child only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeAlias

from solver.game.convention import Bound, Window
from solver.game.game_tree import CHANCE, MAX, MIN, OR, Node, Tree
from solver.kernel.exact import Number
from solver.languages.facts import MOST_ITEMS, Between, Fact, Formula, Items, Limit, Sentence
from solver.search.algorithms.algorithm_registry import ALGORITHMS
from solver.search.solution import Solution, Value
from solver.search.trace import (
    BACKED_UP,
    CUT,
    ENTERED,
    EVALUATED,
    MOVED,
    BackedUp,
    Cut,
    CutKind,
    Entered,
    Evaluated,
    Known,
    Rank,
    Search,
)

DETAILS = ("brief", "full")
"""How much an explanation says."""


@dataclass(frozen=True, slots=True)
class Step:
    stage: int
    """How many leaves have been evaluated."""
    node: Node
    sentences: tuple[Sentence, ...]


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
        return is_less(low, high) or (low == high and not self.past_bound)

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


def is_less(low: Bound, high: Bound) -> bool:
    """low < high, infinities included."""
    if isinstance(low, str) or isinstance(high, str):
        return low != high and (low == "-inf" or high == "inf")
    return low < high


def expectation(tree: Tree, children: Sequence[Node], values: Iterable[Number]) -> Number:
    """The mean of the children's values, each weighted by its probability."""
    return sum(((tree.probability[child] or 0) * value for child, value in zip(children, values, strict=True)), start=0)


Happens: TypeAlias = Entered[Rank] | Evaluated[Rank] | BackedUp[Rank]


@dataclass(frozen=True, slots=True)
class Happening:
    """One of ENTERED, EVALUATED and BACKED_UP at a node, with what it led to at the parent at once."""

    kind: Literal[0, 1, 4]
    node: Node
    stage: int
    """How many leaves have been evaluated, this one included."""
    value: Any = None
    """What was returned: a number, a vector, or whether there is a plan."""
    window: Window | None = None
    """ENTERED in a pruning search."""
    moved: Window | None = None
    """The parent's window if α or β moved there."""
    cut: Cut | None = None
    """The cut at the parent."""


def happenings(solution: Solution) -> Iterator[Happening]:
    search = solution.search
    return _visits(solution) if search is None else _events(search)


def _events(search: Search) -> Iterator[Happening]:
    number, cuts = search.scale.number, iter(search.cuts)
    stage = 0
    current: Happens | None = None
    moved: Window | None = None
    cut: Cut | None = None
    for event in search.events:
        if event[0] == MOVED:
            moved = (number(event[2][0]), number(event[2][1]))
            continue
        if event[0] == CUT:
            cut = next(cuts)
            continue
        if current is not None:
            yield _happening(search, current, stage, moved, cut)
            moved = cut = None
        stage += event[0] == EVALUATED
        current = event
    if current is not None:
        yield _happening(search, current, stage, moved, cut)


def _happening(search: Search, event: Happens, stage: int, moved: Window | None, cut: Cut | None) -> Happening:
    number = search.scale.number
    if event[0] == ENTERED:
        return Happening(ENTERED, event[1], stage, window=(number(event[2][0]), number(event[2][1])))
    return Happening(event[0], event[1], stage, number(event[2]), None, moved, cut)


def _visits(solution: Solution) -> Iterator[Happening]:
    """Without pruning, a node is finished with its last child; AND-OR search stops at the child that decides."""
    tree, values = solution.tree, solution.values
    last = 0 if solution.convention.order == "right-to-left" else -1
    stage = 0
    for visited in solution.visited:
        if tree.turn[visited] is not None:
            yield Happening(ENTERED, visited, stage)
            continue
        stage += 1
        yield Happening(EVALUATED, visited, stage, values[visited])
        node = visited
        while (up := tree.parent[node]) >= 0 and (node == tree.children[up][last] or _decides(solution, up, node)):
            yield Happening(BACKED_UP, up, stage, values[up])
            node = up


def _decides(solution: Solution, node: Node, child: Node) -> bool:
    value: Value = solution.values[child]
    return solution.plan is not None and value is (solution.tree.turn[node] == OR)


class Probes:
    """Follows the happenings; `left_open` has the outcomes whose probe did not finish them."""

    def __init__(self, about: About) -> None:
        self.about = about
        self.probing = ALGORITHMS[about.solution.algorithm].probes
        self.left_open: set[Node] = set()

    def reenters(self, happening: Happening) -> bool:
        """Take in a happening; whether a probed node is entered to be searched on."""
        tree, node = self.about.tree, happening.node
        if not self.probing or happening.kind != ENTERED or tree.turn[node] not in (MAX, MIN):
            return False
        if node in self.left_open:
            self.left_open.remove(node)
            return True
        if node and tree.turn[tree.parent[node]] == CHANCE and len(tree.children[node]) > 1:
            self.left_open.add(node)
        return False

    def cut(self, node: Node) -> None:
        """A node was cut, and its cut reported: it is finished, and so are its outcomes."""
        self.left_open.discard(node)
        if self.probing:
            self.left_open.difference_update(self.about.tree.children[node])
