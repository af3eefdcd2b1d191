"""Assignments and extensions: what staff and students see of them, and what a teacher changes, also on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Response
from pydantic import Field
from sqlalchemy import Connection, Row

from grader.service.base.clock import now
from grader.service.base.service_problems import RuleViolation, ServiceProblem, field_problem
from grader.service.features.assignments import queries as assignments_queries
from grader.service.features.assignments.queries import assignment_dates, attempts_of, extension_of, handed_in
from grader.service.features.grades import queries as grades_queries
from grader.service.http.access import AnyRow, Who
from grader.service.http.json_bodies import STRING, Body, Minutes, items, json_response, no_content, shape
from grader.service.http.routing import AFTER, LIMIT, ApiCall, Gives, base_url, page, route
from grader.service.rules.assignment_dates import (
    MOST_ATTEMPTS,
    Dates,
    Extension,
    check_dates,
    check_extension,
    effective,
    may_start,
    phase,
)
from grader.service.rules.assignment_rules import (
    DEFAULTS,
    merged,
    read_extension,
    read_fields,
    stored_dates,
    told_dates,
    written_fields,
)
from grader.service.rules.grade_counting import attempts_used
from grader.service.rules.times import Moment
from grader.service.store.prepared_statements import page_of
from grader.service.store.tables import assignment
from grader.service.store.transaction import Transaction

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TEXT_OR_NULL, NUMBER_OR_NULL = {"type": ["string", "null"]}, {"type": ["integer", "null"]}
_LIMITS = {"due": TEXT_OR_NULL, "closes": TEXT_OR_NULL, "minutes": NUMBER_OR_NULL, "attempts": NUMBER_OR_NULL}
_RULES = {
    "id": TEXT,
    "url": TEXT,
    "title": TEXT,
    "phase": TEXT,
    "opens": TEXT,
    **_LIMITS,
    "counts": TEXT,
    "late": {"type": ["object", "null"]},
    "variants": TEXT,
    "feedback_before": TEXT,
    "feedback_after": TEXT,
    "released": {"type": "boolean"},
}
_ATTEMPT = shape({"id": TEXT, "number": NUMBER, "submission": TEXT_OR_NULL})
_OF_STUDENTS = {
    "extended": {"type": ["object", "null"], "properties": _LIMITS},
    "attempts_used": NUMBER,
    "attempts_left": NUMBER_OR_NULL,
    "may_start": {"type": "boolean"},
    "why_not": TEXT_OR_NULL,
    "begun": {"type": "array", "items": _ATTEMPT},
}
ASSIGNMENT_SCHEMA = shape(_RULES, {"exercise": TEXT, "version": NUMBER, **_OF_STUDENTS})


def assignment_json(connection: Connection, row: Row[Any], member: Row[Any], base: str, now: Moment) -> dict[str, Any]:
    """`row` is an assignment described. A student learns nothing of the exercise but what it is called."""
    dates = assignment_dates(row)
    data = {"id": row.id, "url": f"{base}/a/{row.id}", "title": row.title or row.name}
    rules = written_fields(row._asdict())
    if member.role != "student":
        about = {"exercise": row.exercise, "version": row.number, "phase": phase(dates, now)}
        return {**data, **about, **rules, **told_dates(dates)}
    theirs = effective(dates, extension_of(connection, row.id, member.id))
    return {**data, **rules, **told_dates(theirs), **_own(connection, row.id, member.id, dates, theirs, now)}


def _own(
    connection: Connection, assignment_id: str, member_id: str, dates: Dates, theirs: Dates, now: Moment
) -> dict[str, Any]:
    begun = [each for each in attempts_of(connection, assignment_id, member_id) if not each.trial]
    came = handed_in(connection, assignment_id, member_id)
    used = attempts_used((each.number for each in begun), came, timed=theirs.minutes is not None)
    why_not = may_start(theirs, used, now)
    everybody, own = told_dates(dates), told_dates(theirs)
    changed = {name: value for name, value in everybody.items() if own[name] != value}
    return {
        "phase": phase(theirs, now),
        "extended": changed or None,
        "attempts_used": used,
        "attempts_left": None if theirs.attempts is None else max(0, theirs.attempts - used),
        "may_start": why_not is None,
        "why_not": why_not,
        "begun": [{"id": each.id, "number": each.number, "submission": each.submission} for each in begun],
    }


Time = Annotated[str, Field(max_length=64)]
Share = Annotated[str, Field(max_length=90)] | Annotated[float, Field(strict=True, ge=0, le=1)]
Level = Literal["receipt", "none", "marks", "hints", "full"]

Attempts = Annotated[int, Field(strict=True, ge=1, le=MOST_ATTEMPTS)]
Number = Annotated[int, Field(strict=True, ge=1, le=10**9)]
Flag = Annotated[bool, Field(strict=True)]


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


async def create_assignment(call: ApiCall, given: AssignmentFields) -> str:
    """Its id."""
    written = {**DEFAULTS, **given.model_dump(exclude_unset=True)}
    number = written.pop("version", None)
    fields = read_fields(written, ZoneInfo(call.course.zone), now())
    _require_order(check_dates(stored_dates(fields)))

    def write(tx: Transaction) -> str:
        version = _version(tx.connection, call.course.id, given.exercise, number)
        row = {**fields, "exercise": given.exercise, "version": version}
        assignment_id = assignments_queries.new_assignment(tx, call.person.id, call.course.id, row)
        grades_queries.ensure_grades(tx, assignment_id)
        return assignment_id

    return await call.service.store.write(write)


async def update_assignment(call: ApiCall, given: AssignmentChanges) -> None:
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
            if fields["version"] != kept.version and assignments_queries.is_begun(tx.connection, kept.id):
                words = "students have begun; a regrade moves what was handed in to another version"
                raise ServiceProblem(409, "begun", words)
        changes = {name: value for name, value in fields.items() if value != getattr(kept, name)}
        if changes:
            assignments_queries.change_assignment(tx, call.person.id, call.course.id, kept.id, changes)
            grades_queries.recompute_all(tx, kept.id)

    await call.service.store.write(write)


async def grant_extension(call: ApiCall, whom: AnyRow, given: ExtensionFields) -> Extension:
    of, reason = call.row("a"), given.reason or ""
    extension = read_extension(given.model_dump(), ZoneInfo(call.course.zone))
    _require_order(check_extension(assignments_queries.assignment_dates(of), extension))

    def write(tx: Transaction) -> None:
        assignments_queries.put_extension(tx, call.person.id, call.course.id, of.id, whom.id, extension, reason)
        grades_queries.recompute(tx, of.id, whom.id)

    await call.service.store.write(write)
    return extension


async def withdraw_extension(call: ApiCall, whom: AnyRow) -> None:
    of = call.row("a")

    def write(tx: Transaction) -> None:
        assignments_queries.remove_extension(tx, call.person.id, call.course.id, of.id, whom.id)
        grades_queries.recompute(tx, of.id, whom.id)

    await call.service.store.write(write)


def _version(connection: Connection, course_id: str, exercise: str, number: int | None) -> str:
    found = assignments_queries.wanted_version(connection, course_id, exercise, number)
    if found is None:
        which = "" if number is None else f" with a version {number}"
        words = f"exercise: the course has no such exercise{which}"
        raise ServiceProblem(422, "exercise", words, [field_problem(words, "exercise")])
    return found


def _require_order(found: Sequence[RuleViolation]) -> None:
    if found:
        field_problems = [field_problem(each.message, each.code, each.hint) for each in found]
        raise ServiceProblem(422, found[0].code, found[0].message, field_problems)


router = APIRouter()

GRANTED = {"type": ["string", "null"]}
COUNT = {"type": ["integer", "null"]}
EXTENSION = shape(
    {"member": STRING, "due": GRANTED, "closes": GRANTED, "minutes": COUNT, "attempts": COUNT, "reason": STRING}
)


@route(router, "GET", "/api/courses/{c}/assignments", {200: Gives("As the caller sees them", items(ASSIGNMENT_SCHEMA))},
       who=Who.MEMBERS,
       about="Assignments of a course", queries=[LIMIT, AFTER])  # fmt: skip
async def list_assignments(call: ApiCall) -> Response:
    wanted, base, at = page(call), base_url(call), now()

    def read(connection: Connection) -> dict[str, Any]:
        statement = assignments_queries.described(call.course.id)
        return page_of(
            connection,
            statement,
            assignment.c.id,
            wanted,
            lambda row: assignment_json(connection, row, call.member, base, at),
        )

    return json_response(await call.service.store.read(read))


@route(router, "POST", "/api/courses/{c}/assignments",
       {201: Gives("The assignment, and where students find it", shape({"id": STRING, "url": STRING}))},
       who=Who.TEACHER, about="Assign an exercise", body=AssignmentFields)  # fmt: skip
async def make_assignment(call: ApiCall) -> Response:
    assignment_id = await create_assignment(call, await call.fields(AssignmentFields))
    return json_response({"id": assignment_id, "url": f"{base_url(call)}/a/{assignment_id}"}, 201)


@route(
    router,
    "GET",
    "/api/assignments/{a}",
    {200: Gives("As the caller sees it", ASSIGNMENT_SCHEMA)},
    who=Who.MEMBERS,
    about="An assignment",
)
async def get_assignment(call: ApiCall) -> Response:
    return json_response(await call.service.store.read(lambda connection: _seen(connection, call)))


@route(router, "PATCH", "/api/assignments/{a}", {200: Gives("The assignment as it is now", ASSIGNMENT_SCHEMA)},
       who=Who.TEACHER, about="Change an assignment; every grade is computed again",
       body=AssignmentChanges, problems=[409])  # fmt: skip
async def change_assignment(call: ApiCall) -> Response:
    await update_assignment(call, await call.fields(AssignmentChanges))
    return json_response(await call.service.store.read(lambda connection: _seen(connection, call)))


@route(router, "PUT", "/api/assignments/{a}/extensions/{m}", {200: Gives("What the member has instead", EXTENSION)},
       who=Who.TEACHER,
       about="Give a member more time or attempts", body=ExtensionFields)  # fmt: skip
async def put_extension(call: ApiCall) -> Response:
    given: ExtensionFields = await call.fields(ExtensionFields)
    whom = call.row("m")
    extension = await grant_extension(call, whom, given)
    return json_response({"member": whom.code, **told_dates(extension), "reason": given.reason or ""})


@route(router, "DELETE", "/api/assignments/{a}/extensions/{m}", {204: Gives("The member has what everybody has")},
       who=Who.TEACHER,
       about="Take an extension back")  # fmt: skip
async def remove_extension(call: ApiCall) -> Response:
    await withdraw_extension(call, call.row("m"))
    return no_content()


def _seen(connection: Connection, call: ApiCall) -> dict[str, Any]:
    row = assignments_queries.one_described(connection, call.row("a"))
    return assignment_json(connection, row, call.member, base_url(call), now())
