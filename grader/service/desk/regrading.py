"""Regrades: choose a version, look at every mark that would change, apply."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Connection, select

from grader.service.access.who import Who
from grader.service.api import decisions
from grader.service.api.decisions import ApplyFields, RegradeFields
from grader.service.clock import now
from grader.service.desk.overview import glance, names_of
from grader.service.problems import ServiceProblem
from grader.service.store import regrades
from grader.service.store.assignments import one_described
from grader.service.store.schema import regrade, version
from grader.service.web.calls import PageCall
from grader.service.web.pages import go, page
from grader.service.web.rendering import render

router = APIRouter()


@page(router, "GET", "/teach/a/{a}/regrades", who=Who.TEACHER)
async def show_regrades(call: PageCall) -> Response:
    row = call.row("a")

    def read(connection: Connection) -> dict[str, Any]:
        versions = select(version.c.number, version.c.id, version.c.created).where(version.c.exercise == row.exercise)
        earlier = select(regrade).where(regrade.c.assignment == row.id).order_by(regrade.c.created.desc())
        return {
            "about": glance(connection, one_described(connection, row), now()),
            "versions": connection.execute(versions.order_by(version.c.number.desc())).all(),
            "earlier": connection.execute(earlier).all(),
        }

    return render(call, "desk/regrades.html", **await call.service.store.read(read), row=row)


@page(router, "POST", "/teach/a/{a}/regrades", who=Who.TEACHER)
async def begin_regrade(call: PageCall) -> Response:
    written = call.form["version"]
    if not (written.isdecimal() and len(written) <= 9):
        raise ServiceProblem(422, "field", "version: the number of a version")
    fields = {"version": int(written), "never_lower": bool(call.form["never_lower"])}
    made = await decisions.begin_regrade(call, RegradeFields.of(fields))
    return go(call, f"/teach/a/{call.row('a').id}/regrades/{made}")


@page(router, "GET", "/teach/a/{a}/regrades/{r}", who=Who.TEACHER)
async def show_regrade(call: PageCall) -> Response:
    row, of, course = call.row("r"), call.row("a"), call.course.id

    def read(connection: Connection) -> dict[str, Any]:
        found = regrades.regrade_data(connection, row)
        return {
            "about": glance(connection, one_described(connection, of), now()),
            "found": found,
            "members": list(dict.fromkeys(each["member"] for each in found["changes"])),
            "names": names_of(connection, course),
        }

    told = await call.service.store.read(read)
    return render(call, "desk/regrade.html", **told, row=row, hidden=call.names_off)


@page(router, "POST", "/teach/a/{a}/regrades/{r}", who=Who.TEACHER)
async def apply_regrade(call: PageCall) -> Response:
    await decisions.apply_regrade(call, ApplyFields.of({"exclude": tuple(call.form.all("exclude"))}))
    return go(call, f"/teach/a/{call.row('a').id}/regrades/{call.row('r').id}")
