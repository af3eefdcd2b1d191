"""The search for one exercise: from a random tree uphill, by small changes that bring it no further from the recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.exercise import Exercise, load_exercise_bytes
from grader.generating.draws import Draw
from grader.generating.judging import Quick, Thorough, quick, thorough
from grader.generating.measures import exposure
from grader.generating.recipe import Recipe
from grader.generating.sketch import Fill, Sketch, draw_chances, draw_fill, draw_sketch, redraw_leaf
from grader.generating.writing import exercise_data, yaml_bytes
from grader.setting import Setting
from solver import DocumentError, Problem, Refusal

EFFORT = 20_000
"""Trees that are examined for one exercise before it is given up."""
PATIENCE = 50
"""Changes without improvement, after which another tree is drawn."""
SHAPES = 60
"""Shapes that are drawn before questions that fit none of them are the recipe's fault."""


@dataclass(frozen=True, slots=True)
class Found:
    sketch: Sketch
    fill: Fill
    quick: Quick
    thorough: Thorough


class Effort:
    """Counts what is examined and what fails; `report` hears of every tree."""

    def __init__(self, most: int = EFFORT, report: Callable[[int], None] | None = None) -> None:
        self.most, self.report = most, report
        self.examined = self.since = 0
        self.failed: Counter[str] = Counter()

    def start(self) -> None:
        """One more exercise is looked for."""
        self.since = 0
        self.failed.clear()

    def tick(self) -> None:
        self.examined += 1
        self.since += 1
        if self.report is not None:
            self.report(self.examined)

    @property
    def spent(self) -> bool:
        return self.since >= self.most

    def note(self, off: dict[str, Fraction]) -> None:
        self.failed.update(name for name, distance in off.items() if distance)


class Stand:
    """A sketch with its exercise, into which any fill can be put."""

    def __init__(self, recipe: Recipe, sketch: Sketch, fill: Fill) -> None:
        self.recipe, self.sketch = recipe, sketch
        self.sample = _loaded(recipe, sketch, fill)
        self.leaves = sketch.leaves
        self.direct = recipe.statistics is None and not recipe.turns & {"or", "and"}

    def exercise(self, fill: Fill) -> Exercise:
        if not self.direct:
            return _loaded(self.recipe, self.sketch, fill)
        game = self.sample.game
        leaf: list[Any] = [None] * len(game.tree)
        for node, value in zip(self.leaves, fill.leaf, strict=True):
            leaf[node] = value
        chances = tuple(fill.probability.get(node) for node in range(len(game.tree)))
        return replace(self.sample, game=replace(game, tree=replace(game.tree, leaf=tuple(leaf), probability=chances)))


def _loaded(recipe: Recipe, sketch: Sketch, fill: Fill) -> Exercise:
    return load_exercise_bytes(yaml_bytes(exercise_data(recipe, sketch, fill)), "exercise.yaml")


def find(recipe: Recipe, draw: Draw, effort: Effort, sketch: Sketch | None = None, patience: int = PATIENCE) -> Found:
    """An exercise with everything that is required; DocumentError if the effort was not enough."""
    effort.start()
    misfits = 0
    while not effort.spent:
        drawn = sketch or draw_sketch(recipe, draw)
        fill = draw_fill(recipe, drawn, draw)
        try:
            stand = Stand(recipe, drawn, fill)
        except DocumentError as error:
            effort.tick()
            misfits += 1
            if misfits >= SHAPES or (recipe.leaf_above == 0 and recipe.statistics is None):
                raise _question_problem(recipe, error) from None
            continue
        if _unsuited(stand):
            effort.tick()
            effort.failed["exposes"] += 1
            continue
        found = _climbed(stand, fill, draw, effort, patience)
        if found is not None:
            return found
    raise given_up(recipe, effort)


def _unsuited(stand: Stand) -> bool:
    """Whether a listed mistake cannot be made in any tree of this shape: no numbers would help."""
    listed = stand.recipe.require.exposes
    if not isinstance(listed, tuple):
        return False
    return not set(listed) <= set(exposure(Setting(stand.sample, stand.sample.convention)).made)


def judged(stand: Stand, fill: Fill, effort: Effort) -> tuple[Quick, Thorough | None] | None:
    """None where the tree has no key."""
    effort.tick()
    try:
        found = quick(stand.recipe, stand.exercise(fill))
        rest = None if found.total else thorough(stand.recipe, found)
    except (Refusal, DocumentError):
        effort.failed["questions"] += 1
        return None
    effort.note(dict(found.off))
    if rest is not None:
        effort.note(dict(rest.off))
    return found, rest


def _climbed(stand: Stand, fill: Fill, draw: Draw, effort: Effort, patience: int) -> Found | None:
    best: tuple[Fraction, Fraction] | None = None
    stale = 0
    candidate = fill
    while stale < patience and not effort.spent:
        found = judged(stand, candidate, effort)
        stale += 1
        if found is not None:
            near, rest = found
            if rest is not None and not rest.total:
                return Found(stand.sketch, candidate, near, rest)
            # Nothing is known of the rest while the quick part is off: worse than any that is known.
            height = (near.total, Fraction(10**9) if rest is None else rest.total)
            if best is None or height <= best:
                stale = 0 if best is None or height < best else stale
                best, fill = height, candidate
        candidate = changed(stand, fill, draw)
    return None


def changed(stand: Stand, fill: Fill, draw: Draw) -> Fill:
    """The same but for a little: two leaves change places, one is drawn anew, or all chances are."""
    recipe = stand.recipe
    if recipe.statistics is not None:
        return draw_fill(recipe, stand.sketch, draw)
    leaf = list(fill.leaf)
    if fill.probability and not draw.below(6):
        return replace(fill, probability=draw_chances(recipe, stand.sketch, draw))
    place = draw.below(len(leaf))
    if draw.below(2) and not recipe.turns & {"or", "and"}:
        other = draw.below(len(leaf))
        leaf[place], leaf[other] = leaf[other], leaf[place]
    else:
        leaf[place] = redraw_leaf(recipe, stand.sketch, leaf, place, draw)
    return replace(fill, leaf=tuple(leaf))


def given_up(recipe: Recipe, effort: Effort) -> DocumentError:
    """Named is the requirement that failed most; of equals, the first in the recipe."""
    order = list(recipe.places)
    names = sorted(effort.failed, key=lambda name: (-effort.failed[name], _order(order, name), name))
    worst = names[0] if names else "questions"
    key = worst if worst in recipe.places else f"require.{worst}"
    counts = ", ".join(f"{name} {effort.failed[name]:,} times" for name in names[:3])
    message = f"none of {effort.since:,} trees has everything that is required; failed: {counts}"
    return DocumentError(
        [Problem(recipe.place(key), "not-found", message, f"ask for less in {worst}, or change the shape")]
    )


def _order(order: list[str], name: str) -> int:
    key = f"require.{name}"
    return order.index(key) if key in order else len(order)


def _question_problem(recipe: Recipe, error: DocumentError) -> DocumentError:
    """What is wrong with a drawn exercise is wrong with the recipe's questions, or with its policy."""
    first = error.problems[0]
    return DocumentError([Problem(recipe.place("questions"), first.code, first.message, first.hint)])
