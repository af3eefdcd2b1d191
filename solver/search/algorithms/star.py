"""Star1 and Star2: alpha-beta for trees with chance nodes (Ballard 1983, "The *-minimax search procedure for trees
containing chance nodes"; Hauk, Buro & Schaeffer 2004), as events.

MAX and MIN are alpha-beta's. A chance node knows that every leaf lies in [L, U], so its own value lies between

    low  = Σ p·(the least that an outcome is worth)        L where nothing is known
    high = Σ p·(the most that an outcome is worth)         U where nothing is known

    function CHANCE-VALUE(state, α, β)
        for each outcome r, of probability p, do
            A ← (α − the others' part of high) / p          if r is worth A or less, high ≤ α
            B ← (β − the others' part of low) / p           if r is worth B or more, low ≥ β
            v ← VALUE(r, MAX(A, L), MIN(B, U))
            r is worth v at least and at most
            if high ≤ α then return high
            if low ≥ β then return low
        return low                                          by now the same as high

Star2 first probes: it searches one child of every outcome that is a MAX or MIN node. That child's value is the least
that a MAX node is worth, or the most that a MIN node is, and may already decide the test. A probe asks one question
only, so the other side of its window is open: (L, B) at MAX, (A, U) at MIN. What is known of the other outcomes only
grows, so windows only narrow, and the second phase goes on after the probed child without searching it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from solver.game.convention import Convention, Window, initial_window
from solver.game.game_tree import CHANCE, CHANCE_TREES, MAX, NOWHERE, ROOT, Node, Tree
from solver.kernel.errors import Refusal
from solver.kernel.exact import RESULT_DIGITS, Number, fits, simplest
from solver.search.algorithms.expectiminimax import expectiminimax
from solver.search.solution import Algorithm, Sampling, Solution
from solver.search.star_trace import StarEvent, bounds_of_leaves, star_retrace
from solver.search.trace import BACKED_UP, CUT, ENTERED, EVALUATED, MOVED

Pair: TypeAlias = tuple[Number, Number]

NO_MORE = NOWHERE
NOTHING: Iterator[Node] = iter(())


@dataclass(frozen=True, slots=True)
class StarRules:
    """The conventions that steer the search; `probe` makes it Star2."""

    probe: bool = False
    past_bound: bool = False
    update_before_test: bool = False
    fail_hard: bool = False
    right_to_left: bool = False


@dataclass(slots=True)
class _StarCall:
    """A node whose search is under way."""

    node: Node
    turn: str
    entry: Pair
    window: Pair
    v: Number
    """MAX, MIN: the best so far; chance: what it is known to be worth, at a cut or in the end."""
    actions: Iterator[Node]
    later: Iterator[Node] | None = None
    """What comes after the probe (MAX, MIN) or after all probes (chance); None outside of probing."""


@dataclass(slots=True)
class _Chance(_StarCall):
    low: Number = 0
    high: Number = 0
    known: dict[Node, Pair] = field(default_factory=dict)
    """The least and the most that an outcome is worth, where that is not simply [L, U]."""
    paused: dict[Node, _StarCall] = field(default_factory=dict)
    """Outcomes that were probed and are not searched to the end."""
    searched: set[Node] = field(default_factory=set)


def star(tree: Tree, utility: Sequence[Number], bounds: Pair, window: Window, rules: StarRules) -> list[StarEvent]:
    """Everything that happens in one search, in order. `bounds` are L and U, between which every utility lies."""
    return _StarSearch(tree, utility, bounds, window, rules).run()


class _StarSearch:
    def __init__(self, tree: Tree, utility: Sequence[Number], bounds: Pair, window: Window, rules: StarRules) -> None:
        self.tree, self.utility, self.bounds, self.rules = tree, utility, bounds, rules
        numbers = [*bounds, *(bound for bound in window if not isinstance(bound, str))]
        # Stand-ins for −∞ and +∞: numbers beyond all that occur.
        self.below, self.above = min(numbers) - 1, max(numbers) + 1
        low, high = window
        self.window = (
            low if not isinstance(low, str) else self.below,
            high if not isinstance(high, str) else self.above,
        )
        self.events: list[StarEvent] = []

    def run(self) -> list[StarEvent]:
        turn = self.tree.turn
        if turn[0] is None:
            self.evaluate(ROOT, self.window)
            return self.events
        calls: list[_StarCall] = []
        call = self.enter(ROOT, self.window)
        while True:
            child = next(call.actions, NO_MORE)
            if child == NO_MORE:
                if isinstance(call, _Chance) and call.later is not None:
                    call.actions, call.later = call.later, None
                    continue
                value = self.back_up(call)
                if not calls:
                    return self.events
                outcome, call = call, calls.pop()
                child = outcome.node
                if outcome.later is not None:
                    assert isinstance(call, _Chance)
                    self.learn_from_probe(call, outcome, value)
                    continue
            elif turn[child] is None:
                value = self.evaluate(child, self.window_of_leaf(call, child))
            else:
                calls.append(call)
                call = self.enter_outcome(call, child) if isinstance(call, _Chance) else self.enter(child, call.window)
                continue
            if isinstance(call, _Chance):
                self.learn_outcome(call, child, value)
            else:
                self.learn_move(call, child, value)

    def enter(self, node: Node, window: Pair) -> _StarCall:
        turn = str(self.tree.turn[node])
        children = self.in_order(node)
        self.events.append((ENTERED, node, self.told(window)))
        if turn != CHANCE:
            return _StarCall(node, turn, window, window, self.below if turn == MAX else self.above, iter(children))
        low, high = self.bounds
        call = _Chance(node, turn, window, window, low, iter(children), low=low, high=high)
        if self.rules.probe:
            players = [child for child in children if self.tree.turn[child] not in (CHANCE, None)]
            searched = call.searched
            call.actions, call.later = iter(players), (child for child in children if child not in searched)
        return call

    def enter_outcome(self, chance: _Chance, node: Node) -> _StarCall:
        """A chance node's child: to be probed, to be searched, or to be searched on where its probe left off."""
        window = alpha, beta = self.outcome_window(chance, node)
        call = chance.paused.pop(node, None)
        if call is not None:
            assert call.later is not None
            call.actions, call.later = call.later, None
            window = (max(alpha, call.v), beta) if call.turn == MAX else (alpha, min(beta, call.v))
            call.entry = call.window = window
            self.events.append((ENTERED, node, self.told(window)))
            return call
        if chance.later is None:
            return self.enter(node, window)
        call = self.enter(node, (self.bounds[0], beta) if self.tree.turn[node] == MAX else (alpha, self.bounds[1]))
        first, *others = self.in_order(node)
        call.actions, call.later = iter((first,)), iter(others) if others else None
        return call

    def outcome_window(self, chance: _Chance, child: Node) -> Pair:
        """(MAX(A, L), MIN(B, U)); an outcome that cannot happen has no say, so its A and B are infinite."""
        low, high = self.bounds
        alpha, beta = chance.window
        p = self.chance_of(child)
        least, most = chance.known.get(child, self.bounds)
        # Where α ≤ L, no outcome is small enough: A ≤ L. Where β ≥ U, B ≥ U.
        if p and alpha > low:
            a = self.printable(chance, Fraction(alpha - chance.high + p * most) / p)
            alpha = max(low, min(high, a))
        else:
            alpha = low
        if p and beta < high:
            b = self.printable(chance, Fraction(beta - chance.low + p * least) / p)
            beta = max(low, min(high, b))
        else:
            beta = high
        return alpha, beta

    def window_of_leaf(self, call: _StarCall, leaf: Node) -> Pair:
        if not isinstance(call, _Chance):
            return call.window
        window = self.outcome_window(call, leaf)
        self.events.append((ENTERED, leaf, self.told(window)))
        return window

    def learn_move(self, call: _StarCall, child: Node, value: Number) -> None:
        """A child of MAX or MIN returned its value: AIMA Figure 5.7, as in alpha-beta."""
        alpha, beta = call.window
        past_bound = self.rules.past_bound
        if call.turn == MAX:
            if value <= call.v:
                return
            cut = value > beta if past_bound else value >= beta
            moved = value > alpha
            window = (value, beta)
        else:
            if value >= call.v:
                return
            cut = value < alpha if past_bound else value <= alpha
            moved = value < beta
            window = (alpha, value)
        call.v = value
        if moved and (self.rules.update_before_test or not cut):
            call.window = window
            self.events.append((MOVED, call.node, self.told(window)))
        if cut:
            if child != self.tree.children[call.node][0 if self.rules.right_to_left else -1]:
                self.events.append((CUT, call.node, child))
            call.actions, call.later = NOTHING, None

    def learn_outcome(self, chance: _Chance, child: Node, value: Number) -> None:
        """An outcome was searched to the end: unless it decides the test, its value is exact."""
        chance.searched.add(child)
        self.learn(chance, child, (value, value))

    def learn_from_probe(self, chance: _Chance, outcome: _StarCall, value: Number) -> None:
        low, high = self.bounds
        chance.paused[outcome.node] = outcome
        self.learn(chance, outcome.node, (value, high) if outcome.turn == MAX else (low, value))

    def learn(self, chance: _Chance, child: Node, worth: Pair) -> None:
        """Take in the least and the most that an outcome is worth, then test."""
        p = self.chance_of(child)
        least, most = chance.known.get(child, self.bounds)
        chance.known[child] = worth
        chance.low = self.printable(chance, chance.low + p * (worth[0] - least))
        chance.high = self.printable(chance, chance.high + p * (worth[1] - most))
        alpha, beta = chance.window
        past_bound = self.rules.past_bound
        fails_low = chance.high < alpha if past_bound else chance.high <= alpha
        fails_high = chance.low > beta if past_bound else chance.low >= beta
        chance.v = chance.high if fails_low else chance.low
        if fails_low or fails_high:
            if len(chance.searched) < len(self.tree.children[chance.node]):
                self.events.append((CUT, chance.node, (child, "alpha" if fails_low else "beta")))
            chance.actions, chance.later = NOTHING, None

    def evaluate(self, leaf: Node, window: Pair) -> Number:
        value = self.handed_up(self.utility[leaf], window)
        self.events.append((EVALUATED, leaf, value))
        return value

    def back_up(self, call: _StarCall) -> Number:
        value = self.handed_up(call.v, call.entry)
        self.events.append((BACKED_UP, call.node, value))
        return value

    def handed_up(self, value: Number, window: Pair) -> Number:
        return max(window[0], min(window[1], value)) if self.rules.fail_hard else value

    def told(self, window: Pair) -> Window:
        alpha, beta = window
        return ("-inf" if alpha == self.below else alpha, "inf" if beta == self.above else beta)

    def in_order(self, node: Node) -> tuple[Node, ...]:
        return self.tree.children[node][:: -1 if self.rules.right_to_left else 1]

    def chance_of(self, child: Node) -> Number:
        p = self.tree.probability[child]
        assert p is not None
        return p

    def printable(self, chance: _StarCall, number: Number) -> Number:
        if not fits(number):
            name = self.tree.name(chance.node)
            message = f"{name}: a window or bound below it has more than {RESULT_DIGITS:,} digits"
            raise Refusal(self.tree.ids[chance.node], "result-size", message)
        return simplest(number)


