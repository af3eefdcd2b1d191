"""Random trees, the same on every machine and in every version of Python: a sketch and its fill.

A sketch is a tree without numbers: its shape, and whose turn it is at each node. A fill is what it lacks: leaves,
probabilities, estimates and statistics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any, TypeVar

from grader.generating.recipe_parts import Recipe
from solver.game import AND, CHANCE, OR, Unknown
from solver.kernel import Number

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seed:
    """What a run's exercises are a function of, beside the recipe. Seeds for practice are a space of their own: no text
    gives the same draws in both."""

    text: str
    practice: bool = False

    @property
    def is_unicode(self) -> bool:
        """Python has half characters too, for arguments that are not UTF-8."""
        return not any("\ud800" <= sign <= "\udfff" for sign in self.text)

    def draw(self, recipe: str, *rest: object) -> Draw:
        # An id is not empty and has no slash, so what begins with one is drawn for nothing else.
        space = ("", "practice") if self.practice else ()
        return Draw(*space, recipe, self.text, *rest)


class Draw:
    """Only random bits are taken from Python, since its other methods may change between versions."""

    def __init__(self, *seed: object) -> None:
        self._bits = Random("/".join(map(str, seed))).getrandbits

    def below(self, size: int) -> int:
        length = size.bit_length()
        while True:
            drawn = self._bits(length)
            if drawn < size:
                return drawn

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def chance(self, probability: Fraction) -> bool:
        return self.below(probability.denominator) < probability.numerator

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """`count` different items, in the order drawn."""
        pool = list(items)
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]


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


@dataclass(frozen=True, slots=True)
class LoopTo:
    """A leaf that leads back to a node above."""

    node: int


@dataclass(frozen=True, slots=True)
class Fill:
    """What a sketch lacks to be a tree. A leaf is a number, a vector, an unknown, "true", "false", or LoopTo."""

    leaf: tuple[Any, ...]
    """In the order of the sketch's leaves."""
    probability: Mapping[int, Fraction] = field(default_factory=dict)
    visits: Mapping[int, int] = field(default_factory=dict)
    totals: Mapping[int, int] = field(default_factory=dict)
    playout: int | None = None
    estimates: Mapping[int, Number] = field(default_factory=dict)

    @property
    def numbers(self) -> tuple[Any, ...]:
        """The numbers that can be exchanged: the leaves, then the estimates."""
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
    """A number for each side. If the recipe has a sum, no number makes it impossible for the others to reach it."""
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
    """By position among the leaves. An unknown is left out if this tree has none of its leaves; questions about it then
    have a problem."""
    found: dict[int, Unknown] = {}
    for name, numbers in recipe.unknowns.items():
        there = [number - 1 for number in numbers if number <= count]
        if there:
            found[draw.choice(there)] = Unknown(name)
    return found


def _draw_estimates(recipe: Recipe, sketch: Sketch, draw: Draw) -> dict[int, Number]:
    """Different numbers at each depth, as long as there are enough."""
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
    """Positive fractions with a small denominator that add up to 1; not all equal if the recipe says so."""
    if outcomes == 1:
        return [Fraction(1)]
    parts = draw.between(outcomes if recipe.equal else outcomes + 1, recipe.denominator)
    while True:
        cuts = sorted(draw.sample(range(1, parts), outcomes - 1))
        weights = [high - low for low, high in zip([0, *cuts], [*cuts, parts], strict=True)]
        if recipe.equal or len(set(weights)) > 1:
            return [Fraction(weight, parts) for weight in weights]


def _outcome(recipe: Recipe, sketch: Sketch, leaf: int, draw: Draw) -> Any:
    """A goal, a failure, or a loop back to an OR node above."""
    above: list[int] = []
    node = sketch.parent[leaf]
    while node > 0:
        node = sketch.parent[node]
        if sketch.turn[node] == OR:
            above.append(node)
    if above and draw.chance(recipe.leaves.loops):
        return LoopTo(draw.choice(above))
    return "true" if draw.chance(recipe.leaves.goals) else "false"


def _draw_statistics(recipe: Recipe, sketch: Sketch, draw: Draw) -> Fill:
    """Visits and totals that add up as in AIMA 4e, Figure 5.10: a node has as many visits as its children together, and
    the side to move there won what its opponent lost."""
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


def carry_over_fill(sketch: Sketch, fill: Fill, now: Sketch, before: Sequence[int]) -> Fill:
    """The fill of a tree without statistics, after its nodes were rearranged: `before` has the old number of each."""
    at = dict(zip(sketch.leaves, fill.leaf, strict=True))
    chances = {node: fill.probability[old] for node, old in enumerate(before) if old in fill.probability}
    estimates = {node: fill.estimates[old] for node, old in enumerate(before) if old in fill.estimates}
    return Fill(tuple(at[before[leaf]] for leaf in now.leaves), chances, estimates=estimates)
