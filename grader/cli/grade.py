"""`plymark grade`: answers in, marks out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.loading import load_exercises
from grader.cli.marked import sum_up, without_broken
from grader.cli.options import (
    Answers,
    LimitSettings,
    OwnLanguage,
    RosterFile,
    SecretFile,
    one_of,
    read_beside,
    read_secret,
)
from grader.intake.collect import collect
from grader.kernel.choices import GRADEBOOKS, LEVELS, MARK_FORMATS, VISIBILITIES
from grader.kernel.files import write_file
from grader.languages.words import words_of
from grader.marking.report import Report
from grader.marking.run import Run
from grader.people.roster import read_roster
from grader.people.variants import variants_of
from grader.reports.class_summary import Tally
from grader.reports.files import report_files
from grader.reports.options import Options
from grader.reports.registry import CLASS_OUTPUTS, OUTPUTS
from solver.kernel import Limits, UsageError
from solver.languages import LANGUAGES


def grade(
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE", help="An exercise, or a folder of variants.")],
    answers: Answers,
    format: Annotated[
        str,
        typer.Option("--format", "-f", help=f"{', '.join(MARK_FORMATS)}.", autocompletion=lambda: list(MARK_FORMATS)),
    ] = "text",
    feedback: Annotated[
        str,
        typer.Option("--feedback", help=f"{', '.join(LEVELS)}: how much is told.", autocompletion=lambda: list(LEVELS)),
    ] = "full",
    language: OwnLanguage = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write the results into this folder.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option("--summary", metavar="FILE", help="Write a summary of the class: .html, .csv or .txt."),
    ] = None,
    roster: RosterFile = None,
    secret_file: SecretFile = None,
    gradebook: Annotated[
        str,
        typer.Option("--gradebook", help=f"csv: {', '.join(GRADEBOOKS)}.", autocompletion=lambda: list(GRADEBOOKS)),
    ] = "plain",
    visibility: Annotated[
        str,
        typer.Option(
            "--visibility", help=f"gradescope: {', '.join(VISIBILITIES)}.", autocompletion=lambda: list(VISIBILITIES)
        ),
    ] = "after_published",
    limit: LimitSettings = None,
) -> None:
    """Mark answers to an exercise: partial credit, follow-through, conventions, the mistake behind the errors."""
    if out is not None and out.exists() and not out.is_dir():
        raise UsageError(f"--out is a folder to write into, and {out} is a file")
    if summary is not None:
        summary_kind(summary)
    limits = Limits().with_settings(limit or [])
    output = OUTPUTS[one_of("format", format, list(MARK_FORMATS))]
    if language is not None:
        one_of("language", language, list(LANGUAGES))
    variants = variants_of(load_exercises([exercise], limits))
    people = None if roster is None else read_roster(read_beside(roster, limits), roster.name)
    secret = b"" if secret_file is None else read_secret(secret_file, limits)
    found = collect(answers, variants, limits, people, secret)
    options = Options(
        words_of(language or variants.first.language),
        level=one_of("feedback", feedback, list(LEVELS)),
        gradebook=one_of("gradebook", gradebook, list(GRADEBOOKS)),
        visibility=one_of("visibility", visibility, list(VISIBILITIES)),
        in_students_language=language is None,
        several=found.several,
        title=variants.title,
        roster=people,
        name_variants=variants.only is None,
    )
    run = Run(found, variants.of)
    tally = Tally(variants.first)
    reports = _counted(without_broken(run.reports()), tally)
    if out is None:
        for part in output.write(reports, options):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
    else:
        for name, content in report_files(reports, output, options, variants.id):
            write_file(out / name, content)
    if summary is not None:
        made = tally.summary(run.broken, found.duplicate_count)
        write_file(summary, CLASS_OUTPUTS[summary_kind(summary)](made, options))
    raise typer.Exit(sum_up(run, found))


def _counted(reports: Iterable[Report], tally: Tally) -> Iterator[Report]:
    for report in reports:
        tally.add(report)
        yield report


def summary_kind(path: Path) -> str:
    """Which of the class outputs a file's name asks for."""
    kind = {".txt": "text", ".csv": "csv", ".html": "html"}.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"a class summary is .html, .csv or .txt, not {path.name!r}")
    return kind
