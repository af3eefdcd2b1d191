"""What a pruning search noted (windows, returned values, cuts), and what follows from it: events, intervals, stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from solver.game.tree import MAX, Node, Tree
from solver.kernel.lazy import lazy
from solver.search.events import BACKED_UP, CUT, ENTERED, EVALUATED, MOVED, CutKind, Event
from solver.search.ranks import LOWEST, Rank, Ranks, Scale

Known: TypeAlias = Literal["exact", "at-most", "at-least", "unvisited"]
"""How to read what a node returned."""
Ends: TypeAlias = tuple[Sequence[Rank], Sequence[Rank]]
"""The low and the high ends of intervals, each by node."""
Change: TypeAlias = tuple[Node, Rank, Rank]
"""A node and the ends of its new interval."""


class Cut(NamedTuple):
    """The search of `node` stopped after the child `after`: its `value` reached the `bound` that `set_by` had set.

    A tuple, since one is made at every seventh node or so: a frozen dataclass takes four times as long.
    """

    node: Node
    after: Node
    kind: CutKind
    """alpha at a MIN node, beta at a MAX node."""
    value: Rank
    bound: Rank
    set_by: Node | None
    """None for the initial window."""
    deep: bool
    skipped: tuple[Node, ...]


class Noted(NamedTuple):
    """What a search notes as it goes. Columns by node, numbers as ranks; None where a node was not visited."""

    visited: Sequence[Node]
    entry: Sequence[Ranks | None]
    windows: Sequence[Sequence[Ranks]]
    """The entry window and each changed one, at inner nodes; empty elsewhere."""
    returned: Sequence[Rank | None]
    cuts: Sequence[Cut]


@dataclass(frozen=True)
class Search:
    """What was noted, on its scale; all that follows from it is found when it is asked for."""

    scale: Scale
    visited: Sequence[Node]
    entry: Sequence[Ranks | None]
    windows: Sequence[Sequence[Ranks]]
    returned: Sequence[Rank | None]
    cuts: Sequence[Cut]
    right_to_left: bool
    find_events: Callable[[], Sequence[Event]] = field(repr=False, compare=False)
    find_true: Callable[[], Sequence[Rank]] = field(repr=False, compare=False)
    find_ends: Callable[[], Ends] = field(repr=False, compare=False)
    most: Rank | None = field(default=None, repr=False, compare=False)
    """What no leaf exceeds, where the search relies on such a bound."""

    @lazy
    def events(self) -> Sequence[Event]:
        return self.find_events()

    @lazy
    def true(self) -> Sequence[Rank]:
        """The value of every node under best play, visited or not."""
        return self.find_true()

    @lazy
    def ends(self) -> Ends:
        """What the evaluated leaves imply, whatever the convention (AIMA Figure 5.5)."""
        return self.find_ends()

    @lazy
    def exit(self) -> Sequence[Ranks | None]:
        """The window that each node was left with."""
        nodes = zip(self.windows, self.entry, strict=True)
        return [windows[-1] if windows else entry for windows, entry in nodes]

    def interval(self, node: Node) -> Ranks:
        low, high = self.ends
        return low[node], high[node]

    def known(self, node: Node) -> Known:
        """How to read what a node returned: exact, at-most, at-least or unvisited."""
        return how_known(self.returned[node], self.interval(node), self.most)


def how_known(returned: Rank | None, interval: Ranks, most: Rank | None = None) -> Known:
    if returned is None:
        return "unvisited"
    low, high = interval
    if low == high == returned:
        return "exact"
    if low < returned < high:
        # An empty window, which lies at a bound of all leaves: fail-hard returns that bound, whatever was found.
        return "at-most" if returned == most else "at-least"
    return "at-most" if high <= returned else "at-least"


def events_of(tree: Tree, noted: Noted, right_to_left: bool) -> list[Event]:
    """What happened, in order.

    A node's value so far never lies beyond the bound that it may move. So the child that moved a window is the first
    whose value is the new bound; and a node is finished after its last child, or after the one that cut it.
    """
    last = 0 if right_to_left else -1
    moves = {node: iter(noted.windows[node][1:]) for node in noted.visited}
    stopped = {cut.after for cut in noted.cuts}
    coming = {node: next(rest, None) for node, rest in moves.items()}
    events: list[Event] = []
    for visited in noted.visited:
        if tree.turn[visited] is not None:
            events.append((ENTERED, visited, noted.windows[visited][0]))
            continue
        node, value = visited, noted.returned[visited]
        assert value is not None
        events.append((EVALUATED, node, value))
        while (up := tree.parent[node]) >= 0:
            moved = coming[up]
            if moved is not None and moved[0 if tree.turn[up] == MAX else 1] == value:
                events.append((MOVED, up, moved))
                coming[up] = next(moves[up], None)
            if node in stopped:
                events.append((CUT, up, node))
            elif node != tree.children[up][last]:
                break
            value = noted.returned[up]
            assert value is not None
            events.append((BACKED_UP, up, value))
            node = up
    return events


def ends_of(tree: Tree, scale: Scale, visited: Sequence[Node]) -> Ends:
    """A leaf seen is [v, v], another [−∞, +∞]; MAX takes the largest low and high of its children, MIN the least."""
    size = len(tree)
    turn, children, utility = tree.turn, tree.children, scale.utility
    low, high = [LOWEST] * size, [scale.infinity] * size
    low_of, high_of = low.__getitem__, high.__getitem__
    for node in reversed(visited):
        if turn[node] is None:
            low[node] = high[node] = utility[node]
        else:
            best, below = max if turn[node] == MAX else min, children[node]
            low[node] = best(map(low_of, below))
            high[node] = best(map(high_of, below))
    return low, high


def stages(tree: Tree, search: Search) -> Iterator[tuple[Node, Sequence[Change]]]:
    """Each evaluated leaf with the inner nodes whose interval it changed, innermost first (AIMA Figure 5.5).

    Intervals only shrink, so at MAX the low end is the larger of what it was and the child's. The high end is infinite
    until the last child is reached; from then on it is the larger of the child's and `rest`, which holds what the other
    children give. MIN is the mirror image. So each change is found in constant time, without a look at all children.
    """
    size, lowest, infinity = len(tree), LOWEST, search.scale.infinity
    parent, utility, turn, children = tree.parent, search.scale.utility, tree.turn, tree.children
    last, before_last = (0, slice(1, None)) if search.right_to_left else (-1, slice(-1))
    low, high, rest = [lowest] * size, [infinity] * size, [lowest] * size
    # Arrays of bytes: a list takes long to fill for a large tree, of which a search sees little.
    at_max, is_last = bytearray(size), bytearray(size)
    for node in search.visited:
        up = parent[node]
        if is_last[node]:
            siblings = children[up][before_last]
            if at_max[up]:
                rest[up] = max(map(high.__getitem__, siblings), default=lowest)
            else:
                rest[up] = min(map(low.__getitem__, siblings), default=infinity)
        below = children[node]
        if below:
            is_last[below[last]] = True
            if turn[node] == MAX:
                at_max[node] = True
                rest[node] = infinity
            continue
        new_low = new_high = low[node] = high[node] = utility[node]
        changed = _NO_CHANGES
        while up >= 0:
            old_low, old_high, others = low[up], high[up], rest[up]
            if at_max[up]:
                new_low = new_low if new_low > old_low else old_low
                new_high = new_high if new_high > others else others
            else:
                new_low = new_low if new_low < others else others
                new_high = new_high if new_high < old_high else old_high
            if new_low == old_low and new_high == old_high:
                break
            low[up], high[up] = new_low, new_high
            if changed:
                changed.append((up, new_low, new_high))
            else:
                changed = [(up, new_low, new_high)]
            up = parent[up]
        yield node, changed
    # What the stages come to is what all leaves imply: it need not be found again.
    vars(search)["ends"] = low, high


_NO_CHANGES: list[Change] = []
"""Shared by all leaves that change nothing, which most do."""
