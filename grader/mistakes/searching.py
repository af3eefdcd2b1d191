"""One alpha-beta search in which every rule can be replaced: mistakes in pruning are this search with one rule wrong.

With the rules that `rules_of` gives it is the right search under the convention (AIMA Figure 5.7), only slower than the
solver's: numbers stand for themselves, and −∞ and +∞ for themselves are two whole numbers beyond them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, TypeAlias

from grader.mistakes.behaviour import Behaviour
from solver.game import CHANCE, MAX, ROOT, Bound, Convention, Window
from solver.kernel import Number
from solver.search import Solution

Pair: TypeAlias = tuple[Number, Number]


class Call:
    """A node that is being searched; `rules` look at it after each child."""

    __slots__ = (
        "alpha", "before", "beta", "child", "children", "cut", "entry", "maximising", "node", "place", "remaining",
        "stopped", "v", "value",
    )  # fmt: skip

    def __init__(self, node: int, turn: str | None, children: Sequence[int], window: Pair, infinity: int) -> None:
        self.node = node
        self.maximising = turn == MAX
        self.children = children
        self.remaining: Iterator[int] = iter(children)
        self.entry = window
        self.alpha, self.beta = window
        self.v: Number = 0 if turn == CHANCE else -infinity if self.maximising else infinity
        """The best so far."""
        self.before: Number = self.v
        """The same before the last child."""
        self.value: Number = self.v
        """What the last child returned."""
        self.child = -1
        self.place = 0
        """How many children were searched."""
        self.stopped = self.cut = False

    def better(self, one: Number, other: Number) -> bool:
        return one > other if self.maximising else one < other

    def reaches(self, rules: MistakenRules, bound: Number) -> bool:
        """The cut test against some bound: v ≥ bound at MAX, v ≤ bound at MIN, or with > and <."""
        if rules.past_bound:
            return self.better(self.v, bound)
        return not self.better(bound, self.v)


def right_test(rules: MistakenRules, call: Call) -> bool:
    return call.reaches(rules, call.beta if call.maximising else call.alpha)


def right_update(call: Call) -> Pair:
    if call.maximising:
        return max(call.alpha, call.v), call.beta
    return call.alpha, min(call.beta, call.v)


def inherited(call: Call) -> Pair:
    return call.alpha, call.beta


@dataclass(frozen=True, slots=True)
class MistakenRules:
    """The convention's choices, and the steps of the search; a mistake replaces one of them."""

    right_to_left: bool = False
    past_bound: bool = False
    update_before_test: bool = False
    fail_hard: bool = False
    last_of_equals: bool = False
    stops: Callable[[MistakenRules, Call], bool] = right_test
    moves: Callable[[Call], Pair] = right_update
    """The node's window after a child."""
    hands_down: Callable[[Call], Pair] = inherited
    """The window that the next child is called with."""
    skips: Callable[[Call, int], bool] | None = None
    """Whether a later child is passed over whole."""
    keeps_window: bool = False
    """One window for everybody: a node goes on with the one that its child left."""
    parent_stops: bool = False
    """A cut stops the parent too."""


def rules_of(convention: Convention) -> MistakenRules:
    return MistakenRules(
        right_to_left=convention.order == "right-to-left",
        past_bound=convention.cut == "past-bound",
        update_before_test=convention.update == "before-test",
        fail_hard=convention.returns == "fail-hard",
        last_of_equals=convention.ties == "last",
    )


def infinity_of(solution: Solution) -> int:
    """A whole number beyond every leaf and every bound."""
    tree = solution.tree
    numbers: list[Any] = [tree.leaf[leaf] for leaf in tree.leaves]
    numbers += [bound for bound in initial_window(solution) if not isinstance(bound, str)]
    largest: Number = max(map(abs, numbers))
    return ceil(largest) + 1


def initial_window(solution: Solution) -> Window:
    """The root's window in the key."""
    search = solution.search
    if search is None or not search.windows[0]:
        return "-inf", "inf"
    low, high = search.windows[0][0]
    return search.scale.number(low), search.scale.number(high)