def star_solution(tree: Tree, convention: Convention, probe: bool) -> Solution:
    """Star1, or Star2 if it is to probe; Refusal where chance nodes stand in a game without bounds."""
    bounds = bounds_of_leaves(tree)
    utility: Any = tree.leaf
    values = expectiminimax(tree, utility)
    window = initial_window(tree, convention)
    rules = StarRules(
        probe=probe,
        past_bound=convention.cut == "past-bound",
        update_before_test=convention.update == "before-test",
        fail_hard=convention.returns == "fail-hard",
        right_to_left=convention.order == "right-to-left",
    )
    events = star(tree, utility, bounds, window, rules)
    search = star_retrace(tree, values, bounds, window, events, rules.right_to_left)
    return Solution(tree, (STAR2 if probe else STAR1).name, convention, values, search)


def _solve1(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    return star_solution(tree, convention, probe=False)


def _solve2(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    return star_solution(tree, convention, probe=True)


STAR1 = Algorithm(
    "star1",
    CHANCE_TREES,
    _solve1,
    prunes=True,
    opening="open.star1",
    opening_without_bounds="open.alpha-beta",
)
STAR2 = Algorithm(
    "star2",
    CHANCE_TREES,
    _solve2,
    prunes=True,
    probes=True,
    opening="open.star2",
    opening_without_bounds="open.alpha-beta",
)
