"""`plymark regrade`: what a corrected exercise changes; nothing is written."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from grader.choices import CHANGE_FORMATS
from grader.collecting import collect
from grader.commands.grade import Marking
from grader.commands.loading import one_exercise
from grader.commands.options import Answers, LimitSettings, OwnLanguage, one_of
from grader.outputs.options import Options
from grader.outputs.registry import CHANGES_OUTPUTS
from grader.regrading import regraded
from grader.words import words_of
from solver import LANGUAGES, Limits


def regrade(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The exercise as it was.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The exercise as corrected.")],
    answers: Answers,
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", help=f"{', '.join(CHANGE_FORMATS)}.", autocompletion=lambda: list(CHANGE_FORMATS)
        ),
    ] = "text",
    language: OwnLanguage = None,
    limit: LimitSettings = None,
) -> None:
    """Show what a corrected exercise changes, for each student, before it is applied."""
    raise typer.Exit(
        _regrade(
            old,
            new,
            answers,
            format=one_of("format", format, list(CHANGE_FORMATS)),
            language=None if language is None else one_of("language", language, list(LANGUAGES)),
            limits=Limits().with_settings(limit or []),
        )
    )


def _regrade(old: str, new: str, answers: list[str], format: str, language: str | None, limits: Limits) -> int:
    """Show what a corrected exercise changes; nothing is written."""
    before, after = one_exercise(old, limits), one_exercise(new, limits)
    found = collect(answers, before, limits)
    marking = Marking(before, found)
    options = Options(words_of(language or after.language))
    sys.stdout.buffer.write(CHANGES_OUTPUTS[format](regraded(before, after, marking.answers()), options))
    sys.stdout.buffer.flush()
    return marking.finish()
