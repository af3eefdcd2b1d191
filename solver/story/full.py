"""Every event with its numbers: windows, comparisons, bounds that move, and what is returned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from solver.game.convention import Bound, Window
from solver.game.tree import AND, CHANCE, MAX, MIN, OR, Node
from solver.kernel.exact import Number
from solver.languages.facts import Between, Fact, Formula, Limit, Sentence
from solver.search.events import ENTERED, EVALUATED, CutKind
from solver.story.about import TIMES, About, fact, factor, less
from solver.story.cuts import why
from solver.story.finished import finished
from solver.story.happenings import Happening, happenings
from solver.story.leaves import leaf_sentence
from solver.story.probes import Probes
from solver.story.steps import Step

_ENTER = {
    MAX: "enter.max",
    MIN: "enter.min",
    CHANCE: "enter.chance",
}
_VISIT = {
    MAX: "visit.max",
    MIN: "visit.min",
    CHANCE: "visit.chance",
    OR: "visit.or",
    AND: "visit.and",
}
_HAND = {
    "exact": "hand.exact",
    "at-most": "hand.at-most",
    "at-least": "hand.at-least",
}


@dataclass(slots=True)
class _Open:
    """A node whose search is under way."""

    window: Window | None
    v: Any = None
    low: Number = 0
    high: Number = 0
    """What a chance node of Star1 and Star2 is worth at the least and at the most."""
    waiting: int = 0
    """How many of a chance node's outcomes are not searched to the end."""


def full(about: About) -> Iterator[Step]:
    teller = _Full(about)
    for happening in happenings(about.solution):
        if sentences := tuple(teller.tell(happening)):
            yield Step(happening.stage, happening.node, sentences)


