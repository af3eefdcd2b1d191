"""What a course and an assignment hold, in numbers: read from the store for the desk's pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select

from grader.service.rules.counting import MARKED
from grader.service.rules.dates import Dates, phase
from grader.service.rules.feedback import FULL, level_due
from grader.service.rules.times import Moment
from grader.service.store import review
from grader.service.store.assignments import assignment_dates, described, feedback_rule
from grader.service.store.schema import assignment, attempt, marking, member, person, submission


@dataclass(frozen=True, slots=True)
class Glance:
    """One assignment at a glance."""

    id: str
    title: str
    phase: str
    dates: Dates
    released: bool
    handed_in: int
    """Students, each counted once."""
    submissions: int
    waiting: int
    """Submissions that are not marked yet."""
    to_review: int


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    code: str
    name: str
    email: str | None
    role: str


def people_of(connection: Connection, course_id: str) -> list[Person]:
    """Members in the order of the roster."""
    statement = (
        select(member.c.id, member.c.code, person.c.name, person.c.email, member.c.role)
        .join(person, person.c.id == member.c.person)
        .where(member.c.course == course_id, member.c.removed.is_(None))
        .order_by(member.c.position)
    )
    return [Person(*row) for row in connection.execute(statement)]


def names_of(connection: Connection, course_id: str) -> dict[str, str]:
    """Of everybody who is or was in a course, by the id that the teacher gave."""
    statement = (
        select(member.c.code, person.c.name)
        .join(person, person.c.id == member.c.person)
        .where(member.c.course == course_id)
    )
    return {row.code: row.name for row in connection.execute(statement)}


def glances(connection: Connection, course_id: str, now: Moment) -> list[Glance]:
    """The newest first."""
    rows = connection.execute(described(course_id).order_by(assignment.c.created.desc(), assignment.c.id)).all()
    return [glance(connection, row, now) for row in rows]


def glance(connection: Connection, row: Row[Any], now: Moment) -> Glance:
    """`row` is an assignment described."""
    counted = (
        select(func.count(attempt.c.member.distinct()), func.count(submission.c.id))
        .select_from(submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(attempt.c.assignment == row.id, attempt.c.trial.is_(False))
    )
    handed_in, submissions = connection.execute(counted).one()
    waiting = (
        select(func.count(marking.c.submission.distinct()))
        .join(submission, submission.c.id == marking.c.submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(attempt.c.assignment == row.id, attempt.c.trial.is_(False))
        .where((marking.c.state != MARKED) | marking.c.stale)
    )
    dates = assignment_dates(row)
    return Glance(
        row.id,
        row.title or row.name,
        phase(dates, now),
        dates,
        row.released,
        handed_in,
        submissions,
        connection.execute(waiting).scalar_one(),
        len(review.to_review(connection, row.id)),
    )


def has_second_account(course: Row[Any], row: Row[Any], now: Moment) -> bool:
    """Whether students could read the key with another account before they answer: it is shown before the assignment
    closes, and anybody can join with a code."""
    closing = assignment_dates(row).closes
    is_over = closing is not None and now > closing
    return course.join_code is not None and not is_over and level_due(feedback_rule(row), None, now) == FULL
