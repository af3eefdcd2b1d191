"""The exercises that a command is given: all of them, or none if one is broken."""

from __future__ import annotations

from collections.abc import Sequence

import click

from grader.cli.outcome import report_problems
from grader.documents.exercise import EXERCISE, load_exercise
from grader.marking.verify import verified
from grader.questions.exercise import Exercise
from solver.jobs import carries, failed, read_source, sources
from solver.kernel import DocumentError, Limits, UsageError


def load_exercises(paths: Sequence[str], limits: Limits) -> list[Exercise]:
    """Every problem of every one is told before the command ends: a class must not get half of its variants."""
    found: list[Exercise] = []
    broken = 0
    for source in sources(list(paths)):
        try:
            if source.in_folder and not carries(read_source(source, limits), EXERCISE):
                continue
            found.append(verified(load_exercise(source.path or source.name, limits)))
        except DocumentError as error:
            broken += 1
            report_problems(failed(source, error))
    if broken:
        raise click.exceptions.Exit(1)
    if not found:
        raise UsageError(f"there is no exercise in {', '.join(paths)}")
    _require_distinct(found)
    return found


def _require_distinct(exercises: Sequence[Exercise]) -> None:
    """A variant is known by its exercise's id."""
    seen: dict[str, Exercise] = {}
    for exercise in exercises:
        other = seen.setdefault(exercise.id, exercise)
        if other is not exercise:
            raise UsageError(f"{other.source} and {exercise.source} are both called {exercise.id!r}")
