"""The command line: a file for each command, which is loaded when it is called.

Exit 0: done; 1: some document was missing, invalid or refused; 2: wrong use; 130: stopped with Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import click

from grader.cli.command import SETTINGS, unknown_command
from solver.kernel import UsageError

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
"""In the order of the help: the name of a file in `grader/cli` and of the command in it, and what it does."""


class Commands(click.Group):
    """Nobody waits for the options of a command that is not called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = COMMANDS[cmd_name][0]
        found: click.Command = getattr(import_module(f"grader.cli.{name}"), name)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise unknown_command(args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_, does) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        # Imported only here: nothing else needs it.
        from click.shell_completion import CompletionItem

        names = (name for name in COMMANDS if name.startswith(incomplete))
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=COMMANDS[name][1]) for name in names), *options]

    def invoke(self, ctx: click.Context) -> Any:
        # Before these reach click, which ends without a word.
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print("plymark: stopped", file=sys.stderr)
            return 130
        except BrokenPipeError:
            # Whoever read our output has seen enough. Nothing may be written at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0


def _completion(context: click.Context, option: click.Parameter, shell: str | None) -> None:
    if shell is None or context.resilient_parsing:
        return
    # Imported only here: once is enough for a shell.
    from grader.cli.completion import install, script

    click.echo((script if option.name == "show_completion" else install)(context.command, shell))
    context.exit()


def _completion_option(name: str, help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that may name a shell."""
    return click.option(
        name,
        is_flag=False,
        flag_value="",
        expose_value=False,
        is_eager=True,
        metavar="[SHELL]",
        callback=_completion,
        help=help,
    )


@click.group(cls=Commands, context_settings=SETTINGS)
@click.version_option(None, package_name="plymark", message="plymark %(version)s", help="Print the version.")
@_completion_option("--install-completion", help="Set up completion for bash, zsh or fish.")
@_completion_option("--show-completion", help="Print the completion script.")
def app() -> None:
    """Solve, draw and explain game trees exactly, and mark answers about them."""


def main() -> None:
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(_run())


def _run() -> int:
    try:
        return int(app.main(prog_name="plymark", standalone_mode=False) or 0)
    except click.UsageError as error:
        place = f"\nTry '{error.ctx.command_path} --help' for help." if error.ctx is not None else ""
        if isinstance(error, click.NoSuchOption) and error.ctx is not None and error.ctx.command is app:
            place = f"\nOptions of a command come after it: plymark COMMAND {error.option_name}"
        return _failed(f"plymark: {error.format_message()}{place}", 2)
    except UsageError as error:
        return _failed(f"plymark: {error}", 2)
    except click.Abort:
        return _failed("plymark: stopped", 130)
    except OSError as error:
        return _failed(": ".join(["plymark", *filter(None, [error.filename]), error.strerror or str(error)]), 1)


def _failed(message: str, code: int) -> int:
    print(message, file=sys.stderr)
    return code
