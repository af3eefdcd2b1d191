"""A tidy tree in linear time (Buchheim, Jünger & Leipert, "Improving Walker's algorithm to run in linear time", 2002).

Blocks of the same depth are in one row. Each block reaches a way of its own to the left and to the right of its
centre, and so do the gaps between blocks; the paper's unit distance is `apart` here. The names are the paper's:
`prelim` is a block's place among its siblings, `mod` what its subtree is moved by, `thread` the way along a contour
where there is no child, `ancestor` which sibling's subtree a contour's block belongs to; `shift` and `change` spread
what a subtree was pushed aside over the smaller ones between. The traversals are loops: a tree may be deeper than
Python's stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Blocks:
    """What is to be placed, numbered so that a child comes after its parent; 0 is the root."""

    children: Sequence[Sequence[int]]
    left: Sequence[float]
    right: Sequence[float]
    sibling_gap: Sequence[float]
    """Beside a sibling, at least so much from block to block: the larger of the two counts."""
    subtree_gap: float
    """Between blocks of different parents."""


def tidy(blocks: Blocks) -> list[float]:
    """The centre of every block: no two overlap, a parent is above the middle of its children, and a subtree looks the
    same wherever it is."""
    walk = _Walk(blocks)
    order = range(len(blocks.children))
    for node in reversed(order):
        walk.first(node)
    return walk.second(order)


@dataclass(slots=True)
class _Walk:
    blocks: Blocks
    parent: list[int] = field(init=False)
    number: list[int] = field(init=False)
    prelim: list[float] = field(init=False)
    mod: list[float] = field(init=False)
    shift: list[float] = field(init=False)
    change: list[float] = field(init=False)
    thread: list[int] = field(init=False)
    ancestor: list[int] = field(init=False)

    def __post_init__(self) -> None:
        size = len(self.blocks.children)
        self.parent, self.number = [-1] * size, [0] * size
        for node, children in enumerate(self.blocks.children):
            for place, child in enumerate(children):
                self.parent[child], self.number[child] = node, place
        self.prelim, self.mod, self.shift, self.change = ([0.0] * size for _ in range(4))
        self.thread, self.ancestor = [-1] * size, list(range(size))

    def first(self, node: int) -> None:
        """Place a node's children beside each other and the node above their middle; all below it is done."""
        children = self.blocks.children[node]
        if not children:
            return
        default = children[0]
        for place, child in enumerate(children):
            middle = self._middle(child)
            if not place:
                self.prelim[child] = middle
                continue
            before = children[place - 1]
            self.prelim[child] = self.prelim[before] + self._apart(before, child)
            if self.blocks.children[child]:
                self.mod[child] = self.prelim[child] - middle
            default = self._apportion(child, before, children[0], default)
        self._execute_shifts(children)

    def second(self, order: range) -> list[float]:
        centre = [0.0] * len(order)
        moved = [0.0] * len(order)
        for node in order:
            centre[node] = (self.prelim[node] if node else self._middle(0)) + moved[node]
            for child in self.blocks.children[node]:
                moved[child] = moved[node] + (self.mod[node] if node else 0.0)
        return centre

    def _middle(self, node: int) -> float:
        children = self.blocks.children[node]
        return (self.prelim[children[0]] + self.prelim[children[-1]]) / 2 if children else 0.0

    def _apart(self, left: int, right: int) -> float:
        blocks = self.blocks
        if self.parent[left] == self.parent[right]:
            gap = max(blocks.sibling_gap[left], blocks.sibling_gap[right])
        else:
            gap = blocks.subtree_gap
        return blocks.right[left] + blocks.left[right] + gap

    def _apportion(self, node: int, before: int, leftmost: int, default: int) -> int:
        """Push a subtree away from those before it, wherever their contours come too close."""
        inner_right = outer_right = node
        inner_left, outer_left = before, leftmost
        moved_ir = moved_or = self.mod[node]
        moved_il, moved_ol = self.mod[before], self.mod[leftmost]
        while True:
            next_left, next_right = self._next_right(inner_left), self._next_left(inner_right)
            if next_left < 0 or next_right < 0:
                break
            inner_left, inner_right = next_left, next_right
            outer_left, outer_right = self._next_left(outer_left), self._next_right(outer_right)
            self.ancestor[outer_right] = node
            near_left, near_right = self.prelim[inner_left] + moved_il, self.prelim[inner_right] + moved_ir
            push = near_left - near_right + self._apart(inner_left, inner_right)
            if push > 0:
                belongs = self.ancestor[inner_left]
                self._move(belongs if self.parent[belongs] == self.parent[node] else default, node, push)
                moved_ir += push
                moved_or += push
            moved_il += self.mod[inner_left]
            moved_ir += self.mod[inner_right]
            moved_ol += self.mod[outer_left]
            moved_or += self.mod[outer_right]
        if next_left >= 0 and self._next_right(outer_right) < 0:
            self.thread[outer_right] = next_left
            self.mod[outer_right] += moved_il - moved_or
        if next_right >= 0 and self._next_left(outer_left) < 0:
            self.thread[outer_left] = next_right
            self.mod[outer_left] += moved_ir - moved_ol
            default = node
        return default

    def _next_left(self, node: int) -> int:
        children = self.blocks.children[node]
        return children[0] if children else self.thread[node]

    def _next_right(self, node: int) -> int:
        children = self.blocks.children[node]
        return children[-1] if children else self.thread[node]

    def _move(self, left: int, right: int, push: float) -> None:
        share = push / (self.number[right] - self.number[left])
        self.change[right] -= share
        self.shift[right] += push
        self.change[left] += share
        self.prelim[right] += push
        self.mod[right] += push

    def _execute_shifts(self, children: Sequence[int]) -> None:
        shift = change = 0.0
        for child in reversed(children):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change
