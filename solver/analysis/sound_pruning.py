"""Is a set of crossed-out leaves what alpha-beta may prune? The search is replayed, skipping what was skipped.

Leaves that are crossed out together form an item: a maximal run of children of a node that was visited, all of whose
leaves are crossed out. A run that reaches the node's last child is a stop ("C after L4"); another is a gap, since the
search went on behind it. An item is sound if the leaves visited before it make a cut test succeed, at its node or
above. It is unjustified if they do not, though the root's value survives whatever the crossed-out leaves are worth:
only a look ahead could tell. Else it is unsound.

The replay compares values as the leaves give them: a node returns the best of what was visited below it. (Fail-hard
would clamp it, which changes no test.)
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from solver.analysis.tree_shape import require_max_and_min
from solver.game.convention import Bound, Convention, Window
from solver.game.game_tree import MAX, ROOT, Node, NodeId, Tree
from solver.kernel.errors import UsageError, quoted
from solver.kernel.exact import Number
from solver.search.algorithms.alpha_beta import Rules, alpha_beta
from solver.search.algorithms.minimax import minimax
from solver.search.trace import LOWEST, Rank, Ranks, Scale, scale_of

ByReplay: TypeAlias = Literal["sound", "unjustified", "unsound"]
SOUND: Final = "sound"
UNJUSTIFIED: Final = "unjustified"
UNSOUND: Final = "unsound"
ByKey: TypeAlias = Literal["right", "late"]
RIGHT: Final = "right"
LATE: Final = "late"
MISSED: Final = "missed"
MOST_NAMED = 5
MOST_COMPARED = 1_000
"""Ids and moves looked at for a name that is meant, when one is misspelt."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The cut test that decides: the node's value so far against the bound that `set_by` had set."""

    node: NodeId
    """Where the test is made: the item's node, or the one above it at which the search could have stopped before."""
    value: Bound
    sign: str
    """What should hold between value and bound: ≤ or < at MIN, ≥ or > at MAX."""
    bound: Bound
    set_by: NodeId | None
    """None for the initial window."""
    holds: bool


@dataclass(frozen=True, slots=True)
class CrossedOutItem:
    """Children of a visited node, next to each other in search order, that were skipped."""

    node: NodeId
    after: NodeId | None
    """The child visited last before; None for a gap at the start."""
    skipped: tuple[NodeId, ...]
    """In search order. The root alone stands for itself if everything is crossed out."""
    leaves: tuple[NodeId, ...]
    """All leaves below them, in document order."""
    stop: bool
    """Whether the run reaches the last child; a gap otherwise."""
    soundness: ByReplay
    key: ByKey | None
    """right if the key search stops there too, late if it had stopped before; None if it visits what was skipped."""
    comparison: Comparison | None = None
    """None on trees with chance nodes, where a cut test is not v against α or β."""

    @property
    def verdict(self) -> ByKey | ByReplay:
        """right or late by the key, else what the replay says."""
        return self.key or self.soundness


@dataclass(frozen=True, slots=True)
class KeyStop:
    """A stop of the key search, and whether the given set has it: right, late or missed."""

    stop: CrossedOutItem
    verdict: ByKey | Literal["missed"]


@dataclass(frozen=True, slots=True)
class Soundness:
    items: tuple[CrossedOutItem, ...]
    """In search order."""
    key: tuple[KeyStop, ...]
    survives: bool
    """Whether the root's value is the same whatever the crossed-out leaves are worth."""

    @property
    def sound(self) -> bool:
        return all(item.soundness == SOUND for item in self.items)

    @property
    def verdict(self) -> ByReplay:
        """The worst of the items' soundness; `sound` for nothing."""
        found = {item.soundness for item in self.items}
        return UNSOUND if UNSOUND in found else UNJUSTIFIED if UNJUSTIFIED in found else SOUND


def soundness(
    tree: Tree,
    pruned: Iterable[str],
    convention: Convention,
    window: Window,
    handed_up: Mapping[Node, Number] = MappingProxyType({}),
) -> Soundness:
    """Judge a pruned set, given by names that `Names` knows, under a convention's cut test and order and from the
    initial window; `handed_up` are somebody's own values of inner nodes, in place of what the leaves give."""
    require_max_and_min(tree, "soundness")
    leaves = leaves_below(tree, map(Names(tree).node, pruned))
    return KeySearch(tree, convention, window, handed_up).judge(leaves)


