"""What commands share: options, and the games that they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.command import choice, completing, refuse_idle
from grader.cli.command_outcome import hint_of, report_problems
from grader.kernel.option_values import DUPLICATES, known_convention
from solver.game import CONVENTIONS
from solver.jobs import Source, failure_of, tree_source
from solver.kernel import DocumentError, Limits, UsageError
from solver.languages import LANGUAGES
from solver.pipeline import load_tree, read_file
from solver.search import ALGORITHMS

SEARCH = "Search"
"""The heading of options that say which search is meant."""

# Whether a file can be read is found out, and said, by whoever reads it.
LimitSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=NUMBER",
        autocompletion=completing(f"{limit.name}=" for limit in fields(Limits)),
        help="Change a limit, such as nodes=20000; can be repeated.",
    ),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, metavar="N", help="Number of processes (default: all cores).")
]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://10.0.0.5:8786."),
]
Timeout = Annotated[float | None, typer.Option("--timeout", metavar="S", help="Skip a file after this many seconds.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that already exist in --out.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print results and problems only.")]
GameTree = Annotated[
    str | None, typer.Option("--tree", metavar="TEXT", help="A tree instead of a file: '[[3,12],[2,4]]'.")
]
Games = Annotated[
    list[str] | None,
    typer.Argument(metavar="PATH", help="Games, folders, archives or .jsonl; - reads stdin."),
]
Algorithm = Annotated[
    str,
    choice(
        "--algorithm",
        "-a",
        what="algorithm",
        among=["auto", *ALGORITHMS],
        rich_help_panel=SEARCH,
        help=f"auto, {', '.join(ALGORITHMS)}.",
    ),
]
ConventionText = Annotated[
    str,
    typer.Option(
        "--convention",
        "-c",
        metavar="NAME",
        callback=known_convention,
        autocompletion=completing(CONVENTIONS),
        rich_help_panel=SEARCH,
        help=f"{', '.join(CONVENTIONS)}, or a mapping such as '{{like: aima3, cut: past-bound}}'.",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        "--depth",
        "-d",
        min=0,
        metavar="N",
        rich_help_panel=SEARCH,
        help="Stop at this depth and use the estimates there.",
    ),
]
Steps = Annotated[
    int | None, typer.Option("--steps", min=1, metavar="N", rich_help_panel=SEARCH, help="mcts: number of steps.")
]
Seed = Annotated[
    int,
    typer.Option("--seed", min=0, metavar="S", rich_help_panel=SEARCH, help="mcts: seed of the playouts."),
]
Digits = Annotated[
    int,
    typer.Option("--digits", min=0, max=100, metavar="D", rich_help_panel=SEARCH, help="mcts: decimals to print."),
]
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
RosterFile = Annotated[
    Path | None,
    typer.Option(
        "--roster",
        readable=False,
        metavar="CSV",
        help="Student names, logins and e-mail addresses, to identify responses.",
    ),
]
SecretFile = Annotated[
    Path | None,
    typer.Option(
        "--secret-file",
        readable=False,
        metavar="FILE",
        help="A file with the secret used to assign variants to students.",
    ),
]
OverridesFile = Annotated[
    Path | None,
    typer.Option(
        "--overrides", readable=False, metavar="CSV", help="Marks given by hand: the list of --review, filled in."
    ),
]
DuplicatesChoice = Annotated[
    str,
    choice(
        "--duplicates",
        what="choice of duplicates",
        among=DUPLICATES,
        metavar="WHICH",
        help=f"Which of several answers by one student counts: {' or '.join(DUPLICATES)}.",
    ),
]
Answers = Annotated[
    list[str],
    typer.Argument(metavar="ANSWER", help="Files of answers (.yaml, .json, .jsonl, .csv) or folders; - reads stdin."),
]

Exercises = Annotated[list[str], typer.Argument(metavar="EXERCISE", help="Exercises, folders of them or an exam.")]
ToWrite = Annotated[
    Path, typer.Option("--out", "-o", readable=False, metavar="PATH", help="The file or folder to write.")
]


def refuse_idle_sampling(context: typer.Context, algorithm: str, *others: str) -> None:
    """UsageError for options of MCTS with another algorithm, which auto never is."""
    if algorithm != "mcts":
        refuse_idle(context, "it is for --algorithm mcts", "steps", "seed", *others)


def limits_from(settings: list[str] | None) -> Limits:
    return Limits().with_settings(settings or [])


def read_beside(path: Path, limits: Limits) -> bytes:
    """A file that an option names; UsageError if it cannot be read."""
    try:
        return read_file(path, limits)
    except DocumentError as error:
        hint = hint_of(str(path), error.problems[0])
        raise UsageError(f"{path}: {error.problems[0].message}{f'; {hint}' if hint else ''}") from None


def read_secret(path: Path | None, limits: Limits) -> bytes:
    """What --secret-file names; nothing without it."""
    if path is None:
        return b""
    secret = read_beside(path, limits).strip()
    if not secret:
        raise UsageError(f"{path} is empty; write any text into it that students do not know")
    return secret


def are_several(sources: Sequence[Source]) -> bool:
    """A folder counts as several files, however many it holds."""
    return len(sources) != 1 or sources[0].in_folder


def checked_tree(text: str, limits: Limits) -> Source:
    """The source for --tree; a text that is no tree is wrong use."""
    source = tree_source(text)
    try:
        load_tree(text, limits)
    except DocumentError as error:
        report_problems(failure_of(source, error))
        raise typer.Exit(2) from None
    return source
