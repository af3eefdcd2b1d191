"""`plymark solve`: games in, solutions out."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from functools import partial
from importlib.metadata import version
from pathlib import Path

import click

from grader.cli.command import chosen, command, option
from grader.cli.options import (
    INPUT,
    checked_tree,
    digits_option,
    is_several,
    jobs_option,
    limits_option,
    quiet_option,
    search_options,
    timeout_option,
    tree_option,
)
from grader.cli.outcome import CommandOutcome
from grader.kernel.files import check_place
from solver.jobs import Ledger, Result, SolveTask, Work, Writing, expanded, output_names, run, run_on_cluster
from solver.kernel import Limits, UsageError
from solver.pipeline import convention_from_text
from solver.render import ALL, FORMATS, NODES
from solver.search import Sampling


@command("solve")
@click.argument("paths", nargs=-1, type=INPUT, metavar="[PATH]...")
@tree_option
@chosen(
    "--format",
    "-f",
    what="format",
    among=FORMATS,
    help=f"{', '.join(FORMATS)} (default: text; json for several).",
)
@chosen(
    "--nodes",
    what="choice of nodes",
    among=NODES,
    default=ALL,
    metavar="WHICH",
    help="all, cuts (only nodes where the search was cut) or none.",
)
@option("--out", "-o", metavar="DIR", help="Write a file for each game into this folder, or s3://….")
@jobs_option
@option("--cluster", metavar="ADDRESS", help="Solve on a Dask cluster, such as tcp://10.0.0.5:8786.")
@option("--force", is_flag=True, help="Solve again what --out holds already.")
@timeout_option
@quiet_option
@limits_option
@search_options
@digits_option
def solve(
    paths: tuple[str, ...],
    tree: str | None,
    algorithm: str,
    convention: str,
    depth: int | None,
    steps: int | None,
    seed: int,
    digits: int,
    format: str | None,
    nodes: str,
    out: str | None,
    jobs: int | None,
    cluster: str | None,
    force: bool,
    timeout: float | None,
    quiet: bool,
    limits: Limits,
) -> int:
    """Solve games: every value, window and cut, the pruned leaves, the best move and the line of best play.

    PATH is a game, a folder, a zip or tar archive of games, or .jsonl; - reads stdin.
    """
    if bool(paths) == (tree is not None):
        raise UsageError("use either PATHs or --tree, not both" if paths else "give PATHs or --tree")
    found = expanded(list(paths), absolute=cluster is not None) if tree is None else [checked_tree(tree, limits)]
    several = is_several(found)
    task = SolveTask(
        algorithm=algorithm,
        convention=convention_from_text(convention),
        depth=depth,
        sampling=Sampling(steps, seed, digits),
        format=format or ("json" if several or out else "text"),
        limits=limits,
        name_file=several and out is None,
        nodes=nodes,
        colour=sys.stdout.isatty() and "NO_COLOR" not in os.environ and out is None,
    )
    if cluster is not None and (jobs is not None or timeout is not None):
        raise UsageError("--jobs and --timeout are for this machine; a cluster has workers of its own")
    if out is not None and "://" not in out:
        if Path(out).exists() and not Path(out).is_dir():
            raise UsageError(f"--out is a folder to write into, and {out} is a file")
        check_place(Path(out, "any"))
        # A cluster's workers may be in another folder.
        out = os.path.abspath(out) if cluster is not None else out
    outcome = CommandOutcome("solved", quiet)
    work: Work = task
    ledger: Ledger | None = None
    writing: Writing | None = None
    if out is not None:
        names = output_names(found, FORMATS[task.format].ending)
        ledger = Ledger(out)
        work = writing = Writing(task, out, names, {} if force else ledger.known, version("plymark"), limits)
    try:
        made = run(work, found, jobs, timeout) if cluster is None else run_on_cluster(work, found, cluster)
        with outcome.progress(len(found)), closing(made) as results:
            for result in results:
                outcome.take(result, None if ledger is None else partial(_noted, ledger))
                if writing is not None and result.problems:
                    writing.tidy(result.source)
    except KeyboardInterrupt:
        if not several:
            raise
        return outcome.stopped(again=ledger is not None)
    finally:
        if ledger is not None:
            ledger.close()
    return outcome.finish(several, paths)


def _noted(ledger: Ledger, result: Result) -> None:
    if result.entry is not None:
        ledger.add([result.entry])
