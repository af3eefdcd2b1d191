"""A story from its first sentence to its last, and the text that `explain` prints.

A brief story has a step for each inner node. A full one has every event with its numbers: windows, comparisons,
bounds that move, and what is returned. Monte Carlo tree search has a paragraph for each step that was recorded, then
how the visits went on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from solver.game.convention import Bound, Window
from solver.game.game_builder import Game
from solver.game.game_tree import AND, CHANCE, MAX, MIN, OR, ROOT, Node
from solver.kernel.errors import UsageError
from solver.kernel.exact import Number
from solver.kernel.irrational import decimal_text
from solver.languages.facts import MOST_ITEMS, Amount, Between, Fact, Formula, Items, Limit, Percent, Sentence
from solver.languages.translation import Language
from solver.languages.translation import language as words_in
from solver.search.solution import Solution
from solver.search.trace import ENTERED, EVALUATED, CutKind
from solver.story.node_sentences import cut_premise, cut_reason, leaf_sentence, value_sentence
from solver.story.opening_and_closing import closing, opening
from solver.story.search_facts import DETAILS, TIMES, About, Happening, Probes, Step, fact, factor, happenings, is_less


def mcts_story(about: About) -> Iterator[Step]:
    """No leaf is evaluated one after another here: every stage is 0."""
    run = about.solution.sampled
    assert run is not None
    findings, digits = run.found, run.sampling.digits
    for step in findings.trace:
        yield Step(0, step.path[-1], tuple(_iteration(about, step, digits)))
    for point in findings.checkpoints:
        if about.tree.children[0] and (point.step > len(findings.trace) or point.step == findings.steps):
            yield Step(0, ROOT, (_checkpoint(about, point, digits),))


def _iteration(about: About, step: Any, digits: int) -> Iterator[Sentence]:
    for choice in step.choices[:MOST_ITEMS]:
        yield _selected(about, choice, digits)
    if len(step.choices) > MOST_ITEMS:
        yield Sentence("select.more", len(step.choices) - MOST_ITEMS)
    last = about.name(step.path[-1])
    if step.expanded is not None:
        yield Sentence("expand", None, {"node": last})
    elif step.choices:
        yield Sentence("expand.nothing", None, {"node": last})
    yield _simulated(about, step)
    counts = tuple(
        Formula((about.name(count.node), ": ", Limit(count.total), "/", Amount(count.visits)))
        for count in step.after[:MOST_ITEMS]
    )
    yield Sentence("propagate", None, {"counts": Items(counts, len(step.after))})


def _selected(about: About, choice: Any, digits: int) -> Sentence:
    facts: dict[str, Fact] = {"node": about.name(choice.node), "chosen": about.name(choice.chosen)}
    if choice.ucb1 is None:
        return Sentence("select.chance", None, facts)
    pairs = list(zip(choice.children, choice.ucb1, strict=True))
    if len(pairs) == 1:
        return Sentence("select.only", None, facts)
    values = tuple(
        Formula((about.name(child), " = ", Limit("inf") if isinstance(value, str) else _rounded(value, digits)))
        for child, value in pairs[:MOST_ITEMS]
    )
    facts["values"] = Items(values, len(pairs))
    new = sum(isinstance(value, str) for _, value in pairs)
    return Sentence("select.new" if new else "select.ucb1", None, facts)


def _simulated(about: About, step: Any) -> Sentence:
    facts: dict[str, Fact] = {"result": Limit(step.result)}
    if step.listed:
        return Sentence("playout.given", None, facts)
    if not step.playout:
        return Sentence("playout.none", None, {**facts, "node": about.name(step.path[-1])})
    return Sentence(
        "playout.drawn", None, {**facts, "nodes": Items(about.names(step.playout).shown, len(step.playout), "then")}
    )


def _checkpoint(about: About, point: Any, digits: int) -> Sentence:
    children = about.tree.children[0]
    shares = tuple(
        Formula((str(about.tree.move[child]), ": ", Percent(_rounded(100 * share, 0))))
        for child, share in list(zip(children, point.shares, strict=True))[:MOST_ITEMS]
    )
    facts: dict[str, Fact] = {"shares": Items(shares, len(children)), "estimate": _rounded(point.estimate, digits)}
    return Sentence("checkpoint", point.step, facts)


def _rounded(value: Any, digits: int) -> Decimal:
    return Decimal(decimal_text(value, digits).replace("−", "-"))


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
class _OpenNode:
    """A node whose search is under way."""

    window: Window | None
    v: Any = None
    low: Number = 0
    high: Number = 0
    """What a chance node of Star1 and Star2 is worth at the least and at the most."""
    waiting: int = 0
    """How many of a chance node's outcomes are not searched to the end."""


def full_story(about: About) -> Iterator[Step]:
    teller = _Full(about)
    for happening in happenings(about.solution):
        if sentences := tuple(teller.tell(happening)):
            yield Step(happening.stage, happening.node, sentences)


