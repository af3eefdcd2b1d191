"""`plymark import`: another program's game in, a game/1 document out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.command import Command, choice, typer_app
from grader.cli.command_options import LimitSettings, limits_from
from grader.cli.command_outcome import report_problems
from grader.kernel.atomic_files import write_file
from solver.interchange import import_game
from solver.jobs import failure_of, named_source
from solver.kernel import DocumentError

app = typer_app()


@app.command("import", cls=Command)
def import_command(
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="FILE.efg, openspiel:GAME or tictactoe:XO./.X./..O; - reads stdin."),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", readable=False, metavar="FILE", help="Write the game to this file."),
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", min=0, metavar="N", help="Stop at this depth.")] = None,
    format: Annotated[
        str | None,
        choice(
            "--format",
            "-f",
            what="format",
            among=["yaml", "json"],
            help="yaml or json (default: by the ending of --out, else yaml unless large).",
        ),
    ] = None,
    limit: LimitSettings = None,
) -> int:
    """Import a game from another program as a game/1 document."""
    try:
        game = import_game(source, depth, limits_from(limit))
        ending = out.suffix[1:] if out is not None and out.suffix in (".yaml", ".json") else None
        text = game.text(game.format(format or ending))
    except DocumentError as error:
        report_problems(failure_of(named_source(source), error))
        return 1
    if out is not None:
        write_file(out, text.encode())
    else:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    return 0
