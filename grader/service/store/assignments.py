"""Assignments, and what they mean to the rules: dates, lateness, feedback, extensions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, select, update

from grader.service.ids import new_id, new_secret
from grader.service.rules.assigning import stored_dates
from grader.service.rules.counting import CountingRule
from grader.service.rules.dates import Dates, Extension, effective
from grader.service.rules.feedback import FeedbackRule, closes_for_all
from grader.service.rules.lateness import LateRule, read_late_rule
from grader.service.rules.times import Moment
from grader.service.store.schema import assignment, attempt, exercise, extension, submission, version
from grader.service.store.standing import CURRENT
from grader.service.store.transaction import Transaction

_extensions = select(extension.c.member, extension.c.fields).where(extension.c.assignment == bindparam("assignment_id"))
_extension = _extensions.with_only_columns(extension.c.fields).where(extension.c.member == bindparam("member_id"))


def assignment_dates(row: Row[Any]) -> Dates:
    """Of an assignment's row: those that hold for whoever has no extension."""
    return stored_dates(row._asdict())


def late_rule(row: Row[Any]) -> LateRule | None:
    return None if row.late is None else read_late_rule(json.loads(row.late))


def feedback_rule(row: Row[Any]) -> FeedbackRule:
    return FeedbackRule(row.feedback_before, row.feedback_after, row.released)


def counting_rule(row: Row[Any], zone: str, extended: Extension | None) -> CountingRule:
    return CountingRule(effective(assignment_dates(row), extended).due, ZoneInfo(zone), row.counts, late_rule(row))


def extension_of(connection: Connection, assignment_id: str, member_id: str) -> Extension | None:
    """A member's, if they have one."""
    keys = {"assignment_id": assignment_id, "member_id": member_id}
    found = connection.execute(_extension, keys).scalar_one_or_none()
    return None if found is None else Extension(**json.loads(found))


def extensions_of(connection: Connection, assignment_id: str) -> dict[str, Extension]:
    """By member."""
    rows = connection.execute(_extensions, {"assignment_id": assignment_id})
    return {row.member: Extension(**json.loads(row.fields)) for row in rows}


def closing_of(connection: Connection, row: Row[Any]) -> Moment | None:
    """The last moment at which anybody may still hand in; None is never."""
    return closes_for_all(assignment_dates(row), extensions_of(connection, row.id).values())


def described(course_id: str) -> Select[Any]:
    """Assignments of a course with the number of their version and what the exercise is called."""
    return (
        select(assignment, version.c.number.label("number"), exercise.c.name.label("name"), exercise.c.title)
        .join(version, version.c.id == assignment.c.version)
        .join(exercise, exercise.c.id == assignment.c.exercise)
        .where(assignment.c.course == course_id)
    )


def one_described(connection: Connection, row: Row[Any]) -> Row[Any]:
    return connection.execute(described(row.course).where(assignment.c.id == row.id)).one()


def assignments_of(connection: Connection, course_id: str) -> list[str]:
    """The ids of those in a course."""
    return list(connection.execute(select(assignment.c.id).where(assignment.c.course == course_id)).scalars())


def attempts_of(connection: Connection, assignment_id: str, member_id: str) -> list[Any]:
    """Of one member, the earliest first, each with its submission; none while it can be worked on."""
    statement = (
        select(attempt.c.id, attempt.c.number, attempt.c.trial, submission.c.id.label("submission"))
        .outerjoin(submission, CURRENT)
        .where(attempt.c.assignment == assignment_id, attempt.c.member == member_id)
        .order_by(attempt.c.number)
    )
    return list(connection.execute(statement).all())


def wanted_version(connection: Connection, course_id: str, exercise_id: str, number: int | None) -> str | None:
    """The id of a version of an exercise in the course, the newest unless a number is given; None if there is none."""
    which = exercise.c.latest if number is None else number
    statement = (
        select(version.c.id)
        .join(exercise, exercise.c.id == version.c.exercise)
        .where(exercise.c.id == exercise_id, exercise.c.course == course_id, version.c.number == which)
    )
    return connection.execute(statement).scalar_one_or_none()


def new_assignment(tx: Transaction, who: str, course_id: str, fields: Mapping[str, Any]) -> str:
    """Fields are those of a row, without its id, secret and course."""
    assignment_id = new_id()
    row = {"id": assignment_id, "course": course_id, **fields, "secret": new_secret(), "created": tx.now}
    tx.execute(assignment.insert(), row)
    tx.audit(who, "assignment.made", assignment_id, course_id, exercise=fields["exercise"], version=fields["version"])
    return assignment_id


def change_assignment(
    tx: Transaction, who: str, course_id: str, assignment_id: str, changes: Mapping[str, Any]
) -> None:
    tx.execute(update(assignment).where(assignment.c.id == assignment_id).values(**changes))
    tx.audit(who, "assignment.changed", assignment_id, course_id, **changes)


def is_begun(connection: Connection, assignment_id: str) -> bool:
    """Whether a student has begun an attempt."""
    statement = (
        select(func.count())
        .select_from(attempt)
        .where(attempt.c.assignment == assignment_id, attempt.c.trial.is_(False))
    )
    return bool(connection.execute(statement).scalar_one())


def put_extension(
    tx: Transaction, who: str, course_id: str, assignment_id: str, member_id: str, given: Extension, reason: str
) -> None:
    """In place of whatever extension the member had."""
    fields = {name: value for name in Extension.__slots__ if (value := getattr(given, name)) is not None}
    _take_away(tx, assignment_id, member_id)
    row = {"assignment": assignment_id, "member": member_id, "fields": json.dumps(fields), "reason": reason}
    tx.execute(extension.insert(), {**row, "by": who, "created": tx.now})
    tx.audit(who, "extension.given", member_id, course_id, assignment=assignment_id, **fields)


def remove_extension(tx: Transaction, who: str, course_id: str, assignment_id: str, member_id: str) -> None:
    if _take_away(tx, assignment_id, member_id):
        tx.audit(who, "extension.taken", member_id, course_id, assignment=assignment_id)


def _take_away(tx: Transaction, assignment_id: str, member_id: str) -> int:
    statement = delete(extension).where(extension.c.assignment == assignment_id, extension.c.member == member_id)
    return tx.execute(statement).rowcount
