"""`plymark analyse`: a game in, what can be said about it out."""

from __future__ import annotations

from typing import Annotated

import typer

from grader.cli.options import ConventionText, LimitSettings, one_game, one_of
from grader.cli.outcome import Outcome
from solver.analysis import Asked
from solver.jobs import AnalyseTask, run
from solver.kernel import Limits, UsageError, parse_number
from solver.pipeline import convention_from_text


def analyse(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A game; - reads stdin.")],
    pruned: Annotated[
        str | None, typer.Option("--pruned", metavar="NAMES", help="Judge a pruned set: L5,L6 (nodes or moves).")
    ] = None,
    errs: Annotated[
        str | None, typer.Option("--errs", metavar="P", help="How likely MIN errs at each node: 0.1 or 1/3.")
    ] = None,
    transform: Annotated[
        str | None, typer.Option("--transform", metavar="FORMULA", help="Change the leaves: '2*v + 3'.")
    ] = None,
    convention: ConventionText = "aima3",
    format: Annotated[
        str, typer.Option("--format", "-f", help="text or json.", autocompletion=lambda: ["text", "json"])
    ] = "text",
    digits: Annotated[int, typer.Option("--digits", min=0, max=100, help="Decimals of irrational numbers.")] = 4,
    limit: LimitSettings = None,
) -> None:
    """Analyse a game: orders, prunable leaves, unknowns, MIN's mistakes, changes of the leaves, depths."""
    chance = None if errs is None else parse_number(errs)
    if errs is not None and (chance is None or not 0 <= chance <= 1):
        raise UsageError(f"--errs is a probability from 0 to 1, not {errs!r}")
    names = None if pruned is None else [name.strip() for name in pruned.split(",") if name.strip()]
    limits = Limits().with_settings(limit or [])
    task = AnalyseTask(
        convention=convention_from_text(convention),
        asked=Asked(names, chance, transform, digits),
        format=one_of("format", format, ["text", "json"]),
        limits=limits,
    )
    outcome = Outcome("analysed")
    for result in run(task, [one_game("analyse", path, None, limits)]):
        outcome.take(result)
    raise typer.Exit(outcome.finish(several=False))
