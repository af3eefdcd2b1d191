"""`plymark regrade`: what corrected exercises change; nothing is written."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from grader.cli.command import Command, choice, typer_app
from grader.cli.loading import load_handed_out
from grader.cli.marked import (
    Markers,
    attempts_of,
    far,
    load_overrides,
    marked,
    not_applied,
    read_people,
    sum_up,
    whose_of,
)
from grader.cli.options import (
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
from grader.cli.outcome import stoppable
from grader.documents.exam import Exam
from grader.intake.collect import collect
from grader.kernel.choices import CHANGE_FORMATS, LEVELS
from grader.languages.words import words_of
from grader.marking.duplicates import LATEST
from grader.marking.run import Run
from grader.people.whose import WhoseParts
from grader.reports.options import Options
from grader.reports.registry import CHANGES_OUTPUTS
from grader.reports.regrade import Change, Regrading, regraded

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
    whose = whose_of(before, old, people, b"") if isinstance(before, Exam) else None
    theirs = whose.variants if isinstance(whose, WhoseParts) else None
    by_hand = load_overrides(overrides, limits)
    options = Options(words_of(language or after.language), level=feedback)
    regrading = Regrading(before, after, feedback, theirs)
    with closing(collect(answers, before, limits, people, whose)) as found:
        attempts = attempts_of(found, quiet)
        # Where the best counts, that may be another one after the correction.
        run = Run[Change](found, attempts if duplicates == LATEST else None, overrides=by_hand)
        with (
            stoppable(lambda: far(run, attempts.total)),
            closing(marked(run, regrading, by_hand, markers, attempts.total, quiet)) as changes,
        ):
            made = regraded(before, after, changes)
    sys.stdout.buffer.write(CHANGES_OUTPUTS[format](made, options))
    sys.stdout.buffer.flush()
    return sum_up(run, found, not_applied(by_hand, overrides), quiet=quiet)
