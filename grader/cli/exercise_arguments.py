"""The exercises or the exam that a command is given: all of it, or nothing if one exercise is broken."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from grader.cli.command_outcome import report_problems
from grader.documents.exam import Exam, Variants, variants_of
from grader.documents.exam_file import EXAM, holds_exercise, load_exam
from grader.documents.exercise_file import EXERCISE, load_exercise
from grader.marking.verify import verified, verified_exam
from grader.questions.exercise import Exercise
from solver.jobs import carries, failure_of, read_source, sources
from solver.kernel import DocumentError, Limits, UsageError


def load_handed_out(path: str, limits: Limits) -> Variants | Exam:
    """An exam, or exercises that are variants of one another."""
    exam = exam_in([path], limits)
    return variants_of(load_exercises([path], limits)) if exam is None else exam


def exam_in(paths: Sequence[str], limits: Limits) -> Exam | None:
    """The exam that the paths mean, if they do; the command ends if it is broken. UsageError for one among others."""
    for source in sources(list(paths)):
        if source.in_folder or source.is_stdin:
            continue
        try:
            if not carries(read_source(source, limits), EXAM):
                continue
            if len(paths) > 1:
                raise UsageError(f"{source.name} is an exam, which is given alone")
            return verified_exam(load_exam(source.path or source.name, limits))
        except DocumentError as error:
            report_problems(failure_of(source, error))
            raise typer.Exit(1) from None
    return None


def load_exercises(paths: Sequence[str], limits: Limits) -> list[Exercise]:
    """Every problem of every one is told before the command ends: a class must not get half of its variants."""
    exercises: list[Exercise] = []
    broken = 0
    for source in sources(list(paths)):
        try:
            if source.in_folder and not holds_exercise(read_source(source, limits)):
                continue
            exercises.append(verified(load_exercise(source.path or source.name, limits)))
        except DocumentError as error:
            broken += 1
            report_problems(failure_of(source, error))
    if broken:
        raise typer.Exit(1)
    if not exercises:
        raise UsageError(f"there is no exercise in {', '.join(paths)}; one starts with plymark: {EXERCISE}")
    _require_distinct(exercises)
    return exercises


def _require_distinct(exercises: Sequence[Exercise]) -> None:
    """A variant is known by its exercise's id."""
    by_id: dict[str, Exercise] = {}
    for exercise in exercises:
        other = by_id.setdefault(exercise.id, exercise)
        if other is not exercise:
            raise UsageError(f"{other.source} and {exercise.source} are both called {exercise.id!r}")