class KeySearch:
    """A search that pruned sets are judged by. It is made once for all of them."""

    def __init__(
        self,
        tree: Tree,
        convention: Convention,
        window: Window,
        handed_up: Mapping[Node, Number] = MappingProxyType({}),
    ) -> None:
        """As `soundness` has it."""
        self.tree = tree
        self.scale = scale = scale_of(tree, [*window, *handed_up.values()])
        self.window = (scale.rank(window[0]), scale.rank(window[1]))
        self.own = {node: scale.rank(value) for node, value in handed_up.items()}
        self.rules = Rules(past_bound=convention.cut == "past-bound", right_to_left=convention.order == "right-to-left")
        noted = alpha_beta(tree, scale.utility, self.window, scale.infinity, self.rules, self.own)
        self.pruned = {leaf for leaf in tree.leaves if noted.returned[leaf] is None}
        self.stops = list(self._replayed(self.pruned))
        self.stopped = {(found.node, found.after) for found in self.stops}
        self.items = [self._item(found, SOUND, RIGHT) for found in self.stops]

    def judge(self, leaves: set[Node], survives: bool | None = None) -> Soundness:
        """Crossed-out leaves beside the stops of the search; `survives`, if that is known."""
        if survives is None:
            survives = self.value_survives(leaves)
        failing: ByReplay = UNJUSTIFIED if survives else UNSOUND
        items, right, late = [], set(), set()
        for found in self._replayed(leaves):
            below = _leaves_of(self.tree, found.skipped)
            key: ByKey | None = None
            if found.stop and (found.node, found.after) in self.stopped:
                key = RIGHT
                right.add(found.node)
            elif self.pruned.issuperset(below):
                key = LATE
                late.update(below)
            items.append(self._item(found, SOUND if found.test.holds else failing, key))
        keys = []
        for found, item in zip(self.stops, self.items, strict=True):
            is_late = bool(late) and not late.isdisjoint(_leaves_of(self.tree, found.skipped))
            verdict: ByKey | Literal["missed"] = RIGHT if found.node in right else LATE if is_late else MISSED
            keys.append(KeyStop(item, verdict))
        return Soundness(tuple(items), tuple(keys), survives)

    def value_survives(self, leaves: set[Node]) -> bool:
        """Whether the root's value is the same whatever these leaves are worth: no value of an inner node counts."""
        return value_survives(self.tree, self.scale, leaves, self.window)

    def _replayed(self, leaves: set[Node]) -> Iterator[_ReplayItem]:
        return _Replay(self.tree, self.scale, self.rules, leaves, self.own).items(self.window)

    def _item(self, found: _ReplayItem, its_soundness: ByReplay, key: ByKey | None) -> CrossedOutItem:
        return _item(self.tree, self.scale, self.rules, found, its_soundness, key)


