"""Options of `plymark serve` and `plymark admin`, each with an environment variable."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.command import option


def from_environment(name: str) -> str:
    return f"PLYMARK_{name.upper().replace('-', '_')}"


data_option = option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default="plymark-data",
    metavar="DIR",
    envvar=from_environment("data"),
    help="The folder of the service's data.",
)
database_option = option(
    "--database",
    metavar="URL",
    envvar=from_environment("database"),
    help="postgresql://… instead of SQLite in --data.",
)
public_url_option = option(
    "--public-url",
    metavar="URL",
    envvar=from_environment("public-url"),
    help="Public base URL, if different from host and port.",
)
