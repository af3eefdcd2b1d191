"""`plymark export`: exercises in, a file or folder for a learning system out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from grader.exercise import EXERCISE, Exercise, load_exercise
from grader.exporters.base import Export, ExportOptions
from grader.exporters.registry import EXPORTERS
from grader.files import check_place, write_file
from grader.outcome import report_problems
from grader.verifying import verified
from solver import DocumentError, UsageError, carries, failed, read_source, sources


def export_exercises(paths: Sequence[str], to: str, out: Path, options: ExportOptions) -> int:
    """Write what the target takes, say what it cannot mark or carry; the exit code.

    Nothing is written if an exercise is broken: a class must not get half of its variants.
    """
    exporter = EXPORTERS[to]
    check_place(out)
    exercises, broken = _exercises(paths, options)
    if broken or not exercises:
        if not broken:
            print("plymark: there is no exercise to export", file=sys.stderr)
        return 1
    _require_distinct(exercises)
    made = exporter.write(exercises, options)
    if isinstance(made.content, bytes):
        write_file(out, made.content)
    else:
        if out.is_file():
            raise UsageError(f"{out} is a file; a folder is to be written there")
        for path, content in made.content.items():
            write_file(out / path, content)
    _tell(made, options)
    return 0


def _exercises(paths: Sequence[str], options: ExportOptions) -> tuple[list[Exercise], int]:
    found: list[Exercise] = []
    broken = 0
    for source in sources(paths):
        try:
            if source.in_folder and not carries(read_source(source, options.limits), EXERCISE):
                continue
            found.append(verified(load_exercise(source.path or source.name, options.limits)))
        except DocumentError as error:
            broken += 1
            report_problems(failed(source, error))
    return found, broken


def _require_distinct(exercises: Sequence[Exercise]) -> None:
    """A variant is known by its exercise's id."""
    seen: dict[str, Exercise] = {}
    for exercise in exercises:
        other = seen.setdefault(exercise.id, exercise)
        if other is not exercise:
            raise UsageError(f"{other.source} and {exercise.source} are both called {exercise.id!r}")


def _tell(made: Export, options: ExportOptions) -> None:
    word = "left out" if options.faithful_only else "provisional"
    for remark in made.provisional:
        print(f"{word}: {remark}", file=sys.stderr)
    for remark in made.left_out:
        print(f"cannot be exported: {remark}", file=sys.stderr)
    for note in made.notes:
        print(note, file=sys.stderr)
    if made.provisional and not options.faithful_only:
        print("provisional marks become final when the answers are brought back: plymark grade", file=sys.stderr)
