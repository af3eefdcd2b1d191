"""`plymark analyse`: a game in, what can be said about it out."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from grader.cli.command import Command, choice, typer_app
from grader.cli.command_options import ConventionText, LimitSettings, limits_from
from grader.cli.command_outcome import CommandOutcome
from solver.analysis import AnalysisRequest
from solver.jobs import AnalyseTask, sources
from solver.kernel import UsageError, parse_number
from solver.pipeline import convention_from_text

app = typer_app()


@app.command(cls=Command)
def analyse(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A game; - reads stdin.")],
    pruned: Annotated[
        str | None, typer.Option("--pruned", metavar="NAMES", help="Judge this pruned set: L5,L6 (nodes or moves).")
    ] = None,
    errs: Annotated[
        str | None, typer.Option("--errs", metavar="P", help="Probability that MIN errs at a node: 0.1 or 1/3.")
    ] = None,
    transform: Annotated[
        str | None, typer.Option("--transform", metavar="FORMULA", help="Transform the leaves: '2*v + 3'.")
    ] = None,
    digits: Annotated[
        int, typer.Option("--digits", min=0, max=100, metavar="D", help="Decimals of irrational numbers.")
    ] = 4,
    format: Annotated[
        str, choice("--format", "-f", what="format", among=["text", "json"], help="text or json.")
    ] = "text",
    limit: LimitSettings = None,
    convention: ConventionText = "aima3",
) -> int:
    """Analyse a game: move orderings, prunable leaves, unknown leaf values, an imperfect MIN, transformed leaves,
    search depths.
    """
    chance = None if errs is None else parse_number(errs)
    if errs is not None and (chance is None or not 0 <= chance <= 1):
        raise UsageError(f"--errs is a probability from 0 to 1, not {errs!r}")
    names = None if pruned is None else [name.strip() for name in pruned.split(",") if name.strip()]
    task = AnalyseTask(
        convention=convention_from_text(convention),
        asked=AnalysisRequest(names, chance, transform, digits),
        format=format,
        limits=limits_from(limit),
    )
    if os.path.isdir(path):
        raise UsageError(f"analyse takes one game, not a folder: {path}")
    outcome = CommandOutcome("analysed")
    for source in sources([path]):
        outcome.take(task(source))
    return outcome.finish(several=False)
