"""The options of commands that speak: the others do not load the languages."""

from __future__ import annotations

from typing import Annotated

from grader.cli.command import choice
from solver.languages import LANGUAGES

LanguageName = Annotated[
    str, choice("--language", "-l", what="language", among=LANGUAGES, metavar="CODE", help=f"{', '.join(LANGUAGES)}.")
]
OwnLanguage = Annotated[
    str | None,
    choice(
        "--language",
        "-l",
        what="language",
        among=LANGUAGES,
        metavar="CODE",
        help=f"{', '.join(LANGUAGES)} (default: the exercise's language).",
    ),
]
