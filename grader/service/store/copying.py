"""A course copied for another term."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Row, select

from grader.service.rules.times import Moment, days_later, moment_text, read_moment
from grader.service.store.assignments import new_assignment
from grader.service.store.courses import copy_course
from grader.service.store.schema import assignment, version
from grader.service.store.transaction import Transaction

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
