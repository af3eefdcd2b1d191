"""What a teacher changes in a course, whether by the API or on a page."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal

from pydantic import Field

from grader.service.access.scope import AnyRow
from grader.service.api.bodies import Body
from grader.service.api.routing import ApiCall
from grader.service.problems import ServiceProblem
from grader.service.rules.times import zone_named
from grader.service.store import courses
from grader.service.store.assignments import assignments_of
from grader.service.store.copying import copy_with_assignments
from grader.service.store.courses import CODE_LETTERS
from grader.service.store.grades import recompute_all
from grader.service.store.transaction import Transaction
from solver.languages import LANGUAGES

MOST_MEMBERS = 5_000
MOST_WEEKS = 520
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
    weeks: Annotated[int, Field(ge=-MOST_WEEKS, le=MOST_WEEKS, strict=True)] = 0
    """By which all dates are moved."""


class MemberFields(Body):
    id: Id
    name: Annotated[str, Field(max_length=200)] | None = None
    email: Annotated[str, Field(max_length=200)] | None = None
    role: Literal["student", "assistant", "teacher"] | None = None


class Members(Body):
    members: Annotated[list[MemberFields], Field(max_length=MOST_MEMBERS)]


async def make_course(call: ApiCall, fields: CourseFields) -> str:
    """Its id."""
    _require_known(fields.zone, fields.language)
    return await call.service.store.write(
        lambda tx: courses.new_course(tx, call.person.id, fields.model_dump(), _join_code())
    )


async def change_course(call: ApiCall, fields: CourseChanges) -> dict[str, Any]:
    """The columns that have changed."""
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
    return changed


async def copy_course(call: ApiCall, fields: CopyFields) -> str:
    """The id of the new course."""
    title = fields.title or call.course.title
    return await call.service.store.write(
        lambda tx: copy_with_assignments(tx, call.person.id, call.course, title, _join_code(), fields.weeks)
    )


async def delete_course(call: ApiCall) -> None:
    await call.service.store.write(lambda tx: courses.delete_course(tx, call.person.id, call.course.id))


async def put_members(call: ApiCall, wanted: Members) -> list[tuple[str, str | None]]:
    """Each id with the secret of its new link; a known id is updated and has none."""
    listed = [each.model_dump() for each in wanted.members]
    if len({each["id"] for each in listed}) < len(listed):
        raise ServiceProblem(422, "duplicate", "an id is listed more than once")
    return await call.service.store.write(lambda tx: courses.put_members(tx, call.person.id, call.course.id, listed))


async def renew_link(call: ApiCall, of: AnyRow) -> str:
    """The secret of a member's new link."""
    return await call.service.store.write(lambda tx: courses.renew_link(tx, call.person.id, call.course.id, of))


async def remove_member(call: ApiCall, of: AnyRow) -> None:
    if of.id == call.member.id:
        raise ServiceProblem(409, "yourself", "you cannot remove yourself from a course")
    await call.service.store.write(lambda tx: courses.remove_member(tx, call.person.id, call.course.id, of))


def _require_known(zone: str, language: str) -> None:
    zone_named(zone)
    if language not in LANGUAGES:
        raise ServiceProblem(422, "language", f"language: one of {', '.join(LANGUAGES)}")


def _join_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(8))
