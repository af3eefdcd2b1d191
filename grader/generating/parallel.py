"""Parallel variants: the shape and the cuts of one exercise, with other numbers in other places.

A variant starts from the accepted exercise and walks from tree to tree: two leaves, or the leaves of two subtrees of
one shape, change places wherever cuts, visits and updates stay what they are. Then every number is replaced by another
without changing which is larger.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from grader.generating.draws import Draw
from grader.generating.finding import Effort, Found, Stand, find, given_up, judged
from grader.generating.judging import quick
from grader.generating.measures import Counted
from grader.generating.recipe import Recipe
from grader.generating.sketch import Fill, Sketch
from solver import Number, Refusal

STEPS = 24
"""Changes that are tried before a variant is judged."""
MORE_STEPS = 6
"""And after each that was not good enough."""


class Variants:
    def __init__(self, recipe: Recipe, base: Found, effort: Effort) -> None:
        self.recipe, self.base, self.effort = recipe, base, effort
        self.stand = Stand(recipe, base.sketch, base.fill)
        self.blocks = twin_blocks(base.sketch)
        self.walks = bool(base.quick.counted.events) and all(
            isinstance(value, int | Fraction) for value in base.fill.leaf
        )

    def draw(self, draw: Draw) -> Found:
        """Another variant. Without cuts to keep, it is a new tree of the same shape."""
        if not self.walks:
            return find(self.recipe, draw, self.effort, self.base.sketch)
        self.effort.start()
        fill, steps = self.base.fill, STEPS + len(self.base.fill.leaf)
        while not self.effort.spent:
            fill = self._walked(fill, steps, draw)
            steps = MORE_STEPS
            candidate = relabelled(self.recipe, fill, draw)
            judgement = judged(self.stand, candidate, self.effort)
            if judgement is None:
                continue
            near, rest = judgement
            if rest is not None and not rest.total and alike(near.counted, self.base.quick.counted):
                return Found(self.base.sketch, candidate, near, rest)
        raise given_up(self.recipe, self.effort)

    def _walked(self, fill: Fill, steps: int, draw: Draw) -> Fill:
        for _ in range(steps):
            leaf = list(fill.leaf)
            if self.blocks and not draw.below(4):
                one, other, size = draw.choice(self.blocks)
            else:
                one, other, size = draw.below(len(leaf)), draw.below(len(leaf)), 1
            leaf[one : one + size], leaf[other : other + size] = leaf[other : other + size], leaf[one : one + size]
            candidate = replace(fill, leaf=tuple(leaf))
            if candidate == fill:
                continue
            self.effort.tick()
            try:
                found = quick(self.recipe, self.stand.exercise(candidate))
            except Refusal:
                continue
            if not found.total and alike(found.counted, self.base.quick.counted):
                fill = candidate
        return fill


def twin_blocks(sketch: Sketch) -> list[tuple[int, int, int]]:
    """Two inner siblings of one shape, as the places of their first leaves and how many they have."""
    looks: list[str] = ["."] * len(sketch.turn)
    leaves = [1] * len(sketch.turn)
    first = [0] * len(sketch.turn)
    for place, leaf in enumerate(sketch.leaves):
        first[leaf] = place
    found: list[tuple[int, int, int]] = []
    for node in range(len(sketch.turn) - 1, -1, -1):
        below = sketch.children[node]
        if not below:
            continue
        looks[node] = f"({''.join(looks[child] for child in below)})"
        leaves[node], first[node] = sum(leaves[child] for child in below), first[below[0]]
        for one, other in combinations(below, 2):
            if sketch.children[one] and looks[one] == looks[other]:
                found.append((first[one], first[other], leaves[one]))
    return found


def alike(one: Counted, other: Counted) -> bool:
    """Of the same difficulty: the same cuts in the same order, as many visits and as many moves of α and β."""
    return (one.events, one.visits, one.updates) == (other.events, other.visits, other.updates)


def relabelled(recipe: Recipe, fill: Fill, draw: Draw) -> Fill:
    """Other numbers in the same order of size."""
    values: list[Any] = sorted(set(fill.leaf))
    pool = recipe.leaves.pool
    if recipe.leaves.style == "signs":
        below, above = [each for each in pool if each < 0], [each for each in pool if each > 0]
        negative = sum(value < 0 for value in values)
        drawn: list[Number] = draw.sample(below, negative) + draw.sample(above, len(values) - negative)
    else:
        drawn = draw.sample(pool, len(values))
    new = dict(zip(values, sorted(drawn), strict=True))
    return replace(fill, leaf=tuple(new[value] for value in fill.leaf))
