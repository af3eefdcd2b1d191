"""The search of somebody who leaves out what they crossed out, and nothing else: the windows that they come to.

They may have gone on where a cut test held. Whether bounds still move behind such a test no algorithm says, since
none goes there: both ways are given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from solver.game.convention import Convention, Window
from solver.game.game_tree import MAX, ROOT, Node, Tree
from solver.kernel.exact import Number
from solver.search.trace import LOWEST, Rank, Ranks, scale_of

Windows = tuple[Window, ...]
"""The window on entry, and each changed one."""


@dataclass(slots=True)
class _Visit:
    """A node that is being searched."""

    node: Node
    v: Rank
    windows: list[Ranks]
    children: list[Node]
    """Those to come, the next one last."""
    passed: bool = False
    """Whether a cut test held here and the search went on."""


def replayed_windows(
    tree: Tree,
    pruned: Collection[Node],
    convention: Convention,
    window: Window,
    handed_up: Mapping[Node, Number] = MappingProxyType({}),
) -> Mapping[Node, frozenset[Windows]]:
    """By inner node that is visited, the windows that it may be said to have. `pruned` are leaves; `handed_up` are
    somebody's own values of inner nodes."""
    scale = scale_of(tree, [*window, *handed_up.values()])
    start = (scale.rank(window[0]), scale.rank(window[1]))
    own = {node: scale.rank(value) for node, value in handed_up.items()}
    gone = [node in pruned for node in tree.nodes]
    for node in tree.bottom_up():
        gone[node] = all(gone[child] for child in tree.children[node])
    replayed: dict[Node, set[Windows]] = {}
    for moves_on in (True, False):
        passed = False
        for visit in _visits(tree, gone, convention, start, own, scale.utility, scale.infinity, moves_on):
            passed = passed or visit.passed
            ends = tuple((scale.number(low), scale.number(high)) for low, high in visit.windows)
            replayed.setdefault(visit.node, set()).add(ends)
        if not passed:
            # Both ways are the same.
            break
    return {node: frozenset(windows) for node, windows in replayed.items()}


def _visits(
    tree: Tree,
    gone: list[bool],
    convention: Convention,
    start: Ranks,
    own: Mapping[Node, Rank],
    utility: Sequence[Rank],
    infinity: Rank,
    moves_on: bool,
) -> Iterator[_Visit]:
    """The visited inner nodes as they are left."""
    step = -1 if convention.order == "right-to-left" else 1
    slack = 1 if convention.cut == "past-bound" else 0
    updates_first = convention.update == "before-test"

    def entered(node: Node, window: Ranks) -> _Visit:
        v = LOWEST if tree.turn[node] == MAX else infinity
        return _Visit(node, v, [window], [child for child in tree.children[node][::-step] if not gone[child]])

    if gone[ROOT] or not tree.children[ROOT]:
        return
    visits = [entered(ROOT, start)]
    while visits:
        now = visits[-1]
        child = now.children.pop() if now.children else None
        if child is not None and tree.children[child]:
            visits.append(entered(child, now.windows[-1]))
            continue
        if child is None:
            visits.pop()
            yield now
            if not visits:
                return
            value, now = own.get(now.node, now.v), visits[-1]
        else:
            value = utility[child]
        alpha, beta = now.windows[-1]
        if tree.turn[now.node] == MAX:
            now.v = max(now.v, value)
            holds, moved = now.v >= beta + slack, (max(alpha, now.v), beta)
        else:
            now.v = min(now.v, value)
            holds, moved = now.v <= alpha - slack, (alpha, min(beta, now.v))
        moves = moves_on if now.passed else updates_first or not holds
        if holds and now.children and not now.passed:
            now.passed, moves = True, moves_on or updates_first
        if moves and moved != now.windows[-1]:
            now.windows.append(moved)
