"""Monte Carlo tree search (Russell & Norvig, AIMA 4e, section 5.4, Figures 5.10 and 5.11).

    function MONTE-CARLO-TREE-SEARCH(state) returns an action
        tree ← NODE(state)
        while IS-TIME-REMAINING() do
            leaf ← SELECT(tree)
            child ← EXPAND(leaf)
            result ← SIMULATE(child)
            BACK-PROPAGATE(result, child)
        return the move in ACTIONS(state) whose node has highest number of playouts

    UCB1(n) = U(n) / N(n) + C · √(ln N(PARENT(n)) / N(n))

The nodes of the textbook's growing tree are those of ours with visits; a node without has not been added yet.

U(n), the `total` of a node, adds up the results for the side that moved into it: the parent's turn; after a chance node
the side that moved before it. Into the root moved the opponent of the side to move (AIMA's root 37/100 counts white's
wins, and black is to move). Where a chance node comes before any move, totals are MAX's.

Results are MAX's. Where all leaves and listed playouts lie in [0, 1], a result is a share of one win and MIN has the
rest, 1 − result; otherwise the game is zero-sum and MIN has −result. The two differ by a constant that is the same
for all siblings: no choice depends on it, only what is written at the nodes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import lcm
from random import Random
from typing import Any, Literal, TypeAlias

from solver.game.convention import Convention
from solver.game.game_tree import CHANCE, CHANCE_TREES, MAX, MIN, NOWHERE, ROOT, Node, Tree, Unknown
from solver.kernel.errors import Refusal
from solver.kernel.exact import Number, number_text, simplest
from solver.kernel.irrational import (
    FIRST_BITS,
    Constant,
    RootOfLog,
    SquareRoot,
    SwitchPoint,
    enclose,
    first_largest,
    root_of_log,
    squared,
)
from solver.search.algorithms.expectiminimax import expectiminimax
from solver.search.solution import Algorithm, Sampling, SamplingResult, Solution

Ucb1: TypeAlias = RootOfLog | Literal["inf"]
"""A child that was never visited comes before all others."""

DEFAULT_EXPLORATION = SquareRoot(2)

TRACED_STEPS = 16
"""The first steps are told in full."""


@dataclass(frozen=True, slots=True)
class UcbChoice:
    """How the selection went on from a node."""

    node: Node
    children: tuple[Node, ...]
    """In search order: of equals the first is chosen."""
    ucb1: tuple[Ucb1, ...] | None
    """Each child's; None at a chance node, whose outcome is drawn."""
    chosen: Node


@dataclass(frozen=True, slots=True)
class Count:
    """A node's statistics: U(n) and N(n)."""

    node: Node
    total: Number
    visits: int


@dataclass(frozen=True, slots=True)
class Iteration:
    """One iteration of the four stages."""

    choices: tuple[UcbChoice, ...]
    path: tuple[Node, ...]
    """From the root to the node that was expanded, or to a leaf visited before."""
    expanded: Node | None
    listed: bool
    """Whether the document gives the result of the playout."""
    playout: tuple[Node, ...]
    """The random moves below the path, as the nodes they lead to; empty if the result is listed."""
    result: Number
    """For MAX."""
    after: tuple[Count, ...]
    """The statistics along the path after back-propagation."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    step: int
    visits: tuple[int, ...]
    """Of the root's children, in document order."""
    estimate: Number
    """The root's mean result for MAX; with the number of steps it tends to the minimax value."""

    @property
    def shares(self) -> tuple[Number, ...]:
        """Each child's part of all visits to the root's children."""
        return tuple(simplest(Fraction(visits, sum(self.visits))) for visits in self.visits)


