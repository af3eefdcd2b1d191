"""`plymark grade`: answers in, marks out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import click

from grader.cli.command import chosen, command, option
from grader.cli.loading import load_handed_out
from grader.cli.marked import load_overrides, marked, not_applied, stoppable, sum_up, whose_of
from grader.cli.options import (
    FILE,
    INPUT,
    answers_argument,
    duplicates_option,
    jobs_option,
    limits_option,
    overrides_option,
    own_language_option,
    quiet_option,
    read_beside,
    read_secret,
    roster_option,
    secret_option,
)
from grader.cli.pages import write_pages
from grader.feedback.files import named_files, page_part
from grader.intake.collect import collect
from grader.kernel.choices import FEEDBACK_ZIPS, GRADEBOOKS, LEVELS, MARK_FORMATS, PAGE_FORMATS, VISIBILITIES
from grader.kernel.files import write_file
from grader.languages.words import words_of
from grader.marking.exam_report import AnyReport
from grader.marking.review import Review
from grader.marking.run import Run
from grader.people.roster import read_roster
from grader.people.whose import WhoseParts
from grader.reports.class_exam import ExamTally, tally_of
from grader.reports.class_summary import Tally
from grader.reports.files import report_files
from grader.reports.making import ReportMaking, ReportParts
from grader.reports.options import Options
from grader.reports.registry import CLASS_OUTPUTS, OUTPUTS
from solver.kernel import Limits, UsageError


@command("grade")
@click.argument("exercise", type=INPUT, metavar="EXERCISE")
@answers_argument
@chosen("--format", "-f", what="format", among=MARK_FORMATS, default="text", help=f"{', '.join(MARK_FORMATS)}.")
@chosen(
    "--feedback",
    what="feedback",
    among=LEVELS,
    default="full",
    metavar="LEVEL",
    help=f"How much feedback students get: {', '.join(LEVELS)}.",
)
@own_language_option
@option("--out", "-o", type=FILE, metavar="DIR", help="Write the results into this folder.")
@option("--summary", type=FILE, metavar="FILE", help="Write a class summary: .html, .csv or .txt.")
@chosen(
    "--gradebook",
    what="gradebook",
    among=GRADEBOOKS,
    default="plain",
    help=f"csv columns: {', '.join(GRADEBOOKS)}.",
)
@option(
    "--grade-item",
    default="",
    metavar="NAME",
    help="csv: what the gradebook calls the total, such as 'Homework 3 (4711)' in Canvas.",
)
@chosen(
    "--visibility",
    what="visibility",
    among=VISIBILITIES,
    default="after_published",
    metavar="WHEN",
    help=f"gradescope: {', '.join(VISIBILITIES)}.",
)
@chosen(
    "--zip",
    what="learning system",
    among=FEEDBACK_ZIPS,
    default=None,
    metavar="SYSTEM",
    help=f"html, pdf: also an archive to upload there: {', '.join(FEEDBACK_ZIPS)}.",
)
@option("--review", type=FILE, metavar="CSV", help="Write a list of what a person should look at.")
@overrides_option
@duplicates_option
@roster_option
@secret_option
@jobs_option
@quiet_option
@limits_option
def grade(
    exercise: str,
    answers: tuple[str, ...],
    format: str,
    feedback: str,
    language: str | None,
    out: Path | None,
    summary: Path | None,
    review: Path | None,
    overrides: Path | None,
    duplicates: str,
    roster: Path | None,
    secret_file: Path | None,
    gradebook: str,
    grade_item: str,
    visibility: str,
    zip: str | None,
    jobs: int | None,
    quiet: bool,
    limits: Limits,
) -> int:
    """Mark answers to an exercise: partial credit, follow-through, other conventions, likely mistakes.

    EXERCISE is an exercise, a folder of variants or an exam. ANSWER is a file of answers (.yaml, .json, .jsonl, .csv)
    or a folder; - reads stdin.
    """
    if out is not None and out.exists() and not out.is_dir():
        raise UsageError(f"--out is a folder to write into, and {out} is a file")
    if format in PAGE_FORMATS and out is None:
        raise UsageError(f"--format {format} writes a page for each student, so it needs --out DIR")
    if zip is not None and format not in PAGE_FORMATS:
        raise UsageError(f"--zip packs pages of feedback, so it needs --format {' or '.join(PAGE_FORMATS)}")
    if summary is not None:
        summary_kind(summary)
    handed_out = load_handed_out(exercise, limits)
    people = None if roster is None else read_roster(read_beside(roster, limits), roster.name)
    whose = whose_of(handed_out, exercise, people, read_secret(secret_file, limits))
    found = collect(answers, handed_out, limits, people, whose)
    options = Options(
        words_of(language or handed_out.language),
        level=feedback,
        gradebook=gradebook,
        visibility=visibility,
        in_students_language=language is None,
        several=found.several,
        title=handed_out.title or "",
        grade_item=grade_item,
        roster=people,
        name_variants=handed_out.has_variants,
    )
    by_hand = load_overrides(overrides, limits)
    theirs = whose.variants if isinstance(whose, WhoseParts) else None
    attempts = found.attempts()
    run = Run[ReportParts](found, attempts, duplicates, by_hand)
    tally, to_review = tally_of(handed_out, feedback), Review()
    making = ReportMaking(handed_out, options, _part(format), theirs, summary is not None, review is not None)
    # Reports that are printed one by one would be in the way of a bar, and it in theirs.
    bar = out is not None or OUTPUTS[format].one_file or not sys.stdout.isatty()
    with (
        stoppable(run, attempts.total),
        closing(marked(run, making, by_hand, jobs, attempts.total, quiet, bar)) as made,
    ):
        is_packed = _write(_counted(made, tally, to_review), format, options, handed_out.id, out, zip)
        if summary is not None:
            summed = tally.summary(run.broken, run.passed_over)
            write_file(summary, CLASS_OUTPUTS[summary_kind(summary)](summed, options))
        if review is not None:
            write_file(review, to_review.sheet())
            if not quiet:
                print(f"{len(to_review.rows):,} to look at, in {review}", file=sys.stderr)
    code = sum_up(run, found, not_applied(by_hand, overrides), run.counted, quiet)
    return code if is_packed else 1


def _part(format: str) -> Callable[[AnyReport, Options], Any]:
    return partial(page_part, format) if format in PAGE_FORMATS else OUTPUTS[format].part


def _counted(made: Iterable[ReportParts], tally: Tally | ExamTally, to_review: Review) -> Iterator[tuple[str, Any]]:
    """Students, and what is written of their reports."""
    for each in made:
        if each.counts is not None:
            tally.add_counts(each.counts)
        to_review.add_rows(each.rows)
        yield each.student, each.output


def _write(
    parts: Iterable[tuple[str, Any]], format: str, options: Options, name: str, out: Path | None, zip: str | None
) -> bool:
    """To stdout or as files; False where an archive of them lacks somebody's."""
    if out is None:
        for content in OUTPUTS[format].together((part for _, part in parts), options):
            sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    elif format in PAGE_FORMATS:
        return write_pages(named_files((part for _, part in parts), format, options), out, zip, options.roster)
    else:
        for file, content in report_files(parts, OUTPUTS[format], options, name):
            write_file(out / file, content)
    return True


def summary_kind(path: Path) -> str:
    """Which of the class outputs a file's name asks for."""
    kind = {".txt": "text", ".csv": "csv", ".html": "html"}.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"a class summary is .html, .csv or .txt, not {path.name!r}")
    return kind
