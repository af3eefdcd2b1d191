"""What commands share: options, and the games that they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import click

from grader.cli.command import all_of, chosen, completing, option
from grader.cli.hints import hint_of
from grader.cli.outcome import report_problems
from grader.kernel.choices import DUPLICATES
from grader.kernel.chosen import known_convention
from solver.game import CONVENTIONS
from solver.jobs import Source, failed, tree_source
from solver.kernel import DocumentError, Limits, UsageError
from solver.languages import LANGUAGES
from solver.pipeline import load_tree, read_file
from solver.search import ALGORITHMS

# Whether they can be read is found out, and said, by whoever reads them.
FILE = click.Path(readable=False, path_type=Path)
INPUT = click.Path(readable=False)
"""A path as it was written, or - for stdin."""
SEARCH = "Search"
"""The heading of options that say which search is meant."""


def _limits(_context: click.Context, _option: click.Parameter, settings: tuple[str, ...]) -> Limits:
    return Limits().with_settings(list(settings))


limits_option = option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=NUMBER",
    callback=_limits,
    shell_complete=completing(f"{each.name}=" for each in fields(Limits)),
    help="Change a limit, such as nodes=20000; can be repeated.",
)
jobs_option = option(
    "--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Number of processes (default: all cores)."
)
cluster_option = option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://10.0.0.5:8786.")
timeout_option = option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Skip a file after this many seconds.",
)
quiet_option = option("--quiet", "-q", is_flag=True, help="Print results and problems only.")
tree_option = option("--tree", metavar="TEXT", help="A tree instead of a file: '[[3,12],[2,4]]'.")


def _convention(_context: click.Context, _option: click.Parameter, text: str) -> str:
    return known_convention(text)


convention_option = option(
    "--convention",
    "-c",
    default="aima3",
    metavar="NAME",
    group=SEARCH,
    callback=_convention,
    choices=list(CONVENTIONS),
    shell_complete=completing(CONVENTIONS),
    help=f"{', '.join(CONVENTIONS)}, or a mapping such as '{{like: aima3, cut: past-bound}}'.",
)
search_options = all_of(
    chosen(
        "--algorithm",
        "-a",
        what="algorithm",
        among=["auto", *ALGORITHMS],
        default="auto",
        group=SEARCH,
        help=f"auto, {', '.join(ALGORITHMS)}.",
    ),
    convention_option,
    option(
        "--depth",
        "-d",
        type=click.IntRange(min=0),
        metavar="N",
        group=SEARCH,
        help="Stop at this depth and use the estimates there.",
    ),
    option("--steps", type=click.IntRange(min=1), metavar="N", group=SEARCH, help="mcts: number of steps."),
    option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        metavar="S",
        group=SEARCH,
        help="mcts: seed for the random playouts.",
    ),
)
digits_option = option(
    "--digits",
    type=click.IntRange(0, 100),
    default=4,
    metavar="D",
    group=SEARCH,
    help="mcts: decimals to print.",
)
language_option = chosen(
    "--language",
    "-l",
    what="language",
    among=LANGUAGES,
    default="en",
    metavar="CODE",
    help=f"{', '.join(LANGUAGES)}.",
)
own_language_option = chosen(
    "--language",
    "-l",
    what="language",
    among=LANGUAGES,
    metavar="CODE",
    help=f"{', '.join(LANGUAGES)} (default: the exercise's language).",
)
roster_option = option(
    "--roster", type=FILE, metavar="CSV", help="Student names, logins and e-mail addresses, to identify responses."
)
secret_option = option(
    "--secret-file",
    type=FILE,
    metavar="FILE",
    help="A file with the secret used to assign variants to students.",
)
overrides_option = option(
    "--overrides", type=FILE, metavar="CSV", help="Marks given by hand: the list of --review, filled in."
)
duplicates_option = chosen(
    "--duplicates",
    what="choice of duplicates",
    among=DUPLICATES,
    default="latest",
    metavar="WHICH",
    help=f"Which of several answers by one student counts: {' or '.join(DUPLICATES)}.",
)
answers_argument = click.argument("answers", nargs=-1, required=True, type=INPUT, metavar="ANSWER...")


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


def is_several(found: Sequence[Source]) -> bool:
    """A folder counts as several files, however many it holds."""
    return len(found) != 1 or found[0].in_folder


def checked_tree(text: str, limits: Limits) -> Source:
    """The source for --tree; a text that is no tree is wrong use."""
    source = tree_source(text)
    try:
        load_tree(text, limits)
    except DocumentError as error:
        report_problems(failed(source, error))
        raise click.exceptions.Exit(2) from None
    return source