@dataclass(frozen=True, slots=True)
class Mcts:
    steps: int
    exploration: Constant
    constant_sum: bool
    """Whether MIN has 1 − result; −result otherwise."""
    credited: tuple[str, ...]
    """The side whose results each node's total adds up."""
    visits: tuple[int, ...]
    totals: tuple[Number, ...]
    trace: tuple[Iteration, ...]
    """The first steps in full."""
    checkpoints: tuple[Checkpoint, ...]
    """After 1, 2, 4, 8, … steps, and after the last."""
    by_visits: Node | None
    """The root's child with most visits, the first of equals; None at a leaf, a chance node, or without any visit."""
    by_value: Node | None
    """The root's child with the best mean result for the side to move, among those visited."""

    def estimate(self, node: Node) -> Number | None:
        """A node's mean result for MAX; None if it was never visited."""
        if not self.visits[node]:
            return None
        mean = Fraction(self.totals[node]) / self.visits[node]
        return simplest(_share(self.credited[node], mean, self.constant_sum))


def mcts(tree: Tree, steps: int, seed: int = 0, right_to_left: bool = False, traced: int = 1) -> Mcts:
    """This many steps from the statistics that the tree has, none meaning a search from scratch.

    The k-th step takes the k-th listed playout as its result. Afterwards results are drawn: random moves, all equally
    likely, to a leaf, chance nodes by their probabilities; the same seed draws the same on every machine.
    """
    search = _MctsSearch(tree, seed, right_to_left)
    trace: list[Iteration] = []
    checkpoints: list[Checkpoint] = []
    for number in range(1, steps + 1):
        if number <= traced:
            trace.append(search.traced_step())
        else:
            search.step(search.select())
        if number & (number - 1) == 0 or number == steps:
            checkpoints.append(search.checkpoint(number))
    visits, totals = search.visits, search.totals
    tried = [child for child in search.children[0] if visits[child] and tree.turn[0] != CHANCE]
    return Mcts(
        steps,
        _exploration(tree),
        search.constant_sum,
        search.credited,
        tuple(visits),
        tuple(totals),
        tuple(trace),
        tuple(checkpoints),
        max(tried, key=lambda child: visits[child], default=None),
        max(tried, key=lambda child: Fraction(totals[child]) / visits[child], default=None),
    )


def choice_at(tree: Tree, node: Node, right_to_left: bool = False) -> UcbChoice:
    """The UCB1 value of every child of a MAX or MIN node by the statistics that the tree has, and the one chosen."""
    if tree.turn[node] not in (MAX, MIN):
        raise Refusal(tree.ids[node], "algorithm", f"UCB1 chooses at max and min nodes; this is {tree.name(node)}")
    return _MctsSearch(tree, 0, right_to_left).choice(node)


def switch_point(first: Count, second: Count, parent_visits: int) -> SwitchPoint | None:
    """The C at which UCB1 values both alike: below it the child of the better mean is chosen, above it the other.

    None where one is no worse than the other for every C ≥ 0: there is no better mean, or it has no more visits.
    """
    more, fewer = (first, second) if first.visits > second.visits else (second, first)
    if fewer.visits == more.visits or parent_visits < 2 or not fewer.visits:
        return None
    difference = Fraction(more.total) / more.visits - Fraction(fewer.total) / fewer.visits
    if difference <= 0:
        return None
    return SwitchPoint(difference, fewer.visits, more.visits, parent_visits)


def ucb1(total: Number, visits: int, parent_visits: int, exploration: Constant) -> Ucb1:
    """UCB1 = U/N + C · √(ln N(parent) / N), exactly; C ≥ 0."""
    if not visits:
        return "inf"
    return root_of_log(Fraction(total) / visits, Fraction(squared(exploration)) / visits, parent_visits)


