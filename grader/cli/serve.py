"""`plymark serve`: the service."""

from __future__ import annotations

import os
from pathlib import Path

import click

from grader.cli.command import command, option
from grader.cli.service_options import data_option, database_option, from_environment, public_url_option
from solver.kernel import needs_extra


@command("serve")
@option(
    "--host",
    default="127.0.0.1",
    metavar="H",
    envvar=from_environment("host"),
    help="Where to listen; 0.0.0.0 for the local network.",
)
@option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8321,
    metavar="N",
    envvar=from_environment("port"),
    help="The port; 0 picks a free one.",
)
@data_option
@database_option
@public_url_option
@option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    envvar=from_environment("workers"),
    help="Processes that solve and mark (default: number of cores minus one).",
)
@option(
    "--cluster",
    metavar="ADDRESS",
    envvar=from_environment("cluster"),
    help="Do bulk work on a Dask cluster, such as tcp://10.0.0.5:8786.",
)
@option(
    "--proxy",
    multiple=True,
    metavar="ADDRESS",
    envvar=from_environment("proxy"),
    help="Trust forwarding headers from this address or network (repeatable).",
)
@option("--closed", is_flag=True, envvar=from_environment("closed"), help="Require signing in for everything.")
@option("--demo", is_flag=True, envvar=from_environment("demo"), help="Load a sample course into an empty data folder.")
def serve(
    host: str,
    port: int,
    data: Path,
    database: str | None,
    public_url: str | None,
    workers: int | None,
    cluster: str | None,
    proxy: tuple[str, ...],
    closed: bool,
    demo: bool,
) -> int:
    """Serve Plymark over HTTP: solving, courses, assignments and marking.

    Every option can also be set in the environment: PLYMARK_PORT for --port.
    """
    with needs_extra("service"):
        from grader.service.serving import serve as run
        from grader.service.settings import Settings
    settings = Settings(
        data=data,
        database=database,
        host=host,
        port=port,
        public_url=public_url,
        proxy=proxy,
        closed=closed,
        workers=workers or 0,
        cluster=cluster,
        metrics_token=os.environ.get("PLYMARK_METRICS_TOKEN") or None,
        demo=demo,
    )
    return run(settings)
