"""Options of `plymark serve` and `plymark admin`, each with an environment variable."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def service_option(name: str, **settings: Any) -> Any:
    """--public-url can also be set as PLYMARK_PUBLIC_URL."""
    variable = f"PLYMARK_{name.lstrip('-').upper().replace('-', '_')}"
    return typer.Option(name, envvar=variable, show_envvar=False, **settings)


Data = Annotated[
    Path, service_option("--data", file_okay=False, metavar="DIR", help="The folder of the service's data.")
]
Database = Annotated[
    str | None, service_option("--database", metavar="URL", help="postgresql://… instead of SQLite in --data.")
]
PublicUrl = Annotated[
    str | None,
    service_option("--public-url", metavar="URL", help="Public base URL, if different from host and port."),
]
DATA = Path("plymark-data")
