"""`plymark admin`: backups, tokens, links and passwords of a service, whether it runs or not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from grader.cli.command import Command, require_command, typer_app
from grader.cli.serve import DATA, Data, Database, PublicUrl
from solver.kernel import needs_extra

Teacher = Annotated[str, typer.Option("--teacher", metavar="NAME", help="Whose; made if there is no such teacher.")]


class AdminCommands(TyperGroup):
    """What the store refuses is said in words."""

    def invoke(self, ctx: Any) -> Any:
        from grader.service.base.service_problems import StoreRefused

        try:
            with needs_extra("service"):
                return super().invoke(ctx)
        except StoreRefused as refused:
            print(f"plymark: {refused}", file=sys.stderr)
            return 1


app = typer_app(cls=AdminCommands, invoke_without_command=True)


@app.callback()
def admin(context: typer.Context) -> None:
    """Maintain a service's data: backups, tokens, links and passwords.

    Everything except restore can be used while the service is running.
    """
    require_command(context)


@app.command(cls=Command)
def backup(
    out: Annotated[
        Path,
        typer.Option("--out", "-o", readable=False, metavar="FILE", help="Where to write it; no file is overwritten."),
    ],
    data: Data = DATA,
    database: Database = None,
) -> None:
    """Write the whole store into one file, while the service runs."""
    from grader.service.run.administering import back_up_to

    back_up_to(_settings(data, database), out)
    print(f"{out}: {out.stat().st_size:,} bytes", file=sys.stderr)


@app.command(cls=Command)
def restore(
    file: Annotated[
        Path, typer.Argument(readable=False, metavar="FILE", help="What plymark admin backup has written.")
    ],
    data: Data = DATA,
    database: Database = None,
) -> None:
    """Fill an empty store from a backup, of SQLite or PostgreSQL."""
    from grader.service.run.administering import restore_from

    restore_from(_settings(data, database), file)
    print(f"{(database and 'the database') or data}: restored from {file}", file=sys.stderr)


@app.command(cls=Command)
def token(teacher: Teacher, data: Data = DATA, database: Database = None) -> None:
    """Print a new token for programs of a teacher."""
    from grader.service.run.administering import make_token as token_of

    print(token_of(_settings(data, database), teacher))


@app.command(cls=Command)
def link(
    teacher: Annotated[
        str | None,
        typer.Option(
            "--teacher",
            metavar="NAME",
            help="Whose (default: the only teacher's); made if there is no such teacher.",
        ),
    ] = None,
    public_url: PublicUrl = None,
    data: Data = DATA,
    database: Database = None,
) -> None:
    """Print a new link that signs a teacher in once."""
    from grader.service.run.administering import make_link as link_of

    print(link_of(_settings(data, database, public_url), teacher))


@app.command(cls=Command)
def password(teacher: Teacher, data: Data = DATA, database: Database = None) -> None:
    """Set a teacher's password: typed on a terminal, or a line of stdin."""
    from grader.service.run.administering import set_password

    typed = sys.stdin.isatty()
    given = typer.prompt("Password", hide_input=True, confirmation_prompt=True) if typed else sys.stdin.readline()
    login = set_password(_settings(data, database), teacher, given.rstrip("\r\n"))
    print(f"{login} can sign in", file=sys.stderr)


@app.command(cls=Command)
def check(data: Data = DATA, database: Database = None) -> int:
    """Check the integrity of the data, the audit log and every report."""
    from grader.service.run.store_check import check_store

    problems, remarks = check_store(_settings(data, database))
    for line in [*(problems or ["the store is whole"]), *remarks]:
        print(line)
    return 1 if problems else 0


def _settings(data: Path, database: str | None, public_url: str | None = None) -> Any:
    from grader.service.base.settings import Settings

    return Settings(data=data, database=database, public_url=public_url)