class Names:
    """What people call a node: by its id, or by the move that leads to it. An id goes before a move of that name."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    @cached_property
    def by_move(self) -> dict[str, list[Node]]:
        reached: dict[str, list[Node]] = {}
        for node, move in zip(self.tree.nodes, self.tree.move, strict=True):
            if move is not None:
                reached.setdefault(move, []).append(node)
        return reached

    def node(self, name: str) -> Node:
        """The node that a name means; UsageError if it means none, or several."""
        tree, name = self.tree, unicodedata.normalize("NFC", name)
        node = tree.index.get(NodeId(name))
        if node is not None:
            return node
        reached = self.by_move.get(name, [])
        if len(reached) == 1:
            return reached[0]
        if reached:
            places = ", ".join(tree.ids[tree.parent[node]] for node in reached[:MOST_NAMED])
            more = f" and {len(reached) - MOST_NAMED} more" if len(reached) > MOST_NAMED else ""
            raise UsageError(f"the move {quoted(name)} is made at {places}{more}: name the node that it leads to")
        close = difflib.get_close_matches(name, [*tree.ids[:MOST_COMPARED], *islice(self.by_move, MOST_COMPARED)], n=1)
        advice = f"; did you mean {close[0]}?" if close else ""
        raise UsageError(f"there is no node or move {quoted(name)}{advice}")


def leaves_below(tree: Tree, nodes: Iterable[Node]) -> set[Node]:
    """The leaves among some nodes and below them."""
    covered = set(nodes)
    for node in tree.nodes[1:]:
        if tree.parent[node] in covered:
            covered.add(node)
    return covered.intersection(tree.leaves)


def value_survives(tree: Tree, scale: Scale, pruned: set[Node], window: Ranks) -> bool:
    """V(S = −∞) = V(S = +∞): minimax rises with every leaf, so nothing between can differ.

    A window that is not open says that the value is wanted inside it only.
    """
    ends = []
    for extreme in (LOWEST, scale.infinity):
        value = minimax(tree, [extreme if node in pruned else rank for node, rank in enumerate(scale.utility)])[0]
        ends.append(max(window[0], min(window[1], value)))
    return ends[0] == ends[1]


class _Test(NamedTuple):
    """A cut test in ranks."""

    node: Node
    value: Rank
    bound: Rank
    set_by: Node | None
    holds: bool


class _ReplayItem(NamedTuple):
    """An item of the replay, in node numbers."""

    node: Node
    after: Node | None
    skipped: tuple[Node, ...]
    stop: bool
    test: _Test


@dataclass(slots=True)
class _ReplayCall:
    """MAX-VALUE or MIN-VALUE of a node, as far as it has come."""

    node: Node
    maximising: bool
    v: Rank
    alpha: Rank
    beta: Rank
    alpha_by: Node | None
    beta_by: Node | None
    actions: Iterator[Node]
    succeeded: _Test | None
    """The first cut test that held, here or above, though the search went on."""
    before: Node | None = None
    gap: list[Node] = field(default_factory=list)


class _Replay:
    """Alpha-beta that stops where leaves are crossed out, not where its tests say; it notes what they say there."""

    def __init__(
        self, tree: Tree, scale: Scale, rules: Rules, pruned: set[Node], handed_up: Mapping[Node, Rank]
    ) -> None:
        self.tree = tree
        self.handed_up = handed_up
        self.utility = scale.utility
        self.infinity = scale.infinity
        self.slack = 1 if rules.past_bound else 0
        self.step = -1 if rules.right_to_left else 1
        self.crossed_out = crossed_out = set(pruned)
        for node in tree.bottom_up():
            if crossed_out.issuperset(tree.children[node]):
                crossed_out.add(node)

    def items(self, window: Ranks) -> Iterator[_ReplayItem]:
        """The items in search order: a stop or gap comes when the search has passed it."""
        if ROOT in self.crossed_out:
            yield _ReplayItem(ROOT, None, (ROOT,), False, self.test(self.call(ROOT, *window, None, None, None)))
            return
        if not self.tree.children[0]:
            return
        calls = [self.call(ROOT, *window, None, None, None)]
        while calls:
            now = calls[-1]
            child = next(now.actions, None)
            if child is None:
                if now.gap:
                    yield self.found(now, stop=True)
                calls.pop()
                if calls:
                    self.hand_up(calls[-1], now.node, self.handed_up.get(now.node, now.v))
                continue
            if child in self.crossed_out:
                now.gap.append(child)
                continue
            if now.gap:
                yield self.found(now, stop=False)
            if self.tree.children[child]:
                above = (now.alpha, now.beta, now.alpha_by, now.beta_by, now.succeeded)
                calls.append(self.call(child, *above))
            else:
                self.hand_up(now, child, self.utility[child])

    def call(
        self, node: Node, alpha: Rank, beta: Rank, alpha_by: Node | None, beta_by: Node | None, succeeded: _Test | None
    ) -> _ReplayCall:
        maximising = self.tree.turn[node] == MAX
        v = LOWEST if maximising else self.infinity
        actions = iter(self.tree.children[node][:: self.step])
        return _ReplayCall(node, maximising, v, alpha, beta, alpha_by, beta_by, actions, succeeded)

    def found(self, now: _ReplayCall, stop: bool) -> _ReplayItem:
        skipped, now.gap = tuple(now.gap), []
        above = now.succeeded if now.succeeded is not None and now.succeeded.node != now.node else None
        return _ReplayItem(now.node, now.before, skipped, stop, above or self.test(now))

    def test(self, now: _ReplayCall) -> _Test:
        """Has the node's value reached the bound from above?"""
        if now.maximising:
            return _Test(now.node, now.v, now.beta, now.beta_by, now.v >= now.beta + self.slack)
        return _Test(now.node, now.v, now.alpha, now.alpha_by, now.v <= now.alpha - self.slack)

    def hand_up(self, now: _ReplayCall, child: Node, value: Rank) -> None:
        """A child's value arrives: v, then the cut test, then α or β. Where v stays, so does what the test says."""
        now.before = child
        if now.maximising:
            if value > now.v:
                now.v = value
                if now.succeeded is None and value >= now.beta + self.slack:
                    now.succeeded = self.test(now)
                elif value > now.alpha:
                    now.alpha, now.alpha_by = value, now.node
        elif value < now.v:
            now.v = value
            if now.succeeded is None and value <= now.alpha - self.slack:
                now.succeeded = self.test(now)
            elif value < now.beta:
                now.beta, now.beta_by = value, now.node


def _leaves_of(tree: Tree, nodes: Sequence[Node]) -> list[Node]:
    return [node for top in nodes for node in tree.subtree(top) if not tree.children[node]]


def _item(
    tree: Tree, scale: Scale, rules: Rules, found: _ReplayItem, its_soundness: ByReplay, key: ByKey | None
) -> CrossedOutItem:
    ids, test = tree.ids, found.test
    at_max, at_min = (">", "<") if rules.past_bound else ("≥", "≤")
    return CrossedOutItem(
        node=ids[found.node],
        after=None if found.after is None else ids[found.after],
        skipped=tuple(ids[node] for node in found.skipped),
        leaves=tuple(ids[leaf] for leaf in sorted(_leaves_of(tree, found.skipped))),
        stop=found.stop,
        soundness=its_soundness,
        comparison=Comparison(
            node=ids[test.node],
            value=scale.number(test.value),
            sign=at_max if tree.turn[test.node] == MAX else at_min,
            bound=scale.number(test.bound),
            set_by=None if test.set_by is None else ids[test.set_by],
            holds=test.holds,
        ),
        key=key,
    )
