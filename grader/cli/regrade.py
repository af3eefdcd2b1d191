"""`plymark regrade`: what corrected exercises change; nothing is written."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from grader.cli.command import chosen, command
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
    INPUT,
    answers_argument,
    cluster_option,
    duplicates_option,
    jobs_option,
    limits_option,
    overrides_option,
    own_language_option,
    quiet_option,
    roster_option,
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
from solver.kernel import Limits


@command("regrade")
@click.argument("old", type=INPUT, metavar="OLD")
@click.argument("new", type=INPUT, metavar="NEW")
@answers_argument
@chosen(
    "--format",
    "-f",
    what="format",
    among=CHANGE_FORMATS,
    default="text",
    help=f"{' or '.join(CHANGE_FORMATS)}.",
)
@chosen(
    "--feedback",
    what="feedback",
    among=LEVELS,
    default="full",
    metavar="LEVEL",
    help=f"How much of the explanation to show: {', '.join(LEVELS)}.",
)
@own_language_option
@overrides_option
@duplicates_option
@roster_option
@jobs_option
@cluster_option
@quiet_option
@limits_option
def regrade(
    old: str,
    new: str,
    answers: tuple[str, ...],
    format: str,
    feedback: str,
    language: str | None,
    overrides: Path | None,
    duplicates: str,
    roster: Path | None,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
    limits: Limits,
) -> int:
    """Show what a corrected exercise changes for each student, before it is applied.

    OLD and NEW are the exercise before and after the correction, two folders of variants or two exams.
    ANSWER is a file of answers (.yaml, .json, .jsonl, .csv) or a folder; - reads stdin.
    """
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
