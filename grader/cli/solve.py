"""`plymark solve`: games in, solutions out."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.options import (
    AlgorithmName,
    ConventionText,
    Depth,
    Digits,
    Jobs,
    LimitSettings,
    Seed,
    Steps,
    TreeText,
    checked_tree,
    is_several,
    one_of,
)
from grader.cli.outcome import Outcome
from grader.kernel.files import write_file
from solver.jobs import Result, SolveTask, output_names, run, sources
from solver.kernel import Limits, UsageError
from solver.pipeline import convention_from_text
from solver.render import FORMATS
from solver.search import ALGORITHMS, Sampling


def solve(
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="Games or folders; - reads stdin.")] = None,
    tree: TreeText = None,
    algorithm: AlgorithmName = "auto",
    convention: ConventionText = "aima3",
    depth: Depth = None,
    steps: Steps = None,
    seed: Seed = 0,
    digits: Digits = 4,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help=f"{', '.join(FORMATS)}; text for one game, json for several.",
            autocompletion=lambda: list(FORMATS),
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write a file for each game into this folder.")
    ] = None,
    jobs: Jobs = None,
    limit: LimitSettings = None,
) -> None:
    """Solve games: every value, window and cut, the pruned leaves, the move and the line."""
    if bool(paths) == (tree is not None):
        raise UsageError("give PATHs or --tree, one of the two")
    limits = Limits().with_settings(limit or [])
    found = sources(paths or []) if tree is None else [checked_tree(tree, limits)]
    several = is_several(found)
    task = SolveTask(
        algorithm=one_of("algorithm", algorithm, ["auto", *ALGORITHMS]),
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        format=one_of("format", format or ("json" if several or out else "text"), list(FORMATS)),
        limits=limits,
        name_file=several and out is None,
        colour=sys.stdout.isatty() and "NO_COLOR" not in os.environ and out is None,
    )
    if out is not None and out.exists() and not out.is_dir():
        raise UsageError(f"--out is a folder to write into, and {out} is a file")
    outcome = Outcome("solved")
    names = output_names(found, FORMATS[task.format].ending) if out is not None else {}

    def write(result: Result) -> None:
        write_file((out or Path()) / names[result.source], result.output)

    with outcome.progress(len(found)):
        for result in run(task, found, jobs):
            outcome.take(result, write if out is not None else None)
    raise typer.Exit(outcome.finish(several, paths or ()))
