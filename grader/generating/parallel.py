"""Parallel variants: as hard as one exercise, with other numbers in other places.

Bases come first: exercises with the same cuts in the same order that prune at other places, if there are any. A variant
starts from one of them and walks from tree to tree: two leaves, or the leaves of two subtrees of one shape, change
places wherever cuts, visits and updates stay what they are. Then every number is replaced by another without changing
which is larger. Where there are no cuts to keep, or a sum that such a change would break, a variant is a new tree.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from grader.generating.draws import Draw
from grader.generating.fill import Fill, carried
from grader.generating.finding import Effort, Found, Frame, changed, climbed, find, given_up, judged
from grader.generating.judging import Like, quick
from grader.generating.parts import REARRANGED, Recipe
from grader.generating.sketch import Sketch, arranged
from solver.game import CHANCE
from solver.kernel import Number, Refusal

STEPS = 24
"""Changes that are tried before a variant is judged."""
MORE_STEPS = 6
"""And after each that was not good enough."""
CANDIDATES = 3
MOST_BASES = 12
BASE_EFFORT = 800
"""Trees that are examined for one more base."""
MOST_EXCHANGES = 8
MISSES = 2
"""Bases in a row that are not found, after which no more are looked for."""


def variants_of(recipe: Recipe, seed: object, effort: Effort) -> Variants:
    """Of a few exercises to start from, the first whose cuts can also be made at other places; else the first."""
    found: list[Variants] = []
    for again in range(CANDIDATES):
        first = find(recipe, Draw(recipe.id, seed, "first", again), effort)
        found.append(Variants(recipe, first, seed, effort))
        if not found[-1].walks or found[-1].has_other_places():
            return found[-1]
    return found[0]


class Variants:
    """Base n is looked for when variant n is made, so that a variant does not depend on how many there are."""

    def __init__(self, recipe: Recipe, first: Found, seed: object, effort: Effort) -> None:
        self.recipe, self.seed, self.effort = recipe, seed, effort
        self.counted = first.quick.counted
        self.bases = [_Base(recipe, first)]
        self.walks = bool(self.counted.events) and recipe.leaves.sum is None
        self.misses = 0

    def draw(self, number: int, draw: Draw) -> Found:
        """The variant of this number, from 0."""
        like = Like(self.counted)
        if not self.walks:
            return find(self.recipe, draw, self.effort, self.bases[0].found.sketch, like=like)
        base = self._base(number)
        self.effort.start()
        fill, steps = base.found.fill, STEPS + len(base.found.fill.numbers)
        while not self.effort.spent:
            fill = self._walked(base, fill, steps, draw)
            steps = MORE_STEPS
            candidate = relabelled(self.recipe, fill, draw)
            judgement = judged(base.frame, candidate, self.effort, like)
            if judgement is None:
                continue
            near, rest = judgement
            if rest is not None and not rest.total:
                return Found(base.found.sketch, candidate, near, rest)
        raise given_up(self.recipe, self.effort)

    def has_other_places(self) -> bool:
        return self._base(1) is not self.bases[0]

    def _base(self, number: int) -> _Base:
        while len(self.bases) <= min(number, MOST_BASES - 1) and self.misses < MISSES:
            found = self._elsewhere(Draw(self.recipe.id, self.seed, "base", len(self.bases), self.misses))
            if found is None:
                self.misses += 1
            else:
                self.misses = 0
                self.bases.append(found)
        return self.bases[number % len(self.bases)]

    def _elsewhere(self, draw: Draw) -> _Base | None:
        """A base that prunes where none does yet: one of them, rearranged if that is allowed and with some leaves
        exchanged, and from there uphill."""
        like = Like(self.counted, frozenset(base.found.quick.counted.pruned_at for base in self.bases))
        spent = Effort(BASE_EFFORT)
        found: Found | None = None
        while found is None and not spent.spent:
            base = draw.choice(self.bases)
            frame, fill = base.frame, base.found.fill
            if self.recipe.parallel == REARRANGED:
                sketch, before = arranged(base.found.sketch, draw)
                fill = carried(base.found.sketch, fill, sketch, before)
                frame = Frame(self.recipe, sketch, fill)
            for _ in range(draw.below(MOST_EXCHANGES)):
                fill = changed(frame, fill, draw)
            found = climbed(frame, fill, draw, spent, like)
        self.effort.examined += spent.examined
        return None if found is None else _Base(self.recipe, found)

    def _walked(self, base: _Base, fill: Fill, steps: int, draw: Draw) -> Fill:
        like = Like(self.counted)
        for _ in range(steps):
            numbers = list(fill.numbers)
            if base.blocks and not draw.below(4):
                one, other, size = draw.choice(base.blocks)
            else:
                one, other, size = draw.below(len(numbers)), draw.below(len(numbers)), 1
            here, there = slice(one, one + size), slice(other, other + size)
            numbers[here], numbers[there] = numbers[there], numbers[here]
            if numbers == list(fill.numbers) or not _in_range(self.recipe, fill, numbers):
                continue
            candidate = fill.with_numbers(numbers)
            self.effort.tick(len(base.found.sketch.turn))
            try:
                found = quick(self.recipe, base.frame.exercise(candidate), like)
            except Refusal:
                continue
            if not found.total:
                fill = candidate
        return fill


class _Base:
    def __init__(self, recipe: Recipe, found: Found) -> None:
        self.found = found
        self.frame = Frame(recipe, found.sketch, found.fill)
        self.blocks = twin_blocks(found.sketch)


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


def _in_range(recipe: Recipe, fill: Fill, numbers: list[Any]) -> bool:
    """Whether leaves and estimates, where there are both, may be what they would be."""
    if recipe.estimates is None:
        return True
    size = len(fill.leaf)
    leaves, estimates = recipe.leaves.pool, recipe.estimates.pool
    return all(each in leaves for each in numbers[:size]) and all(each in estimates for each in numbers[size:])


def relabelled(recipe: Recipe, fill: Fill, draw: Draw) -> Fill:
    """Other numbers in the same order of size; in vectors, of each side's."""
    numbers = fill.numbers
    if recipe.players:
        new = [_others(recipe, [vector[side] for vector in numbers], draw) for side in range(recipe.sides)]
        return fill.with_numbers([tuple(new[side][each] for side, each in enumerate(vector)) for vector in numbers])
    by_old = _others(recipe, list(numbers), draw)
    return fill.with_numbers([by_old[each] for each in numbers])


def _others(recipe: Recipe, numbers: list[Number], draw: Draw) -> dict[Number, Number]:
    """By number another one."""
    values = sorted(set(numbers))
    pool = list(recipe.leaves.pool)
    if recipe.estimates is not None:
        pool = [each for each in pool if each in recipe.estimates.pool]
    if recipe.leaves.style == "signs":
        below, above = [each for each in pool if each < 0], [each for each in pool if each > 0]
        negative = sum(value < 0 for value in values)
        drawn: list[Number] = draw.sample(below, negative) + draw.sample(above, len(values) - negative)
    elif len(pool) < len(values) or CHANCE in recipe.turns:
        # Below chance nodes not only the order counts: other numbers would rarely be equally hard.
        drawn = values
    else:
        drawn = draw.sample(pool, len(values))
    return dict(zip(values, sorted(drawn), strict=True))