class _Full:
    def __init__(self, about: About) -> None:
        self.about, self.tree = about, about.tree
        self.probes = Probes(about)
        self.open: dict[Node, _Open] = {}
        self.probed: dict[Node, tuple[Number, Number]] = {}
        self.before_test = about.solution.convention.update == "before-test"

    def tell(self, happening: Happening) -> Iterator[Sentence]:
        again = self.probes.reenters(happening)
        if happening.kind == ENTERED:
            yield self.entered(happening, again)
            return
        if happening.kind == EVALUATED:
            yield leaf_sentence(self.about, happening)
        else:
            yield from self.handed_up(happening)
        up = self.tree.parent[happening.node]
        if up >= 0:
            yield from self.at_parent(happening, up)
        if happening.cut is not None:
            self.probes.cut(happening.cut.node)

    def entered(self, happening: Happening, again: bool) -> Sentence:
        node, window = happening.node, happening.window
        name, turn = self.about.name(node), str(self.tree.turn[node])
        if window is None:
            self.open[node] = _Open(None)
            if self.tree.players and turn != CHANCE:
                return Sentence("visit.player", None, {"node": name, "player": turn})
            return Sentence(_VISIT[turn], None, {"node": name})
        facts: dict[str, Fact] = {"node": name, "window": Between(window)}
        if self.tree.turn[node] is None:
            return Sentence("enter.leaf", None, facts)
        if again:
            self.open[node].window = window
            return Sentence("enter.again", None, facts)
        state = self.open[node] = _Open(window, waiting=len(self.tree.children[node]))
        if turn == CHANCE and self.tree.bounds is not None:
            state.low, state.high = self.tree.bounds
        if node in self.probes.left_open:
            return Sentence("enter.probe", None, facts)
        return self.about.by_mover(node, _ENTER[turn], None, facts)

    def handed_up(self, happening: Happening) -> Iterator[Sentence]:
        node, value = happening.node, happening.value
        name = self.about.name(node)
        if self.about.search is None:
            del self.open[node]
            yield from finished(self.about, node, value)
        elif node in self.probes.left_open:
            # The node stays open: it may be searched on.
            key = "probe.max" if self.tree.turn[node] == MAX else "probe.min"
            yield Sentence(key, None, {"node": name, "value": fact(value)})
        else:
            state = self.open.pop(node)
            found = state.v
            if self.tree.turn[node] == CHANCE:
                assert state.window is not None
                found = state.high if self.about.passes("alpha", state.high, state.window[0]) else state.low
            if found is not None and found != value:
                window = self.about.window(node)
                yield Sentence("hand.clamped", None, {"node": name, "value": fact(found), "window": window})
            yield Sentence(_HAND[self.about.known(node)], None, {"node": name, "value": fact(value)})

    def at_parent(self, happening: Happening, up: Node) -> Iterator[Sentence]:
        turn = self.tree.turn[up]
        if turn == CHANCE:
            if self.about.search is None:
                yield self.added(happening, up)
            else:
                yield from self.weighed(happening, up)
        elif turn in (MAX, MIN):
            yield from self.compared(happening, up, turn == MAX)
        elif turn not in (OR, AND):
            yield self.offered(happening, up)

    def added(self, happening: Happening, up: Node) -> Sentence:
        chance = self.tree.probability[happening.node]
        assert chance is not None
        value: Any = happening.value
        part = tuple(chance * each for each in value) if isinstance(value, tuple) else chance * value
        term = Formula((chance, TIMES, *factor(value), " = ", fact(part)))
        return Sentence("chance.adds", None, {"node": self.about.name(up), "term": term})

    def offered(self, happening: Happening, up: Node) -> Sentence:
        """A child's vector, as the player who moves above it sees it."""
        player, state = str(self.tree.turn[up]), self.open[up]
        own = happening.value[(self.tree.side_of or {})[player]]
        facts: dict[str, Fact] = {"node": self.about.name(up), "player": player, "value": own}
        if state.v is None or own > state.v:
            state.v = own
            return Sentence("offer.best", None, facts)
        if own < state.v:
            return Sentence("offer.worse", None, {**facts, "best": state.v})
        last = self.about.solution.convention.ties == "last"
        return Sentence("offer.tie.last" if last else "offer.tie.first", None, facts)

    def compared(self, happening: Happening, up: Node, at_max: bool) -> Iterator[Sentence]:
        """v ← MAX(v, value), the test, and the update, in the convention's order."""
        state, value, name = self.open[up], happening.value, self.about.name(up)
        old = state.v
        if old is not None and not (less(old, value) if at_max else less(value, old)):
            key = "v.same.max" if at_max else "v.same.min"
            yield Sentence(key, None, {"node": name, "value": fact(value), "v": _best(old)})
            return
        state.v = value
        yield Sentence("v.new", None, {"node": name, "v": _best(value)})
        if state.window is None:
            return
        alpha, beta = state.window
        kind: CutKind = "beta" if at_max else "alpha"
        bound = beta if at_max else alpha
        test = self.tested(happening, up, kind, value, bound)
        update = self.updated(happening, up, at_max)
        stopped = self.about.passes(kind, value, bound)
        if self.before_test:
            yield from update
            yield from test
        else:
            yield from test
            if not stopped:
                yield from update

    def updated(self, happening: Happening, up: Node, at_max: bool) -> Iterator[Sentence]:
        state = self.open[up]
        assert state.window is not None
        side, name = (0 if at_max else 1), self.about.name(up)
        old: Bound = state.window[side]
        if happening.moved is None:
            key = "alpha.stays" if at_max else "beta.stays"
            yield Sentence(key, None, {"node": name, "value": fact(happening.value), "bound": Limit(old)})
            return
        state.window = happening.moved
        facts: dict[str, Fact] = {"node": name, "old": Limit(old), "value": Limit(happening.moved[side])}
        yield Sentence("alpha.rises" if at_max else "beta.falls", None, facts)

    def tested(self, happening: Happening, up: Node, kind: CutKind, value: Bound, bound: Bound) -> Iterator[Sentence]:
        test = self.about.test(kind, value, bound)
        if not self.about.passes(kind, value, bound):
            yield Sentence("test.no", None, {"test": test})
        elif happening.cut is None:
            yield Sentence("test.late", None, {"test": test, "node": self.about.name(up)})
        else:
            yield Sentence("test.yes", None, {"test": test})
            yield why(self.about, happening.cut, self.probes.left_open)

    def weighed(self, happening: Happening, up: Node) -> Iterator[Sentence]:
        """An outcome narrows what a chance node can be worth; then both tests."""
        node, value, state = happening.node, happening.value, self.open[up]
        chance, bounds = self.tree.probability[node], self.tree.bounds
        assert chance is not None and bounds is not None and state.window is not None
        least, most = self.probed.pop(node, bounds)
        now = (value, value)
        if node in self.probes.left_open:
            now = (value, bounds[1]) if self.tree.turn[node] == MAX else (bounds[0], value)
            self.probed[node] = now
        else:
            state.waiting -= 1
        state.low += chance * (now[0] - least)
        state.high += chance * (now[1] - most)
        name = self.about.name(up)
        facts: dict[str, Fact] = {"node": name, "interval": Between((state.low, state.high), closed=True)}
        yield (
            Sentence("chance.between", state.waiting, facts) if state.waiting else Sentence("chance.done", None, facts)
        )
        alpha, beta = state.window
        if self.about.passes("alpha", state.high, alpha):
            yield from self.tested(happening, up, "alpha", state.high, alpha)
        elif self.about.passes("beta", state.low, beta):
            yield from self.tested(happening, up, "beta", state.low, beta)
        else:
            facts = {
                "alpha_test": self.about.test("alpha", state.high, alpha),
                "beta_test": self.about.test("beta", state.low, beta),
            }
            yield Sentence("test.neither", None, facts)


def _best(value: Any) -> Formula:
    """`v = 3`: the best value so far."""
    return Formula(("v = ", fact(value)))
