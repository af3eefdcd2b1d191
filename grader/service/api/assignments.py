"""Assignments and extensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Response
from pydantic import Field
from sqlalchemy import Connection

from grader.service.api.assignment_views import SEEN, seen
from grader.service.api.bodies import Body, answer, items, nothing, shape
from grader.service.api.links import base_url
from grader.service.api.paging import page
from grader.service.api.routing import AFTER, LIMIT, ApiCall, Gives, route
from grader.service.clock import now
from grader.service.problems import ServiceProblem, field_problem
from grader.service.rules.assigning import (
    DEFAULTS,
    merged,
    read_extension,
    read_fields,
    stored_dates,
    told_dates,
    written_fields,
)
from grader.service.rules.dates import MOST_ATTEMPTS, MOST_MINUTES, check_dates, check_extension
from grader.service.rules.unfit import Unfit
from grader.service.store import assignments, grades
from grader.service.store.paging import page_of
from grader.service.store.schema import assignment
from grader.service.store.transaction import Transaction

router = APIRouter()
TEXT = {"type": "string"}
Time = Annotated[str, Field(max_length=64)]
Share = Annotated[str, Field(max_length=90)] | Annotated[float, Field(strict=True, ge=0, le=1)]
Level = Literal["receipt", "none", "marks", "hints", "full"]
Minutes = Annotated[int, Field(strict=True, ge=1, le=MOST_MINUTES)]
Attempts = Annotated[int, Field(strict=True, ge=1, le=MOST_ATTEMPTS)]
Number = Annotated[int, Field(strict=True, ge=1, le=10**9)]
Flag = Annotated[bool, Field(strict=True)]
GRANTED = {"type": ["string", "null"]}
COUNT = {"type": ["integer", "null"]}
EXTENSION = shape(
    {"member": TEXT, "due": GRANTED, "closes": GRANTED, "minutes": COUNT, "attempts": COUNT, "reason": TEXT}
)


class LateFields(Body):
    """The share that each day takes off, and the most that all of them do."""

    per_day: Share | None = None
    at_most: Share | None = None


class AssignmentRules(Body):
    """Fields of an assignment; times without an offset are in the course's zone."""

    version: Number | None = None
    opens: Time | None = None
    due: Time | None = None
    closes: Time | None = None
    minutes: Minutes | None = None
    attempts: Attempts | None = 1
    counts: Literal["best", "last"] = "best"
    late: LateFields | None = None
    variants: Literal["same", "fresh"] = "same"
    feedback_before: Level = "receipt"
    feedback_after: Level = "full"
    released: Flag = False


class AssignmentFields(AssignmentRules):
    exercise: Annotated[str, Field(max_length=64)]


class AssignmentChanges(AssignmentRules):
    """JSON Merge Patch; the exercise and its version only until a student has begun."""

    exercise: Annotated[str, Field(max_length=64)] | None = None


class ExtensionFields(Body):
    """What is absent or null stays as the assignment has it."""

    due: Time | None = None
    closes: Time | None = None
    minutes: Minutes | None = None
    attempts: Attempts | None = None
    reason: Annotated[str, Field(max_length=1000)] | None = None


@route(router, "GET", "/api/courses/{c}/assignments", {200: Gives("As the caller sees them", items(SEEN))},
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
       {201: Gives("The assignment, and where students find it", shape({"id": TEXT, "url": TEXT}))},
       about="Assign an exercise", body=AssignmentFields)  # fmt: skip
async def make_assignment(call: ApiCall) -> Response:
    given: AssignmentFields = await call.fields(AssignmentFields)
    written = {**DEFAULTS, **given.model_dump(exclude_unset=True)}
    number = written.pop("version", None)
    fields = read_fields(written, ZoneInfo(call.course.zone), now())
    _require_order(check_dates(stored_dates(fields)))

    def write(tx: Transaction) -> str:
        version = _version(tx.connection, call.course.id, given.exercise, number)
        row = {**fields, "exercise": given.exercise, "version": version}
        made = assignments.new_assignment(tx, call.person.id, call.course.id, row)
        grades.ensure_grades(tx, made)
        return made

    made = await call.service.store.write(write)
    return answer({"id": made, "url": f"{base_url(call)}/a/{made}"}, 201)


