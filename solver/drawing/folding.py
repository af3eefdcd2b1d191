"""Which nodes of a large tree are drawn: the upper part and the line in full, the rest folded and counted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.tree import Tree

DEEPEST = 40
"""Levels below this are folded: a picture so tall is no picture."""
FEWEST_SHOWN, MOST_SHOWN = 3, 11
"""Of a node's children, where a tree is too large to draw them all."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What is left of a tree to draw."""

    nodes: Sequence[int]
    """In document order."""
    children: dict[int, Sequence[int]]
    """Of the drawn nodes that have any."""
    hidden: dict[int, int]
    """How many leaves are folded away below a drawn node, where there are any."""


def unfolded(tree: Tree) -> Fold:
    return Fold(range(len(tree)), {node: tree.children[node] for node in tree.inner}, {})


def folded(tree: Tree, line: Sequence[int], most: int) -> Fold:
    """At most so many nodes without drawn children, and at most DEEPEST levels; the line is drawn first, then level by
    level, and a node whose children do not all find room shows some of them."""
    if len(tree.leaves) <= most and max(tree.depth) <= DEEPEST:
        return unfolded(tree)
    on_line = {0, *line}
    ends = 1
    children: dict[int, Sequence[int]] = {}
    for node in _by_rank(tree, on_line, children):
        if tree.depth[node] >= DEEPEST:
            continue
        below: Sequence[int] = tree.children[node]
        room = most - ends + 1
        if len(below) > min(room, MOST_SHOWN + 1):
            # The folded rest takes a place of its own.
            below = _some(below, min(room - 1, MOST_SHOWN), on_line)
        if below:
            children[node] = below
            ends += len(below) - (len(below) == len(tree.children[node]))
    return _counted(tree, children)


def _by_rank(tree: Tree, on_line: set[int], children: dict[int, Sequence[int]]) -> Iterator[int]:
    """The inner nodes of the line from the root down, then all others whose parent shows them, level by level."""
    yield from sorted(node for node in on_line if tree.children[node])
    level = deque([0])
    while level:
        node = level.popleft()
        if node not in on_line and tree.children[node]:
            yield node
        level.extend(children.get(node, ()))


def _some(children: Sequence[int], room: int, on_line: set[int]) -> Sequence[int]:
    """The first few, and whichever is on the line."""
    on_it = [child for child in children if child in on_line]
    if room < FEWEST_SHOWN and not on_it:
        return ()
    others = [child for child in children if child not in on_line]
    return sorted([*others[: max(room, FEWEST_SHOWN) - len(on_it)], *on_it])


def _counted(tree: Tree, children: dict[int, Sequence[int]]) -> Fold:
    nodes = sorted({0, *(child for below in children.values() for child in below)})
    leaves_before = [0]
    for turn in tree.turn:
        leaves_before.append(leaves_before[-1] + (turn is None))
    hidden: dict[int, int] = {}
    for node in nodes:
        shown = set(children.get(node, ()))
        away = sum(
            leaves_before[tree.last[child] + 1] - leaves_before[child]
            for child in tree.children[node]
            if child not in shown
        )
        if away:
            hidden[node] = away
    return Fold(nodes, children, hidden)
