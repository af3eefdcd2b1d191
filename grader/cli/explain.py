"""`plymark explain`: a game in, the story of its search out."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.command import Command, choice, typer_app
from grader.cli.command_batch import Batch
from grader.cli.command_options import (
    Algorithm,
    Cluster,
    ConventionText,
    Depth,
    Digits,
    Force,
    Games,
    GameTree,
    Jobs,
    LanguageName,
    LimitSettings,
    Quiet,
    Seed,
    Steps,
    Timeout,
    are_several,
    limits_from,
    refuse_idle_sampling,
)
from grader.cli.command_outcome import CommandOutcome, report_problems
from grader.kernel.atomic_files import check_place, write_file
from solver.jobs import ExplainOptions, ExplainTask, Source, explain_source, failure_of
from solver.kernel import DocumentError, Limits, UsageError
from solver.pipeline import convention_from_text
from solver.search import Sampling
from solver.story import DETAILS

app = typer_app()


@app.command(cls=Command)
def explain(
    context: typer.Context,
    paths: Games = None,
    tree: GameTree = None,
    language: LanguageName = "en",
    detail: Annotated[
        str,
        choice(
            "--detail",
            what="detail",
            among=DETAILS,
            help=f"{' or '.join(DETAILS)}: a sentence or two for each node, or every comparison.",
        ),
    ] = "brief",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            readable=False,
            metavar="PATH",
            help="Write to this file; of several games, into this folder.",
        ),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    force: Force = False,
    timeout: Timeout = None,
    quiet: Quiet = False,
    limit: LimitSettings = None,
    algorithm: Algorithm = "auto",
    convention: ConventionText = "aima3",
    depth: Depth = None,
    steps: Steps = None,
    seed: Seed = 0,
    digits: Digits = 4,
) -> int:
    """Explain a search step by step, in sentences: what happened, and why."""
    refuse_idle_sampling(context, algorithm, "digits")
    limits = limits_from(limit)
    batch = Batch(
        out=None if out is None else str(out), jobs=jobs, cluster=cluster, force=force, timeout=timeout, quiet=quiet
    )
    sources = batch.games(paths, tree, limits)
    telling = ExplainOptions(
        algorithm=algorithm,
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        language=language,
        detail=detail,
    )
    if not are_several(sources):
        batch.require_one()
        return _explain_one(sources[0], telling, out, limits)
    if out is None:
        raise UsageError("several games are explained in a folder of files: give --out DIR")
    outcome = CommandOutcome("explained", len(sources), quiet)
    return batch.run(ExplainTask(telling, limits), sources, outcome, paths or (), ".explanation.txt", limits)


def _explain_one(source: Source, telling: ExplainOptions, out: Path | None, limits: Limits) -> int:
    check_place(out)
    try:
        lines = explain_source(source, telling, limits)
    except DocumentError as error:
        report_problems(failure_of(source, error))
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
