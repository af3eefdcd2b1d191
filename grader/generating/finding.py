"""The search for one exercise: from a random tree uphill, by small changes that bring it no further from the recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.documents.exercise import load_exercise_bytes
from grader.generating.draws import Draw
from grader.generating.fill import Back, Fill, draw_chances, draw_fill, redraw_estimate, redraw_leaf
from grader.generating.judging import Like, Quick, Thorough, quick, thorough
from grader.generating.measures import exposure
from grader.generating.parts import Recipe
from grader.generating.places import in_recipe
from grader.generating.sketch import Sketch, draw_sketch
from grader.generating.writing import exercise_data, yaml_bytes
from grader.marking.verify import verified
from grader.questions.answer_key import Setting
from grader.questions.exercise import Exercise
from solver.game import AND, OR, Loop, Node, Outcome, Unknown
from solver.kernel import DocumentError, Problem, Refusal

EFFORT = 20_000
"""Trees that are examined for one exercise before it is given up."""
MOST_NODES = 2_000_000
"""Nodes of all these trees: large trees are given up sooner, within a minute or so."""
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
        self.examined = self.since = self.nodes = 0
        self.failed: Counter[str] = Counter()
        self.why = ""
        """What was wrong with the last tree that has no key."""

    def start(self) -> None:
        """One more exercise is looked for."""
        self.since = self.nodes = 0
        self.failed.clear()

    def tick(self, nodes: int) -> None:
        """A tree of so many nodes is examined."""
        self.examined += 1
        self.since += 1
        self.nodes += nodes
        if self.report is not None:
            self.report(self.examined)

    @property
    def spent(self) -> bool:
        return self.since >= self.most or self.nodes >= MOST_NODES

    def note(self, off: dict[str, Fraction]) -> None:
        self.failed.update(name for name, distance in off.items() if distance)


class Frame:
    """A sketch with its exercise, into which any fill can be put."""

    def __init__(self, recipe: Recipe, sketch: Sketch, fill: Fill) -> None:
        self.recipe, self.sketch = recipe, sketch
        self.sample = _loaded(recipe, sketch, fill)
        self.leaves = sketch.leaves

    def exercise(self, fill: Fill) -> Exercise:
        if self.recipe.statistics is not None:
            return _loaded(self.recipe, self.sketch, fill)
        game = self.sample.game
        leaf: list[Any] = [None] * len(game.tree)
        for node, value in zip(self.leaves, fill.leaf, strict=True):
            leaf[node] = self._leaf(value)
        chances = tuple(fill.probability.get(node) for node in range(len(game.tree)))
        estimates = {Node(node): estimate for node, estimate in fill.estimates.items()} or None
        tree = replace(game.tree, leaf=tuple(leaf), probability=chances, estimates=estimates)
        return replace(self.sample, game=replace(game, tree=tree))

    def possible_mistakes(self) -> tuple[str, ...]:
        """Those that can be made in a tree of this shape; another cannot, whatever its numbers are."""
        return exposure(Setting(self.sample, self.sample.convention)).made

    def _leaf(self, value: Any) -> Any:
        if isinstance(value, Back):
            return Loop(self.sample.game.tree.ids[value.node])
        return Outcome(value) if isinstance(value, str) else value


def _loaded(recipe: Recipe, sketch: Sketch, fill: Fill) -> Exercise:
    return load_exercise_bytes(yaml_bytes(exercise_data(recipe, sketch, fill)), "exercise.yaml")


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
                raise _question_problem(recipe, drawn, fill, error) from None
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


def given_up(recipe: Recipe, effort: Effort) -> DocumentError:
    """Named is the requirement that failed most; of equals, the first in the recipe."""
    order = list(recipe.places)
    names = sorted(effort.failed, key=lambda name: (-effort.failed[name], _order(order, name), name))
    worst = names[0] if names else "questions"
    key = worst if worst in recipe.places else f"require.{worst}"
    counts = ", ".join(f"{name} {effort.failed[name]:,} times" for name in names[:3])
    message = f"none of {effort.since:,} trees has everything that is required; failed: {counts}"
    message += f" ({effort.why})" if worst == "questions" and effort.why else ""
    hint = f"ask for less in {worst}, or change the shape"
    if worst == "unknown_width" and not recipe.leaves.bounds:
        hint = "a range such as x <= 3 has no end; leaves: {bounds: true} gives it one"
    return DocumentError([Problem(recipe.place(key), "not-found", message, hint)])


def _order(order: list[str], name: str) -> int:
    key = f"require.{name}"
    return order.index(key) if key in order else len(order)


def _question_problem(recipe: Recipe, sketch: Sketch, fill: Fill, error: DocumentError) -> DocumentError:
    """What is wrong with a drawn exercise is wrong with the recipe's questions, or with its policy."""
    written = yaml_bytes(exercise_data(recipe, sketch, fill))
    return DocumentError(in_recipe(list(error.problems), written, recipe.copied, recipe.place("questions")))
