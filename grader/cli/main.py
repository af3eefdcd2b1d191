"""The command line: a file for each command, which is loaded when it is called.

Exit 0: done; 1: some document was missing, invalid or refused; 2: wrong use; 130: stopped with Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from grader.cli.command import require_command, typer_app

COMMANDS = {
    "check": ("check", "Check documents and report every problem."),
    "solve": ("solve", "Solve games: values, windows, cuts and the best move."),
    "analyse": ("analyse", "Analyse a game: orderings, prunable leaves, unknowns, …"),
    "draw": ("draw", "Draw a game: blank, solved or stage by stage."),
    "explain": ("explain", "Explain a search step by step, in sentences."),
    "grade": ("grade", "Mark answers to an exercise."),
    "regrade": ("regrade", "Show what a corrected exercise changes."),
    "generate": ("generate", "Generate exercises from a recipe."),
    "paper": ("paper", "Make exam papers, answer keys and booklets."),
    "export": ("export", "Export exercises to a learning system."),
    "import": ("import_command", "Import a game from another program."),
    "serve": ("serve", "Serve all of this over HTTP, with courses."),
    "admin": ("admin", "Look after a service: backups, tokens, passwords."),
}
"""In the order of the help: the file in `grader/cli` whose `app` is the command, and what it does."""


class Commands(TyperGroup):
    """Nobody waits for the options of a command that is not called."""

    def __init__(self, **settings: Any) -> None:
        named = {name: TyperCommand(name, short_help=summary) for name, (_, summary) in COMMANDS.items()}
        super().__init__(**{**settings, "commands": named})

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and get_command(import_module(f"grader.cli.{COMMANDS[str(name)][0]}").app), rest

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        with _ends_in_words():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: Any) -> Any:
        # Imported only here: the help needs no numbers.
        from solver.kernel import UsageError

        try:
            with _ends_in_words():
                return super().invoke(ctx)
        except UsageError as error:
            return _failed(f"plymark: {error}", 2)


@contextmanager
def _ends_in_words() -> Iterator[None]:
    """Before these reach typer, which ends without a word, or with another code."""
    try:
        yield
    except KeyboardInterrupt:
        print("plymark: stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has seen enough. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _print_version(asked: bool) -> None:
    if asked:
        # Imported only here: it loads email and zipfile.
        from importlib.metadata import version

        print(f"plymark {version('plymark')}")
        raise typer.Exit


app = typer_app(
    cls=Commands,
    add_completion=True,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def plymark(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """Solve, draw and explain game trees exactly, and mark answers about them."""
    require_command(context)


def main() -> None:
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(_run())


def _run() -> int:
    try:
        return int(app(prog_name="plymark", standalone_mode=False) or 0)
    except typer.TyperException as error:
        return _failed(f"plymark: {error.format_message()}{_advice(error)}", error.exit_code)
    except typer.Abort:
        return _failed("plymark: stopped", 130)
    except OSError as error:
        return _failed(": ".join(["plymark", *filter(None, [error.filename]), error.strerror or str(error)]), 1)


def _advice(error: typer.TyperException) -> str:
    context, option = getattr(error, "ctx", None), getattr(error, "option_name", None)
    if context is None:
        return ""
    if option is not None and context.parent is None:
        return f"\nOptions of a command come after it: plymark COMMAND {option}"
    return f"\nTry '{context.command_path} --help' for help."


def _failed(message: str, code: int) -> int:
    print(message, file=sys.stderr)
    return code
