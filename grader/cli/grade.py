"""`plymark grade`: answers in, marks out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.loading import load_exercises
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
from grader.cli.outcome import report_problems
from grader.documents.answer import Answer
from grader.intake.collect import Collection, collect
from grader.intake.found import Broken
from grader.kernel.cells import file_stem
from grader.kernel.choices import GRADEBOOKS, LEVELS, MARK_FORMATS, VISIBILITIES
from grader.kernel.files import write_file
from grader.languages.words import words_of
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.people.roster import read_roster
from grader.people.variants import variants_of
from grader.reports.class_summary import Tally
from grader.reports.options import Options
from grader.reports.registry import CLASS_OUTPUTS, OUTPUTS, Output
from solver.jobs import Result, named_source
from solver.kernel import Limits, Problem, Refusal, UsageError
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
    marking = Marking(found)
    _write(marking.reports(), output, options, out, variants.id)
    if summary is not None:
        made = marking.tally.summary(marking.broken, found.duplicate_count)
        write_file(summary, CLASS_OUTPUTS[summary_kind(summary)](made, options))
    raise typer.Exit(marking.finish())


def _write(reports: Iterable[Report], output: Output, options: Options, out: Path | None, name: str) -> None:
    if out is None:
        for part in output.write(reports, options):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
    elif output.one_file:
        write_file(out / f"{name}{output.ending}", b"".join(output.write(reports, options)))
    else:
        written: Counter[str] = Counter()
        for report in reports:
            stem = file_stem(report.answer.student)
            written[stem] += 1
            # A second answer by the same student does not replace the first.
            again = f"-{written[stem]}" if written[stem] > 1 else ""
            write_file(out / f"{stem}{again}.report{output.ending}", b"".join(output.write([report], options)))


MOST_GRADERS = 100
"""Each keeps what it has found out about its exercise."""


class Marking:
    """The answers of one run, counted while they go by."""

    def __init__(self, found: Collection) -> None:
        self.found = found
        self.tally = Tally(found.variants.first)
        self.marked = self.broken = 0

    def answers(self) -> Iterator[Answer]:
        for each in self.found:
            if isinstance(each, Broken):
                self.broken += 1
                sys.stdout.buffer.flush()
                report_problems(Result(named_source(each.name), problems=each.problems, total=each.total))
            else:
                self.marked += 1
                yield each

    def reports(self) -> Iterator[Report]:
        graders: dict[str, Grader] = {}
        for answer in self.answers():
            exercise = self.found.variants.of(answer)
            if exercise.id not in graders:
                if len(graders) == MOST_GRADERS:
                    del graders[next(iter(graders))]
                graders[exercise.id] = Grader(exercise)
            try:
                report = graders[exercise.id].grade(answer)
            except Refusal as refusal:
                self.marked, self.broken = self.marked - 1, self.broken + 1
                problem = Problem(answer.place, "crash", f"cannot be marked: {refusal.message}")
                report_problems(Result(named_source(answer.source), problems=[problem], total=1))
                continue
            self.tally.add(report)
            yield report

    def finish(self) -> int:
        for duplicate in self.found.duplicates:
            print(duplicate, file=sys.stderr)
        for note in self.found.notes:
            print(note, file=sys.stderr)
        if self.found.several:
            parts = [f"{self.marked:,} marked"]
            parts += [f"{self.broken:,} could not be marked"] if self.broken else []
            parts += [f"{self.found.duplicate_count:,} twice"] if self.found.duplicate_count else []
            parts += [f"{self.found.skipped:,} skipped (of another kind)"] if self.found.skipped else []
            print(", ".join(parts), file=sys.stderr)
        return 1 if self.broken or not self.marked else 0


def summary_kind(path: Path) -> str:
    """Which of the class outputs a file's name asks for."""
    kind = {".txt": "text", ".csv": "csv", ".html": "html"}.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"a class summary is .html, .csv or .txt, not {path.name!r}")
    return kind
