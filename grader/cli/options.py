"""What commands share: options, and the games that they mean."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.outcome import report_problems
from solver.game import CONVENTIONS
from solver.jobs import Source, failed, sources, tree_source
from solver.kernel import DocumentError, Limits, UsageError
from solver.languages import LANGUAGES
from solver.pipeline import load_tree, read_file
from solver.search import ALGORITHMS

Jobs = Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Processes to use; all cores without it.")]
LimitSettings = Annotated[
    list[str] | None,
    typer.Option("--limit", metavar="NAME=NUMBER", help="Set a limit, such as nodes=20000 or nesting=200."),
]

ConventionText = Annotated[
    str,
    typer.Option(
        "--convention",
        "-c",
        help=f"{', '.join(CONVENTIONS)}, or a mapping such as '{{like: aima3, cut: past-bound}}'.",
        autocompletion=lambda: list(CONVENTIONS),
    ),
]

TreeText = Annotated[
    str | None, typer.Option("--tree", metavar="TEXT", help="A tree in place of a file: '[[3,12],[2,4]]'.")
]
AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm", "-a", help=f"auto, {', '.join(ALGORITHMS)}.", autocompletion=lambda: ["auto", *ALGORITHMS]
    ),
]
Depth = Annotated[
    int | None, typer.Option("--depth", "-d", min=0, help="Search only so deep, and use the estimates there.")
]
Steps = Annotated[int | None, typer.Option("--steps", min=1, help="mcts: how many steps to make.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="mcts: what the drawn playouts depend on.")]
Digits = Annotated[int, typer.Option("--digits", min=0, max=100, help="mcts: decimals to print.")]
LanguageCode = Annotated[
    str,
    typer.Option(
        "--language",
        "-l",
        metavar="CODE",
        help=", ".join(f"{code} ({name})" for code, name in LANGUAGES.items()) + ".",
        autocompletion=lambda: list(LANGUAGES),
    ),
]

OwnLanguage = Annotated[
    str | None,
    typer.Option(
        "--language",
        "-l",
        metavar="CODE",
        help=f"{', '.join(LANGUAGES)}; the exercise's own without it.",
        autocompletion=lambda: list(LANGUAGES),
    ),
]
RosterFile = Annotated[
    Path | None,
    typer.Option("--roster", metavar="CSV", help="Names, logins and e-mail addresses, for a system's responses."),
]
SecretFile = Annotated[
    Path | None,
    typer.Option("--secret-file", metavar="FILE", help="What decides, beside the student, who gets which variant."),
]
Answers = Annotated[
    list[str], typer.Argument(metavar="ANSWER", help="Answers: files, folders, .jsonl, .csv; - reads stdin.")
]


def read_beside(path: Path, limits: Limits) -> bytes:
    """A file that an option names; UsageError if it cannot be read."""
    try:
        return read_file(path, limits)
    except DocumentError as error:
        raise UsageError(f"{path}: {error.problems[0].message}") from None


def read_secret(path: Path, limits: Limits) -> bytes:
    secret = read_beside(path, limits).strip()
    if not secret:
        raise UsageError(f"{path} is empty; write any text into it that students do not know")
    return secret


def is_several(found: list[Source]) -> bool:
    """A folder counts as several files, however many it holds."""
    return len(found) != 1 or found[0].in_folder


def one_game(command: str, path: str | None, tree: str | None, limits: Limits) -> Source:
    """The game of a command that takes one, from a file or from --tree."""
    if (path is None) == (tree is None):
        raise UsageError("give a PATH or --tree, one of the two")
    if tree is not None:
        return checked_tree(tree, limits)
    assert path is not None
    if os.path.isdir(path):
        raise UsageError(f"{command} takes one game, not a folder: {path}")
    return sources([path])[0]


def one_of(what: str, name: str, names: list[str]) -> str:
    if name not in names:
        raise UsageError(f"there is no {what} {name!r}; the names are {', '.join(names)}")
    return name


def checked_tree(text: str, limits: Limits) -> Source:
    """The source for --tree; a text that is no tree is wrong use."""
    source = tree_source(text)
    try:
        load_tree(text, limits)
    except DocumentError as error:
        report_problems(failed(source, error))
        raise typer.Exit(2) from None
    return source
