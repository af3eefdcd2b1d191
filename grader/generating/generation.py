"""From a recipe to exercises with their quality cards: the stages, composed on one page and nowhere else."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TypeAlias

from grader.documents.exercise_file import load_exercise_bytes
from grader.generating.exercise_measures import printed_key
from grader.generating.exercise_template import Template, drawn_labels, exercise_data, labels
from grader.generating.guessability import WHAT_HELPS, DrawnExercise, Spread, guess_words, percent
from grader.generating.hill_climbing import EFFORT, Effort, FoundExercise, find_exercise
from grader.generating.parallel_variants import ParallelVariants, variants_of
from grader.generating.quality_card import Generated, quality_card
from grader.generating.random_trees import Draw, Seed, draw_fill, draw_sketch
from grader.generating.recipe_parts import Recipe
from grader.generating.recipe_proofs import check_possible
from grader.kernel.seeds import draw_seed
from grader.marking.verify import verified
from grader.questions.answer_key import AnswerKey
from solver.kernel import DocumentError, Problem, Refusal, UsageError
from solver.render import yaml_bytes

AnySeed: TypeAlias = Seed | str | int | None
CODE_LETTERS = "BCDFGHJKMNPQRSTVWXYZ"
"""No vowels, so that no code spells a word, and no letter that looks like a digit."""
MOST_REDRAWS = 200
"""How often an earlier exercise may be drawn again before the search gives up."""
MORE_EFFORT = 1_000
"""Trees that are examined before, of all exercises found, the one is taken that can be guessed least."""


def generate(
    recipe: Recipe,
    count: int | None = None,
    seed: AnySeed = None,
    progress: Callable[[int, int], None] | None = None,
    effort: int = EFFORT,
) -> list[Generated]:
    """`count` exercises, or as many as the recipe says. Exercise n of a seed is the same however many are made. Without
    a seed one is drawn; the cards name it.

    `progress` is called with the number of exercises done and of trees examined. DocumentError if the recipe cannot be
    satisfied, or if no suitable tree was found among `effort` trees; UsageError for a seed that is not Unicode text.
    """
    return list(generate_one_by_one(recipe, count, seed, progress, effort))


def generate_one_by_one(
    recipe: Recipe,
    count: int | None = None,
    seed: AnySeed = None,
    progress: Callable[[int, int], None] | None = None,
    effort: int = EFFORT,
) -> Iterator[Generated]:
    """Like `generate`, but yields each exercise as soon as it is finished."""
    yield from Generation(recipe, count, seed, progress, effort)


class Generation:
    """One run: its exercises, one by one, and what constant answers earn in those made so far."""

    def __init__(
        self,
        recipe: Recipe,
        count: int | None = None,
        seed: AnySeed = None,
        progress: Callable[[int, int], None] | None = None,
        effort: int = EFFORT,
    ) -> None:
        self.recipe = recipe
        self.seed = seed if isinstance(seed, Seed) else Seed(draw_seed() if seed is None else str(seed))
        if not self.seed.is_unicode:
            raise UsageError("a seed is text in UTF-8")
        self.count = recipe.count if count is None else count
        self.spread = Spread(recipe)
        self._progress = progress
        self._effort = Effort(effort, self._report)
        self._done = 0
        self._seen: set[object] = set()
        self._variants: ParallelVariants | None = None

    def __iter__(self) -> Iterator[Generated]:
        recipe = self.recipe
        check_possible(recipe)
        _check_mistakes(recipe)
        if recipe.parallel:
            self._variants = variants_of(recipe, self.seed, self._effort)
        before = 0
        for number in range(self.count):
            candidate = self._new_exercise(number)
            self.spread.take(candidate)
            yield _finish(recipe, candidate.found, self.seed, number, self._effort.examined - before)
            before = self._effort.examined
            self._done += 1
            self._report(self._effort.examined)
        self._check_stated_bounds()

    def _report(self, examined: int) -> None:
        if self._progress is not None:
            self._progress(self._done, examined)

    def _new_exercise(self, number: int) -> DrawnExercise:
        """An exercise that differs from all that were made before. Of several draws, the first one that leaves no
        question easier to guess than allowed, or else the one that is nearest to that."""
        best: DrawnExercise | None = None
        before = self._effort.examined
        for again in range(MOST_REDRAWS):
            draw = self.seed.draw(self.recipe.id, number, again)
            found = self._draw(number + again, draw)
            if _looks(found) in self._seen:
                continue
            candidate = self.spread.look(found)
            if best is None or candidate.excess < best.excess:
                best = candidate
            if not best.over or self._effort.examined - before > MORE_EFFORT:
                break
        if best is None:
            message = f"only {len(self._seen)} different exercises were found; {MOST_REDRAWS} more were among them"
            hint = "ask for fewer, or for a wider range"
            raise DocumentError([Problem(self.recipe.place("count"), "not-found", message, hint)])
        self._seen.add(_looks(best.found))
        return best

    def _draw(self, base: int, draw: Draw) -> FoundExercise:
        if self._variants is None:
            return find_exercise(self.recipe, draw, self._effort)
        return self._variants.draw(base, draw)

    def _check_stated_bounds(self) -> None:
        """DocumentError if a question can be guessed more easily than the recipe says."""
        if not self.recipe.guessability:
            return
        problems = []
        for question, guess in self.spread.guesses().items():
            if question in self.recipe.guessability and not guess.holds:
                message = f"question {question}: {guess_words(guess)}; {percent(guess.allowed)} was allowed"
                problems.append(Problem(self.recipe.place("guessability"), "not-found", message, WHAT_HELPS))
        if problems:
            raise DocumentError(problems)


def check_recipe(recipe: Recipe) -> None:
    """DocumentError if it cannot be satisfied or its questions do not fit its trees. No long search is made."""
    try:
        next(generate_one_by_one(recipe, 1, seed=0, effort=1), None)
    except DocumentError as error:
        if any(problem.code != "not-found" for problem in error.problems):
            raise


def _looks(found: FoundExercise) -> object:
    fill = found.fill
    rest = (tuple(each.items()) for each in (fill.probability, fill.visits, fill.totals, fill.estimates))
    return (found.sketch, fill.leaf, fill.playout, *rest)


def variant_code(recipe: Recipe, seed: Seed, number: int) -> str:
    """The number of the variant, from 1, and two letters that differ between seeds."""
    digest = hashlib.blake2b(f"{recipe.id}/{seed.text}/{number}".encode(), digest_size=8).digest()
    high, low = divmod(int.from_bytes(digest, "big") % len(CODE_LETTERS) ** 2, len(CODE_LETTERS))
    return f"{number + 1:02}{CODE_LETTERS[high]}{CODE_LETTERS[low]}"


def _finish(recipe: Recipe, found: FoundExercise, seed: Seed, number: int, examined: int) -> Generated:
    name = f"{recipe.id}-{variant_code(recipe, seed, number)}"
    draw = seed.draw(recipe.id, number, "labels")
    own = (
        drawn_labels(found.sketch, draw, (*recipe.unknowns, *recipe.players))
        if recipe.parallel
        else labels(found.sketch)
    )
    data = exercise_data(recipe, found.sketch, found.fill, own, name)
    document = yaml_bytes(data, as_read=True)
    # What is handed out is what was written: it is read again, and its keys are computed from there.
    exercise = verified(load_exercise_bytes(document, f"{name}.yaml"))
    card = quality_card(recipe, found, own, name, seed.text, number + 1)
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
