"""Courses: made, changed, copied, deleted; and who did what in one."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field

from grader.service.base.service_problems import ServiceProblem
from grader.service.features.assignments.queries import assignments_of
from grader.service.features.courses import queries as courses_queries
from grader.service.features.courses.queries import CODE_LETTERS, copy_with_assignments, entries_of
from grader.service.features.grades.queries import recompute_all
from grader.service.http.access import Who
from grader.service.http.json_bodies import STRING, Body, items, json_response, no_content, shape
from grader.service.http.routing import AFTER, LIMIT, ApiCall, Gives, page, route
from grader.service.rules.times import zone_named
from grader.service.store.transaction import Transaction
from solver.languages import LANGUAGES

MOST_WEEKS = 520
Title = Annotated[str, Field(min_length=1, max_length=200)]


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
    weeks: Annotated[int, Field(ge=-MOST_WEEKS, le=MOST_WEEKS, strict=True)] = 0
    """By which all dates are moved."""


async def create_course(call: ApiCall, fields: CourseFields) -> str:
    """Its id."""
    _require_known(fields.zone, fields.language)
    return await call.service.store.write(
        lambda tx: courses_queries.new_course(tx, call.person.id, fields.model_dump(), _join_code())
    )


async def update_course(call: ApiCall, fields: CourseChanges) -> dict[str, Any]:
    """The columns that have changed."""
    changed = fields.model_dump(exclude_unset=True)
    if missing := [name for name in ("title", "zone", "language") if name in changed and changed[name] is None]:
        raise ServiceProblem(422, "field", f"{missing[0]}: a course cannot be without it")
    _require_known(changed.get("zone", call.course.zone), changed.get("language", call.course.language))
    if "join" in changed:
        changed["join_code"] = changed.pop("join")

    def write(tx: Transaction) -> None:
        courses_queries.change_course(tx, call.person.id, call.course.id, changed)
        if "zone" in changed:
            # Days of lateness begin at other moments.
            for each in assignments_of(tx.connection, call.course.id):
                recompute_all(tx, each)

    await call.service.store.write(write)
    return changed


async def duplicate_course(call: ApiCall, fields: CopyFields) -> str:
    """The id of the new course."""
    title = fields.title or call.course.title
    return await call.service.store.write(
        lambda tx: copy_with_assignments(tx, call.person.id, call.course, title, _join_code(), fields.weeks)
    )


async def discard_course(call: ApiCall) -> None:
    await call.service.store.write(lambda tx: courses_queries.delete_course(tx, call.person.id, call.course.id))


def _require_known(zone: str, language: str) -> None:
    zone_named(zone)
    if language not in LANGUAGES:
        raise ServiceProblem(422, "language", f"language: one of {', '.join(LANGUAGES)}")


def _join_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(8))


router = APIRouter()

COURSE = shape(
    {"id": STRING, "title": STRING, "zone": STRING, "language": STRING, "join": {"type": ["string", "null"]}}
)


@route(router, "GET", "/api/courses", {200: Gives("The caller's courses", items(COURSE))}, who=Who.TEACHERS,
       about="Courses that you teach", queries=[LIMIT, AFTER])  # fmt: skip
async def list_courses(call: ApiCall) -> Response:
    wanted = page(call)
    return json_response(
        await call.service.store.read(lambda connection: courses_queries.courses_of(connection, call.person.id, wanted))
    )


@route(router, "POST", "/api/courses", {201: Gives("The course was made", shape({"id": STRING}))}, who=Who.TEACHERS,
       about="Make a course", body=CourseFields)  # fmt: skip
async def make_course(call: ApiCall) -> Response:
    course_id = await create_course(call, await call.fields(CourseFields))
    return json_response({"id": course_id}, 201)


@route(router, "GET", "/api/courses/{c}", {200: Gives("The course", COURSE)}, who=Who.TEACHER, about="A course")
async def get_course(call: ApiCall) -> Response:
    return json_response(courses_queries.course_data(call.course))


@route(router, "PATCH", "/api/courses/{c}", {200: Gives("The course as it is now", COURSE)}, who=Who.TEACHER,
       about="Change a course", body=CourseChanges)  # fmt: skip
async def change_course(call: ApiCall) -> Response:
    changed = await update_course(call, await call.fields(CourseChanges))
    return json_response({**courses_queries.course_data(call.course), **_shown(changed)})


@route(
    router,
    "DELETE",
    "/api/courses/{c}",
    {204: Gives("Nobody can reach it any longer")},
    who=Who.TEACHER,
    about="Delete a course",
)
async def delete_course(call: ApiCall) -> Response:
    await discard_course(call)
    return no_content()


@route(router, "POST", "/api/courses/{c}/copy", {201: Gives("The new course", shape({"id": STRING}))}, who=Who.TEACHER,
       about="A new course with the exercises and assignments of this one, and no people", body=CopyFields)  # fmt: skip
async def copy_course(call: ApiCall) -> Response:
    course_id = await duplicate_course(call, await call.fields(CopyFields))
    return json_response({"id": course_id}, 201)


def _shown(changed: dict[str, Any]) -> dict[str, Any]:
    return {"join" if key == "join_code" else key: value for key, value in changed.items()}


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
    return json_response(
        await call.service.store.read(lambda connection: entries_of(connection, call.course.id, wanted))
    )
