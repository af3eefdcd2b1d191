"""A tree before it has numbers: who moves where; and what is filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grader.generating.draws import Draw
from grader.generating.recipe import Recipe
from solver import AND, CHANCE, OR, Number


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


@dataclass(frozen=True, slots=True)
class Back:
    """A leaf that leads back to a node."""

    node: int


@dataclass(frozen=True, slots=True)
class Fill:
    """What a sketch lacks. A leaf is a number, a vector, "true", "false", or Back."""

    leaf: tuple[Any, ...]
    """In the order of the sketch's leaves."""
    probability: Mapping[int, Fraction] = field(default_factory=dict)
    visits: Mapping[int, int] = field(default_factory=dict)
    totals: Mapping[int, int] = field(default_factory=dict)
    playout: int | None = None


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
        early = recipe.leaf_from <= here < len(recipe.levels) and draw.chance(recipe.leaf_above)
        if here == len(recipe.levels) or early:
            turn.append(None)
            continue
        level = recipe.levels[here]
        turn.append(level.turn)
        pending.extend([(node, here + 1)] * draw.between(level.fewest, level.most))
    children: list[list[int]] = [[] for _ in turn]
    for node in range(1, len(turn)):
        children[parent[node]].append(node)
    return Sketch(tuple(turn), tuple(parent), tuple(map(tuple, children)), tuple(depth))


def draw_fill(recipe: Recipe, sketch: Sketch, draw: Draw) -> Fill:
    if recipe.statistics is not None:
        return _with_statistics(recipe, sketch, draw)
    count = len(sketch.leaves)
    if recipe.turns & {OR, AND}:
        return Fill(tuple(_outcome(recipe, sketch, leaf, draw) for leaf in sketch.leaves))
    chances = draw_chances(recipe, sketch, draw)
    if recipe.players:
        pool, size = recipe.leaves.pool, len(recipe.players)
        return Fill(tuple(tuple(draw.choice(pool) for _ in range(size)) for _ in range(count)), chances)
    return Fill(tuple(draw_numbers(recipe, count, draw)), chances)


def draw_numbers(recipe: Recipe, count: int, draw: Draw) -> list[Number]:
    pool = recipe.leaves.pool
    match recipe.leaves.style:
        case "small":
            return [draw.choice(pool) for _ in range(count)]
        case "signs":
            below, above = [each for each in pool if each < 0], [each for each in pool if each > 0]
            negative = min(count // 2 + draw.below(1 + count % 2), len(below))
            drawn = draw.sample(below, negative) + draw.sample(above, min(count - negative, len(above)))
            return draw.sample(drawn, count)
    return draw.sample(pool, count)


def redraw_leaf(recipe: Recipe, sketch: Sketch, taken: Sequence[Any], place: int, draw: Draw) -> Any:
    """Another value for one leaf, of the same style."""
    pool = recipe.leaves.pool
    if not isinstance(taken[place], int | Fraction):
        if recipe.players:
            return tuple(draw.choice(pool) for _ in recipe.players)
        return _outcome(recipe, sketch, sketch.leaves[place], draw)
    if recipe.leaves.style == "signs":
        pool = [number for number in pool if (number < 0) == (taken[place] < 0) and number]
    if recipe.leaves.style == "small":
        return draw.choice(pool)
    used = set(taken)
    free = [number for number in pool if number not in used]
    return draw.choice(free) if free else taken[place]


def draw_chances(recipe: Recipe, sketch: Sketch, draw: Draw) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for node, turn in enumerate(sketch.turn):
        if turn == CHANCE:
            found.update(zip(sketch.children[node], _chances(recipe, len(sketch.children[node]), draw), strict=True))
    return found


def _chances(recipe: Recipe, outcomes: int, draw: Draw) -> list[Fraction]:
    """Positive parts of a whole with a small denominator; unequal ones if the recipe asks for that."""
    if outcomes == 1:
        return [Fraction(1)]
    parts = draw.between(outcomes if recipe.equal else outcomes + 1, recipe.denominator)
    while True:
        cuts = sorted(draw.sample(range(1, parts), outcomes - 1))
        weights = [high - low for low, high in zip([0, *cuts], [*cuts, parts], strict=True)]
        if recipe.equal or len(set(weights)) > 1:
            return [Fraction(weight, parts) for weight in weights]


def _outcome(recipe: Recipe, sketch: Sketch, leaf: int, draw: Draw) -> Any:
    """A goal, a failure, or a loop to an or node above."""
    above: list[int] = []
    node = sketch.parent[leaf]
    while node > 0:
        node = sketch.parent[node]
        if sketch.turn[node] == OR:
            above.append(node)
    if above and draw.chance(recipe.leaves.loops):
        return Back(draw.choice(above))
    return "true" if draw.chance(recipe.leaves.goals) else "false"


def _with_statistics(recipe: Recipe, sketch: Sketch, draw: Draw) -> Fill:
    """Visits and totals that add up as in AIMA 4e, Figure 5.10: a node has the visits of its children, and what the
    side that moves there won is what its opponent lost."""
    assert recipe.statistics is not None
    visits: dict[int, int] = {0: draw.between(recipe.statistics.fewest, recipe.statistics.most)}
    totals: dict[int, int] = {}
    parts_of: dict[int, list[int]] = {}
    for node in sorted(node for node, turn in enumerate(sketch.turn) if turn is not None):
        below = [child for child in sketch.children[node] if sketch.turn[child] is not None]
        if node not in visits or not below or visits[node] < len(below):
            continue
        cuts = sorted(draw.sample(range(1, visits[node]), len(below) - 1))
        ends = zip([0, *cuts], [*cuts, visits[node]], strict=True)
        visits.update((child, high - low) for child, (low, high) in zip(below, ends, strict=True))
        parts_of[node] = below
    for node in sorted(visits, reverse=True):
        if node not in parts_of:
            totals[node] = draw.between(0, visits[node])
            continue
        won = sum(totals[child] for child in parts_of[node])
        same_side = node > 0 and sketch.turn[node] == sketch.turn[sketch.parent[node]]
        totals[node] = won if same_side else visits[node] - won
    leaf = tuple(draw.below(2) for _ in sketch.leaves)
    return Fill(leaf, {}, dict(sorted(visits.items())), dict(sorted(totals.items())), draw.below(2))
