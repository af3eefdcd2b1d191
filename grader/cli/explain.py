"""`plymark explain`: a game in, the story of its search out."""

from __future__ import annotations

import os
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import click

from grader.cli.batch import Batch, batch_options
from grader.cli.command import chosen, command, option
from grader.cli.options import (
    FILE,
    INPUT,
    digits_option,
    is_several,
    language_option,
    limits_option,
    search_options,
    tree_option,
)
from grader.cli.outcome import CommandOutcome, report_problems
from grader.kernel.files import check_place, write_file
from solver.jobs import ExplainTask, Source, Telling, explained, failed
from solver.kernel import DocumentError, Limits, UsageError
from solver.pipeline import convention_from_text
from solver.search import Sampling
from solver.story import DETAILS


@command("explain")
@click.argument("paths", nargs=-1, type=INPUT, metavar="[PATH]...")
@tree_option
@language_option
@chosen(
    "--detail",
    what="detail",
    among=DETAILS,
    default="brief",
    help=f"{' or '.join(DETAILS)}: a sentence or two for each node, or every comparison.",
)
@option("--out", "-o", type=FILE, metavar="PATH", help="Write to this file; of several games, into this folder.")
@batch_options
@limits_option
@search_options
@digits_option
def explain(
    paths: tuple[str, ...],
    tree: str | None,
    language: str,
    detail: str,
    out: Path | None,
    algorithm: str,
    convention: str,
    depth: int | None,
    steps: int | None,
    seed: int,
    digits: int,
    limits: Limits,
    batch: Batch,
) -> int:
    """Explain a search step by step, in sentences: what happened, and why.

    PATH is a game, a folder, a zip or tar archive of games, or .jsonl; - reads stdin.
    """
    found = batch.games(paths, tree, limits)
    telling = Telling(
        algorithm=algorithm,
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        language=language,
        detail=detail,
    )
    if not is_several(found):
        batch.require_one()
        return _explain_one(found[0], telling, out, limits)
    if out is None:
        raise UsageError("several games are explained in a folder of files: give --out DIR")
    batch = replace(batch, out=str(out))
    outcome = CommandOutcome("explained", len(found), batch.quiet)
    return batch.run(ExplainTask(telling, limits), found, outcome, paths, ".explanation.txt", limits)


def _explain_one(source: Source, telling: Telling, out: Path | None, limits: Limits) -> int:
    check_place(out)
    try:
        lines = explained(source, telling, limits)
    except DocumentError as error:
        report_problems(failed(source, error))
        return 1
    if out is not None:
        write_file(out, "".join(f"{line}\n" for line in lines).encode())
        return 0
    for line in lines:
        sys.stdout.buffer.write(f"{_wrapped(line) if sys.stdout.isatty() else line}\n".encode())
    sys.stdout.buffer.flush()
    return 0


def _wrapped(line: str) -> str:
    """A paragraph as wide as the terminal, but not wider than a page."""
    width = min(100, os.get_terminal_size(sys.stdout.fileno()).columns or 100)
    return textwrap.fill(line, width, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)
