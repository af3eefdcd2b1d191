"""Courses, how one is copied for another term, and what was done in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, select, update

from grader.service.base.ids import new_id
from grader.service.features.assignments.queries import new_assignment
from grader.service.features.members.queries import _add
from grader.service.rules.times import Moment, days_later, moment_text, read_moment
from grader.service.store.prepared_statements import Page, page_of
from grader.service.store.tables import assignment, audit, course, exercise, member, part, person, variant, version
from grader.service.store.transaction import Transaction

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look alike on a blackboard."""


def new_course(tx: Transaction, who: str, fields: Mapping[str, Any], code: str) -> str:
    """Made by somebody who becomes its first teacher."""
    course_id = new_id()
    tx.execute(course.insert(), {"id": course_id, **fields, "join_code": code, "created": tx.now, "deleted": None})
    tx.audit(who, "course.made", course_id, course_id)
    name = tx.execute(select(person.c.login).where(person.c.id == who)).scalar_one_or_none()
    _add(tx, course_id, who, name or who, "teacher")
    return course_id


def courses_of(connection: Connection, who: str, page: Page) -> dict[str, Any]:
    """Those in which somebody is a teacher."""
    statement = (
        select(course)
        .join(member, member.c.course == course.c.id)
        .where(
            member.c.person == who, member.c.role == "teacher", member.c.removed.is_(None), course.c.deleted.is_(None)
        )
    )
    return page_of(connection, statement, course.c.id, page, course_data)


def course_data(row: Row[Any]) -> dict[str, Any]:
    return {"id": row.id, "title": row.title, "zone": row.zone, "language": row.language, "join": row.join_code}


def change_course(tx: Transaction, who: str, course_id: str, fields: Mapping[str, Any]) -> None:
    if fields:
        tx.execute(update(course).where(course.c.id == course_id).values(**fields))
        tx.audit(who, "course.changed", course_id, course_id, fields=sorted(fields))


def delete_course(tx: Transaction, who: str, course_id: str) -> None:
    """Nobody reaches it any longer; what was handed in stays in the store and its backups."""
    tx.execute(update(course).where(course.c.id == course_id).values(deleted=tx.now, join_code=None))
    tx.audit(who, "course.deleted", course_id, course_id)


def copy_course(tx: Transaction, who: str, of: Row[Any], title: str, code: str) -> tuple[str, dict[str, str]]:
    """Exercises with their newest version, no people; the new ids of exercises by the old ones."""
    fields = {"title": title, "zone": of.zone, "language": of.language}
    copied = new_course(tx, who, fields, code)
    exercises: dict[str, str] = {}
    for each in tx.execute(select(exercise).where(exercise.c.course == of.id)).all():
        exercises[each.id] = new_id()
        row = {**each._asdict(), "id": exercises[each.id], "course": copied, "latest": 1, "created": tx.now}
        tx.execute(exercise.insert(), row)
        newest = select(version).where(version.c.exercise == each.id, version.c.number == each.latest)
        _copy_version(tx, tx.execute(newest).one(), exercises[each.id], who)
    tx.audit(who, "course.copied", copied, copied, of=of.id)
    return copied, exercises


def _copy_version(tx: Transaction, of: Row[Any], exercise_id: str, who: str) -> None:
    version_id = new_id()
    row = {**of._asdict(), "id": version_id, "exercise": exercise_id, "number": 1, "created_by": who}
    tx.execute(version.insert(), {**row, "created": tx.now})
    for each in tx.execute(select(part).where(part.c.version == of.id)).all():
        part_id = new_id()
        tx.execute(part.insert(), {**each._asdict(), "id": part_id, "version": version_id})
        for one in tx.execute(select(variant).where(variant.c.part == each.id)).all():
            tx.execute(variant.insert(), {**one._asdict(), "id": new_id(), "part": part_id})


OWN = ("id", "course", "exercise", "version", "secret", "created", "released")
"""Of an assignment: what its copy has anew."""

DATES = ("opens", "due", "closes")
DAYS = 7


def copy_with_assignments(tx: Transaction, who: str, of: Row[Any], title: str, code: str, weeks: int = 0) -> str:
    """Exercises in their newest version, and what was assigned with the same rules and with dates so many weeks later
    by the course's clock. Nothing is released, and variants are dealt anew. No people."""
    copied, exercises = copy_course(tx, who, of, title, code)
    for each in tx.execute(select(assignment).where(assignment.c.course == of.id).order_by(assignment.c.created)).all():
        exercise_id = exercises[each.exercise]
        newest = tx.execute(select(version.c.id).where(version.c.exercise == exercise_id)).scalar_one()
        moved = {name: _later(getattr(each, name), weeks, of.zone) for name in DATES}
        kept = {name: value for name, value in each._asdict().items() if name not in OWN}
        new_assignment(
            tx, who, copied, {**kept, **moved, "exercise": exercise_id, "version": newest, "released": False}
        )
    return copied


def _later(at: Moment | None, weeks: int, zone: str) -> Moment | None:
    """Unfit for a date that no assignment may have."""
    if at is None or not weeks:
        return at
    clock = ZoneInfo(zone)
    return read_moment(moment_text(days_later(at, DAYS * weeks, clock)), clock, "weeks")


def entries_of(connection: Connection, course_id: str, page: Page) -> dict[str, Any]:
    """Those of a course. Their numbers have gaps, where something was done elsewhere."""
    return page_of(connection, select(audit).where(audit.c.course == course_id), audit.c.number, page, _data, int)


def _data(row: Row[Any]) -> dict[str, Any]:
    return {
        "number": row.number,
        "at": moment_text(row.at),
        "who": row.who,
        "what": row.what,
        "subject": row.subject,
        "detail": json.loads(row.detail),
        "hash": row.hash,
    }
