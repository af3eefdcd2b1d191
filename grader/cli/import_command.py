"""`plymark import`: another program's game in, a game/1 document out."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.command import chosen, command, option
from grader.cli.options import FILE, INPUT, limits_option
from grader.cli.outcome import report_problems
from grader.kernel.files import write_file
from solver.interchange import import_game
from solver.jobs import failed, named_source
from solver.kernel import DocumentError, Limits


@command("import")
@click.argument("source", type=INPUT, metavar="SOURCE")
@option("--out", "-o", type=FILE, metavar="FILE", help="Write the game to this file.")
@option("--depth", "-d", type=click.IntRange(min=0), metavar="N", help="Stop at this depth.")
@chosen(
    "--format",
    "-f",
    what="format",
    among=["yaml", "json"],
    help="yaml or json (default: by the ending of --out, else yaml unless large).",
)
@limits_option
def import_command(source: str, out: Path | None, depth: int | None, format: str | None, limits: Limits) -> int:
    """Import a game from another program as a game/1 document.

    SOURCE is FILE.efg, openspiel:GAME or tictactoe:XO./.X./..O; - reads stdin.
    """
    try:
        game = import_game(source, depth, limits)
        ending = out.suffix[1:] if out is not None and out.suffix in (".yaml", ".json") else None
        text = game.text(game.format(format or ending))
    except DocumentError as error:
        report_problems(failed(named_source(source), error))
        return 1
    if out is not None:
        write_file(out, text.encode())
    else:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    return 0
