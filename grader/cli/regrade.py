"""`plymark regrade`: what corrected exercises change; nothing is written."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from grader.cli.loading import load_exercises
from grader.cli.marked import sum_up, without_broken
from grader.cli.options import Answers, LimitSettings, OwnLanguage, RosterFile, one_of, read_beside
from grader.intake.collect import collect
from grader.kernel.choices import CHANGE_FORMATS
from grader.languages.words import words_of
from grader.marking.run import Run
from grader.people.roster import read_roster
from grader.people.variants import variants_of
from grader.reports.options import Options
from grader.reports.registry import CHANGES_OUTPUTS
from grader.reports.regrade import regraded
from solver.kernel import Limits
from solver.languages import LANGUAGES


def regrade(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The exercise as it was, or a folder of variants.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The exercise as corrected, or the folder.")],
    answers: Answers,
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", help=f"{', '.join(CHANGE_FORMATS)}.", autocompletion=lambda: list(CHANGE_FORMATS)
        ),
    ] = "text",
    language: OwnLanguage = None,
    roster: RosterFile = None,
    limit: LimitSettings = None,
) -> None:
    """Show what a corrected exercise changes, for each student, before it is applied."""
    limits = Limits().with_settings(limit or [])
    output = CHANGES_OUTPUTS[one_of("format", format, list(CHANGE_FORMATS))]
    if language is not None:
        one_of("language", language, list(LANGUAGES))
    before, after = (variants_of(load_exercises([path], limits)) for path in (old, new))
    people = None if roster is None else read_roster(read_beside(roster, limits), roster.name)
    found = collect(answers, before, limits, people)
    run = Run(found, before.of)
    options = Options(words_of(language or after.first.language))
    sys.stdout.buffer.write(output(regraded(before, after, without_broken(run.answers())), options))
    sys.stdout.buffer.flush()
    raise typer.Exit(sum_up(run, found))
