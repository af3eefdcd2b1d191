"""What happened, in one form for all algorithms that go through a tree: a node entered, evaluated or finished."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from solver.game.convention import Window
from solver.game.tree import OR, Node
from solver.search.events import BACKED_UP, CUT, ENTERED, EVALUATED, MOVED, BackedUp, Entered, Evaluated
from solver.search.ranks import Rank
from solver.search.solution import Solution, Value
from solver.search.trace import Cut, Search

Happens: TypeAlias = Entered[Rank] | Evaluated[Rank] | BackedUp[Rank]


@dataclass(frozen=True, slots=True)
class Happening:
    """One of ENTERED, EVALUATED and BACKED_UP at a node, with what it led to at the parent at once."""

    kind: Literal[0, 1, 4]
    node: Node
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
    current: Happens | None = None
    moved: Window | None = None
    cut: Cut | None = None
    for event in search.events:
        if event[0] == MOVED:
            moved = (number(event[2][0]), number(event[2][1]))
            continue
        if event[0] == CUT:
            cut = next(cuts)
            continue
        if current is not None:
            yield _told(search, current, stage, moved, cut)
            moved = cut = None
        stage += event[0] == EVALUATED
        current = event
    if current is not None:
        yield _told(search, current, stage, moved, cut)


def _told(search: Search, event: Happens, stage: int, moved: Window | None, cut: Cut | None) -> Happening:
    number = search.scale.number
    if event[0] == ENTERED:
        return Happening(ENTERED, event[1], stage, window=(number(event[2][0]), number(event[2][1])))
    return Happening(event[0], event[1], stage, number(event[2]), None, moved, cut)


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


def _decides(solution: Solution, node: Node, child: Node) -> bool:
    value: Value = solution.values[child]
    return solution.plan is not None and value is (solution.tree.turn[node] == OR)