class _Full:
    def __init__(self, about: About) -> None:
        self.about, self.tree = about, about.tree
        self.probes = Probes(about)
        self.open: dict[Node, _OpenNode] = {}
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
            self.open[node] = _OpenNode(None)
            if self.tree.players and turn != CHANCE:
                return Sentence("visit.player", None, {"node": name, "player": turn})
            return Sentence(_VISIT[turn], None, {"node": name})
        facts: dict[str, Fact] = {"node": name, "window": Between(window)}
        if self.tree.turn[node] is None:
            return Sentence("enter.leaf", None, facts)
        if again:
            self.open[node].window = window
            return Sentence("enter.again", None, facts)
        state = self.open[node] = _OpenNode(window, waiting=len(self.tree.children[node]))
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
            yield from value_sentence(self.about, node, value)
        elif node in self.probes.left_open:
            # The node stays open: it may be searched on.
            key = "probe.max" if self.tree.turn[node] == MAX else "probe.min"
            yield Sentence(key, None, {"node": name, "value": fact(value)})
        else:
            state = self.open.pop(node)
            best_value = state.v
            if self.tree.turn[node] == CHANCE:
                assert state.window is not None
                best_value = state.high if self.about.passes("alpha", state.high, state.window[0]) else state.low
            if best_value is not None and best_value != value:
                window = self.about.window(node)
                yield Sentence("hand.clamped", None, {"node": name, "value": fact(best_value), "window": window})
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
        if old is not None and not (is_less(old, value) if at_max else is_less(value, old)):
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
            yield cut_reason(self.about, happening.cut, self.probes.left_open)

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


def story_of(solution: Solution, detail: str = "brief") -> Iterator[Step]:
    """An opening, the steps, and a closing. `brief` has a step for each inner node, `full` one for each event."""
    if detail not in DETAILS:
        raise UsageError(f"unknown detail {detail!r}; choose one of {', '.join(DETAILS)}")
    return _story(About(solution), detail)


def _story(about: About, detail: str) -> Iterator[Step]:
    yield opening(about)
    if about.solution.sampled is not None:
        yield from mcts_story(about)
    else:
        yield from full_story(about) if detail == "full" else _brief(about)
    yield closing(about)


def story_text(steps: Iterable[Step], language: Language) -> Iterator[str]:
    """Each step as one paragraph."""
    for step in steps:
        yield " ".join(map(language.tell, step.sentences))


def tell_story(solution: Solution, language: Language, detail: str = "brief") -> list[str]:
    """The opening, the steps and the closing, each as one paragraph."""
    return list(story_text(story_of(solution, detail), language))


def explain(game: Game, solution: Solution, language: str = "en", detail: str = "brief") -> str:
    """A solution explained step by step, in a language of `LANGUAGES`; `detail` is `brief` or `full`."""
    return "".join(f"{line}\n" for line in explanation(game, solution, words_in(language), detail))


def explanation(game: Game, solution: Solution, language: Language, detail: str = "brief") -> Iterator[str]:
    """The lines of the text output: title, opening, numbered steps, closing."""
    heading = [language.name(text) for text in (game.title, game.source) if text]
    yield from map(language.line, heading)
    if heading:
        yield ""
    number = 0
    previous: str | None = None
    for paragraph in story_text(story_of(solution, detail), language):
        # The last paragraph is the closing, which has no number.
        if previous is not None:
            yield language.line(f"{language.count(number)}. {previous}" if number else previous)
            if not number:
                yield ""
            number += 1
        previous = paragraph
    if number > 1:
        yield ""
    yield language.line(str(previous))


def _brief(about: About) -> Iterator[Step]:
    probes = Probes(about)
    cut_at: dict[Node, list[Sentence]] = {}
    by_leaf: dict[Node, list[Sentence]] = {}
    """How a leaf last moved a bound at a node."""
    for happening in happenings(about.solution):
        probes.reenters(happening)
        up = about.tree.parent[happening.node]
        if happening.kind == ENTERED:
            if up in by_leaf:
                # The bound matters to what is searched now.
                yield Step(happening.stage, up, tuple(by_leaf.pop(up)))
            continue
        if happening.kind == EVALUATED and happening.moved is not None:
            by_leaf[up] = [leaf_sentence(about, happening), *bound_change(about, happening)]
        if happening.kind != EVALUATED:
            by_leaf.pop(happening.node, None)
            sentences = cut_at.pop(happening.node, None) or [
                *_why_leaves_fail(about, happening.node),
                *_finished(about, happening, probes),
            ]
            sentences += bound_change(about, happening)
            yield Step(happening.stage, happening.node, tuple(sentences))
        cut = happening.cut
        if cut is not None:
            cut_at[cut.node] = [
                *cut_premise(about, happening, probes.left_open),
                cut_reason(about, cut, probes.left_open),
            ]
            probes.cut(cut.node)


def _why_leaves_fail(about: About, node: Node) -> Iterator[Sentence]:
    """AND-OR search: why the leaves that made a node fail did so."""
    if about.solution.plan is None or about.solution.values[node]:
        return
    for child in about.in_order(node)[:MOST_ITEMS]:
        if about.tree.turn[child] is None and not about.solution.values[child]:
            yield leaf_sentence(about, Happening(EVALUATED, child, 0, False))
        if about.tree.turn[node] == AND and not about.solution.values[child]:
            # The first child that fails decides.
            return


def _finished(about: About, happening: Happening, probes: Probes) -> list[Sentence]:
    node = happening.node
    if node not in probes.left_open:
        return value_sentence(about, node, happening.value)
    at_max = about.tree.turn[node] == MAX
    facts: dict[str, Fact] = {
        "node": about.name(node),
        "child": about.name(about.in_order(node)[0]),
        "value": fact(happening.value),
    }
    return [Sentence("probed.max" if at_max else "probed.min", None, facts)]


def bound_change(about: About, happening: Happening) -> list[Sentence]:
    """What a child's value changed in the window above it."""
    if happening.moved is None:
        return []
    up = about.tree.parent[happening.node]
    at_max = about.tree.turn[up] == MAX
    value = Limit(happening.moved[0 if at_max else 1])
    facts: dict[str, Fact] = {"node": about.name(up), "value": value}
    return [about.by_mover(up, "moved.alpha" if at_max else "moved.beta", None, facts)]
