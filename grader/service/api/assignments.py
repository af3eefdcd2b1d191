"""Assignments and extensions."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Connection

from grader.service.access.who import Who
from grader.service.api import assignment_changes as changes
from grader.service.api.assignment_changes import AssignmentChanges, AssignmentFields, ExtensionFields
from grader.service.api.assignment_views import SEEN, seen
from grader.service.api.bodies import answer, items, nothing, shape
from grader.service.api.links import base_url
from grader.service.api.paging import page
from grader.service.api.routing import AFTER, LIMIT, ApiCall, Gives, route
from grader.service.clock import now
from grader.service.rules.assigning import told_dates
from grader.service.store import assignments
from grader.service.store.paging import page_of
from grader.service.store.schema import assignment

router = APIRouter()
TEXT = {"type": "string"}
GRANTED = {"type": ["string", "null"]}
COUNT = {"type": ["integer", "null"]}
EXTENSION = shape(
    {"member": TEXT, "due": GRANTED, "closes": GRANTED, "minutes": COUNT, "attempts": COUNT, "reason": TEXT}
)


@route(router, "GET", "/api/courses/{c}/assignments", {200: Gives("As the caller sees them", items(SEEN))},
       who=Who.MEMBERS,
       about="Assignments of a course", queries=[LIMIT, AFTER])  # fmt: skip
async def list_assignments(call: ApiCall) -> Response:
    wanted, base, at = page(call), base_url(call), now()

    def read(connection: Connection) -> dict[str, Any]:
        statement = assignments.described(call.course.id)
        return page_of(
            connection, statement, assignment.c.id, wanted, lambda row: seen(connection, row, call.member, base, at)
        )

    return answer(await call.service.store.read(read))


@route(router, "POST", "/api/courses/{c}/assignments",
       {201: Gives("The assignment, and where students find it", shape({"id": TEXT, "url": TEXT}))}, who=Who.TEACHER,
       about="Assign an exercise", body=AssignmentFields)  # fmt: skip
async def make_assignment(call: ApiCall) -> Response:
    made = await changes.make_assignment(call, await call.fields(AssignmentFields))
    return answer({"id": made, "url": f"{base_url(call)}/a/{made}"}, 201)


@route(
    router,
    "GET",
    "/api/assignments/{a}",
    {200: Gives("As the caller sees it", SEEN)},
    who=Who.MEMBERS,
    about="An assignment",
)
async def get_assignment(call: ApiCall) -> Response:
    return answer(await call.service.store.read(lambda connection: _seen(connection, call)))


@route(router, "PATCH", "/api/assignments/{a}", {200: Gives("The assignment as it is now", SEEN)}, who=Who.TEACHER,
       about="Change an assignment; every grade is computed again", body=AssignmentChanges, problems=[409])  # fmt: skip
async def change_assignment(call: ApiCall) -> Response:
    await changes.change_assignment(call, await call.fields(AssignmentChanges))
    return answer(await call.service.store.read(lambda connection: _seen(connection, call)))


@route(router, "PUT", "/api/assignments/{a}/extensions/{m}", {200: Gives("What the member has instead", EXTENSION)},
       who=Who.TEACHER,
       about="Give a member more time or attempts", body=ExtensionFields)  # fmt: skip
async def put_extension(call: ApiCall) -> Response:
    given: ExtensionFields = await call.fields(ExtensionFields)
    whom = call.row("m")
    extension = await changes.put_extension(call, whom, given)
    return answer({"member": whom.code, **told_dates(extension), "reason": given.reason or ""})


@route(router, "DELETE", "/api/assignments/{a}/extensions/{m}", {204: Gives("The member has what everybody has")},
       who=Who.TEACHER,
       about="Take an extension back")  # fmt: skip
async def remove_extension(call: ApiCall) -> Response:
    await changes.remove_extension(call, call.row("m"))
    return nothing()


def _seen(connection: Connection, call: ApiCall) -> dict[str, Any]:
    row = assignments.one_described(connection, call.row("a"))
    return seen(connection, row, call.member, base_url(call), now())
