"""`plymark grade`: answers in, marks out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from grader.answer import Answer
from grader.choices import GRADEBOOKS, LEVELS, MARK_FORMATS, VISIBILITIES
from grader.class_summary import Tally
from grader.collected import Broken
from grader.collecting import Collection, collect
from grader.commands.loading import one_exercise
from grader.commands.options import Answers, LimitSettings, OwnLanguage, one_of
from grader.exercise import Exercise
from grader.exporters.roster import read_roster
from grader.files import write_file
from grader.grading import Grader
from grader.outcome import report_problems
from grader.outputs.cells import file_stem
from grader.outputs.options import Options
from grader.outputs.registry import CLASS_OUTPUTS, OUTPUTS
from grader.report import Report
from grader.words import words_of
from solver import LANGUAGES, Limits, Problem, Refusal, Result, UsageError, named_source, read_file


def grade(
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE", help="An exercise.")],
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
    roster: Annotated[
        Path | None,
        typer.Option("--roster", metavar="CSV", help="Names, logins and e-mail addresses, for a system's responses."),
    ] = None,
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
    code = _grade(
        exercise,
        answers,
        format=one_of("format", format, list(MARK_FORMATS)),
        language=None if language is None else one_of("language", language, list(LANGUAGES)),
        feedback=one_of("feedback", feedback, list(LEVELS)),
        gradebook=one_of("gradebook", gradebook, list(GRADEBOOKS)),
        visibility=one_of("visibility", visibility, list(VISIBILITIES)),
        out=out,
        summary=summary,
        roster=roster,
        limits=Limits().with_settings(limit or []),
    )
    raise typer.Exit(code)


def _grade(
    exercise: str,
    answers: list[str],
    format: str,
    language: str | None,
    feedback: str,
    gradebook: str,
    visibility: str,
    out: Path | None,
    summary: Path | None,
    roster: Path | None,
    limits: Limits,
) -> int:
    """Mark, write, say what could not be marked; the exit code."""
    loaded = one_exercise(exercise, limits)
    people = None if roster is None else read_roster(read_file(roster, limits), roster.name)
    found = collect(answers, loaded, limits, people)
    output = OUTPUTS[format]
    options = Options(
        words_of(language or loaded.language), feedback, gradebook, visibility, language is None, found.several
    )
    marking = Marking(loaded, found)
    if out is None:
        for part in output.write(marking.reports(), options):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
    elif output.one_file:
        write_file(out / f"{loaded.id}{output.ending}", b"".join(output.write(marking.reports(), options)))
    else:
        written: Counter[str] = Counter()
        for report in marking.reports():
            stem = file_stem(report.answer.student)
            written[stem] += 1
            # A second answer by the same student does not replace the first.
            again = f"-{written[stem]}" if written[stem] > 1 else ""
            write_file(out / f"{stem}{again}.report{output.ending}", b"".join(output.write([report], options)))
    if summary is not None:
        _write_summary(marking, summary, options)
    return marking.finish()


class Marking:
    """The answers of one run, counted while they go by."""

    def __init__(self, exercise: Exercise, found: Collection) -> None:
        self.exercise, self.found = exercise, found
        self.tally = Tally(exercise)
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
        grader = Grader(self.exercise)
        for answer in self.answers():
            try:
                report = grader.grade(answer)
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


def _write_summary(marking: Marking, path: Path, options: Options) -> None:
    made = marking.tally.summary(marking.broken, marking.found.duplicate_count)
    write_file(path, CLASS_OUTPUTS[summary_kind(path)](made, options))


def summary_kind(path: Path) -> str:
    """Which of the class outputs a file's name asks for."""
    kind = {".txt": "text", ".csv": "csv", ".html": "html"}.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"a class summary is .html, .csv or .txt, not {path.name!r}")
    return kind
