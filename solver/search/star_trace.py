"""What Star1 and Star2 did, derived from their events, in the columns that alpha-beta's search has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeAlias, cast

from solver.game.convention import Bound, Window
from solver.game.game_tree import CHANCE, MAX, MIN, NOWHERE, Node, Tree, expected
from solver.kernel.errors import Refusal
from solver.kernel.exact import RESULT_DIGITS, Number, fits, number_text, simplest
from solver.search.trace import (
    BACKED_UP,
    CUT,
    ENTERED,
    EVALUATED,
    LOWEST,
    MOVED,
    Cut,
    CutKind,
    Ends,
    Event,
    EventOf,
    Rank,
    Ranks,
    Scale,
    Search,
)

Pair = tuple[Number, Number]
StarEvent: TypeAlias = EventOf[Bound, Number]


def star_stages(tree: Tree, search: Search) -> Iterator[tuple[Node, list[tuple[Node, Bound, Bound]]]]:
    """Each evaluated leaf with the inner nodes whose interval it changed, innermost first, as the node and the
    interval's ends: `solver.search.trace.stages` for trees with chance nodes.

    The ends are numbers, since a chance node's interval takes values that appear nowhere else. A node that has just
    been entered is visited with the next leaf, which is below it: a chance node is then worth L to U at the least.
    Refusal, naming the node, where an interval on the way has too many digits.
    """
    running = _RunningIntervals(tree, bounds_of_leaves(tree))
    numbers, utility = search.scale.numbers, search.scale.utility
    come_to: set[Node] = set()
    for kind, node, _ in search.events:
        if kind > EVALUATED:
            continue
        if node not in come_to:
            come_to.add(node)
            running.come_to(node)
        if kind == EVALUATED:
            yield node, running.seen(node, numbers[utility[node]])


class _RunningIntervals:
    """Every node's interval while the leaves come in; each change is found in constant time.

    At MAX and MIN a child's interval is final once its next sibling is reached, and until the last child is reached one
    end of the node's own is infinite. At chance nodes a change of a child's interval is weighed and added.
    """

    def __init__(self, tree: Tree, bounds: Pair) -> None:
        self.tree, self.bounds = tree, bounds
        self.below, self.above = bounds[0] - 1, bounds[1] + 1
        size = len(tree)
        self.interval: list[Pair] = [(self.below, self.above)] * size
        self.mean: dict[Node, Pair] = {}
        # What the finished children of MAX and MIN give; nothing finished yet is neutral for max and min.
        self.settled = [(self.below,) * 2 if turn == MAX else (self.above,) * 2 for turn in tree.turn]
        self.active = [NOWHERE] * size
        self.waiting = [len(children) for children in tree.children]
        self.fresh = 0

    def come_to(self, node: Node) -> None:
        tree, up = self.tree, self.tree.parent[node]
        if tree.turn[node] == CHANCE:
            self.mean[node] = self.bounds
            self.fresh += 1
        if up < 0 or tree.turn[up] == CHANCE:
            return
        child = self.active[up]
        if child >= 0:
            self.settled[up] = self.better(up, self.interval[child])
        self.active[up] = node
        self.waiting[up] -= 1

    def seen(self, leaf: Node, value: Number) -> list[tuple[Node, Bound, Bound]]:
        tree, interval = self.tree, self.interval
        changed: list[tuple[Node, Bound, Bound]] = []
        node, now = leaf, (value, value)
        while True:
            before = interval[node]
            if now == before and not self.fresh:
                break
            interval[node] = now
            if now != before and node != leaf:
                changed.append((node, *self.told(now)))
            child, node = node, tree.parent[node]
            if node < 0:
                break
            if tree.turn[node] == CHANCE:
                if interval[node][0] == self.below:
                    self.fresh -= 1
                now = self.weighed(node, child, before, now)
            else:
                low, high = self.better(node, now)
                if self.waiting[node]:
                    low, high = (low, self.above) if tree.turn[node] == MAX else (self.below, high)
                now = (low, high)
        return changed

    def better(self, node: Node, interval: Pair) -> Pair:
        best = max if self.tree.turn[node] == MAX else min
        return best(self.settled[node][0], interval[0]), best(self.settled[node][1], interval[1])

    def weighed(self, node: Node, child: Node, before: Pair, now: Pair) -> Pair:
        p = self.tree.probability[child]
        assert p is not None
        old, new = _clipped(before, self.bounds), _clipped(now, self.bounds)
        low, high = (mean + p * (new[end] - old[end]) for end, mean in enumerate(self.mean[node]))
        if not (fits(low) and fits(high)):
            message = f"{self.tree.name(node)}: its interval has more than {RESULT_DIGITS:,} digits"
            raise Refusal(self.tree.ids[node], "result-size", message)
        self.mean[node] = (simplest(low), simplest(high))
        return self.mean[node]

    def told(self, interval: Pair) -> Window:
        low, high = interval
        return ("-inf" if low == self.below else low), ("inf" if high == self.above else high)


def bounds_of_leaves(tree: Tree) -> Pair:
    """L and U, between which every leaf lies; without chance nodes they decide nothing, so the leaves' own will do."""
    utility: Any = [tree.leaf[node] for node in tree.leaves]
    if tree.bounds is None:
        if CHANCE in tree.turns:
            raise Refusal(
                tree.ids[0],
                "bounds-needed",
                "pruning at chance nodes requires bounded leaf values: "
                "one unseen outcome could outweigh all the others",
                "add bounds: [L, U], between which every leaf's value lies, or use --algorithm expectiminimax",
            )
        return min(utility), max(utility)
    low, high = tree.bounds
    for node, value in zip(tree.leaves, utility, strict=True):
        # A document's leaves were checked; estimates that a depth limit made into leaves were not.
        if not low <= value <= high:
            message = f"{tree.name(node)} is worth {number_text(value)}, outside the bounds "
            message += f"[{number_text(low)}, {number_text(high)}] that the search relies on"
            raise Refusal(tree.ids[node], "bounds-claim", message, "widen the bounds, or correct the estimate")
    return low, high