class _MctsSearch:
    """The statistics while the search goes on."""

    def __init__(self, tree: Tree, seed: int, right_to_left: bool) -> None:
        given_visits, given_totals = tree.visits or {}, tree.totals or {}
        self.tree = tree
        self.visits = [int(given_visits.get(node, 0)) for node in tree.nodes]
        self.totals = [given_totals.get(node, 0) for node in tree.nodes]
        self.children = [below[::-1] for below in tree.children] if right_to_left else tree.children
        self.credited = _credited(tree)
        self.constant_sum = all(
            0 <= number <= 1 for number in (*tree.leaf, *tree.playouts) if isinstance(number, Number)
        )
        self.exploration = _exploration(tree)
        self.square = squared(self.exploration)
        self.draw = _Draw(tree, seed)
        self.listed = iter(tree.playouts)
        _refuse_misfits(tree)
        _refuse_statistics(tree, self.visits, self.totals, self.constant_sum)

    def step(self, path: Sequence[Node]) -> tuple[bool, tuple[Node, ...], Number]:
        """What follows selection and expansion: whether the result is listed, the playout, and the result."""
        listed = next(self.listed, None)
        playout = self.simulate(path[-1]) if listed is None else ()
        result = self.utility(playout[-1] if playout else path[-1]) if listed is None else listed
        self.back_propagate(result, path)
        return listed is not None, playout, result

    def traced_step(self) -> Iteration:
        choices: list[UcbChoice] = []
        path = tuple(self.select(choices))
        expanded = path[-1] if choices and not self.visits[path[-1]] else None
        listed, playout, result = self.step(path)
        after = tuple(Count(node, self.totals[node], self.visits[node]) for node in path)
        return Iteration(tuple(choices), path, expanded, listed, playout, result, after)

    def select(self, choices: list[UcbChoice] | None = None) -> list[Node]:
        """Down from the root to a leaf, or to a node that was never visited: its first visit adds it to the tree."""
        path = [ROOT]
        while self.children[path[-1]] and (path[-1] == 0 or self.visits[path[-1]]):
            if choices is None:
                path.append(self.chosen(path[-1]))
            else:
                choices.append(self.choice(path[-1]))
                path.append(choices[-1].chosen)
        return path

    def choice(self, node: Node) -> UcbChoice:
        children = self.children[node]
        if self.tree.turn[node] == CHANCE:
            return UcbChoice(node, children, None, self.draw.outcome(node))
        visits, totals, exploration = self.visits, self.totals, self.exploration
        values = tuple(ucb1(totals[child], visits[child], visits[node], exploration) for child in children)
        return UcbChoice(node, children, values, children[_first_best(values)])

    def chosen(self, node: Node) -> Node:
        """The same child as `choice` gives, in integers: nearly always the first enclosures tell the best apart."""
        if self.tree.turn[node] == CHANCE:
            return self.draw.outcome(node)
        square, parent_visits, enclosures = self.square, self.visits[node], []
        for child in self.children[node]:
            visits, total = self.visits[child], self.totals[child]
            if not visits:
                return child
            mean = (total.numerator, total.denominator * visits)
            factor = (square.numerator, square.denominator * visits)
            enclosures.append((*enclose(mean, factor, parent_visits, FIRST_BITS), child))
        most = max(low for low, _, _ in enclosures)
        best = [child for _, high, child in enclosures if high >= most]
        return best[0] if len(best) == 1 else self.choice(node).chosen

    def simulate(self, node: Node) -> tuple[Node, ...]:
        """A playout: random moves from a node to a leaf."""
        playout = []
        while self.children[node]:
            chance = self.tree.turn[node] == CHANCE
            node = self.draw.outcome(node) if chance else self.draw.one_of(self.tree.children[node])
            playout.append(node)
        return tuple(playout)

    def utility(self, node: Node) -> Number:
        leaf = self.tree.leaf[node]
        if isinstance(leaf, Number):
            return leaf
        message = f"a playout reached {self.tree.name(node)}, whose value is unknown"
        raise Refusal(self.tree.ids[node], "algorithm", message, "list the results: mcts: {playouts: [1, 0]}")

    def back_propagate(self, result: Number, path: Sequence[Node]) -> None:
        for node in path:
            self.visits[node] += 1
            self.totals[node] = simplest(self.totals[node] + _share(self.credited[node], result, self.constant_sum))

    def checkpoint(self, step: int) -> Checkpoint:
        mean = Fraction(self.totals[0]) / self.visits[0]
        estimate = simplest(_share(self.credited[0], mean, self.constant_sum))
        return Checkpoint(step, tuple(self.visits[child] for child in self.tree.children[0]), estimate)


