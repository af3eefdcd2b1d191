"""What one pruning search did, derived from its events: windows, cuts, visits, intervals, stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

from solver.game.tree import MAX, MIN, NOWHERE, Node, Tree
from solver.kernel.lazy import lazy
from solver.search.events import BACKED_UP, ENTERED, EVALUATED, MOVED, CutKind, Event
from solver.search.ranks import LOWEST, Rank, Ranks, Scale

Known: TypeAlias = Literal["exact", "at-most", "at-least", "unvisited"]
"""How to read what a node returned."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The search of `node` stopped after the child `after`: its `value` reached the `bound` that `set_by` had set."""

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


@dataclass(frozen=True)
class Search:
    """Columns by node, numbers as ranks of `scale`; None where a node was not visited."""

    scale: Scale
    events: Sequence[Event]
    visited: Sequence[Node]
    entry: Sequence[Ranks | None]
    exit: Sequence[Ranks | None]
    windows: Sequence[Sequence[Ranks]]
    """The entry window and each changed one, at inner nodes; empty elsewhere."""
    returned: Sequence[Rank | None]
    cuts: Sequence[Cut]
    find_true: Callable[[], Sequence[Rank]] = field(repr=False, compare=False)
    find_interval: Callable[[], Sequence[Ranks]] = field(repr=False, compare=False)

    @lazy
    def true(self) -> Sequence[Rank]:
        """The value of every node under best play; found when asked for, since it concerns unvisited nodes too."""
        return self.find_true()

    @lazy
    def interval(self) -> Sequence[Ranks]:
        """What the evaluated leaves imply, whatever the convention (AIMA Figure 5.5)."""
        return self.find_interval()

    def known(self, node: Node) -> Known:
        """How to read what a node returned: exact, at-most, at-least or unvisited."""
        return how_known(self.returned[node], self.interval[node])


def how_known(returned: Rank | None, interval: Ranks) -> Known:
    if returned is None:
        return "unvisited"
    low, high = interval
    if low == high == returned:
        return "exact"
    return "at-most" if high <= returned else "at-least"


def retrace(
    tree: Tree, scale: Scale, find_true: Callable[[], Sequence[Rank]], window: Ranks, events: Sequence[Event]
) -> Search:
    """Go through the events once and note what is where."""
    size = len(tree)
    parent = tree.parent
    visited: list[Node] = []
    entry: list[Ranks | None] = [None] * size
    leaving: list[Ranks | None] = [None] * size
    windows: list[list[Ranks]] = [_NO_WINDOWS] * size
    returned: list[Rank | None] = [None] * size
    cuts: list[Cut] = []
    # Which node last strictly moved each bound that is in force at a node.
    alpha_by: list[Node | None] = [None] * size
    beta_by: list[Node | None] = [None] * size
    # Unpacked for speed: this loop alone does not let the kind tell a type checker what the rest is.
    what: Any
    for kind, node, what in events:
        if kind == EVALUATED:
            visited.append(node)
            entry[node] = leaving[node] = leaving[parent[node]] if node else window
            returned[node] = what
        elif kind == ENTERED:
            visited.append(node)
            entry[node] = leaving[node] = what
            windows[node] = [what]
            if node:
                alpha_by[node] = alpha_by[parent[node]]
                beta_by[node] = beta_by[parent[node]]
        elif kind == MOVED:
            if tree.turn[node] == MAX:
                alpha_by[node] = node
            else:
                beta_by[node] = node
            leaving[node] = what
            windows[node].append(what)
        elif kind == BACKED_UP:
            returned[node] = what
        else:
            after: Node = what
            at_min = tree.turn[node] == MIN
            in_force = leaving[node]
            value = returned[after]
            assert in_force is not None
            assert value is not None
            set_by = alpha_by[node] if at_min else beta_by[node]
            cuts.append(
                Cut(
                    node=node,
                    after=after,
                    kind="alpha" if at_min else "beta",
                    value=value,
                    bound=in_force[0] if at_min else in_force[1],
                    set_by=set_by,
                    deep=set_by is not None and set_by != parent[node],
                    skipped=tuple(child for child in tree.children[node] if returned[child] is None),
                )
            )
    find_interval = partial(_intervals, tree, scale, visited)
    return Search(scale, events, visited, entry, leaving, windows, returned, cuts, find_true, find_interval)


_NO_WINDOWS: list[Ranks] = []


def _intervals(tree: Tree, scale: Scale, visited: Sequence[Node]) -> list[Ranks]:
    """A leaf seen is [v, v], another [−∞, +∞]; MAX takes the largest low and high of its children, MIN the least."""
    size, infinity = len(tree), scale.infinity
    turn, children, utility = tree.turn, tree.children, scale.utility
    low, high = [LOWEST] * size, [infinity] * size
    interval: list[Ranks] = [(LOWEST, infinity)] * size
    for node in reversed(visited):
        if turn[node] is None:
            low[node] = high[node] = utility[node]
        else:
            best, below = max if turn[node] == MAX else min, children[node]
            low[node] = best([low[child] for child in below])
            high[node] = best([high[child] for child in below])
        interval[node] = low[node], high[node]
    return interval


def stages(tree: Tree, search: Search) -> Iterator[tuple[Node, list[tuple[Node, Rank, Rank]]]]:
    """Each evaluated leaf with the inner nodes whose interval it changed, innermost first (AIMA Figure 5.5), as the
    node and the interval's ends.

    A child's interval is final once its next sibling is reached, and until the last child is reached one end of the
    node's own is infinite; so each change is found in constant time, without a look at all the children.
    """
    size, infinity = len(tree), search.scale.infinity
    parent, utility, turn, children = tree.parent, search.scale.utility, tree.turn, tree.children
    lowest = LOWEST
    low, high = [lowest] * size, [infinity] * size
    # What the finished children give; nothing finished yet is neutral for max and min.
    settled_low = [lowest] * size
    settled_high = settled_low.copy()
    at_max = [False] * size
    active = [NOWHERE] * size
    waiting = [0] * size
    for kind, node, _ in search.events:
        if kind > EVALUATED:
            continue
        if kind == ENTERED:
            waiting[node] = len(children[node])
            if turn[node] == MAX:
                at_max[node] = True
            else:
                settled_low[node] = settled_high[node] = infinity
        up = parent[node]
        if up >= 0:
            child = active[up]
            if child >= 0:
                best = max if at_max[up] else min
                settled_low[up] = best(settled_low[up], low[child])
                settled_high[up] = best(settled_high[up], high[child])
            active[up] = node
            waiting[up] -= 1
        if kind == ENTERED:
            continue
        new_low = new_high = low[node] = high[node] = utility[node]
        changed: list[tuple[Node, Rank, Rank]] = []
        while up >= 0:
            done_low, done_high = settled_low[up], settled_high[up]
            if at_max[up]:
                new_low = done_low if done_low > new_low else new_low
                new_high = infinity if waiting[up] else done_high if done_high > new_high else new_high
            else:
                new_low = lowest if waiting[up] else done_low if done_low < new_low else new_low
                new_high = done_high if done_high < new_high else new_high
            if new_low == low[up] and new_high == high[up]:
                break
            low[up], high[up] = new_low, new_high
            changed.append((up, new_low, new_high))
            up = parent[up]
        yield node, changed
