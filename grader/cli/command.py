"""What every command of the command line is: a `click` command whose help groups its options under headings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click

from solver.kernel import UsageError, nearest, one_of

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 80}
OPTIONS = "Options"
"""The heading of options that are in no group."""


class Option(click.Option):
    """An option that knows its heading and what it chooses from, and shows its default."""

    def __init__(self, *names: Any, group: str = OPTIONS, choices: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.group, self.choices = group, choices

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        if self.hidden:
            return None
        names = ", ".join(sorted(self.opts, key=len))
        default = "" if self.is_flag or self.multiple else self.get_default(ctx, call=False)
        shown = "" if default in ("", None) or not isinstance(default, str | int) else f" [default: {default}]"
        return (f"{names} {self.metavar}" if self.metavar else names), f"{self.help}{shown}"


class Command(click.Command):
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                groups.setdefault(getattr(parameter, "group", OPTIONS), []).append(record)
        # One column for all groups.
        width = max(len(names) for records in groups.values() for names, _ in records)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl([(names.ljust(width), text) for names, text in records], col_max=width)


def command(name: str) -> Callable[[Callable[..., int | None]], click.Command]:
    """A command from its function, which returns the exit code; None is 0."""
    return click.command(name, cls=Command, context_settings=SETTINGS)


def option(*names: str, **settings: Any) -> Decorator[Any]:
    return click.option(*names, cls=Option, **settings)


def chosen(*names: str, what: str, among: Iterable[str], **settings: Any) -> Decorator[Any]:
    """An option whose value is one of some names; a shell completes them."""
    choices = list(among)

    def check(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
        return None if value is None else one_of(what, value, choices)

    settings = {"metavar": "NAME", **settings}
    return option(*names, callback=check, choices=choices, shell_complete=completing(choices), **settings)


def completing(names: Iterable[str], after: str = "") -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """What a shell offers: names, also for the last of several with `after` between them."""
    known = list(names)

    def complete(_context: click.Context, _option: click.Parameter, start: str) -> list[str]:
        before, found, last = start.rpartition(after) if after else ("", "", start)
        return [f"{before}{found}{name}" for name in known if name.startswith(last)]

    return complete


def all_of(*decorators: Decorator[Any]) -> Decorator[Any]:
    """Several options as one, in this order in the help."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def unknown_command(name: str, names: Iterable[str]) -> UsageError:
    meant = nearest(name, names)
    hint = f"did you mean {meant}?" if meant else "plymark --help lists the commands"
    return UsageError(f"unknown command {name!r}; {hint}")
