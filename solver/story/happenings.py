"""What happened, in one form for all algorithms that go through a tree: a node entered, evaluated or finished."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from solver.game.convention import Window
from solver.game.tree import OR
from solver.search.events import BACKED_UP, CUT, ENTERED, EVALUATED, MOVED
from solver.search.solution import Solution, Value
from solver.search.trace import Cut, Search


@dataclass(frozen=True, slots=True)
class Happening:
    """One of ENTERED, EVALUATED and BACKED_UP at a node, with what it led to at the parent at once."""

    kind: int
    node: int
    stage: int
    """How many leaves have been evaluated, this one included."""
    value: Any = None
    """What was returned: a number, a vector, or whether there is a plan."""
    window: Window | None = None
    """ENTERED in a pruning search."""
    moved: Window | None = None
    """The parent's window if α or β moved there."""
    cut: Cut | None = None
    """The cut at the parent."""


def happenings(solution: Solution) -> Iterator[Happening]:
    search = solution.search
    return _visits(solution) if search is None else _events(search)


def _events(search: Search) -> Iterator[Happening]:
    number, cuts = search.scale.number, iter(search.cuts)
    stage = 0
    current: tuple[int, int, Any] | None = None
    moved: Window | None = None
    cut: Cut | None = None
    for kind, node, what in search.events:
        if kind == MOVED:
            moved = (number(what[0]), number(what[1]))
            continue
        if kind == CUT:
            cut = next(cuts)
            continue
        if current is not None:
            yield _told(search, current, stage, moved, cut)
            moved = cut = None
        stage += kind == EVALUATED
        current = kind, node, what
    if current is not None:
        yield _told(search, current, stage, moved, cut)


def _told(search: Search, event: tuple[int, int, Any], stage: int, moved: Window | None, cut: Cut | None) -> Happening:
    number = search.scale.number
    kind, node, what = event
    if kind == ENTERED:
        return Happening(kind, node, stage, window=(number(what[0]), number(what[1])))
    return Happening(kind, node, stage, number(what), None, moved, cut)


def _visits(solution: Solution) -> Iterator[Happening]:
    """Without pruning, a node is finished with its last child; AND-OR search stops at the child that decides."""
    tree, values = solution.tree, solution.values
    last = 0 if solution.convention.order == "right-to-left" else -1
    stage = 0
    for visited in solution.visited:
        if tree.turn[visited] is not None:
            yield Happening(ENTERED, visited, stage)
            continue
        stage += 1
        yield Happening(EVALUATED, visited, stage, values[visited])
        node = visited
        while (up := tree.parent[node]) >= 0 and (node == tree.children[up][last] or _decides(solution, up, node)):
            yield Happening(BACKED_UP, up, stage, values[up])
            node = up


def _decides(solution: Solution, node: int, child: int) -> bool:
    value: Value = solution.values[child]
    return solution.plan is not None and value is (solution.tree.turn[node] == OR)
