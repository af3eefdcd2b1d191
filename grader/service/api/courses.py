"""Courses and their members."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from grader.service.access.who import Who
from grader.service.api import course_changes as changes
from grader.service.api.bodies import answer, items, nothing, shape
from grader.service.api.course_changes import CopyFields, CourseChanges, CourseFields, Members
from grader.service.api.links import link_url
from grader.service.api.member_sheet import members_of_sheet
from grader.service.api.paging import page
from grader.service.api.routing import AFTER, LIMIT, ApiCall, Gives, route
from grader.service.edge.bodies import UPLOAD
from grader.service.store import courses

router = APIRouter()
members_router = APIRouter()
TEXT = {"type": "string"}
COURSE = shape({"id": TEXT, "title": TEXT, "zone": TEXT, "language": TEXT, "join": {"type": ["string", "null"]}})
MEMBER = shape({"id": TEXT, "name": TEXT, "email": {"type": ["string", "null"]}, "role": TEXT})
LINKED = shape({"id": TEXT}, {"link": TEXT})


@route(router, "GET", "/api/courses", {200: Gives("The caller's courses", items(COURSE))}, who=Who.TEACHERS,
       about="Courses that you teach", queries=[LIMIT, AFTER])  # fmt: skip
async def list_courses(call: ApiCall) -> Response:
    wanted = page(call)
    return answer(
        await call.service.store.read(lambda connection: courses.courses_of(connection, call.person.id, wanted))
    )


@route(router, "POST", "/api/courses", {201: Gives("The course was made", shape({"id": TEXT}))}, who=Who.TEACHERS,
       about="Make a course", body=CourseFields)  # fmt: skip
async def make_course(call: ApiCall) -> Response:
    made = await changes.make_course(call, await call.fields(CourseFields))
    return answer({"id": made}, 201)


@route(router, "GET", "/api/courses/{c}", {200: Gives("The course", COURSE)}, who=Who.TEACHER, about="A course")
async def get_course(call: ApiCall) -> Response:
    return answer(courses.course_data(call.course))


@route(router, "PATCH", "/api/courses/{c}", {200: Gives("The course as it is now", COURSE)}, who=Who.TEACHER,
       about="Change a course", body=CourseChanges)  # fmt: skip
async def change_course(call: ApiCall) -> Response:
    changed = await changes.change_course(call, await call.fields(CourseChanges))
    return answer({**courses.course_data(call.course), **_shown(changed)})


@route(
    router,
    "DELETE",
    "/api/courses/{c}",
    {204: Gives("Nobody can reach it any longer")},
    who=Who.TEACHER,
    about="Delete a course",
)
async def delete_course(call: ApiCall) -> Response:
    await changes.delete_course(call)
    return nothing()


@route(router, "POST", "/api/courses/{c}/copy", {201: Gives("The new course", shape({"id": TEXT}))}, who=Who.TEACHER,
       about="A new course with the exercises and assignments of this one, and no people", body=CopyFields)  # fmt: skip
async def copy_course(call: ApiCall) -> Response:
    made = await changes.copy_course(call, await call.fields(CopyFields))
    return answer({"id": made}, 201)


@route(members_router, "GET", "/api/courses/{c}/members",
       {200: Gives("Members in the order of the roster", items(MEMBER))},
       who=Who.TEACHER,
       about="Members of a course", queries=[LIMIT, AFTER])  # fmt: skip
async def list_members(call: ApiCall) -> Response:
    wanted = page(call, number=True)
    return answer(await call.service.store.read(lambda found: courses.members_of(found, call.course.id, wanted)))


@route(
    members_router,
    "POST",
    "/api/courses/{c}/members",
    {201: Gives("Each member, new ones with their link", shape({"members": {"type": "array", "items": LINKED}}))},
    who=Who.TEACHER,
    about="Add or update members",
    body={"application/json": {"schema": Members.schema()}, "text/csv": {"schema": TEXT}},
    limit=UPLOAD,
)
async def put_members(call: ApiCall) -> Response:
    raw = await call.body()
    sheet = call.request.headers.get("content-type", "").split(";")[0].strip().lower() == "text/csv"
    wanted = Members.of({"members": members_of_sheet(raw)}) if sheet else Members.read(raw)
    put = await changes.put_members(call, wanted)
    told = [{"id": code} if secret is None else {"id": code, "link": link_url(call, secret)} for code, secret in put]
    return answer({"members": told}, 201)


@route(members_router, "POST", "/api/courses/{c}/members/{m}/link",
       {201: Gives("A new link; the old one is dead", LINKED)},
       who=Who.TEACHER,
       about="A new link for a member")  # fmt: skip
async def renew_link(call: ApiCall) -> Response:
    of = call.row("m")
    secret = await changes.renew_link(call, of)
    return answer({"id": of.code, "link": link_url(call, secret)}, 201)


@route(members_router, "DELETE", "/api/courses/{c}/members/{m}", {204: Gives("Their work stays, their link is dead")},
       who=Who.TEACHER,
       about="Remove a member", problems=[409])  # fmt: skip
async def remove_member(call: ApiCall) -> Response:
    await changes.remove_member(call, call.row("m"))
    return nothing()


def _shown(changed: dict[str, Any]) -> dict[str, Any]:
    return {"join" if key == "join_code" else key: value for key, value in changed.items()}
