"""From a recipe to exercises with their quality cards: the stages, composed on one page and nowhere else."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from grader.documents.exercise import load_exercise_bytes
from grader.generating.judge.measures import printed_key
from grader.generating.recipe.parts import Recipe
from grader.generating.recipe.proofs import check_possible
from grader.generating.search.climb import FoundExercise, find
from grader.generating.search.draws import Draw
from grader.generating.search.effort import EFFORT, Effort
from grader.generating.search.exercise_data import exercise_data
from grader.generating.search.fill import draw_fill
from grader.generating.search.labels import drawn_labels, labels
from grader.generating.search.parallel import ParallelVariants, variants_of
from grader.generating.search.sketch import draw_sketch
from grader.generating.search.template import Template
from grader.generating.write.card import quality_card
from grader.generating.write.exercise_yaml import yaml_bytes
from grader.generating.write.generated import Generated
from grader.marking.verify import verified
from grader.questions.answer_key import AnswerKey
from solver.kernel import DocumentError, Problem, Refusal

CODE_LETTERS = "BCDFGHJKMNPQRSTVWXYZ"
"""No vowels, so that no code spells a word, and no letter that looks like a digit."""
MOST_REDRAWS = 200
"""How often an earlier exercise may be drawn again before the search gives up."""


def generate(
    recipe: Recipe,
    count: int | None = None,
    seed: object = 0,
    progress: Callable[[int, int], None] | None = None,
    effort: int = EFFORT,
) -> list[Generated]:
    """`count` exercises, or as many as the recipe says. Exercise n is the same however many are made.

    `progress` is called with the number of exercises done and of trees examined. DocumentError if the recipe cannot be
    satisfied, or if no suitable tree was found among `effort` trees.
    """
    return list(generate_one_by_one(recipe, count, seed, progress, effort))


def generate_one_by_one(
    recipe: Recipe,
    count: int | None = None,
    seed: object = 0,
    progress: Callable[[int, int], None] | None = None,
    effort: int = EFFORT,
) -> Iterator[Generated]:
    """Like `generate`, but yields each exercise as soon as it is finished."""
    check_possible(recipe)
    _check_mistakes(recipe)
    done = 0

    def report(examined: int) -> None:
        if progress is not None:
            progress(done, examined)

    spent = Effort(effort, report)
    seen: set[object] = set()
    variants: ParallelVariants | None = None
    if recipe.parallel:
        variants = variants_of(recipe, seed, spent)
    before = 0
    for number in range(recipe.count if count is None else count):
        found = _new_exercise(recipe, seed, number, variants, spent, seen)
        yield _finish(recipe, found, seed, number, spent.examined - before)
        before = spent.examined
        done += 1
        report(spent.examined)


def check_recipe(recipe: Recipe) -> None:
    """DocumentError if it cannot be satisfied or its questions do not fit its trees. No long search is made."""
    try:
        next(generate_one_by_one(recipe, 1, effort=1), None)
    except DocumentError as error:
        if any(problem.code != "not-found" for problem in error.problems):
            raise


def _new_exercise(
    recipe: Recipe, seed: object, number: int, variants: ParallelVariants | None, effort: Effort, seen: set[object]
) -> FoundExercise:
    """An exercise that differs from all that were made before."""
    for again in range(MOST_REDRAWS):
        draw = Draw(recipe.id, seed, number, again)
        found = find(recipe, draw, effort) if variants is None else variants.draw(number, draw)
        fill = found.fill
        rest = (tuple(each.items()) for each in (fill.probability, fill.visits, fill.totals, fill.estimates))
        looks = (found.sketch, fill.leaf, fill.playout, *rest)
        if looks not in seen:
            seen.add(looks)
            return found
    message = f"only {len(seen)} different exercises were found; {MOST_REDRAWS} more were among them"
    raise DocumentError([Problem(recipe.place("count"), "not-found", message, "ask for fewer, or for a wider range")])


def variant_code(recipe: Recipe, seed: object, number: int) -> str:
    """The number of the variant, from 1, and two letters that differ between seeds."""
    digest = hashlib.blake2b(f"{recipe.id}/{seed}/{number}".encode(), digest_size=8).digest()
    high, low = divmod(int.from_bytes(digest, "big") % len(CODE_LETTERS) ** 2, len(CODE_LETTERS))
    return f"{number + 1:02}{CODE_LETTERS[high]}{CODE_LETTERS[low]}"


def _finish(recipe: Recipe, found: FoundExercise, seed: object, number: int, examined: int) -> Generated:
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
    card["key"]["answers"] = printed_key(AnswerKey(exercise))
    return Generated(name, data, document, card, printed_key(found.quick.answer_key), examined)


def _check_mistakes(recipe: Recipe) -> None:
    """DocumentError if a listed mistake cannot be made. One tree is enough to know if all have the same shape."""
    listed = recipe.require.exposes
    if not isinstance(listed, tuple) or not recipe.regular:
        return
    draw = Draw(recipe.id, "mistakes")
    sketch = draw_sketch(recipe, draw)
    fill = draw_fill(recipe, sketch, draw)
    try:
        possible = Template(recipe, sketch, fill).possible_mistakes()
    except (DocumentError, Refusal):
        return
    missing = [mistake for mistake in listed if mistake not in possible]
    if missing:
        message = f"{', '.join(missing)} cannot be made in such a tree, or no question would reveal it"
        raise DocumentError([Problem(recipe.place("require.exposes"), "impossible", message)])
