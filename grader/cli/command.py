"""What commands are made with: plain help that groups options under headings, and names that are checked and
completed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import typer
from typer.core import TyperCommand

NO_COMMAND = 2
"""The exit code where a command was left out."""


def typer_app(**settings: Any) -> typer.Typer:
    """Help is text that any terminal shows, and loads nothing."""
    return typer.Typer(
        **{"rich_markup_mode": None, "add_completion": False, **settings}, pretty_exceptions_enable=False
    )


class Command(TyperCommand):
    """Its help has the headings of `rich_help_panel`, and one column for all of them."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        headings: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is None:
                continue
            if parameter.param_type_name == "argument":
                headings.setdefault("Arguments", []).append((parameter.metavar or parameter.name, record[1]))
            else:
                headings.setdefault(getattr(parameter, "rich_help_panel", None) or "Options", []).append(record)
        width = max(len(names) for records in headings.values() for names, _ in records)
        for heading, records in headings.items():
            with formatter.section(heading):
                formatter.write_dl([(names.ljust(width), text) for names, text in records], col_max=width)


def choice(*names: str, what: str, among: Iterable[str], **settings: Any) -> Any:
    """An option whose value is one of some names; a shell completes them."""
    known = list(among)

    def check(value: str | None) -> str | None:
        # Imported only here: the help needs no numbers.
        from solver.kernel import one_of

        return None if value is None else one_of(what, value, known)

    settings = {"metavar": "NAME", **settings}
    return typer.Option(*names, callback=check, autocompletion=completing(known), **settings)


def completing(names: Iterable[str], after: str = "") -> Callable[[str], list[str]]:
    """What a shell offers: names, also for the last of several with `after` between them."""
    known = list(names)

    def complete(incomplete: str) -> list[str]:
        before, sign, last = incomplete.rpartition(after) if after else ("", "", incomplete)
        return [f"{before}{sign}{name}" for name in known if name.startswith(last)]

    return complete


def refuse_idle(context: typer.Context, reason: str, *names: str) -> None:
    """UsageError, with the reason, if one of these options was given: it would do nothing."""
    from solver.kernel import UsageError

    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise UsageError(f"--{name.replace('_', '-')} does nothing here: {reason}")


def require_command(context: typer.Context) -> None:
    """The help, where a command was left out."""
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(NO_COMMAND)
