"""Courses and their members."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import Field

from grader.service.api.bodies import Body, answer, items, nothing, shape
from grader.service.api.links import link_url
from grader.service.api.member_sheet import members_of_sheet
from grader.service.api.paging import page
from grader.service.api.routing import AFTER, LIMIT, ApiCall, Gives, route
from grader.service.edge.bodies import UPLOAD
from grader.service.problems import ServiceProblem
from grader.service.rules.times import zone_named
from grader.service.store import courses
from grader.service.store.assignments import assignments_of
from grader.service.store.copying import copy_with_assignments
from grader.service.store.courses import CODE_LETTERS
from grader.service.store.grades import recompute_all
from grader.service.store.transaction import Transaction
from solver.languages import LANGUAGES

router = APIRouter()
TEXT = {"type": "string"}
COURSE = shape({"id": TEXT, "title": TEXT, "zone": TEXT, "language": TEXT, "join": {"type": ["string", "null"]}})
MEMBER = shape({"id": TEXT, "name": TEXT, "email": {"type": ["string", "null"]}, "role": TEXT})
LINKED = shape({"id": TEXT}, {"link": TEXT})
MOST_MEMBERS = 5_000
Title = Annotated[str, Field(min_length=1, max_length=200)]
Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^\s/\\\x00-\x1f]+$")]


class CourseFields(Body):
    title: Title
    zone: str = "UTC"
    language: str = "en"


class CourseChanges(Body):
    """JSON Merge Patch: null takes `join` away, so that nobody joins by code."""

    title: Title | None = None
    zone: str | None = None
    language: str | None = None
    join: None = None


class CopyFields(Body):
    title: Title | None = None


class MemberFields(Body):
    id: Id
    name: Annotated[str, Field(max_length=200)] | None = None
    email: Annotated[str, Field(max_length=200)] | None = None
    role: Literal["student", "assistant", "teacher"] | None = None


class Members(Body):
    members: Annotated[list[MemberFields], Field(max_length=MOST_MEMBERS)]


@route(router, "GET", "/api/courses", {200: Gives("The caller's courses", items(COURSE))},
       about="Courses that you teach", queries=[LIMIT, AFTER])  # fmt: skip
async def list_courses(call: ApiCall) -> Response:
    wanted = page(call)
    return answer(
        await call.service.store.read(lambda connection: courses.courses_of(connection, call.person.id, wanted))
    )


@route(router, "POST", "/api/courses", {201: Gives("The course was made", shape({"id": TEXT}))},
       about="Make a course", body=CourseFields)  # fmt: skip
async def make_course(call: ApiCall) -> Response:
    fields: CourseFields = await call.fields(CourseFields)
    _require_known(fields.zone, fields.language)
    made = await call.service.store.write(
        lambda tx: courses.new_course(tx, call.person.id, fields.model_dump(), _join_code())
    )
    return answer({"id": made}, 201)


@route(router, "GET", "/api/courses/{c}", {200: Gives("The course", COURSE)}, about="A course")
async def get_course(call: ApiCall) -> Response:
    return answer(courses.course_data(call.course))


@route(router, "PATCH", "/api/courses/{c}", {200: Gives("The course as it is now", COURSE)},
       about="Change a course", body=CourseChanges)  # fmt: skip
async def change_course(call: ApiCall) -> Response:
    fields: CourseChanges = await call.fields(CourseChanges)
    changed = fields.model_dump(exclude_unset=True)
    if missing := [name for name in ("title", "zone", "language") if name in changed and changed[name] is None]:
        raise ServiceProblem(422, "field", f"{missing[0]}: a course cannot be without it")
    _require_known(changed.get("zone", call.course.zone), changed.get("language", call.course.language))
    if "join" in changed:
        changed["join_code"] = changed.pop("join")

    def write(tx: Transaction) -> None:
        courses.change_course(tx, call.person.id, call.course.id, changed)
        if "zone" in changed:
            # Days of lateness begin at other moments.
            for each in assignments_of(tx.connection, call.course.id):
                recompute_all(tx, each)

    await call.service.store.write(write)
    return answer({**courses.course_data(call.course), **_shown(changed)})


@route(router, "DELETE", "/api/courses/{c}", {204: Gives("Nobody can reach it any longer")}, about="Delete a course")
async def delete_course(call: ApiCall) -> Response:
    await call.service.store.write(lambda tx: courses.delete_course(tx, call.person.id, call.course.id))
    return nothing()


@route(router, "POST", "/api/courses/{c}/copy", {201: Gives("The new course", shape({"id": TEXT}))},
       about="A new course with the exercises and assignments of this one, and no people", body=CopyFields)  # fmt: skip
async def copy_course(call: ApiCall) -> Response:
    fields: CopyFields = await call.fields(CopyFields)
    title = fields.title or call.course.title
    made = await call.service.store.write(
        lambda tx: copy_with_assignments(tx, call.person.id, call.course, title, _join_code())
    )
    return answer({"id": made}, 201)


@route(router, "GET", "/api/courses/{c}/members", {200: Gives("Members in the order of the roster", items(MEMBER))},
       about="Members of a course", queries=[LIMIT, AFTER])  # fmt: skip
async def list_members(call: ApiCall) -> Response:
    wanted = page(call, number=True)
    return answer(await call.service.store.read(lambda found: courses.members_of(found, call.course.id, wanted)))


@route(
    router,
    "POST",
    "/api/courses/{c}/members",
    {201: Gives("Each member, new ones with their link", shape({"members": {"type": "array", "items": LINKED}}))},
    about="Add or update members",
    body={"application/json": {"schema": Members.schema()}, "text/csv": {"schema": TEXT}},
    limit=UPLOAD,
)
async def put_members(call: ApiCall) -> Response:
    raw = await call.body()
    sheet = call.request.headers.get("content-type", "").split(";")[0].strip().lower() == "text/csv"
    wanted = Members.of({"members": members_of_sheet(raw)}) if sheet else Members.read(raw)
    listed = [each.model_dump() for each in wanted.members]
    if len({each["id"] for each in listed}) < len(listed):
        raise ServiceProblem(422, "duplicate", "an id is listed more than once")
    put = await call.service.store.write(lambda tx: courses.put_members(tx, call.person.id, call.course.id, listed))
    told = [{"id": code} if secret is None else {"id": code, "link": link_url(call, secret)} for code, secret in put]
    return answer({"members": told}, 201)


@route(router, "POST", "/api/courses/{c}/members/{m}/link", {201: Gives("A new link; the old one is dead", LINKED)},
       about="A new link for a member")  # fmt: skip
async def renew_link(call: ApiCall) -> Response:
    of = call.row("m")
    secret = await call.service.store.write(lambda tx: courses.renew_link(tx, call.person.id, call.course.id, of))
    return answer({"id": of.code, "link": link_url(call, secret)}, 201)


@route(router, "DELETE", "/api/courses/{c}/members/{m}", {204: Gives("Their work stays, their link is dead")},
       about="Remove a member", problems=[409])  # fmt: skip
async def remove_member(call: ApiCall) -> Response:
    of = call.row("m")
    if of.id == call.member.id:
        raise ServiceProblem(409, "yourself", "you cannot remove yourself from a course")
    await call.service.store.write(lambda tx: courses.remove_member(tx, call.person.id, call.course.id, of))
    return nothing()


def _require_known(zone: str, language: str) -> None:
    zone_named(zone)
    if language not in LANGUAGES:
        raise ServiceProblem(422, "language", f"language: one of {', '.join(LANGUAGES)}")


def _join_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(8))


def _shown(changed: dict[str, Any]) -> dict[str, Any]:
    return {"join" if key == "join_code" else key: value for key, value in changed.items()}
