"""`plymark admin`: backups, tokens, links and passwords of a service, whether it runs or not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from grader.cli.command import SETTINGS, all_of, command, option, unknown_command
from grader.cli.options import FILE
from grader.cli.service_options import data_option, database_option, public_url_option
from solver.kernel import needs_extra

store_options = all_of(data_option, database_option)
teacher_option = option("--teacher", required=True, metavar="NAME", help="Whose; made if there is no such teacher.")


class AdminCommands(click.Group):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in self.commands and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise unknown_command(args[0], self.commands)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """What the store refuses is said in words."""
        from grader.service.store.errors import StoreRefused

        try:
            with needs_extra("service"):
                return super().invoke(ctx)
        except StoreRefused as refused:
            print(f"plymark: {refused}", file=sys.stderr)
            return 1


@click.group("admin", cls=AdminCommands, context_settings=SETTINGS)
def admin() -> None:
    """Look after the store of a service: backups, tokens, links and passwords.

    All of it works beside a running service, except restore.
    """


@command("backup")
@option("--out", "-o", type=FILE, required=True, metavar="FILE", help="Where to write it; no file is overwritten.")
@store_options
def backup(out: Path, data: Path, database: str | None) -> None:
    """Write the whole store into one file, while the service runs."""
    from grader.service.administering import back_up_to

    back_up_to(_settings(data, database), out)
    print(f"{out}: {out.stat().st_size:,} bytes", file=sys.stderr)


@command("restore")
@click.argument("file", type=FILE, metavar="FILE")
@store_options
def restore(file: Path, data: Path, database: str | None) -> None:
    """Fill an empty store from a backup, of SQLite or PostgreSQL.

    FILE is what plymark admin backup has written.
    """
    from grader.service.administering import restore_from

    restore_from(_settings(data, database), file)
    print(f"{(database and 'the database') or data}: restored from {file}", file=sys.stderr)


@command("token")
@teacher_option
@store_options
def token(teacher: str, data: Path, database: str | None) -> None:
    """Print a new token for programs of a teacher."""
    from grader.service.administering import token_of

    print(token_of(_settings(data, database), teacher))


@command("link")
@option("--teacher", metavar="NAME", help="Whose (default: the only teacher's); made if there is no such teacher.")
@public_url_option
@store_options
def link(teacher: str | None, public_url: str | None, data: Path, database: str | None) -> None:
    """Print a new link that signs a teacher in once."""
    from grader.service.administering import link_of

    print(link_of(_settings(data, database, public_url), teacher))


@command("password")
@teacher_option
@store_options
def password(teacher: str, data: Path, database: str | None) -> None:
    """Set a teacher's password: typed on a terminal, or a line of stdin."""
    from grader.service.administering import set_password

    typed = sys.stdin.isatty()
    given = click.prompt("Password", hide_input=True, confirmation_prompt=True) if typed else sys.stdin.readline()
    login = set_password(_settings(data, database), teacher, given.rstrip("\r\n"))
    print(f"{login} can sign in", file=sys.stderr)


@command("check")
@store_options
def check(data: Path, database: str | None) -> int:
    """Check that the store is whole, its log unchanged and every report readable."""
    from grader.service.administering import check_store

    problems, differences = check_store(_settings(data, database))
    for each in [*differences, *(problems or ["the store is whole"])]:
        print(each)
    return 1 if problems else 0


for each in (backup, restore, token, link, password, check):
    admin.add_command(each)


def _settings(data: Path, database: str | None, public_url: str | None = None) -> Any:
    from grader.service.settings import Settings

    return Settings(data=data, database=database, public_url=public_url)
