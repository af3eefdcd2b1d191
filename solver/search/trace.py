"""What a pruning search notes (events, windows, returned values, cuts), and what follows from it: intervals, stages.

A search that only compares need not carry fractions, only ranks: each number's place in their order. It tells its
events, in order, from which windows, cuts, stages and sentences are all made. An event is a tuple of its kind, the
node, and

    ENTERED     the window (α, β) that an inner node was called with
    EVALUATED   the value that a leaf returned
    MOVED       the node's window after α or β moved
    CUT         the child after which the search of the node stopped
    BACKED_UP   the value that an inner node returned

A chance node hands each outcome a window of its own, so a leaf below one is ENTERED before it is EVALUATED. Either
bound can stop a chance node, so its CUT tells the child and the kind, alpha or beta; the value that reached the
bound is what it returns next. Star2 first probes an outcome and may come to it again: such a node is ENTERED and
BACKED_UP twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, NewType, TypeAlias, TypeVar, cast

from solver.game.convention import Bound
from solver.game.game_tree import MAX, Node, Tree
from solver.kernel.exact import Number
from solver.kernel.value_types import lazy

Rank = NewType("Rank", int)
"""A number's place in an order of numbers."""
Ranks: TypeAlias = tuple[Rank, Rank]
"""A window's bounds, or an interval's ends."""

LOWEST = Rank(-1)
"""Of −∞."""


class Scale(NamedTuple):
    """Numbers in ascending order; a rank is a place among them, LOWEST being −∞ and `infinity` being +∞."""

    numbers: tuple[Number, ...]
    utility: Sequence[Rank]
    """Each leaf's rank; 0 at inner nodes."""

    @property
    def infinity(self) -> Rank:
        return Rank(len(self.numbers))

    def number(self, rank: Rank) -> Bound:
        return "-inf" if rank < 0 else "inf" if rank == len(self.numbers) else self.numbers[rank]

    def rank(self, bound: Bound) -> Rank:
        if isinstance(bound, str):
            return LOWEST if bound == "-inf" else self.infinity
        return Rank(self.numbers.index(bound))

    def values(self, ranks: Iterable[Rank]) -> list[Number]:
        """Of ranks that are all finite."""
        return [self.numbers[rank] for rank in ranks]

    def ranks(self, values: Iterable[Number]) -> list[Rank]:
        """Of values that are all among the numbers."""
        rank = cast(dict[Number, Rank], {number: place for place, number in enumerate(self.numbers)})
        return [rank[value] for value in values]


def scale_of(tree: Tree, also: Iterable[Bound] = ()) -> Scale:
    """The scale of a tree's leaves, and of the bounds of a window besides."""
    leaves = cast(Sequence[Number | None], tree.leaf)
    distinct = {*leaves, *(bound for bound in also if not isinstance(bound, str))} - {None}
    numbers = sorted(cast(set[Number], distinct))
    rank = cast(dict[Number | None, Rank], {number: place for place, number in enumerate(numbers)})
    rank[None] = Rank(0)
    return Scale(tuple(numbers), [rank[leaf] for leaf in leaves])


ENTERED: Final = 0
EVALUATED: Final = 1
MOVED: Final = 2
CUT: Final = 3
BACKED_UP: Final = 4

CutKind: TypeAlias = Literal["alpha", "beta"]

Bounding = TypeVar("Bounding")
"""What a window's bounds are: ranks, or numbers and infinities."""
Handed = TypeVar("Handed")
"""What is returned: a rank, or a number."""

Entered: TypeAlias = tuple[Literal[0], Node, tuple[Bounding, Bounding]]
Evaluated: TypeAlias = tuple[Literal[1], Node, Handed]
Moved: TypeAlias = tuple[Literal[2], Node, tuple[Bounding, Bounding]]
Stopped: TypeAlias = tuple[Literal[3], Node, Node]
StoppedAtChance: TypeAlias = tuple[Literal[3], Node, tuple[Node, CutKind]]
BackedUp: TypeAlias = tuple[Literal[4], Node, Handed]

EventOf: TypeAlias = (
    Entered[Bounding] | Evaluated[Handed] | Moved[Bounding] | Stopped | StoppedAtChance | BackedUp[Handed]
)
Event: TypeAlias = EventOf[Rank, Rank]
"""Plain tuples, for speed; the kind at `event[0]` tells type checkers, too, what the rest is."""

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


class SearchNotes(NamedTuple):
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


def events_of(tree: Tree, noted: SearchNotes, right_to_left: bool) -> list[Event]:
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
