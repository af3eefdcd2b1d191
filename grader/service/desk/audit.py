"""`/teach/c/{c}/audit`: what was done in a course, and by whom."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Connection, select

from grader.service.access.who import Who
from grader.service.store.schema import audit, person
from grader.service.web.calls import PageCall
from grader.service.web.pages import page
from grader.service.web.rendering import render

router = APIRouter()
SHOWN = 100


@page(router, "GET", "/teach/c/{c}/audit", who=Who.TEACHER)
async def show_audit(call: PageCall) -> Response:
    """The newest first, a hundred at a time."""
    course, before = call.course.id, call.query("before") or ""
    last = int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None

    def read(connection: Connection) -> list[Any]:
        wanted = (
            select(audit.c.number, audit.c.at, audit.c.what, audit.c.detail, person.c.name)
            .outerjoin(person, person.c.id == audit.c.who)
            .where(audit.c.course == course)
        )
        if last is not None:
            wanted = wanted.where(audit.c.number < last)
        return list(connection.execute(wanted.order_by(audit.c.number.desc()).limit(SHOWN + 1)))

    rows = await call.service.store.read(read)
    more = rows[SHOWN - 1].number if len(rows) > SHOWN else None
    return render(call, "desk/audit.html", entries=rows[:SHOWN], more=more)