def searched(solution: Solution, rules: MistakenRules, turn: Sequence[str | None] | None = None) -> Behaviour:
    """Search the key's tree by these rules, perhaps with other turns."""
    infinity = infinity_of(solution)
    low, high = initial_window(solution)
    window = (-infinity if isinstance(low, str) else low, infinity if isinstance(high, str) else high)
    return _Searching(solution, turn or solution.tree.turn, infinity, rules).run(window)


class _Searching:
    def __init__(self, solution: Solution, turn: Sequence[str | None], infinity: int, rules: MistakenRules) -> None:
        self.tree, self.turn, self.infinity, self.rules = solution.tree, turn, infinity, rules
        self.key_move = solution.choice(ROOT)
        tree = solution.tree
        self.children = [below[::-1] for below in tree.children] if rules.right_to_left else tree.children
        self.signs: dict[Number, Bound] = {-infinity: "-inf", infinity: "inf"}
        self.values: dict[int, Any] = dict.fromkeys(tree.inner)
        self.windows: dict[int, list[Window]] = {}
        self.visited: list[int] = []
        self.root: list[tuple[int, Number]] = []
        """The root's searched children with what they returned."""

    def run(self, window: Pair) -> Behaviour:
        tree, rules = self.tree, self.rules
        leaf: Any = tree.leaf
        calls: list[Call] = []
        call = self.enter(0, window)
        while True:
            child = None if call.stopped else next(call.remaining, None)
            below_cut = False
            if child is None:
                value = self.leave(call)
                if not calls:
                    return self.behaviour(value)
                below, call = call, calls.pop()
                below_cut = below.cut
                if rules.keeps_window:
                    call.alpha, call.beta = below.alpha, below.beta
            elif rules.skips is not None and call.place and rules.skips(call, child):
                continue
            else:
                call.child = child
                handed = rules.hands_down(call)
                if self.turn[child] is not None:
                    calls.append(call)
                    call = self.enter(child, handed)
                    continue
                value = _clamped(leaf[child], handed) if rules.fail_hard else leaf[child]
                self.visited.append(child)
            self.take(call, value)
            if below_cut and rules.parent_stops:
                call.stopped = True

    def enter(self, node: int, window: Pair) -> Call:
        self.windows[node] = [self.shown(window)]
        return Call(node, self.turn[node], self.children[node], window, self.infinity)

    def leave(self, call: Call) -> Number:
        value = _clamped(call.v, call.entry) if self.rules.fail_hard else call.v
        self.values[call.node] = value
        return value

    def take(self, call: Call, value: Number) -> None:
        """v ← MAX(v, value), the cut test, and the new window."""
        if call.node == 0:
            self.root.append((call.child, value))
        call.place += 1
        if self.turn[call.node] == CHANCE:
            chance = self.tree.probability[call.child]
            assert chance is not None
            call.v = call.v + chance * value
            return
        call.before, call.value = call.v, value
        if call.better(value, call.v):
            call.v = value
        if self.rules.update_before_test:
            self.move(call)
        if self.rules.stops(self.rules, call):
            call.stopped = True
            call.cut = call.child != call.children[-1]
        elif not self.rules.update_before_test:
            self.move(call)

    def move(self, call: Call) -> None:
        moved = self.rules.moves(call)
        if moved != (call.alpha, call.beta):
            call.alpha, call.beta = moved
            self.windows[call.node].append(self.shown(moved))

    def shown(self, window: Pair) -> Window:
        low, high = window
        return self.signs.get(low, low), self.signs.get(high, high)

    def behaviour(self, value: Number) -> Behaviour:
        tree = self.tree
        played: int | None = None
        if self.turn[0] != CHANCE:
            best = [child for child, handed in self.root if handed == value] or [child for child, _ in self.root]
            # Of equals the last may be only a bound: taking it for a value is a separate mistake (A18).
            last = self.key_move if self.key_move in best else best[-1]
            played = last if self.rules.last_of_equals else best[0]
        pruned = frozenset(tree.leaves).difference(self.visited)
        return Behaviour(self.values, self.windows, pruned, self.visited, played)


def _clamped(value: Number, window: Pair) -> Number:
    return max(window[0], min(window[1], value))