@route(router, "GET", "/api/assignments/{a}", {200: Gives("As the caller sees it", SEEN)}, about="An assignment")
async def get_assignment(call: ApiCall) -> Response:
    return answer(await call.service.store.read(lambda connection: _seen(connection, call)))


@route(router, "PATCH", "/api/assignments/{a}", {200: Gives("The assignment as it is now", SEEN)},
       about="Change an assignment; every grade is computed again", body=AssignmentChanges, problems=[409])  # fmt: skip
async def change_assignment(call: ApiCall) -> Response:
    given: AssignmentChanges = await call.fields(AssignmentChanges)
    patch = given.model_dump(exclude_unset=True)

    def write(tx: Transaction) -> None:
        kept = tx.execute(assignment.select().where(assignment.c.id == call.row("a").id)).one()
        exercise, number = patch.get("exercise"), patch.get("version")
        rules = {name: value for name, value in patch.items() if name in DEFAULTS}
        fields = read_fields(merged(written_fields(kept._asdict()), rules), ZoneInfo(call.course.zone), tx.now)
        _require_order(check_dates(stored_dates(fields)))
        if exercise is not None or number is not None:
            fields["exercise"] = exercise or kept.exercise
            fields["version"] = _version(tx.connection, call.course.id, fields["exercise"], number)
            if fields["version"] != kept.version and assignments.is_begun(tx.connection, kept.id):
                words = "students have begun; a regrade moves what was handed in to another version"
                raise ServiceProblem(409, "begun", words)
        changes = {name: value for name, value in fields.items() if value != getattr(kept, name)}
        if changes:
            assignments.change_assignment(tx, call.person.id, call.course.id, kept.id, changes)
            grades.recompute_all(tx, kept.id)

    await call.service.store.write(write)
    return answer(await call.service.store.read(lambda connection: _seen(connection, call)))


@route(router, "PUT", "/api/assignments/{a}/extensions/{m}", {200: Gives("What the member has instead", EXTENSION)},
       about="Give a member more time or attempts", body=ExtensionFields)  # fmt: skip
async def put_extension(call: ApiCall) -> Response:
    given: ExtensionFields = await call.fields(ExtensionFields)
    of, whom = call.row("a"), call.row("m")
    extension = read_extension(given.model_dump(), ZoneInfo(call.course.zone))
    _require_order(check_extension(assignments.assignment_dates(of), extension))
    reason = given.reason or ""

    def write(tx: Transaction) -> None:
        assignments.put_extension(tx, call.person.id, call.course.id, of.id, whom.id, extension, reason)
        grades.recompute(tx, of.id, whom.id)

    await call.service.store.write(write)
    return answer({"member": whom.code, **told_dates(extension), "reason": reason})


@route(router, "DELETE", "/api/assignments/{a}/extensions/{m}", {204: Gives("The member has what everybody has")},
       about="Take an extension back")  # fmt: skip
async def remove_extension(call: ApiCall) -> Response:
    of, whom = call.row("a"), call.row("m")

    def write(tx: Transaction) -> None:
        assignments.remove_extension(tx, call.person.id, call.course.id, of.id, whom.id)
        grades.recompute(tx, of.id, whom.id)

    await call.service.store.write(write)
    return nothing()


def _seen(connection: Connection, call: ApiCall) -> dict[str, Any]:
    row = assignments.one_described(connection, call.row("a"))
    return seen(connection, row, call.member, base_url(call), now())


def _version(connection: Connection, course_id: str, exercise: str, number: int | None) -> str:
    found = assignments.wanted_version(connection, course_id, exercise, number)
    if found is None:
        which = "" if number is None else f" with a version {number}"
        words = f"exercise: the course has no such exercise{which}"
        raise ServiceProblem(422, "exercise", words, [field_problem(words, "exercise")])
    return found


def _require_order(found: Sequence[Unfit]) -> None:
    if found:
        told = [field_problem(each.message, each.code, each.hint) for each in found]
        raise ServiceProblem(422, found[0].code, found[0].message, told)
