"""`plymark import`: another program's game in, a game/1 document out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.options import LimitSettings
from grader.cli.outcome import report_problems
from grader.kernel.files import write_file
from solver.interchange import import_game
from solver.jobs import failed, named_source
from solver.kernel import DocumentError, Limits


def import_command(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="FILE.efg, openspiel:GAME or tictactoe:XO./.X./..O; - reads stdin.")
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the game here.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", min=0, help="Go only so deep.")] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format", "-f", help="yaml or json; yaml unless large.", autocompletion=lambda: ["yaml", "json"]
        ),
    ] = None,
    limit: LimitSettings = None,
) -> None:
    """Import a game of another program as a game/1 document."""
    try:
        game = import_game(source, depth, Limits().with_settings(limit or []))
        format = game.format(
            format or (out.suffix[1:] if out is not None and out.suffix in (".yaml", ".json") else None)
        )
        text = game.text(format)
    except DocumentError as error:
        report_problems(failed(named_source(source), error))
        raise typer.Exit(1) from None
    if out is not None:
        write_file(out, text.encode())
    else:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
