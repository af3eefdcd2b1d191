"""`plymark export`: exercises in, what a learning system takes out.

Nothing that is there already is lost, or taken for a part of the export.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.command import Command, choice, refuse_idle, typer_app
from grader.cli.command_options import Exercises, Jobs, LimitSettings, OwnLanguage, Quiet, ToWrite, limits_from
from grader.cli.command_outcome import Meter, stoppable
from grader.cli.exercise_arguments import exam_in, load_exercises
from grader.delivery.systems.exporter import Export, ExportOptions
from grader.delivery.systems.system_registry import ONE_QUESTION
from grader.delivery.systems.system_registry import export as export_made
from grader.documents.exam import variants_of
from grader.kernel.atomic_files import check_place, write_file
from grader.kernel.option_values import LEVELS, SYSTEMS, VISIBILITIES
from grader.questions.exercise import Exercise
from solver.kernel import UsageError

app = typer_app()


@app.command(cls=Command)
def export(
    context: typer.Context,
    exercises: Exercises,
    to: Annotated[str, choice("--to", what="target", among=SYSTEMS, help=f"{', '.join(SYSTEMS)}.")],
    out: ToWrite,
    language: OwnLanguage = None,
    faithful_only: Annotated[
        bool,
        typer.Option(
            "--faithful-only", help="Leave out questions that the system cannot mark exactly as plymark does."
        ),
    ] = False,
    feedback: Annotated[
        str,
        choice(
            "--feedback",
            what="feedback",
            among=LEVELS,
            metavar="LEVEL",
            help=f"prairielearn, gradescope: how much feedback students get: {', '.join(LEVELS)}.",
        ),
    ] = "hints",
    visibility: Annotated[
        str,
        choice(
            "--visibility",
            what="visibility",
            among=VISIBILITIES,
            metavar="WHEN",
            help=f"gradescope: {', '.join(VISIBILITIES)}.",
        ),
    ] = "after_published",
    wheels: Annotated[
        Path | None,
        typer.Option(
            "--wheels",
            readable=False,
            metavar="DIR",
            help="prairielearn, gradescope: wheels to include; downloaded if the folder has none.",
        ),
    ] = None,
    jobs: Jobs = None,
    quiet: Quiet = False,
    limit: LimitSettings = None,
) -> int:
    """Export exercises to Moodle, Canvas, PrairieLearn or Gradescope. For papers, see plymark paper."""
    if to not in ("prairielearn", "gradescope"):
        refuse_idle(context, "it is for --to prairielearn or gradescope", "feedback", "wheels")
    if to != "gradescope":
        refuse_idle(context, "it is for --to gradescope", "visibility")
    options = ExportOptions(
        language=language,
        faithful_only=faithful_only,
        wheels=wheels,
        level=feedback,
        visibility=visibility,
        limits=limits_from(limit),
        jobs=jobs or os.cpu_count() or 1,
    )
    return export_exercises(exercises, to, out, options, quiet)


def export_exercises(paths: Sequence[str], to: str, out: Path, options: ExportOptions, quiet: bool = False) -> int:
    """Write what the target takes, say what it cannot mark or carry and, unless `quiet`, what is left to do; the exit
    code."""
    check_place(out)
    exam = exam_in(paths, options.limits)
    exercises = load_exercises(paths, options.limits) if exam is None else list(exam)
    if exam is None and to in ONE_QUESTION:
        variants_of(exercises)
    require_other_place(exercises, out)
    # An exercise may take a second.
    with Meter(len(exercises), "exercises", quiet, many=2) as meter, stoppable(lambda: f"{meter.far}, nothing written"):
        heard = replace(options, heard=lambda: meter.at(meter.done + 1))
        package = export_made(exercises if exam is None else exam, to, heard)
    _tell_losses(package, options)
    if not quiet:
        _tell_advice(package, options)
    if package.is_empty:
        print("plymark: nothing is left to export, so nothing is written", file=sys.stderr)
        return 1
    write_export(package.content, out)
    return 0


def _tell_losses(package: Export, options: ExportOptions) -> None:
    word = "left out" if options.faithful_only else "provisional"
    for kind, remarks in ((word, package.provisional), ("cannot be exported", package.left_out)):
        losses: dict[tuple[str, str], list[str]] = {}
        for remark in remarks:
            losses.setdefault((remark.question, remark.reason), []).append(remark.exercise)
        for (question, reason), names in losses.items():
            print(f"{kind}: {_who(names)}: {question}: {reason}", file=sys.stderr)


def _tell_advice(package: Export, options: ExportOptions) -> None:
    notes: dict[str, list[str]] = {}
    for note in package.notes:
        name, _, rest = note.partition(": ")
        notes.setdefault(rest, []).append(name)
    for rest, names in notes.items():
        print(f"{_who(names)}: {rest}" if rest else names[0], file=sys.stderr)
    if package.provisional and not options.faithful_only:
        print("Provisional: run `plymark grade` on the collected answers for the final marks.", file=sys.stderr)


def _who(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"


def require_other_place(exercises: Sequence[Exercise], out: Path) -> None:
    """UsageError if one of the exercises would be replaced by what is made of it."""
    if any(Path(each.source).resolve() == out.resolve() for each in exercises if each.source):
        raise UsageError(f"{out} is one of the exercises; it would be replaced")


def write_export(content: bytes | Mapping[str, bytes], out: Path) -> None:
    """A file, or files below a folder; UsageError where an earlier export left variants."""
    if isinstance(content, bytes):
        write_file(out, content)
        return
    if out.is_file():
        raise UsageError(f"{out} is a file; a folder is to be written there")
    _refuse_leftovers(out, content)
    for path, each in content.items():
        write_file(out / path, each)


def _refuse_leftovers(out: Path, content: Mapping[str, bytes]) -> None:
    """Variants of an earlier export would be given to students as well."""
    written = {out / path for path in content}
    for folder in {path.parent for path in written if path.parent.name == "exercises"}:
        if left := sorted(path.name for path in folder.glob("*") if path not in written):
            raise UsageError(f"{folder} has variants of an earlier export, such as {left[0]}; delete that folder first")
