"""What a sketch lacks: leaves, chances, estimates and statistics; drawn, drawn anew, and carried along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from grader.generating.draws import Draw
from grader.generating.parts import Recipe
from grader.generating.sketch import Sketch
from solver.game import AND, CHANCE, OR, Unknown
from solver.kernel import Number


@dataclass(frozen=True, slots=True)
class Back:
    """A leaf that leads back to a node."""

    node: int


@dataclass(frozen=True, slots=True)
class Fill:
    """What a sketch lacks. A leaf is a number, a vector, an unknown, "true", "false", or Back."""

    leaf: tuple[Any, ...]
    """In the order of the sketch's leaves."""
    probability: Mapping[int, Fraction] = field(default_factory=dict)
    visits: Mapping[int, int] = field(default_factory=dict)
    totals: Mapping[int, int] = field(default_factory=dict)
    playout: int | None = None
    estimates: Mapping[int, Number] = field(default_factory=dict)

    @property
    def numbers(self) -> tuple[Any, ...]:
        """What can be exchanged: the leaves, then the estimates."""
        return (*self.leaf, *self.estimates.values())

    def with_numbers(self, numbers: Sequence[Any]) -> Fill:
        size = len(self.leaf)
        estimates = dict(zip(self.estimates, numbers[size:], strict=True))
        return replace(self, leaf=tuple(numbers[:size]), estimates=estimates)


def draw_fill(recipe: Recipe, sketch: Sketch, draw: Draw) -> Fill:
    if recipe.statistics is not None:
        return _draw_statistics(recipe, sketch, draw)
    count = len(sketch.leaves)
    if recipe.turns & {OR, AND}:
        return Fill(tuple(_outcome(recipe, sketch, leaf, draw) for leaf in sketch.leaves))
    chances = draw_chances(recipe, sketch, draw)
    if recipe.players:
        return Fill(tuple(draw_vector(recipe, draw) for _ in range(count)), chances)
    unknown = _draw_unknowns(recipe, count, draw)
    numbers = iter(draw_numbers(recipe, count - len(unknown), draw))
    leaf = tuple(unknown[place] if place in unknown else next(numbers) for place in range(count))
    return Fill(leaf, chances, estimates=_draw_estimates(recipe, sketch, draw))


def draw_vector(recipe: Recipe, draw: Draw) -> tuple[Number, ...]:
    """A number for each side; if there is a sum, each leaves what the others can still add up to."""
    pool, total = recipe.leaves.pool, recipe.leaves.sum
    if total is None:
        return tuple(draw.choice(pool) for _ in range(recipe.sides))
    drawn: list[Number] = []
    for others in range(recipe.sides - 1, -1, -1):
        rest = total - sum(drawn)
        fit = [each for each in pool if others * pool[0] <= rest - each <= others * pool[-1]]
        drawn.append(draw.choice(fit))
    return tuple(draw.sample(drawn, len(drawn)))


def _draw_unknowns(recipe: Recipe, count: int, draw: Draw) -> dict[int, Unknown]:
    """By place among the leaves. One whose leaves this tree lacks is left out, and questions about it then miss it."""
    found: dict[int, Unknown] = {}
    for name, numbers in recipe.unknowns.items():
        there = [number - 1 for number in numbers if number <= count]
        if there:
            found[draw.choice(there)] = Unknown(name)
    return found


def _draw_estimates(recipe: Recipe, sketch: Sketch, draw: Draw) -> dict[int, Number]:
    """Different ones at each depth, as long as there are enough numbers."""
    if recipe.estimates is None:
        return {}
    pool, found = recipe.estimates.pool, dict[int, Number]()
    for depth in range(recipe.estimates.start, len(recipe.levels)):
        nodes = [node for node, turn in enumerate(sketch.turn) if turn is not None and sketch.depth[node] == depth]
        drawn = draw.sample(pool, len(nodes)) if len(nodes) <= len(pool) else [draw.choice(pool) for _ in nodes]
        found.update(zip(nodes, drawn, strict=True))
    return dict(sorted(found.items()))


def redraw_estimate(recipe: Recipe, sketch: Sketch, fill: Fill, draw: Draw) -> Fill:
    """Another estimate for one node."""
    assert recipe.estimates is not None
    node = draw.choice(list(fill.estimates))
    taken = {each for other, each in fill.estimates.items() if sketch.depth[other] == sketch.depth[node]}
    free = [number for number in recipe.estimates.pool if number not in taken]
    return replace(fill, estimates={**fill.estimates, node: draw.choice(free)}) if free else fill


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
    pool: Sequence[Number] = recipe.leaves.pool
    if not isinstance(taken[place], int | Fraction):
        return draw_vector(recipe, draw) if recipe.players else _outcome(recipe, sketch, sketch.leaves[place], draw)
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


def _draw_statistics(recipe: Recipe, sketch: Sketch, draw: Draw) -> Fill:
    """Visits and totals that add up as in AIMA 4e, Figure 5.10: a node has the visits of its children, and what the
    side that moves there won is what its opponent lost."""
    assert recipe.statistics is not None
    visits: dict[int, int] = {0: draw.between(recipe.statistics.fewest, recipe.statistics.most)}
    totals: dict[int, int] = {}
    parts_of: dict[int, list[int]] = {}
    for node in (node for node, turn in enumerate(sketch.turn) if turn is not None):
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


def carried(sketch: Sketch, fill: Fill, now: Sketch, before: Sequence[int]) -> Fill:
    """The numbers of a tree without statistics, in its new arrangement."""
    at = dict(zip(sketch.leaves, fill.leaf, strict=True))
    chances = {node: fill.probability[old] for node, old in enumerate(before) if old in fill.probability}
    estimates = {node: fill.estimates[old] for node, old in enumerate(before) if old in fill.estimates}
    return Fill(tuple(at[before[leaf]] for leaf in now.leaves), chances, estimates=estimates)
