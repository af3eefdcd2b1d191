"""Exercises chosen so that no constant answer earns much over all of them; and how far their questions can be guessed,
in words and as data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.generating.constant_answers import TOLERANCE, ConstantTally, MarkedAlone, allowed, chances
from grader.generating.exercise_template import Template
from grader.generating.hill_climbing import FoundExercise
from grader.generating.random_trees import Draw, Sketch, draw_fill, draw_sketch, rearrange
from grader.generating.recipe_parts import REARRANGED, STRICT, Recipe
from grader.generating.requirement_distance import judge_quickly
from grader.marking.verify import verified
from grader.questions.exercise import Exercise
from solver.kernel import DocumentError, Refusal, decimal_text

SAMPLE = 30
"""Random trees that a chance level is measured over."""
MARGIN = Fraction(1, 40)
"""How far below the bound exercises are chosen: what is measured at the end knows more constants."""
HOPELESS = 12
"""After so many exercises in a row that no draw could keep within the bound, a question is no longer looked at."""


@dataclass(frozen=True, slots=True)
class DrawnExercise:
    """An exercise that may be taken."""

    found: FoundExercise
    marked: MarkedAlone
    over: Mapping[str, Fraction]
    """By question, how much more than allowed the best constant would earn, as a sum of shares."""

    @property
    def excess(self) -> Fraction:
        return sum(self.over.values(), Fraction(0))


@dataclass(frozen=True, slots=True)
class GuessedQuestion:
    """How far one question of a set can be guessed."""

    answer: Any
    """The best constant, in the recipe's own names."""
    share: Fraction
    """What it earns of the question's marks, over all exercises."""
    chance: Fraction
    bound: Fraction
    allowed: Fraction
    """More than the bound in a small set."""

    @property
    def holds(self) -> bool:
        return self.share <= self.allowed


class Spread:
    """The exercises taken so far, and what constants earn in them."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.guessing = ConstantTally(recipe.leaves.pool)
        self._first: FoundExercise | None = None
        self._chances: Mapping[str, Fraction] | None = None
        self._failed: Counter[str] = Counter()

    def look(self, found: FoundExercise) -> DrawnExercise:
        marked, size = MarkedAlone(found.quick.answer_key.exercise), self.guessing.size + 1
        over: dict[str, Fraction] = {}
        for question in marked.questions if size > 1 else ():
            if self._failed[question] < HOPELESS:
                most = allowed(self.bound(question) - MARGIN, self.chances[question], size)
                earned = self.guessing.most(question, marked)
                if earned > most:
                    over[question] = earned - most
        return DrawnExercise(found, marked, over)

    def take(self, candidate: DrawnExercise) -> None:
        self._first = self._first or candidate.found
        self.guessing.add(candidate.marked)
        self._note(candidate.over)

    def _note(self, over: Mapping[str, Fraction]) -> None:
        for question in self._failed.keys() | over.keys():
            if self._failed[question] < HOPELESS:
                self._failed[question] = self._failed[question] + 1 if question in over else 0

    def bound(self, question: str) -> Fraction:
        """The share that the best constant may earn."""
        stated = self.recipe.guessability
        return stated[question] if question in stated else min(Fraction(1), self.chances[question] + TOLERANCE)

    def guesses(self) -> dict[str, GuessedQuestion]:
        """By question, what the best constant earns over the exercises taken."""
        if self.guessing.size < 2:
            return {}
        found = {}
        for question, chance in self.chances.items():
            best, bound, size = self.guessing.best(question), self.bound(question), self.guessing.size
            most = allowed(bound, chance, size) / size
            found[question] = GuessedQuestion(best.answer, best.share, chance, bound, most)
        return found

    @property
    def chances(self) -> Mapping[str, Fraction]:
        """By question, its chance level in such trees."""
        if self._chances is None:
            assert self._first is not None
            draw, recipe = Draw(self.recipe.id, "chance"), self.recipe
            first = self._first
            self._chances = chances(
                lambda: _random(recipe, _shape(recipe, first.sketch, draw), draw),
                first.quick.answer_key.exercise,
                recipe.leaves.pool,
                SAMPLE,
            )
        return self._chances


def _shape(recipe: Recipe, first: Sketch, draw: Draw) -> Sketch:
    """A shape that a variant of the first exercise may have."""
    if recipe.parallel == REARRANGED:
        return rearrange(first, draw)[0]
    return first if recipe.parallel == STRICT else draw_sketch(recipe, draw)


def _random(recipe: Recipe, sketch: Sketch, draw: Draw) -> Exercise | None:
    """A tree as it is drawn, whatever is required; None if a question has no answer in it."""
    fill = draw_fill(recipe, sketch, draw)
    try:
        exercise = Template(recipe, sketch, fill).exercise(fill)
        if judge_quickly(recipe, exercise).facts.unanswered:
            return None
        return verified(exercise)
    except (DocumentError, Refusal):
        return None


DIGITS = 3
WHAT_HELPS = "allow more moves or a wider range, require less, leave out `parallel` or write `parallel: bounded`"


def guess_words(guess: GuessedQuestion) -> str:
    """What the best constant is, and what it earns."""
    earned = "is right in every exercise" if guess.share == 1 else f"earns {percent(guess.share)} of the marks"
    return f"{constant_text(guess.answer)} {earned}"


def percent(share: Fraction) -> str:
    return f"{round(100 * share)} %"


def constant_text(raw: Any) -> str:
    """A constant answer in one line, in the recipe's own names."""
    if isinstance(raw, dict):
        return ", ".join(f"{item}: {constant_text(each)}" for item, each in raw.items())
    if isinstance(raw, list):
        return f"[{', '.join(map(constant_text, raw))}]"
    return str(raw)


def guess_sentences(guesses: Mapping[str, GuessedQuestion]) -> Iterator[str]:
    """A line for each question that can be guessed more easily than allowed, or has one answer in all exercises."""
    can = [question for question, guess in guesses.items() if not guess.holds or guess.share == 1]
    for question in can:
        guess = guesses[question]
        allowed = "" if guess.share == 1 else f"; {percent(guess.allowed)} is allowed"
        yield f"question {question} can be guessed: {guess_words(guess)}{allowed}"
    if can:
        yield f"what helps: {WHAT_HELPS}"


def guessability(guesses: Mapping[str, GuessedQuestion]) -> dict[str, dict[str, Any]]:
    """As data for the overview of all variants."""
    return {
        question: {
            "share": decimal_text(guess.share, DIGITS),
            "answer": constant_text(guess.answer),
            "chance": decimal_text(guess.chance, DIGITS),
            "bound": decimal_text(guess.bound, DIGITS),
            "holds": guess.holds,
        }
        for question, guess in guesses.items()
    }
