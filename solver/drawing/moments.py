"""What is known while a search goes on: after each evaluated leaf, and at the end.

A moment is what a blackboard shows when the lecturer pauses. Numbers are numbers here; how they are written is the
board's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.game.convention import Bound, Window
from solver.game.tree import CHANCE, Node, Tree
from solver.search.events import CUT, ENTERED, EVALUATED, MOVED
from solver.search.solution import Solution, Value
from solver.search.star_trace import star_stages
from solver.search.trace import Cut, Known, Search, how_known, stages


@dataclass(slots=True)
class Moment:
    """Updated in place from stage to stage: what is wanted of it is taken at once."""

    stage: int = 0
    """How many leaves have been evaluated."""
    leaf: Node | None = None
    """The one evaluated last."""
    seen: set[Node] = field(default_factory=set)
    worth: dict[Node, tuple[Known, Value | Bound]] = field(default_factory=dict)
    """What finished nodes returned, and whether that is exact, at-most or at-least."""
    windows: dict[Node, list[Window]] = field(default_factory=dict)
    intervals: dict[Node, Window] = field(default_factory=dict)
    moved: set[Node] = field(default_factory=set)
    """The inner nodes whose window the last leaf changed,"""
    narrowed: set[Node] = field(default_factory=set)
    """whose interval it changed,"""
    settled: set[Node] = field(default_factory=set)
    """and whose value it settled."""
    cuts: dict[Node, Cut] = field(default_factory=dict)
    """By the node that was cut."""

    def evaluate(self, leaf: Node) -> None:
        """A next stage begins, and nothing has followed from its leaf yet."""
        self.seen.add(leaf)
        self.stage, self.leaf = self.stage + 1, leaf
        self.moved, self.narrowed, self.settled = set(), set(), set()


def stage_count(solution: Solution) -> int:
    """Evaluated leaves, counted again where Star2 comes back to one; MCTS evaluates none."""
    if solution.sampled is not None:
        return 0
    if solution.search is not None:
        return sum(kind == EVALUATED for kind, _, _ in solution.search.events)
    return sum(solution.tree.turn[node] is None for node in solution.visited)


def moments(solution: Solution) -> Iterator[Moment]:
    """Before the first leaf, and after each with all that follows from it."""
    return _plain(solution) if solution.search is None else _searched(solution, solution.search)


def final_moment(solution: Solution) -> Moment:
    """When all is done: the same as the last of the moments, without going through them."""
    tree, search = solution.tree, solution.search
    if search is None:
        seen = set(solution.visited)
        return Moment(seen=seen, worth={node: ("exact", solution.values[node]) for node in seen})
    number = search.scale.number
    moment = Moment(seen=set(search.visited), cuts={cut.node: cut for cut in search.cuts})
    for node in search.visited:
        returned = search.returned[node]
        assert returned is not None
        moment.worth[node] = search.known(node), number(returned)
        if tree.turn[node] is not None:
            moment.windows[node] = [(number(low), number(high)) for low, high in search.windows[node]]
            low, high = search.interval[node]
            moment.intervals[node] = number(low), number(high)
    return moment


def _plain(solution: Solution) -> Iterator[Moment]:
    """Without a search there are no windows: a node is finished with the last that is visited below it."""
    tree, moment = solution.tree, Moment()
    finished_with: dict[Node, list[Node]] = {}
    last: dict[Node, Node] = {}
    for node in reversed(solution.visited):
        last.setdefault(node, node)
        up = tree.parent[node]
        if up >= 0:
            last.setdefault(up, last[node])
        finished_with.setdefault(last[node], []).append(node)
    yield moment
    for node in solution.visited:
        if tree.turn[node] is None:
            moment.evaluate(node)
        else:
            moment.seen.add(node)
        for done in finished_with.get(node, ()):
            moment.worth[done] = "exact", solution.values[done]
            if done != node:
                moment.settled.add(done)
        if tree.turn[node] is None:
            yield moment


def _searched(solution: Solution, search: Search) -> Iterator[Moment]:
    tree, number = solution.tree, search.scale.number
    moment = Moment()
    intervals = _interval_changes(tree, search)
    cuts = {(cut.node, cut.after): cut for cut in search.cuts}
    told = True
    for event in search.events:
        node = event[1]
        if event[0] == EVALUATED and moment.leaf is None:
            yield moment
        if event[0] in (ENTERED, EVALUATED) and not told:
            yield moment
            told = True
        if event[0] == ENTERED:
            moment.seen.add(node)
            entered = (number(event[2][0]), number(event[2][1]))
            if tree.turn[node] is not None:
                # Nothing is known about it yet, and the book says so (Figure 5.5 (a)).
                moment.intervals.setdefault(node, _ANYTHING)
                if moment.windows.get(node, [None])[-1] != entered:
                    moment.windows.setdefault(node, []).append(entered)
        elif event[0] == EVALUATED:
            moment.evaluate(node)
            moment.worth[node] = "exact", number(event[2])
            told = False
            changes = next(intervals)
            moment.intervals.update(changes)
            moment.narrowed = set(changes)
        elif event[0] == MOVED:
            moment.windows[node].append((number(event[2][0]), number(event[2][1])))
            moment.moved.add(node)
        elif event[0] == CUT:
            after = event[2][0] if isinstance(event[2], tuple) else event[2]
            moment.cuts[node] = cuts[node, after]
        else:
            moment.worth[node] = how_known(event[2], search.interval[node]), number(event[2])
            moment.settled.add(node)
    yield moment


_ANYTHING: Window = ("-inf", "inf")


def _interval_changes(tree: Tree, search: Search) -> Iterator[dict[Node, Window]]:
    number = search.scale.number
    if CHANCE in tree.turns:
        for _, changed in star_stages(tree, search):
            yield {node: (low, high) for node, low, high in changed}
    else:
        for _, ranked in stages(tree, search):
            yield {node: (number(low), number(high)) for node, low, high in ranked}
