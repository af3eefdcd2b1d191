"""`plymark export`: exercises in, what a learning system takes out."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.command import Command, choice, refuse_idle, typer_app
from grader.cli.loading import exam_in, load_exercises
from grader.cli.options import Exercises, Jobs, LimitSettings, OwnLanguage, Quiet, ToWrite, limits_from
from grader.cli.outcome import stoppable
from grader.cli.progress import Meter
from grader.delivery.placing import require_other_place, write_export
from grader.delivery.systems.base import Export, ExportOptions
from grader.delivery.systems.registry import ONE_QUESTION
from grader.delivery.systems.registry import export as export_made
from grader.documents.variants import variants_of
from grader.kernel.choices import LEVELS, SYSTEMS, VISIBILITIES
from grader.kernel.files import check_place

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
        made = export_made(exercises if exam is None else exam, to, heard)
    _tell_losses(made, options)
    if not quiet:
        _tell_advice(made, options)
    if made.is_empty:
        print("plymark: nothing is left to export, so nothing is written", file=sys.stderr)
        return 1
    write_export(made.content, out)
    return 0


def _tell_losses(made: Export, options: ExportOptions) -> None:
    word = "left out" if options.faithful_only else "provisional"
    for kind, remarks in ((word, made.provisional), ("cannot be exported", made.left_out)):
        told: dict[tuple[str, str], list[str]] = {}
        for remark in remarks:
            told.setdefault((remark.question, remark.reason), []).append(remark.exercise)
        for (question, reason), names in told.items():
            print(f"{kind}: {_who(names)}: {question}: {reason}", file=sys.stderr)


def _tell_advice(made: Export, options: ExportOptions) -> None:
    notes: dict[str, list[str]] = {}
    for note in made.notes:
        name, _, rest = note.partition(": ")
        notes.setdefault(rest, []).append(name)
    for rest, names in notes.items():
        print(f"{_who(names)}: {rest}" if rest else names[0], file=sys.stderr)
    if made.provisional and not options.faithful_only:
        print("Provisional: run `plymark grade` on the collected answers for the final marks.", file=sys.stderr)


def _who(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
