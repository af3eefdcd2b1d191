"""`plymark regrade`: what corrected exercises change; nothing is written."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from grader.cli.command import Command, choice, typer_app
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
    limits_from,
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
from grader.documents.exam import Exam
from grader.intake.answer_collection import collect
from grader.kernel.option_values import CHANGE_FORMATS, LEVELS
from grader.languages import words_of
from grader.marking.duplicates import LATEST
from grader.marking.run import Run
from grader.people.variant_ownership import ExamOwnership
from grader.reports.output_options import OutputOptions
from grader.reports.regrade_report import Change, Regrading, report_regrade
from grader.reports.report_outputs import CHANGES_OUTPUTS

app = typer_app()


@app.command(cls=Command)
def regrade(
    old: Annotated[
        str,
        typer.Argument(metavar="OLD", help="The exercise before the correction, or a folder of variants or an exam."),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same after the correction.")],
    answers: Answers,
    format: Annotated[
        str, choice("--format", "-f", what="format", among=CHANGE_FORMATS, help=f"{' or '.join(CHANGE_FORMATS)}.")
    ] = "text",
    feedback: Annotated[
        str,
        choice(
            "--feedback",
            what="feedback",
            among=LEVELS,
            metavar="LEVEL",
            help=f"How much of the explanation to show: {', '.join(LEVELS)}.",
        ),
    ] = "full",
    language: OwnLanguage = None,
    overrides: OverridesFile = None,
    duplicates: DuplicatesChoice = "latest",
    roster: RosterFile = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    quiet: Quiet = False,
    limit: LimitSettings = None,
) -> int:
    """Show what a corrected exercise changes for each student, before it is applied."""
    limits = limits_from(limit)
    markers = Markers(jobs, cluster)
    markers.check()
    before, after = (load_handed_out(path, limits) for path in (old, new))
    people = read_people(roster, limits)
    ownership = ownership_of(before, old, people, b"") if isinstance(before, Exam) else None
    theirs = ownership.variants if isinstance(ownership, ExamOwnership) else None
    by_hand = load_overrides(overrides, limits)
    options = OutputOptions(words_of(language or after.language), level=feedback)
    regrading = Regrading(before, after, feedback, theirs)
    with closing(collect(answers, before, limits, people, ownership)) as collection:
        attempts = attempts_of(collection, quiet)
        # Where the best counts, that may be another one after the correction.
        run = Run[Change](collection, attempts if duplicates == LATEST else None, overrides=by_hand)
        with (
            stoppable(lambda: marking_progress(run, attempts.total)),
            closing(mark_answers(run, regrading, by_hand, markers, attempts.total, quiet)) as changes,
        ):
            report = report_regrade(before, after, changes)
    sys.stdout.buffer.write(CHANGES_OUTPUTS[format](report, options))
    sys.stdout.buffer.flush()
    return report_run(run, collection, unapplied_overrides(by_hand, overrides), quiet=quiet)
