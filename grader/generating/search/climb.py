"""The search for one exercise: from a random tree uphill, by small changes that bring it no further from the recipe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from grader.generating.judge.distance import Like, Quick, Thorough, quick, thorough
from grader.generating.recipe.parts import Recipe
from grader.generating.search.draws import Draw
from grader.generating.search.effort import Effort, given_up
from grader.generating.search.fill import Fill, draw_chances, draw_fill, redraw_estimate, redraw_leaf
from grader.generating.search.sketch import Sketch, draw_sketch
from grader.generating.search.template import Frame
from grader.marking.verify import verified
from solver.game import AND, OR, Unknown
from solver.kernel import WHOLE_FILE, DocumentError, Refusal

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


def find(
    recipe: Recipe,
    draw: Draw,
    effort: Effort,
    sketch: Sketch | None = None,
    like: Like | None = None,
) -> Found:
    """An exercise with everything that is required, if wanted of one shape and as hard as another; DocumentError if
    the effort was not enough."""
    effort.start()
    misfits = 0
    while not effort.spent:
        drawn = sketch or draw_sketch(recipe, draw)
        fill = draw_fill(recipe, drawn, draw)
        try:
            frame = Frame(recipe, drawn, fill)
        except DocumentError as error:
            effort.tick(len(drawn.turn))
            misfits += 1
            if misfits >= SHAPES or (recipe.leaf_above == 0 and recipe.statistics is None):
                raise _question_problem(recipe, error) from None
            continue
        if _unsuited(frame):
            effort.tick(len(drawn.turn))
            effort.failed["exposes"] += 1
            continue
        found = climbed(frame, fill, draw, effort, like)
        if found is not None:
            return found
    raise given_up(recipe, effort)


def _unsuited(frame: Frame) -> bool:
    """Whether a listed mistake cannot be made here."""
    listed = frame.recipe.require.exposes
    return isinstance(listed, tuple) and not set(listed) <= set(frame.possible_mistakes())


def judged(frame: Frame, fill: Fill, effort: Effort, like: Like | None = None) -> tuple[Quick, Thorough | None] | None:
    """None where the tree has no key."""
    effort.tick(len(frame.sketch.turn))
    try:
        exercise = frame.exercise(fill)
        found = quick(frame.recipe, exercise, like)
        rest = None if found.total else thorough(frame.recipe, found)
        if rest is not None and not rest.total:
            verified(exercise)
    except (Refusal, DocumentError) as why:
        effort.failed["questions"] += 1
        effort.why = why.message if isinstance(why, Refusal) else why.problems[0].message
        return None
    effort.note(dict(found.off))
    if rest is not None:
        effort.note(dict(rest.off))
    return found, rest


def climbed(frame: Frame, fill: Fill, draw: Draw, effort: Effort, like: Like | None) -> Found | None:
    """Uphill from a fill, until everything holds or nothing has become better for a while."""
    best: tuple[Fraction, Fraction] | None = None
    stale = 0
    candidate = fill
    while stale < PATIENCE and not effort.spent:
        found = judged(frame, candidate, effort, like)
        stale += 1
        if found is not None:
            near, rest = found
            if rest is not None and not rest.total:
                return Found(frame.sketch, candidate, near, rest)
            # Nothing is known of the rest while the quick part is off: worse than any that is known.
            height = (near.total, Fraction(10**9) if rest is None else rest.total)
            if best is None or height <= best:
                stale = 0 if best is None or height < best else stale
                best, fill = height, candidate
        candidate = changed(frame, fill, draw)
    return None


def changed(frame: Frame, fill: Fill, draw: Draw) -> Fill:
    """The same but for a little: two leaves change places, one or an estimate is drawn anew, or all chances are."""
    recipe = frame.recipe
    if recipe.statistics is not None:
        return draw_fill(recipe, frame.sketch, draw)
    leaf = list(fill.leaf)
    if fill.probability and not draw.below(6):
        return replace(fill, probability=draw_chances(recipe, frame.sketch, draw))
    if fill.estimates and draw.below(2):
        return redraw_estimate(recipe, frame.sketch, fill, draw)
    places = [place for place, value in enumerate(leaf) if not isinstance(value, Unknown)]
    place = draw.choice(places)
    if draw.below(2) and not recipe.turns & {OR, AND}:
        other = draw.choice(places)
        leaf[place], leaf[other] = leaf[other], leaf[place]
    else:
        leaf[place] = redraw_leaf(recipe, frame.sketch, leaf, place, draw)
    return replace(fill, leaf=tuple(leaf))


def _question_problem(recipe: Recipe, error: DocumentError) -> DocumentError:
    """What is wrong with a drawn exercise is wrong with the recipe's questions, or with its policy."""
    questions = recipe.place("questions")
    found = [replace(each, place=questions) if each.place == WHOLE_FILE else each for each in error.problems]
    return DocumentError(sorted(dict.fromkeys(found)))
