"""`plymark grade`: answers in, marks out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from grader.cli.command import chosen, command, option
from grader.cli.loading import load_handed_out
from grader.cli.marked import load_overrides, not_applied, sum_up, whose_of, without_broken
from grader.cli.options import (
    FILE,
    INPUT,
    answers_argument,
    duplicates_option,
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
from grader.feedback.files import feedback_files
from grader.intake.collect import collect
from grader.kernel.choices import FEEDBACK_ZIPS, GRADEBOOKS, LEVELS, MARK_FORMATS, PAGE_FORMATS, VISIBILITIES
from grader.kernel.files import write_file
from grader.languages.words import words_of
from grader.marking.exam_report import AnyReport
from grader.marking.graders import grader_of
from grader.marking.review import Review
from grader.marking.run import Run
from grader.people.roster import read_roster
from grader.people.whose import WhoseParts
from grader.reports.class_exam import ExamTally, tally_of
from grader.reports.class_summary import Tally
from grader.reports.files import report_files
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
    run = Run(found, grader_of(handed_out, theirs).grade, by_hand, found.attempts(), duplicates)
    tally, to_review = tally_of(handed_out, feedback), Review(several=handed_out.has_variants)
    reports = _counted(without_broken(run.reports()), tally, to_review)
    is_packed = True
    if out is None:
        for part in OUTPUTS[format].write(reports, options):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
    elif format in PAGE_FORMATS:
        is_packed = write_pages(feedback_files(reports, format, options), out, zip, people)
    else:
        for name, content in report_files(reports, OUTPUTS[format], options, handed_out.id):
            write_file(out / name, content)
    if summary is not None:
        made = tally.summary(run.broken, run.passed_over)
        write_file(summary, CLASS_OUTPUTS[summary_kind(summary)](made, options))
    if review is not None:
        write_file(review, to_review.sheet())
        if not quiet:
            print(f"{len(to_review.rows):,} to look at, in {review}", file=sys.stderr)
    code = sum_up(run, found, not_applied(by_hand, overrides), quiet)
    return code if is_packed else 1


def _counted(reports: Iterable[AnyReport], tally: Tally | ExamTally, to_review: Review) -> Iterator[AnyReport]:
    for report in reports:
        tally.add(report)
        to_review.add(report)
        yield report


def summary_kind(path: Path) -> str:
    """Which of the class outputs a file's name asks for."""
    kind = {".txt": "text", ".csv": "csv", ".html": "html"}.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"a class summary is .html, .csv or .txt, not {path.name!r}")
    return kind
