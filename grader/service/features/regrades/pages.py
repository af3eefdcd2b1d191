"""Regrades: choose a version, look at every mark that would change, apply."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Connection, select

from grader.service.base.clock import now
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.assignments.queries import one_described
from grader.service.features.classes.queries import assignment_overview
from grader.service.features.members.queries import names_of
from grader.service.features.regrades import api as regrades_api
from grader.service.features.regrades import queries as regrades_queries
from grader.service.features.regrades.api import ApplyFields, RegradeFields
from grader.service.http.access import Who
from grader.service.http.page_calls import PageCall
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import render
from grader.service.store.tables import regrade, version

router = APIRouter()


@page(router, "GET", "/teach/a/{a}/regrades", who=Who.TEACHER)
async def show_regrades(call: PageCall) -> Response:
    row = call.row("a")

    def read(connection: Connection) -> dict[str, Any]:
        versions = select(version.c.number, version.c.id, version.c.created).where(version.c.exercise == row.exercise)
        earlier = select(regrade).where(regrade.c.assignment == row.id).order_by(regrade.c.created.desc())
        return {
            "about": assignment_overview(connection, one_described(connection, row), now()),
            "versions": connection.execute(versions.order_by(version.c.number.desc())).all(),
            "earlier": connection.execute(earlier).all(),
        }

    return render(call, "regrades/regrades.html", **await call.service.store.read(read), row=row)


@page(router, "POST", "/teach/a/{a}/regrades", who=Who.TEACHER)
async def begin_regrade(call: PageCall) -> Response:
    written = call.form["version"]
    if not (written.isdecimal() and len(written) <= 9):
        raise ServiceProblem(422, "field", "version: the number of a version")
    fields = {"version": int(written), "never_lower": bool(call.form["never_lower"])}
    regrade_id = await regrades_api.start_regrade(call, RegradeFields.of(fields))
    return redirect(call, f"/teach/a/{call.row('a').id}/regrades/{regrade_id}")


@page(router, "GET", "/teach/a/{a}/regrades/{r}", who=Who.TEACHER)
async def show_regrade(call: PageCall) -> Response:
    row, of, course = call.row("r"), call.row("a"), call.course.id

    def read(connection: Connection) -> dict[str, Any]:
        data = regrades_queries.regrade_data(connection, row)
        return {
            "about": assignment_overview(connection, one_described(connection, of), now()),
            "found": data,
            "members": list(dict.fromkeys(each["member"] for each in data["changes"])),
            "names": names_of(connection, course),
        }

    context = await call.service.store.read(read)
    return render(call, "regrades/regrade.html", **context, row=row, hidden=call.names_off)


@page(router, "POST", "/teach/a/{a}/regrades/{r}", who=Who.TEACHER)
async def apply_regrade(call: PageCall) -> Response:
    await regrades_api.carry_out_regrade(call, ApplyFields.of({"exclude": tuple(call.form.all("exclude"))}))
    return redirect(call, f"/teach/a/{call.row('a').id}/regrades/{call.row('r').id}")
