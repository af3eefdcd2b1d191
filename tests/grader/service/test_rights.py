"""Who may call what, on one page: `rights.txt` has every route, and a changed line in it is a changed right."""

from __future__ import annotations

from pathlib import Path

from starlette.routing import Route

from grader.service.http import static_files
from grader.service.run.app import ROUTERS
from tests.grader.service.routes import API_RIGHTS, PAGE_RIGHTS

TABLE = Path(__file__).with_name("rights.txt")
BY_ANOTHER_RULE = {("GET", "/metrics")}
"""Loopback, or a token of its own."""


def test_the_table_is_as_it_was(update_goldens: bool) -> None:
    lines = [f"{method:6} {path}  {who.value}\n" for (method, path), who in {**API_RIGHTS, **PAGE_RIGHTS}.items()]
    table = "".join(sorted(lines, key=lambda line: line.split()[1::-1]))
    if update_goldens:
        TABLE.write_text(table, encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == table


def test_every_route_has_rights() -> None:
    routers = [router for router in ROUTERS if router is not static_files.router]
    routes = [route for router in routers for route in router.routes if isinstance(route, Route)]
    served = {(method, route.path) for route in routes for method in (route.methods or set()) - {"HEAD"}}
    assert served - BY_ANOTHER_RULE == {*API_RIGHTS, *PAGE_RIGHTS}
