"""Parallel variants: equally hard exercises with different numbers.

First come the bases: exercises with the same cuts in the same order that prune at different places, if there are any.
A variant starts from a base and walks from tree to tree: two leaves, or the leaves of two subtrees of the same shape,
are exchanged if cuts, visits and updates stay the same. Then all numbers are replaced by others in the same order of
size. If there are no cuts to keep, or vectors have a fixed sum, each variant is a new tree.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from grader.generating.exercise_template import Template
from grader.generating.hill_climbing import (
    Effort,
    FoundExercise,
    climb,
    find_exercise,
    judge_fill,
    neighbouring_fill,
    not_found_error,
)
from grader.generating.random_trees import Draw, Fill, Seed, Sketch, carry_over_fill, rearrange
from grader.generating.recipe_parts import BOUNDED, REARRANGED, Recipe
from grader.generating.requirement_distance import ParallelTarget, judge_quickly
from solver.game import CHANCE
from solver.kernel import Number, Refusal

STEPS = 24
"""Exchanges that are tried before a variant is judged, beside one for each number."""
MORE_STEPS = 6
"""The same after a variant that was not good enough."""
CANDIDATES = 3
MOST_BASES = 12
CHEAP = 400
"""Trees that may be examined for one exercise of a bounded set before others are made from those found."""
BASE_EFFORT = 800
"""Trees that are examined for one more base."""
MOST_EXCHANGES = 8
MISSES = 2
"""Failures in a row, after which no more bases are searched for."""


def variants_of(recipe: Recipe, seed: Seed, effort: Effort) -> ParallelVariants:
    """Variants of the first exercise whose cuts are possible at other places, too; or else of the first one. Where they
    need only be about as hard, of the middle one of a few."""
    if recipe.parallel == BOUNDED:
        before = effort.examined
        drawn = [find_exercise(recipe, seed.draw(recipe.id, "first", again), effort) for again in range(CANDIDATES)]
        drawn.sort(key=lambda each: (each.quick.counts.visits, each.quick.counts.pruned))
        variants = ParallelVariants(recipe, drawn.pop(len(drawn) // 2), seed, effort)
        if effort.examined - before > CANDIDATES * CHEAP:
            variants.bases += [_Base(recipe, each) for each in drawn]
        return variants
    found: list[ParallelVariants] = []
    for again in range(CANDIDATES):
        first = find_exercise(recipe, seed.draw(recipe.id, "first", again), effort)
        found.append(ParallelVariants(recipe, first, seed, effort))
        if not found[-1].walks or found[-1].has_other_places():
            return found[-1]
    return found[0]


class ParallelVariants:
    """Base n is searched for when variant n is made, so that a variant does not depend on how many are made."""

    def __init__(self, recipe: Recipe, first: FoundExercise, seed: Seed, effort: Effort) -> None:
        self.recipe, self.seed, self.effort = recipe, seed, effort
        self.counts = first.quick.counts
        self.bases = [_Base(recipe, first)]
        self.bounded = recipe.parallel == BOUNDED
        self.walks = bool(self.counts.events) and recipe.leaves.sum is None and not self.bounded
        self.misses = 0

    def draw(self, number: int, draw: Draw) -> FoundExercise:
        """Variant `number`, from 0."""
        target = ParallelTarget(self.counts, bounded=self.bounded)
        if self.bounded:
            return self._about_as_hard(draw, target)
        if not self.walks:
            return find_exercise(self.recipe, draw, self.effort, self.bases[0].found.sketch, target)
        base = self._base(number)
        self.effort.start()
        fill, steps = base.found.fill, STEPS + len(base.found.fill.numbers)
        while not self.effort.spent:
            fill = self._walk(base, fill, steps, draw)
            steps = MORE_STEPS
            candidate = renumber(self.recipe, fill, draw)
            judgement = judge_fill(base.template, candidate, self.effort, target)
            if judgement is None:
                continue
            near, rest = judgement
            if rest is not None and not rest.total:
                return FoundExercise(base.found.sketch, candidate, near, rest)
        raise not_found_error(self.recipe, self.effort)

    def _about_as_hard(self, draw: Draw, target: ParallelTarget) -> FoundExercise:
        """A new tree or, if these are hard to find, one that is like one of the bases: rearranged, with other numbers
        and some of them exchanged, and improved until it is as it should be."""
        if len(self.bases) == 1 or self.recipe.leaves.sum is not None:
            return find_exercise(self.recipe, draw, self.effort, target=target)
        self.effort.start()
        while not self.effort.spent:
            template, fill = self._changed(draw, rearranged=True)
            found = climb(template, renumber(self.recipe, fill, draw), draw, self.effort, target)
            if found is not None:
                return found
        raise not_found_error(self.recipe, self.effort)

    def _changed(self, draw: Draw, rearranged: bool) -> tuple[Template, Fill]:
        """One of the bases with some leaves exchanged, and perhaps with siblings in another order."""
        base = draw.choice(self.bases)
        template, fill = base.template, base.found.fill
        if rearranged:
            sketch, before = rearrange(base.found.sketch, draw)
            fill = carry_over_fill(base.found.sketch, fill, sketch, before)
            template = Template(self.recipe, sketch, fill)
        for _ in range(draw.below(MOST_EXCHANGES)):
            fill = neighbouring_fill(template, fill, draw)
        return template, fill

    def has_other_places(self) -> bool:
        return self._base(1) is not self.bases[0]

    def _base(self, number: int) -> _Base:
        while len(self.bases) <= min(number, MOST_BASES - 1) and self.misses < MISSES:
            found = self._base_elsewhere(self.seed.draw(self.recipe.id, "base", len(self.bases), self.misses))
            if found is None:
                self.misses += 1
            else:
                self.misses = 0
                self.bases.append(found)
        return self.bases[number % len(self.bases)]

    def _base_elsewhere(self, draw: Draw) -> _Base | None:
        """A base that prunes at new places: another base, rearranged if the recipe allows that and with some leaves
        exchanged, is where the climb starts."""
        target = ParallelTarget(self.counts, frozenset(base.found.quick.counts.pruned_at for base in self.bases))
        spent = Effort(BASE_EFFORT)
        found: FoundExercise | None = None
        while found is None and not spent.spent:
            template, fill = self._changed(draw, self.recipe.parallel == REARRANGED)
            found = climb(template, fill, draw, spent, target)
        self.effort.examined += spent.examined
        return None if found is None else _Base(self.recipe, found)

    def _walk(self, base: _Base, fill: Fill, steps: int, draw: Draw) -> Fill:
        target = ParallelTarget(self.counts)
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
                found = judge_quickly(self.recipe, base.template.exercise(candidate), target)
            except Refusal:
                continue
            if not found.total:
                fill = candidate
        return fill


class _Base:
    def __init__(self, recipe: Recipe, found: FoundExercise) -> None:
        self.found = found
        self.template = Template(recipe, found.sketch, found.fill)
        self.blocks = twin_blocks(found.sketch)


def twin_blocks(sketch: Sketch) -> list[tuple[int, int, int]]:
    """Pairs of inner siblings of the same shape: the positions of their first leaves, and how many leaves each has."""
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
    """Whether numbers that moved between leaves and estimates are within the ranges of both."""
    if recipe.estimates is None:
        return True
    size = len(fill.leaf)
    leaves, estimates = recipe.leaves.pool, recipe.estimates.pool
    return all(each in leaves for each in numbers[:size]) and all(each in estimates for each in numbers[size:])


def renumber(recipe: Recipe, fill: Fill, draw: Draw) -> Fill:
    """Other numbers in the same order of size; of vectors, the same for each side."""
    numbers = fill.numbers
    if recipe.players:
        new = [_other_numbers(recipe, [vector[side] for vector in numbers], draw) for side in range(recipe.sides)]
        return fill.with_numbers([tuple(new[side][each] for side, each in enumerate(vector)) for vector in numbers])
    by_old = _other_numbers(recipe, list(numbers), draw)
    return fill.with_numbers([by_old[each] for each in numbers])


def _other_numbers(recipe: Recipe, numbers: list[Number], draw: Draw) -> dict[Number, Number]:
    """By number, the one that replaces it."""
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
