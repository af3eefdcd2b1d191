"""`plymark grade`: answers in, marks out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli.command import Command, choice, refuse_idle, typer_app
from grader.cli.command_options import (
    Answers,
    Cluster,
    DuplicatesChoice,
    Jobs,
    LimitSettings,
    OverridesFile,
    OwnLanguage,
    Quiet,
    RosterFile,
    SecretFile,
    limits_from,
    read_secret,
)
from grader.cli.command_outcome import stoppable
from grader.cli.exercise_arguments import load_handed_out
from grader.cli.marking_run import (
    Markers,
    attempts_of,
    load_overrides,
    mark_answers,
    marking_progress,
    ownership_of,
    read_people,
    report_run,
    unapplied_overrides,
)
from grader.documents.exam import Exam, Variants
from grader.feedback.files import FeedbackFile, named_files, page_part
from grader.feedback.zips import FeedbackZip
from grader.intake.answer_collection import Collection, collect
from grader.kernel.atomic_files import write_file
from grader.kernel.display_text import terminal_text
from grader.kernel.option_values import FEEDBACK_ZIPS, GRADEBOOKS, LEVELS, MARK_FORMATS, PAGE_FORMATS, VISIBILITIES
from grader.languages import words_of
from grader.marking.exam_report import AnyReport
from grader.marking.review import Review
from grader.marking.run import Run
from grader.people.roster import Roster
from grader.people.variant_ownership import ExamOwnership, VariantOwnership
from grader.reports.class_summary import ExamTally, Tally, tally_of
from grader.reports.output_options import OutputOptions
from grader.reports.report_outputs import CLASS_OUTPUTS, OUTPUTS, ReportMaker, ReportParts, report_files
from solver.kernel import Limits, UsageError

app = typer_app()


@app.command(cls=Command)
def grade(
    context: typer.Context,
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE", help="An exercise, a folder of variants or an exam.")],
    answers: Answers,
    format: Annotated[
        str, choice("--format", "-f", what="format", among=MARK_FORMATS, help=f"{', '.join(MARK_FORMATS)}.")
    ] = "text",
    feedback: Annotated[
        str,
        choice(
            "--feedback",
            what="feedback",
            among=LEVELS,
            metavar="LEVEL",
            help=f"How much feedback students get: {', '.join(LEVELS)}.",
        ),
    ] = "full",
    language: OwnLanguage = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", readable=False, metavar="DIR", help="Write the results into this folder."),
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option("--summary", readable=False, metavar="FILE", help="Write a class summary: .html, .csv or .txt."),
    ] = None,
    gradebook: Annotated[
        str,
        choice("--gradebook", what="gradebook", among=GRADEBOOKS, help=f"csv columns: {', '.join(GRADEBOOKS)}."),
    ] = "plain",
    grade_item: Annotated[
        str,
        typer.Option(
            "--grade-item",
            metavar="NAME",
            help="csv: what the gradebook calls the total, such as 'Homework 3 (4711)' in Canvas.",
        ),
    ] = "",
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
    zip: Annotated[
        str | None,
        choice(
            "--zip",
            what="learning system",
            among=FEEDBACK_ZIPS,
            metavar="SYSTEM",
            help=f"html, pdf: also write an archive to upload to this system ({', '.join(FEEDBACK_ZIPS)}).",
        ),
    ] = None,
    review: Annotated[
        Path | None,
        typer.Option("--review", readable=False, metavar="CSV", help="Write a list of what a person should look at."),
    ] = None,
    overrides: OverridesFile = None,
    duplicates: DuplicatesChoice = "latest",
    roster: RosterFile = None,
    secret_file: SecretFile = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    quiet: Quiet = False,
    limit: LimitSettings = None,
) -> int:
    """Mark answers to an exercise: partial credit, follow-through, other conventions, likely mistakes."""
    asked = GradeOptions(
        format=format,
        feedback=feedback,
        language=language,
        out=out,
        summary=summary,
        review=review,
        overrides=overrides,
        duplicates=duplicates,
        roster=roster,
        secret_file=secret_file,
        gradebook=gradebook,
        grade_item=grade_item,
        visibility=visibility,
        zip=zip,
        jobs=jobs,
        cluster=cluster,
        quiet=quiet,
        limits=limits_from(limit),
    )
    asked.check()
    if format != "csv":
        refuse_idle(context, "it is for --format csv", "gradebook", "grade_item")
    elif summary is None:
        refuse_idle(context, "a gradebook has marks only; it is also for --summary", "feedback")
    if gradebook == "plain":
        refuse_idle(context, "it is for --gradebook canvas or moodle", "grade_item")
    if format != "gradescope":
        refuse_idle(context, "it is for --format gradescope", "visibility")
    handed_out = load_handed_out(exercise, asked.limits)
    if not handed_out.has_variants:
        refuse_idle(context, "there is one variant only", "secret_file")
    people = read_people(roster, asked.limits)
    ownership = ownership_of(handed_out, exercise, people, read_secret(secret_file, asked.limits))
    with closing(collect(answers, handed_out, asked.limits, people, ownership)) as collection:
        return _grade(asked, handed_out, ownership, collection, asked.told(handed_out, people, collection.several))


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeOptions:
    """The options of the command."""

    format: str
    feedback: str
    language: str | None
    out: Path | None
    summary: Path | None
    review: Path | None
    overrides: Path | None
    duplicates: str
    roster: Path | None
    secret_file: Path | None
    gradebook: str
    grade_item: str
    visibility: str
    zip: str | None
    jobs: int | None
    cluster: str | None
    quiet: bool
    limits: Limits

    def check(self) -> None:
        """UsageError, before anything is read."""
        self.markers.check()
        if self.out is not None and self.out.exists() and not self.out.is_dir():
            raise UsageError(f"--out is a folder to write into, and {self.out} is a file")
        if self.format in PAGE_FORMATS and self.out is None:
            raise UsageError(f"--format {self.format} writes a page for each student, so it needs --out DIR")
        if self.zip is not None and self.format not in PAGE_FORMATS:
            raise UsageError(f"--zip packs pages of feedback, so it needs --format {' or '.join(PAGE_FORMATS)}")
        if self.summary is not None:
            summary_kind(self.summary)

    @property
    def markers(self) -> Markers:
        return Markers(self.jobs, self.cluster)

    def told(self, handed_out: Variants | Exam, people: Roster | None, several: bool) -> OutputOptions:
        """How reports are written."""
        return OutputOptions(
            words_of(self.language or handed_out.language),
            level=self.feedback,
            gradebook=self.gradebook,
            visibility=self.visibility,
            in_students_language=self.language is None,
            several=several,
            title=handed_out.title or "",
            grade_item=self.grade_item,
            roster=people,
            name_variants=handed_out.has_variants,
        )


def _grade(
    asked: GradeOptions,
    handed_out: Variants | Exam,
    ownership: VariantOwnership | ExamOwnership,
    collection: Collection,
    options: OutputOptions,
) -> int:
    by_hand = load_overrides(asked.overrides, asked.limits)
    theirs = ownership.variants if isinstance(ownership, ExamOwnership) else None
    attempts = attempts_of(collection, asked.quiet)
    run = Run[ReportParts](collection, attempts, asked.duplicates, by_hand)
    tally, to_review = tally_of(handed_out, asked.feedback), Review()
    summed, listed = asked.summary is not None, asked.review is not None
    making = ReportMaker(handed_out, options, _part(asked.format), theirs, summed, listed)
    # Reports that are printed one by one would be in the way of a bar, and it in theirs.
    bar = asked.out is not None or OUTPUTS[asked.format].one_file or not sys.stdout.isatty()
    with (
        stoppable(lambda: marking_progress(run, attempts.total)),
        closing(mark_answers(run, making, by_hand, asked.markers, attempts.total, asked.quiet, bar)) as report_parts,
    ):
        parts = _counted(report_parts, tally, to_review)
        is_packed = _write(parts, asked.format, options, handed_out.id, asked.out, asked.zip)
        if asked.summary is not None:
            whole = tally.summary(run.broken, run.passed_over)
            write_file(asked.summary, CLASS_OUTPUTS[summary_kind(asked.summary)](whole, options))
        if asked.review is not None:
            write_file(asked.review, to_review.sheet())
            if not asked.quiet:
                print(f"{len(to_review.rows):,} to look at, in {asked.review}", file=sys.stderr)
    code = report_run(run, collection, unapplied_overrides(by_hand, asked.overrides), run.counted, asked.quiet)
    return code if is_packed else 1


def _part(format: str) -> Callable[[AnyReport, OutputOptions], Any]:
    return partial(page_part, format) if format in PAGE_FORMATS else OUTPUTS[format].part


def _counted(
    report_parts: Iterable[ReportParts], tally: Tally | ExamTally, to_review: Review
) -> Iterator[tuple[str, Any]]:
    """Students, and what is written of their reports."""
    for each in report_parts:
        if each.counts is not None:
            tally.add_counts(each.counts)
        to_review.add_rows(each.rows)
        yield each.student, each.output


def _write(
    parts: Iterable[tuple[str, Any]], format: str, options: OutputOptions, name: str, out: Path | None, zip: str | None
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


def write_pages(files: Iterable[FeedbackFile], out: Path, system: str | None, roster: Roster | None) -> bool:
    """Whether everybody's page could be packed, if that was asked for; the others are named."""
    packed = None if system is None else FeedbackZip(system, roster)
    for file in files:
        write_file(out / file.name, file.content)
        if packed is not None:
            packed.add(file)
    if packed is None:
        return True
    archive = out / f"feedback-{system}.zip"
    write_file(archive, packed.finished())
    for student in packed.left_out:
        print(f"{archive}: {terminal_text(student)} is not in it: {packed.without}", file=sys.stderr)
    return not packed.left_out
