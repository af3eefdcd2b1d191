"""Assignments, and what they mean to the rules: dates, lateness, feedback, extensions."""

from __future__ import annotations

import json
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, select

from grader.service.rules.counting import CountingRule
from grader.service.rules.dates import Dates, Extension, dates_of, effective
from grader.service.rules.feedback import FeedbackRule, closes_for_all
from grader.service.rules.lateness import LateRule, read_late_rule
from grader.service.rules.times import Moment
from grader.service.store.schema import extension


def assignment_dates(row: Row[Any]) -> Dates:
    """Of an assignment's row: those that hold for whoever has no extension."""
    return dates_of(row.opens, row.due, row.closes, row.minutes, row.attempts, takes_late=row.late is not None)


def late_rule(row: Row[Any]) -> LateRule | None:
    return None if row.late is None else read_late_rule(json.loads(row.late))


def feedback_rule(row: Row[Any]) -> FeedbackRule:
    return FeedbackRule(row.feedback_before, row.feedback_after, row.released)


def counting_rule(row: Row[Any], zone: str, extended: Extension | None) -> CountingRule:
    return CountingRule(effective(assignment_dates(row), extended).due, ZoneInfo(zone), row.counts, late_rule(row))


def extension_of(connection: Connection, assignment_id: str, member_id: str) -> Extension | None:
    """A member's, if they have one."""
    statement = select(extension.c.fields).where(
        extension.c.assignment == assignment_id, extension.c.member == member_id
    )
    found = connection.execute(statement).scalar_one_or_none()
    return None if found is None else Extension(**json.loads(found))


def extensions_of(connection: Connection, assignment_id: str) -> dict[str, Extension]:
    """By member."""
    statement = select(extension.c.member, extension.c.fields).where(extension.c.assignment == assignment_id)
    return {row.member: Extension(**json.loads(row.fields)) for row in connection.execute(statement)}


def closing_of(connection: Connection, row: Row[Any]) -> Moment | None:
    """The last moment at which anybody may still hand in; None is never."""
    return closes_for_all(assignment_dates(row), extensions_of(connection, row.id).values())
