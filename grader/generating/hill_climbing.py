"""The search for one exercise: hill climbing from a random tree, by small changes that never make it worse.

An effort says how many trees are examined before a search gives up, and which requirements failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.generating.exercise_template import Template
from grader.generating.random_trees import (
    Draw,
    Fill,
    Sketch,
    draw_chances,
    draw_fill,
    draw_sketch,
    redraw_estimate,
    redraw_leaf,
)
from grader.generating.recipe_parts import Recipe
from grader.generating.requirement_distance import (
    ParallelTarget,
    QuickJudgement,
    ThoroughJudgement,
    judge_quickly,
    judge_thoroughly,
)
from grader.marking.verify import verified
from solver.game import AND, OR, Unknown
from solver.kernel import WHOLE_FILE, DocumentError, Problem, Refusal

EFFORT = 20_000
"""Trees that are examined for one exercise before the search gives up."""
MOST_NODES_EXAMINED = 2_000_000
"""The same, in nodes of all these trees: with large trees it gives up sooner, after about a minute."""


class Effort:
    """Counts trees and failures; `report` is called with the number of trees examined so far."""

    def __init__(self, most: int = EFFORT, report: Callable[[int], None] | None = None) -> None:
        self.most, self.report = most, report
        self.examined = self.trees = self.nodes = 0
        self.failed: Counter[str] = Counter()
        self.last_refusal = ""
        """Why the last tree without a key has none."""

    def start(self) -> None:
        """Begins the search for one more exercise."""
        self.trees = self.nodes = 0
        self.failed.clear()

    def tick(self, nodes: int) -> None:
        """Counts a tree of this many nodes."""
        self.examined += 1
        self.trees += 1
        self.nodes += nodes
        if self.report is not None:
            self.report(self.examined)

    @property
    def spent(self) -> bool:
        return self.trees >= self.most or self.nodes >= MOST_NODES_EXAMINED

    def note_failures(self, off: dict[str, Fraction]) -> None:
        self.failed.update(name for name, distance in off.items() if distance)


def not_found_error(recipe: Recipe, effort: Effort) -> DocumentError:
    """Names the requirement that failed most often; of several, the first in the recipe."""
    order = list(recipe.places)
    names = sorted(effort.failed, key=lambda name: (-effort.failed[name], _order(order, name), name))
    worst = names[0] if names else "questions"
    key = worst if worst in recipe.places else f"require.{worst}"
    counts = ", ".join(f"{name} {effort.failed[name]:,} times" for name in names[:3])
    message = f"none of {effort.trees:,} trees meets every requirement; failed: {counts}"
    message += f" ({effort.last_refusal})" if worst == "questions" and effort.last_refusal else ""
    hint = f"ask for less in {worst}, or change the shape"
    if worst == "unknown_width" and not recipe.leaves.bounds:
        hint = "a range such as x <= 3 has no end; leaves: {bounds: true} gives it one"
    return DocumentError([Problem(recipe.place(key), "not-found", message, hint)])


def _order(order: list[str], name: str) -> int:
    key = f"require.{name}"
    return order.index(key) if key in order else len(order)


PATIENCE = 50
"""Changes without improvement before another tree is drawn."""
SHAPES = 60
"""Shapes that are tried before questions that fit none of them are reported as problems of the recipe."""


@dataclass(frozen=True, slots=True)
class FoundExercise:
    sketch: Sketch
    fill: Fill
    quick: QuickJudgement
    thorough: ThoroughJudgement


def find_exercise(
    recipe: Recipe,
    draw: Draw,
    effort: Effort,
    sketch: Sketch | None = None,
    target: ParallelTarget | None = None,
) -> FoundExercise:
    """An exercise that meets every requirement and, if given, has this sketch and reaches this target. DocumentError if
    none was found with the effort allowed."""
    effort.start()
    misfits = 0
    while not effort.spent:
        drawn = sketch or draw_sketch(recipe, draw)
        fill = draw_fill(recipe, drawn, draw)
        try:
            template = Template(recipe, drawn, fill)
        except DocumentError as error:
            effort.tick(len(drawn.turn))
            misfits += 1
            if misfits >= SHAPES or (recipe.early_leaf_chance == 0 and recipe.statistics is None):
                raise _questions_error(recipe, error) from None
            continue
        if _unsuited(template):
            effort.tick(len(drawn.turn))
            effort.failed["exposes"] += 1
            continue
        found = climb(template, fill, draw, effort, target)
        if found is not None:
            return found
    raise not_found_error(recipe, effort)


def _unsuited(template: Template) -> bool:
    """Whether a listed mistake cannot be made here."""
    listed = template.recipe.require.exposes
    return isinstance(listed, tuple) and not set(listed) <= set(template.possible_mistakes())


def judge_fill(
    template: Template, fill: Fill, effort: Effort, target: ParallelTarget | None = None
) -> tuple[QuickJudgement, ThoroughJudgement | None] | None:
    """How far a fill is from the recipe; None if the tree has no key. The thorough part is None if the quick part is
    not met."""
    effort.tick(len(template.sketch.turn))
    try:
        exercise = template.exercise(fill)
        found = judge_quickly(template.recipe, exercise, target)
        rest = None if found.total else judge_thoroughly(template.recipe, found)
        if rest is not None and not rest.total:
            verified(exercise)
    except (Refusal, DocumentError) as why:
        effort.failed["questions"] += 1
        effort.last_refusal = why.message if isinstance(why, Refusal) else why.problems[0].message
        return None
    effort.note_failures(dict(found.off))
    if rest is not None:
        effort.note_failures(dict(rest.off))
    return found, rest


def climb(
    template: Template, fill: Fill, draw: Draw, effort: Effort, target: ParallelTarget | None
) -> FoundExercise | None:
    """Climbs from a fill until every requirement is met, or until nothing has improved for a while."""
    best: tuple[Fraction, Fraction] | None = None
    stale = 0
    candidate = fill
    while stale < PATIENCE and not effort.spent:
        found = judge_fill(template, candidate, effort, target)
        stale += 1
        if found is not None:
            near, rest = found
            if rest is not None and not rest.total:
                return FoundExercise(template.sketch, candidate, near, rest)
            # Nothing is known of the rest while the quick part is off: worse than any that is known.
            height = (near.total, Fraction(10**9) if rest is None else rest.total)
            if best is None or height <= best:
                stale = 0 if best is None or height < best else stale
                best, fill = height, candidate
        candidate = neighbouring_fill(template, fill, draw)
    return None


def neighbouring_fill(template: Template, fill: Fill, draw: Draw) -> Fill:
    """A small change: two leaves are exchanged, one leaf or estimate is redrawn, or all probabilities are."""
    recipe = template.recipe
    if recipe.statistics is not None:
        return draw_fill(recipe, template.sketch, draw)
    leaf = list(fill.leaf)
    if fill.probability and not draw.below(6):
        return replace(fill, probability=draw_chances(recipe, template.sketch, draw))
    if fill.estimates and draw.below(2):
        return redraw_estimate(recipe, template.sketch, fill, draw)
    places = [place for place, value in enumerate(leaf) if not isinstance(value, Unknown)]
    place = draw.choice(places)
    if draw.below(2) and not recipe.turns & {OR, AND}:
        other = draw.choice(places)
        leaf[place], leaf[other] = leaf[other], leaf[place]
    else:
        leaf[place] = redraw_leaf(recipe, template.sketch, leaf, place, draw)
    return replace(fill, leaf=tuple(leaf))


def _questions_error(recipe: Recipe, error: DocumentError) -> DocumentError:
    """Problems of a drawn exercise are problems of the recipe's questions, convention or marking."""
    questions = recipe.place("questions")
    found = [replace(each, place=questions) if each.place == WHOLE_FILE else each for each in error.problems]
    return DocumentError(sorted(dict.fromkeys(found)))