class _Draw:
    """Random choices that only use the generator's bits: their sequence is the same in every version of Python."""

    def __init__(self, tree: Tree, seed: int) -> None:
        self.tree = tree
        self.bits: Callable[[int], int] = Random(seed).getrandbits
        self.limits: dict[Node, list[int]] = {}

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit − 1, all equally likely."""
        size = (limit - 1).bit_length()
        while (drawn := self.bits(size) if size else 0) >= limit:
            pass
        return drawn

    def one_of(self, children: Sequence[Node]) -> Node:
        return children[self.below(len(children))]

    def outcome(self, node: Node) -> Node:
        """A child of a chance node, drawn by its probability."""
        children = self.tree.children[node]
        if node not in self.limits:
            chances = [Fraction(self.tree.probability[child] or 0) for child in children]
            whole = lcm(*(chance.denominator for chance in chances))
            self.limits[node] = list(accumulate(int(chance * whole) for chance in chances))
        limits = self.limits[node]
        return children[bisect_right(limits, self.below(limits[-1]))]


def _first_best(values: Sequence[Ucb1]) -> int:
    if "inf" in values:
        return values.index("inf")
    return first_largest([value for value in values if value != "inf"])


def _share(side: str, result: Number, constant_sum: bool) -> Number:
    """What MAX's result is for a side."""
    return result if side == MAX else 1 - result if constant_sum else -result


def _credited(tree: Tree) -> tuple[str, ...]:
    sides = [MIN if tree.turn[0] == MAX else MAX]
    for up in tree.parent[1:]:
        turn = tree.turn[up]
        sides.append(sides[up] if turn is None or turn == CHANCE else turn)
    return tuple(sides)


def _exploration(tree: Tree) -> Constant:
    return DEFAULT_EXPLORATION if tree.exploration is None else tree.exploration


def _refuse_misfits(tree: Tree) -> None:
    for node, turn in zip(tree.nodes, tree.turn, strict=True):
        if turn not in (MAX, MIN, CHANCE, None):
            message = f"mcts accepts max, min and chance nodes only; this is {tree.name(node)}"
            raise Refusal(tree.ids[node], "algorithm", message)
        if turn is None and not isinstance(tree.leaf[node], Number | Unknown):
            message = f"mcts needs a number at every leaf; {tree.name(node)} has another value"
            raise Refusal(tree.ids[node], "algorithm", message)
    if tree.exploration is not None and tree.exploration < 0:
        message = f"the exploration constant must be 0 or more, not {number_text(tree.exploration)}"
        raise Refusal(tree.ids[0], "algorithm", message)


def _refuse_statistics(tree: Tree, visits: list[int], totals: list[Number], constant_sum: bool) -> None:
    """Counts that no search can have left behind."""
    below: Counter[Node] = Counter()
    for node in tree.visits or {}:
        below[tree.parent[node]] += visits[node]
    for node in sorted({*below, *(tree.totals or {})} - {NOWHERE}):
        if below[node] > visits[node]:
            message = f"{tree.name(node)} has {visits[node]} visits, its children {below[node]}"
            raise Refusal(tree.ids[node], "algorithm", message, "every visit to a child is one to its parent")
        outside = constant_sum and not 0 <= totals[node] <= visits[node]
        if outside or (totals[node] and not visits[node]):
            message = f"{tree.name(node)} has a total of {number_text(totals[node])} in {visits[node]} visits"
            raise Refusal(tree.ids[node], "algorithm", message, "a total adds up one result for each visit")


def _solve(tree: Tree, convention: Convention, sampling: Sampling) -> Solution:
    steps = sampling.steps or max(1, len(tree.playouts))
    result = mcts(tree, steps, sampling.seed, convention.order == "right-to-left", traced=TRACED_STEPS)
    leaves: Any = tree.leaf
    sampled = SamplingResult(result, replace(sampling, steps=steps))
    return Solution(tree, MCTS.name, convention, expectiminimax(tree, leaves), sampled=sampled)


MCTS = Algorithm("mcts", CHANCE_TREES, _solve, another_game=True, opening="open.mcts")
