"""Who did what in a course."""

from __future__ import annotations

from fastapi import APIRouter, Response

from grader.service.access.who import Who
from grader.service.api.bodies import answer, items, shape
from grader.service.api.paging import page
from grader.service.api.routing import AFTER, LIMIT, ApiCall, Gives, route
from grader.service.store.audit_log import entries_of

router = APIRouter()
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
ENTRY = shape(
    {
        "number": NUMBER,
        "at": TEXT,
        "who": {"type": ["string", "null"]},
        "what": TEXT,
        "subject": TEXT,
        "detail": {"type": "object"},
        "hash": TEXT,
    }
)


@route(router, "GET", "/api/courses/{c}/audit", {200: Gives("The oldest first", items(ENTRY))}, who=Who.TEACHER,
       about="What was done in a course, and by whom", queries=[LIMIT, AFTER])  # fmt: skip
async def list_audit(call: ApiCall) -> Response:
    wanted = page(call, number=True)
    return answer(await call.service.store.read(lambda connection: entries_of(connection, call.course.id, wanted)))
