"""The command line: a file for each command, which is loaded when it is called.

Exit 0: done; 1: some document was missing, invalid or refused; 2: wrong use.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from solver.kernel import UsageError

COMMANDS = {
    "check": "check",
    "solve": "solve",
    "analyse": "analyse",
    "draw": "draw",
    "explain": "explain",
    "grade": "grade",
    "regrade": "regrade",
    "generate": "generate",
    "export": "export",
    "import": "import_command",
}
"""In the order of the help; each is the function of this name in the file of this name, in `grader/commands`."""
HELP = {"help_option_names": ["-h", "--help"]}


class Commands(TyperGroup):
    """Nobody waits for the options of a command that is not called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        # For a name that there is none of, all are loaded: the nearest is suggested.
        for each in [cmd_name] if cmd_name in COMMANDS else COMMANDS:
            if each not in self.commands:
                name = COMMANDS[each]
                alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, context_settings=HELP)
                alone.command(each)(getattr(import_module(f"grader.cli.{name}"), name))
                self.commands[each] = get_command(alone)
        return self.commands.get(cmd_name)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            # Before it reaches typer, which ends without a word.
            print("plymark: stopped", file=sys.stderr)
            raise typer.Exit(130) from None


app = typer.Typer(
    name="plymark",
    cls=Commands,
    help="Plymark solves, draws and explains game trees exactly, and marks answers about them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        # Imported only here: it reads the whole environment's metadata.
        from importlib.metadata import version

        typer.echo(f"plymark {version('plymark')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> None:
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except UsageError as error:
        _stop(f"plymark: {error}", 2)
    except BrokenPipeError:
        # Whoever read our output has seen enough. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _stop(": ".join(["plymark", *filter(None, [error.filename]), error.strerror or str(error)]), 1)


def _stop(message: str, code: int) -> None:
    print(message, file=sys.stderr)
    sys.exit(code)
