"""Practice: simulated students, each with one mistake, practise until it counts as gone.

The learning model: a student answers as the model of their mistake says, and everything else right. When a report names
the mistake first, the student is confronted with it, and is cured with probability 1/2; nothing else cures. A cured
student answers right. Practice ends when the mistake counts as gone (`grader.practice.mistake_practice`), at the
latest after `MOST` exercises. The next exercise is

    by the diagnosis   one that exposes the mistake that was named last, until it is gone; else as in the next line
    the same topic     drawn at random among the recipes of the mistake's own topic
    any topic          drawn at random among all ready recipes
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from statistics import mean

from benchmarks.games import SEED
from benchmarks.measure import title
from grader.documents.answer_file import Answer
from grader.marking.diagnose import Diagnosing
from grader.practice.mistake_practice import (
    Evidence,
    Mastery,
    class_with,
    evidence_of,
    mistaken_answers,
    next_exercise,
    right_answers,
    update_mastery,
)
from grader.practice.ready_exercises import PracticeExercise, exercise_of, ready_recipes

TUNED = {
    "M1": "minimax",
    "M4": "minimax",
    "M6": "minimax",
    "M10": "depth-limit",
    "A2": "alpha-beta",
    "A6": "alpha-beta",
    "A10": "alpha-beta",
    "A15": "alpha-beta",
    "C2": "expectiminimax",
    "V3": "maxn",
}
"""Ten mistakes and the topic in which each is at home: practice was mended with these."""
FRESH = {
    **dict.fromkeys(("M2", "M3", "M5"), "minimax"),
    "M8": "depth-limit",
    "M9": "paranoid",
    **dict.fromkeys(
        ("M7", "A3", "A4", "A5", "A7", "A8", "A9", "A11", "A12", "A13", "A14", "A16", "A17"),
        "alpha-beta",
    ),
    **dict.fromkeys(("C1", "C3"), "expectiminimax"),
    **dict.fromkeys(("V1", "V2", "V4"), "maxn"),
    **dict.fromkeys(("O1", "O2", "O3"), "and-or"),
    **dict.fromkeys(("U1", "U2", "U3", "U4", "U6"), "mcts"),
}
"""All others that some ready recipe lists: of these only the time of the search for an exercise was looked at."""
MISTAKES = TUNED | FRESH
STUDENTS, QUICK_STUDENTS = 100, 1
MOST = 200
SEEDS = 3
"""Exercises of each recipe from which those at random are drawn; others are found as they are needed."""
AFTER = 2
"""How many different starting points there are for an exercise that exposes a mistake."""
CURED = 0.5

Chooser = Callable[["Student"], PracticeExercise]


@dataclass
class Student:
    mistake: str
    draw: random.Random
    makes_it: bool = True
    named: str | None = None
    """The mistake that a report named last, unless it is gone."""
    done: list[PracticeExercise] = field(default_factory=list)
    standings: dict[str, Mastery] = field(default_factory=dict)

    def answer(self, exercise: PracticeExercise) -> None:
        named, evidence = marked(exercise.recipe, exercise.seed, self.mistake, self.makes_it)
        self.done.append(exercise)
        self.standings = update_mastery(self.standings, evidence)
        self.named = named or self.named
        if self.named is not None and self.standings[self.named].gone:
            self.named = None
        if self.makes_it and named == self.mistake and self.draw.random() < CURED:
            self.makes_it = False

    @property
    def finished(self) -> bool:
        own = self.standings.get(self.mistake, Mastery())
        return (own.made > 0 and own.gone) or len(self.done) >= MOST


@cache
def marked(recipe: str, seed: str, mistake: str, makes_it: bool) -> tuple[str | None, dict[str, Evidence]]:
    """What a report names first, and what it says of each mistake, if somebody who makes it or not hands in."""
    grader = _exercise(recipe, seed).grader
    shown = class_with(Diagnosing(grader.declared), mistake) if makes_it else None
    answers = right_answers(grader.declared) if shown is None else mistaken_answers(grader.declared, shown.different)
    report = grader.grade(Answer(grader.exercise.id, "-", answers))
    return report.diagnosis[0].mistake if report.diagnosis else None, evidence_of(report)


@cache
def _exercise(recipe: str, seed: str) -> PracticeExercise:
    return exercise_of(recipe, seed)


@cache
def _exposing(mistake: str, recipe: str, seed: str) -> PracticeExercise | None:
    found = next_exercise(mistake, recipe, seed)
    return None if found is None else _exercise(found.exercise.recipe, found.exercise.seed)


def any_topic(student: Student) -> PracticeExercise:
    return _exercise(student.draw.choice(list(ready_recipes())), str(student.draw.randrange(SEEDS)))


def same_topic(student: Student) -> PracticeExercise:
    topic = MISTAKES[student.mistake]
    names = [each.name for each in ready_recipes().values() if each.topic == topic]
    return _exercise(student.draw.choice(names), str(student.draw.randrange(SEEDS)))


def by_the_diagnosis(student: Student) -> PracticeExercise:
    if student.named is None:
        return same_topic(student)
    found = _exposing(student.named, student.done[-1].recipe, str(student.draw.randrange(AFTER)))
    return same_topic(student) if found is None else found


WAYS: dict[str, Chooser] = {
    "by the diagnosis": by_the_diagnosis,
    "the same topic": same_topic,
    "any topic": any_topic,
}


def practice(quick: bool) -> None:
    """Exercises until the mistake counts as gone: the mean over students, and the most that one needed."""
    count = QUICK_STUDENTS if quick else STUDENTS
    _table("the ten that practice was mended with", TUNED, count)
    _table("all others", dict.fromkeys(list(FRESH)[:: 8 if quick else 1]), count)


def _table(which: str, mistakes: Iterable[str], count: int) -> None:
    title(f"Practice: exercises until a mistake counts as gone, {which}, {count} students for each (mean, most)")
    print(f"  {'mistake':<10}" + "".join(f"{way:>22}" for way in WAYS))
    totals: dict[str, list[int]] = {way: [] for way in WAYS}
    for mistake in mistakes:
        row = f"  {mistake:<10}"
        for way, choose in WAYS.items():
            needed = [_practised(mistake, number, choose) for number in range(count)]
            totals[way] += needed
            row += f"{mean(needed):>16.1f}{max(needed):>6}"
        print(row, flush=True)
    print(f"  {'all':<10}" + "".join(f"{mean(each):>16.1f}{max(each):>6}" for each in totals.values()))
    stuck = {way: sum(each >= MOST for each in found) for way, found in totals.items()}
    print(f"  not gone after {MOST}: " + ", ".join(f"{way} {number}" for way, number in stuck.items()))


def _practised(mistake: str, number: int, choose: Chooser) -> int:
    student = Student(mistake, random.Random(f"{SEED}/{mistake}/{number}"))
    while not student.finished:
        student.answer(choose(student))
    return len(student.done)
