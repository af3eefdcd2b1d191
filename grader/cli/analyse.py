"""`plymark analyse`: a game in, what can be said about it out."""

from __future__ import annotations

import os

import click

from grader.cli.command import chosen, command, option
from grader.cli.options import INPUT, convention_option, limits_option
from grader.cli.outcome import CommandOutcome
from solver.analysis import Asked
from solver.jobs import AnalyseTask, run, sources
from solver.kernel import Limits, UsageError, parse_number
from solver.pipeline import convention_from_text


@command("analyse")
@click.argument("path", type=INPUT, metavar="PATH")
@option("--pruned", metavar="NAMES", help="Judge this pruned set: L5,L6 (nodes or moves).")
@option("--errs", metavar="P", help="Probability that MIN errs at a node: 0.1 or 1/3.")
@option("--transform", metavar="FORMULA", help="Transform the leaves: '2*v + 3'.")
@option("--digits", type=click.IntRange(0, 100), default=4, metavar="D", help="Decimals of irrational numbers.")
@chosen("--format", "-f", what="format", among=["text", "json"], default="text", help="text or json.")
@limits_option
@convention_option
def analyse(
    path: str,
    pruned: str | None,
    errs: str | None,
    transform: str | None,
    convention: str,
    format: str,
    digits: int,
    limits: Limits,
) -> int:
    """Analyse a game: move orderings, prunable leaves, unknown leaf values, an imperfect MIN, transformed leaves,
    search depths.

    PATH is a game; - reads stdin.
    """
    chance = None if errs is None else parse_number(errs)
    if errs is not None and (chance is None or not 0 <= chance <= 1):
        raise UsageError(f"--errs is a probability from 0 to 1, not {errs!r}")
    names = None if pruned is None else [name.strip() for name in pruned.split(",") if name.strip()]
    task = AnalyseTask(
        convention=convention_from_text(convention),
        asked=Asked(names, chance, transform, digits),
        format=format,
        limits=limits,
    )
    if os.path.isdir(path):
        raise UsageError(f"analyse takes one game, not a folder: {path}")
    outcome = CommandOutcome("analysed")
    for result in run(task, sources([path])):
        outcome.take(result)
    return outcome.finish(several=False)
