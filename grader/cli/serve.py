"""`plymark serve`: the service; its options have an environment variable each, and `plymark admin` shares some."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli.command import Command, typer_app
from solver.kernel import needs_extra


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

app = typer_app()


@app.command(cls=Command)
def serve(
    host: Annotated[
        str, service_option("--host", metavar="H", help="Where to listen; 0.0.0.0 for the local network.")
    ] = "127.0.0.1",
    port: Annotated[
        int, service_option("--port", min=0, max=65535, metavar="N", help="The port; 0 picks a free one.")
    ] = 8321,
    data: Data = DATA,
    database: Database = None,
    public_url: PublicUrl = None,
    workers: Annotated[
        int | None,
        service_option(
            "--workers",
            min=1,
            metavar="N",
            help="Processes that solve and mark (default: number of cores minus one).",
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        service_option(
            "--cluster", metavar="ADDRESS", help="Do bulk work on a Dask cluster, such as tcp://10.0.0.5:8786."
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        service_option(
            "--proxy",
            metavar="ADDRESS",
            help="Trust forwarding headers from this address or network (repeatable).",
        ),
    ] = None,
    closed: Annotated[bool, service_option("--closed", help="Require signing in for everything.")] = False,
    demo: Annotated[bool, service_option("--demo", help="Load a sample course into an empty data folder.")] = False,
) -> int:
    """Serve Plymark over HTTP: solving, courses, assignments and marking.

    Every option can also be set in the environment: PLYMARK_PORT for --port.
    """
    with needs_extra("service"):
        from grader.service.base.settings import Settings
        from grader.service.run.serving import serve as run
    settings = Settings(
        data=data,
        database=database,
        host=host,
        port=port,
        public_url=public_url,
        proxy=tuple(proxy or ()),
        closed=closed,
        workers=workers or 0,
        cluster=cluster,
        metrics_token=os.environ.get("PLYMARK_METRICS_TOKEN") or None,
        demo=demo,
    )
    return run(settings)
