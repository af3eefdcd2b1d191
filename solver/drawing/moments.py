"""What is known while a search goes on: after each evaluated leaf, or after each step, and at the end.

A moment is what a blackboard shows when the lecturer pauses. Numbers are numbers here; how they are written is the
board's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.game.convention import Bound, Window
from solver.game.game_tree import CHANCE, Node, Tree
from solver.search.solution import Solution, Value
from solver.search.star_trace import star_stages
from solver.search.trace import CUT, ENTERED, EVALUATED, MOVED, Cut, Known, Search, how_known, stages
from solver.story.search_facts import happenings


@dataclass(slots=True)
class Moment:
    """Updated in place from stage to stage: what is wanted of it is taken at once."""

    stage: int = 0
    """How many leaves have been evaluated, or how many steps taken."""
    current: Node | None = None
    """The leaf evaluated last; of fine steps, the node that was entered, evaluated or finished."""
    over: bool = False
    """Whether the search has come to its end."""
    seen: set[Node] = field(default_factory=set)
    worth: dict[Node, tuple[Known, Value | Bound]] = field(default_factory=dict)
    """What finished nodes returned, and whether that is exact, at-most or at-least."""
    windows: dict[Node, list[Window]] = field(default_factory=dict)
    intervals: dict[Node, Window] = field(default_factory=dict)
    moved: set[Node] = field(default_factory=set)
    """The inner nodes whose window was changed at this stage,"""
    narrowed: set[Node] = field(default_factory=set)
    """whose interval was changed,"""
    settled: set[Node] = field(default_factory=set)
    """and whose value was settled."""
    cuts: dict[Node, Cut] = field(default_factory=dict)
    """By the node that was cut."""

    def next_stage(self, node: Node) -> None:
        """Nothing has followed yet from what happens at the node."""
        self.stage, self.current = self.stage + 1, node
        self.moved, self.narrowed, self.settled = set(), set(), set()


def stage_count(solution: Solution, fine: bool = False) -> int:
    """Evaluated leaves, counted again where Star2 comes back to one, or all fine steps; MCTS has none."""
    if solution.sampled is not None:
        return 0
    if solution.search is not None:
        return sum(kind not in (MOVED, CUT) if fine else kind == EVALUATED for kind, _, _ in solution.search.events)
    leaves = sum(solution.tree.turn[node] is None for node in solution.visited)
    return leaves + (2 * (len(solution.visited) - leaves) if fine else 0)


def moments(solution: Solution, fine: bool = False) -> Iterator[Moment]:
    """Before the first leaf, and after each with all that follows from it; or, if `fine`, before the first step and
    after each: a node entered, a leaf evaluated or a node finished, with what that changes above it."""
    moment = Moment()
    follow = _plain(solution, moment) if solution.search is None else _searched(solution, solution.search, moment)
    waiting = False
    for kind, node in follow:
        if fine:
            begins = kind not in (MOVED, CUT)
        else:
            begins = (kind == EVALUATED and moment.current is None) or (kind in (ENTERED, EVALUATED) and waiting)
        if begins:
            yield moment
        waiting = (waiting and not begins) or kind == EVALUATED
        if (fine and begins) or (kind == EVALUATED and not fine):
            moment.next_stage(node)
    moment.over = True
    yield moment


def final_moment(solution: Solution) -> Moment:
    """When all is done: the same as the last of the moments, without going through them."""
    tree, search = solution.tree, solution.search
    if search is None:
        seen = set(solution.visited)
        return Moment(over=True, seen=seen, worth={node: ("exact", solution.values[node]) for node in seen})
    number = search.scale.number
    moment = Moment(over=True, seen=set(search.visited), cuts={cut.node: cut for cut in search.cuts})
    for node in search.visited:
        returned = search.returned[node]
        assert returned is not None
        moment.worth[node] = search.known(node), number(returned)
        if tree.turn[node] is not None:
            moment.windows[node] = [(number(low), number(high)) for low, high in search.windows[node]]
            low, high = search.interval(node)
            moment.intervals[node] = number(low), number(high)
    return moment


def _plain(solution: Solution, moment: Moment) -> Iterator[tuple[int, Node]]:
    """Tells what comes next, then puts it into the moment. Without a search there are no windows."""
    for happening in happenings(solution):
        node = happening.node
        yield happening.kind, node
        moment.seen.add(node)
        if happening.kind != ENTERED:
            moment.worth[node] = "exact", happening.value
        if happening.kind not in (ENTERED, EVALUATED):
            moment.settled.add(node)


def _searched(solution: Solution, search: Search, moment: Moment) -> Iterator[tuple[int, Node]]:
    """The same for a search with windows."""
    tree, number = solution.tree, search.scale.number
    intervals = _interval_changes(tree, search)
    cuts = {(cut.node, cut.after): cut for cut in search.cuts}
    for event in search.events:
        node = event[1]
        yield event[0], node
        if event[0] == ENTERED:
            moment.seen.add(node)
            entered = (number(event[2][0]), number(event[2][1]))
            if tree.turn[node] is not None:
                # Nothing is known about it yet, and the book says so (Figure 5.5 (a)).
                moment.intervals.setdefault(node, _ANYTHING)
                if moment.windows.get(node, [None])[-1] != entered:
                    moment.windows.setdefault(node, []).append(entered)
        elif event[0] == EVALUATED:
            moment.seen.add(node)
            moment.worth[node] = "exact", number(event[2])
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
            moment.worth[node] = how_known(event[2], search.interval(node)), number(event[2])
            moment.settled.add(node)


_ANYTHING: Window = ("-inf", "inf")


def _interval_changes(tree: Tree, search: Search) -> Iterator[dict[Node, Window]]:
    number = search.scale.number
    if CHANCE in tree.turns:
        for _, changed in star_stages(tree, search):
            yield {node: (low, high) for node, low, high in changed}
    else:
        for _, ranked in stages(tree, search):
            yield {node: (number(low), number(high)) for node, low, high in ranked}
