"""`plymark solve`: games in, solutions out."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from grader.cli.command import Command, choice, refuse_idle, typer_app
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
    LimitSettings,
    Quiet,
    Seed,
    Steps,
    Timeout,
    are_several,
    limits_from,
    refuse_idle_sampling,
)
from grader.cli.command_outcome import CommandOutcome
from solver.jobs import SolveTask
from solver.pipeline import convention_from_text
from solver.render import ALL, FORMATS, NODES
from solver.search import Sampling

app = typer_app()


@app.command(cls=Command)
def solve(
    context: typer.Context,
    paths: Games = None,
    tree: GameTree = None,
    format: Annotated[
        str | None,
        choice(
            "--format",
            "-f",
            what="format",
            among=FORMATS,
            help=f"{', '.join(FORMATS)} (default: text; json for several).",
        ),
    ] = None,
    nodes: Annotated[
        str,
        choice(
            "--nodes",
            what="choice of nodes",
            among=NODES,
            metavar="WHICH",
            help="all, cuts (only nodes where the search was cut) or none.",
        ),
    ] = ALL,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="DIR", help="Write a file for each game into this folder, or s3://…."),
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
    """Solve games: every value, window and cut, the pruned leaves, the best move and the line of best play."""
    refuse_idle_sampling(context, algorithm, "digits")
    if out is None:
        refuse_idle(context, "it is for --out", "force")
    limits = limits_from(limit)
    batch = Batch(out=out, jobs=jobs, cluster=cluster, force=force, timeout=timeout, quiet=quiet)
    sources = batch.games(paths, tree, limits)
    several, printed = are_several(sources), out is None and sys.stdout.isatty()
    task = SolveTask(
        algorithm=algorithm,
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        format=format or ("json" if several or out else "text"),
        limits=limits,
        name_file=several and out is None,
        nodes=nodes,
        colour=printed and "NO_COLOR" not in os.environ,
    )
    outcome = CommandOutcome("solved", len(sources), quiet, bar=not printed)
    return batch.run(task, sources, outcome, paths or (), f".solution{FORMATS[task.format].ending}", limits)
