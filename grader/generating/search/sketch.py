"""A tree without numbers: its shape, and whose turn it is at each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.generating.recipe.parts import Recipe
from grader.generating.search.draws import Draw


@dataclass(frozen=True, slots=True)
class Sketch:
    """Columns by node, in document order."""

    turn: tuple[str | None, ...]
    parent: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    depth: tuple[int, ...]

    @property
    def leaves(self) -> list[int]:
        return [node for node, turn in enumerate(self.turn) if turn is None]


def draw_sketch(recipe: Recipe, draw: Draw) -> Sketch:
    turn: list[str | None] = []
    parent: list[int] = []
    depth: list[int] = []
    pending = [(-1, 0)]
    while pending:
        above, here = pending.pop()
        node = len(turn)
        parent.append(above)
        depth.append(here)
        early = recipe.early_leaf_from <= here < len(recipe.levels) and draw.chance(recipe.early_leaf_chance)
        if here == len(recipe.levels) or early:
            turn.append(None)
            continue
        level = recipe.levels[here]
        turn.append(level.turn)
        pending.extend([(node, here + 1)] * draw.between(level.fewest, level.most))
    return Sketch(tuple(turn), tuple(parent), _children(parent), tuple(depth))


def rearrange(sketch: Sketch, draw: Draw) -> tuple[Sketch, list[int]]:
    """The same tree with siblings in a random order, and the old number of each node."""
    parent: list[int] = []
    before: list[int] = []
    pending = [(0, -1)]
    while pending:
        old, above = pending.pop()
        pending.extend((child, len(before)) for child in draw.sample(sketch.children[old], len(sketch.children[old])))
        parent.append(above)
        before.append(old)
    turn = tuple(sketch.turn[old] for old in before)
    depth = tuple(sketch.depth[old] for old in before)
    return Sketch(turn, tuple(parent), _children(parent), depth), before


def _children(parent: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    children: list[list[int]] = [[] for _ in parent]
    for node in range(1, len(parent)):
        children[parent[node]].append(node)
    return tuple(map(tuple, children))