def star_retrace(
    tree: Tree,
    values: Sequence[Number],
    bounds: Pair,
    window: Window,
    events: Sequence[StarEvent],
    right_to_left: bool = False,
) -> Search:
    """Ranks in place of numbers, then the events gone through once to note what stands where."""
    interval = _intervals(tree, bounds, {event[1] for event in events if event[0] in (EVALUATED, BACKED_UP)})
    occurring: set[Bound] = set(chain(values, window, *interval))
    for event in events:
        if event[0] == EVALUATED or event[0] == BACKED_UP:
            occurring.add(event[2])
        elif event[0] != CUT:
            occurring.update(event[2])
    numbers = sorted(bound for bound in occurring if not isinstance(bound, str))
    rank = cast(dict[Any, Rank], {number: place for place, number in enumerate(numbers)})
    rank.update({"-inf": LOWEST, "inf": Rank(len(numbers)), None: Rank(0)})
    scale = Scale(tuple(numbers), [rank[leaf] for leaf in tree.leaf])
    notes = _Notes(tree, _ranked(rank, window))
    ranked_events = [_ranked_event(rank, event) for event in events]
    for event in ranked_events:
        notes.take(event)
    return Search(
        scale,
        notes.visited,
        notes.entry,
        notes.windows,
        notes.returned,
        notes.cuts,
        right_to_left,
        partial(list, ranked_events),
        partial(_ranks, rank, values),
        partial(_ends, rank, interval),
        rank.get(bounds[1]),
    )


def _ranks(rank: Mapping[Any, Rank], numbers: Sequence[Bound]) -> list[Rank]:
    return [rank[number] for number in numbers]


def _ends(rank: Mapping[Any, Rank], intervals: Sequence[Window]) -> Ends:
    return [rank[low] for low, _ in intervals], [rank[high] for _, high in intervals]


def _ranked(rank: dict[Any, Rank], window: Window) -> Ranks:
    return rank[window[0]], rank[window[1]]


def _ranked_event(rank: dict[Any, Rank], event: StarEvent) -> Event:
    if event[0] == CUT:
        return event
    if event[0] == EVALUATED:
        return EVALUATED, event[1], rank[event[2]]
    if event[0] == BACKED_UP:
        return BACKED_UP, event[1], rank[event[2]]
    if event[0] == ENTERED:
        return ENTERED, event[1], _ranked(rank, event[2])
    return MOVED, event[1], _ranked(rank, event[2])


