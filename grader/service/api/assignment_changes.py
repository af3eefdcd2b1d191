"""What a teacher changes in an assignment, whether by the API or on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import Field
from sqlalchemy import Connection

from grader.service.access.scope import AnyRow
from grader.service.api.bodies import Body
from grader.service.api.routing import ApiCall
from grader.service.clock import now
from grader.service.problems import ServiceProblem, field_problem
from grader.service.rules.assigning import (
    DEFAULTS,
    merged,
    read_extension,
    read_fields,
    stored_dates,
    written_fields,
)
from grader.service.rules.dates import MOST_ATTEMPTS, MOST_MINUTES, Extension, check_dates, check_extension
from grader.service.rules.unfit import Unfit
from grader.service.store import assignments, grades
from grader.service.store.schema import assignment
from grader.service.store.transaction import Transaction

Time = Annotated[str, Field(max_length=64)]
Share = Annotated[str, Field(max_length=90)] | Annotated[float, Field(strict=True, ge=0, le=1)]
Level = Literal["receipt", "none", "marks", "hints", "full"]
Minutes = Annotated[int, Field(strict=True, ge=1, le=MOST_MINUTES)]
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


async def make_assignment(call: ApiCall, given: AssignmentFields) -> str:
    """Its id."""
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

    return await call.service.store.write(write)


async def change_assignment(call: ApiCall, given: AssignmentChanges) -> None:
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


async def put_extension(call: ApiCall, whom: AnyRow, given: ExtensionFields) -> Extension:
    of, reason = call.row("a"), given.reason or ""
    extension = read_extension(given.model_dump(), ZoneInfo(call.course.zone))
    _require_order(check_extension(assignments.assignment_dates(of), extension))

    def write(tx: Transaction) -> None:
        assignments.put_extension(tx, call.person.id, call.course.id, of.id, whom.id, extension, reason)
        grades.recompute(tx, of.id, whom.id)

    await call.service.store.write(write)
    return extension


async def remove_extension(call: ApiCall, whom: AnyRow) -> None:
    of = call.row("a")

    def write(tx: Transaction) -> None:
        assignments.remove_extension(tx, call.person.id, call.course.id, of.id, whom.id)
        grades.recompute(tx, of.id, whom.id)

    await call.service.store.write(write)


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
