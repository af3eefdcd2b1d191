"""The next exercise: one in which the mistake just made shows.

Best is an exercise in which whoever still makes the mistake is told so without a doubt. Then come, in this order: one
in which the mistake gives another answer than the key and than every other mistake; one in which it gives another
answer than the key, which some other mistake may share. Seeds of the fitting recipes are tried, nearest recipes first,
until the best kind is found, so many exercises were looked at, or so many trees were examined. All bounds are counts,
so that the next exercise is the same one on every machine; together they keep it within a few seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from grader.documents.answer import Answer
from grader.marking.diagnose import Diagnosing
from grader.marking.grader import Grader
from grader.mistakes.behaviour import mistake_of
from grader.practice.catalogue import fitting
from grader.practice.exercises import PracticeExercise, derived_seed, exercise_of
from grader.practice.writing import class_with, mistaken_answers, right_answers
from solver.kernel import DocumentError, Refusal

MOST_LOOKED_AT = 6
MOST_TREES = 2_000
"""Examined in all, those of searches without a result included."""
LEAST_TREES = 100
"""With fewer left, no other search is begun."""
SEEDS_IN_A_ROW = 2
"""Of one recipe, before the next one's turn."""


class Shows(IntEnum):
    """How well a mistake shows; the larger, the better."""

    NOT = 0
    LIKE_OTHERS = 1
    ALONE = 2
    NAMED = 3


@dataclass(frozen=True, slots=True)
class Exposing:
    exercise: PracticeExercise
    shows: Shows
    looked_at: int


def shows(grader: Grader, mistake: str) -> Shows:
    """How well a mistake shows in an exercise: it is made, handed in and marked."""
    diagnosing = Diagnosing(grader.declared)
    found = class_with(diagnosing, mistake)
    if found is None:
        return Shows.NOT
    # A mistake may have several models, each in a class of its own.
    of = (set(map(mistake_of, each.models)) for each in diagnosing.classes)
    alone = all(named == {mistake} for named in of if mistake in named)
    answers = mistaken_answers(grader.declared, found.different)
    if answers == right_answers(grader.declared):
        # It is not known how the mistake is written down.
        return Shows.ALONE if alone else Shows.LIKE_OTHERS
    report = grader.grade(Answer(grader.exercise.id, "-", answers))
    if report.best.marks == grader.exercise.out_of:
        # Right by another convention, which the exercise leaves open.
        return Shows.NOT
    if not alone:
        return Shows.LIKE_OTHERS
    named = report.diagnosis
    told = len(named) == 1 and named[0].mistake == mistake and named[0].sure and not named[0].same_here
    return Shows.NAMED if told else Shows.ALONE


def exposing(mistake: str, recipe: str = "", seed: str = "") -> Exposing | None:
    """After this exercise, the next one for a mistake, always the same one; None if no exercise was found that shows
    it."""
    best: Exposing | None = None
    trees = 0
    for looked_at, (name, other) in enumerate(_candidates(mistake, recipe, seed), start=1):
        left = MOST_TREES - trees
        if looked_at > MOST_LOOKED_AT or left < LEAST_TREES or (best is not None and left < MOST_TREES // 2):
            break
        try:
            exercise = exercise_of(name, other, left)
            trees += exercise.examined
            found = Exposing(exercise, shows(exercise.grader, mistake), looked_at)
        except DocumentError:
            trees = MOST_TREES
            continue
        except Refusal:
            continue
        if found.shows and (best is None or found.shows > best.shows):
            best = found
        if found.shows == Shows.NAMED:
            break
    return best


def _candidates(mistake: str, recipe: str, seed: str) -> Iterator[tuple[str, str]]:
    """Two seeds of each fitting recipe, then two more of each."""
    names = fitting(mistake, recipe)
    for turn in range(MOST_LOOKED_AT if names else 0):
        for name in names:
            for number in range(SEEDS_IN_A_ROW):
                yield name, derived_seed(mistake, recipe, seed, name, turn, number)