class _Notes:
    """The columns of a Search, filled event by event."""

    def __init__(self, tree: Tree, window: Ranks) -> None:
        size = len(tree)
        self.tree, self.window = tree, window
        self.visited: list[Node] = []
        self.entry: list[Ranks | None] = [None] * size
        self.exit: list[Ranks | None] = [None] * size
        self.windows: list[list[Ranks]] = [_NO_WINDOWS] * size
        self.returned: list[Rank | None] = [None] * size
        self.cuts: list[Cut] = []
        # Which node last strictly moved each bound that is in force at a node.
        self.alpha_by: list[Node | None] = [None] * size
        self.beta_by: list[Node | None] = [None] * size
        self.chance_cut: tuple[Node, CutKind] | None = None

    def take(self, event: Event) -> None:
        node = event[1]
        if event[0] == ENTERED:
            self.enter(node, event[2])
        elif event[0] == EVALUATED:
            self.evaluate(node, event[2])
        elif event[0] == MOVED:
            moved_by = self.alpha_by if self.tree.turn[node] == MAX else self.beta_by
            moved_by[node] = node
            self.exit[node] = event[2]
            self.windows[node].append(event[2])
        elif event[0] == BACKED_UP:
            self.returned[node] = event[2]
            if self.chance_cut is not None:
                self.cut(node, *self.chance_cut, event[2])
                self.chance_cut = None
        elif isinstance(event[2], tuple):
            # The bound that a chance node reached is what it returns: the next event.
            self.chance_cut = event[2]
        else:
            value = self.returned[event[2]]
            assert value is not None
            self.cut(node, event[2], "alpha" if self.tree.turn[node] == MIN else "beta", value)

    def enter(self, node: Node, window: Ranks) -> None:
        first = self.entry[node] is None
        if first:
            self.entry[node] = window
            if self.tree.turn[node] is not None:
                self.visited.append(node)
                self.windows[node] = [window]
        elif window != self.exit[node]:
            self.windows[node].append(window)
        self.inherit(node, window, None if first else self.exit[node])
        self.exit[node] = window

    def inherit(self, node: Node, window: Ranks, before: Ranks | None) -> None:
        """Who set the bounds a node starts, or goes on, with: a chance node sets those that it hands down changed."""
        up = self.tree.parent[node]
        if up < 0:
            return
        handing = self.exit[up]
        assert handing is not None
        for side, moved_by in enumerate((self.alpha_by, self.beta_by)):
            if before is None or before[side] != window[side]:
                moved_by[node] = moved_by[up] if handing[side] == window[side] else up

    def evaluate(self, leaf: Node, value: Rank) -> None:
        self.visited.append(leaf)
        self.returned[leaf] = value
        if self.entry[leaf] is None:
            up = self.tree.parent[leaf]
            self.entry[leaf] = self.exit[leaf] = self.exit[up] if up >= 0 else self.window

    def cut(self, node: Node, after: Node, kind: CutKind, value: Rank) -> None:
        window = self.exit[node]
        assert window is not None
        set_by = (self.alpha_by if kind == "alpha" else self.beta_by)[node]
        skipped = tuple(child for child in self.tree.children[node] if self.returned[child] is None)
        deep = set_by is not None and set_by != self.tree.parent[node]
        self.cuts.append(Cut(node, after, kind, value, window[0 if kind == "alpha" else 1], set_by, deep, skipped))


_NO_WINDOWS: list[Ranks] = []


def _intervals(tree: Tree, bounds: Pair, visited: set[Node]) -> list[Window]:
    """What the evaluated leaves imply: MAX takes the largest low and high of its children, MIN the least, a chance
    node the mean of theirs, each counted as no wider than [L, U]."""
    below, above = bounds[0] - 1, bounds[1] + 1
    interval: list[Pair] = [(below, above)] * len(tree)
    for node in reversed(tree.nodes):
        if node not in visited:
            continue
        leaf: Any = tree.leaf[node]
        children = tree.children[node]
        if not children:
            interval[node] = (leaf, leaf)
        elif tree.turn[node] == CHANCE:
            below_it = [_clipped(interval[child], bounds) for child in children]
            interval[node] = (
                expected(tree, node, [low for low, _ in below_it]),
                expected(tree, node, [high for _, high in below_it]),
            )
        else:
            best = max if tree.turn[node] == MAX else min
            interval[node] = (
                best(interval[child][0] for child in children),
                best(interval[child][1] for child in children),
            )
    return [("-inf" if low == below else low, "inf" if high == above else high) for low, high in interval]


def _clipped(interval: Pair, bounds: Pair) -> Pair:
    return max(bounds[0], min(bounds[1], interval[0])), max(bounds[0], min(bounds[1], interval[1]))
