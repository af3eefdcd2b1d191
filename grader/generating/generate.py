"""recipe → exercises with their quality cards: the stages, composed on one page and nowhere else."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.documents.exercise import load_exercise_bytes
from grader.generating.card import quality_card
from grader.generating.draws import Draw
from grader.generating.fill import draw_fill
from grader.generating.finding import EFFORT, Effort, Found, Frame, find
from grader.generating.labels import drawn_labels, labels
from grader.generating.measures import printed_key
from grader.generating.parallel import Variants, variants_of
from grader.generating.parts import Recipe
from grader.generating.proofs import check_possible
from grader.generating.sketch import draw_sketch
from grader.generating.writing import exercise_data, yaml_bytes
from grader.marking.verify import verified
from grader.questions.answer_key import Setting
from solver.kernel import DocumentError, Problem, Refusal

CODE_LETTERS = "BCDFGHJKMNPQRSTVWXYZ"
"""No vowels, so that no code is a word, and nothing that looks like a digit."""
AGAIN = 200
"""Exercises that are drawn in place of one that is there already."""


@dataclass(frozen=True, slots=True)
class Generated:
    id: str
    data: dict[str, Any]
    """The exercise as a document says it."""
    document: bytes
    """The same in YAML."""
    card: dict[str, Any]
    plain_key: Mapping[str, Mapping[str, str]]
    """By question the printed answers, in the names of the recipe."""
    examined: int
    """Trees that were looked at for it."""


def generate(
    recipe: Recipe,
    count: int | None = None,
    seed: object = 0,
    progress: Callable[[int, int], None] | None = None,
    effort: int = EFFORT,
) -> list[Generated]:
    """This many exercises, the recipe's count without one. Exercise n is the same however many there are.

    `progress` hears how many exercises are done and how many trees were examined. DocumentError where the recipe asks
    for what cannot be, or what was not found among `effort` trees for an exercise.
    """
    return list(generated(recipe, count, seed, progress, effort))


def generated(
    recipe: Recipe,
    count: int | None = None,
    seed: object = 0,
    progress: Callable[[int, int], None] | None = None,
    effort: int = EFFORT,
) -> Iterator[Generated]:
    """The same, one by one."""
    check_possible(recipe)
    _check_mistakes(recipe)
    done = 0

    def report(examined: int) -> None:
        if progress is not None:
            progress(done, examined)

    spent = Effort(effort, report)
    seen: set[object] = set()
    variants: Variants | None = None
    if recipe.parallel:
        variants = variants_of(recipe, seed, spent)
    before = 0
    for number in range(recipe.count if count is None else count):
        found = _another(recipe, seed, number, variants, spent, seen)
        yield _finished(recipe, found, seed, number, spent.examined - before)
        before = spent.examined
        done += 1
        report(spent.examined)


def check_recipe(recipe: Recipe) -> None:
    """DocumentError where it cannot be, or its questions do not fit its trees; whether enough is found is not tried."""
    try:
        next(generated(recipe, 1, effort=1), None)
    except DocumentError as error:
        if any(problem.code != "not-found" for problem in error.problems):
            raise


def _another(
    recipe: Recipe, seed: object, number: int, variants: Variants | None, effort: Effort, seen: set[object]
) -> Found:
    """An exercise that is not among those that were made before."""
    for again in range(AGAIN):
        draw = Draw(recipe.id, seed, number, again)
        found = find(recipe, draw, effort) if variants is None else variants.draw(number, draw)
        fill = found.fill
        rest = (tuple(each.items()) for each in (fill.probability, fill.visits, fill.totals, fill.estimates))
        looks = (found.sketch, fill.leaf, fill.playout, *rest)
        if looks not in seen:
            seen.add(looks)
            return found
    message = f"only {len(seen)} different exercises were found; the next {AGAIN} were repeats"
    raise DocumentError([Problem(recipe.place("count"), "not-found", message, "ask for fewer, or for a wider range")])


def variant_code(recipe: Recipe, seed: object, number: int) -> str:
    """The number of the variant, from 1, and two letters that tell the seeds of a recipe apart."""
    digest = hashlib.blake2b(f"{recipe.id}/{seed}/{number}".encode(), digest_size=8).digest()
    high, low = divmod(int.from_bytes(digest, "big") % len(CODE_LETTERS) ** 2, len(CODE_LETTERS))
    return f"{number + 1:02}{CODE_LETTERS[high]}{CODE_LETTERS[low]}"


def _finished(recipe: Recipe, found: Found, seed: object, number: int, examined: int) -> Generated:
    name = f"{recipe.id}-{variant_code(recipe, seed, number)}"
    draw = Draw(recipe.id, seed, number, "labels")
    own = (
        drawn_labels(found.sketch, draw, (*recipe.unknowns, *recipe.players))
        if recipe.parallel
        else labels(found.sketch)
    )
    data = exercise_data(recipe, found.sketch, found.fill, own, name)
    document = yaml_bytes(data)
    # What is handed out is what was written: it is read again, and its keys are computed from there.
    exercise = verified(load_exercise_bytes(document, f"{name}.yaml"))
    card = quality_card(recipe, found, own, name, seed, number + 1)
    card["key"]["answers"] = printed_key(Setting(exercise, exercise.convention))
    return Generated(name, data, document, card, printed_key(found.quick.setting), examined)


def _check_mistakes(recipe: Recipe) -> None:
    """A listed mistake that cannot be made in a tree of this shape: one tree tells, if all have the same shape."""
    listed = recipe.require.exposes
    if not isinstance(listed, tuple) or not recipe.regular:
        return
    draw = Draw(recipe.id, "mistakes")
    sketch = draw_sketch(recipe, draw)
    fill = draw_fill(recipe, sketch, draw)
    try:
        possible = Frame(recipe, sketch, fill).possible_mistakes()
    except (DocumentError, Refusal):
        return
    missing = [mistake for mistake in listed if mistake not in possible]
    if missing:
        message = f"{', '.join(missing)} cannot be made in such a tree, or no question would reveal it"
        raise DocumentError([Problem(recipe.place("require.exposes"), "impossible", message)])
