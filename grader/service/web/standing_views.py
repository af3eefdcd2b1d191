"""Assignments as their reader sees them: dates that hold for them, what they have handed in, marks if they are due."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection, Row, select

from grader.service.api.feedback import due_level
from grader.service.rules.counting import attempts_used
from grader.service.rules.dates import CLOSED, NOT_OPEN, Dates, attempt_ends, effective, may_start, phase
from grader.service.rules.feedback import NOTHING, RECEIPT
from grader.service.rules.times import Moment
from grader.service.store.assignments import assignment_dates, described, extension_of
from grader.service.store.schema import assignment, attempt, grade, submission
from grader.service.store.standing import handed_in

BEGIN, GO_ON, LOOK = "begin", "go-on", "look"


@dataclass(frozen=True, slots=True)
class OwnAttempt:
    id: str
    number: int
    started: Moment
    submission: str | None
    received: Moment | None
    ends: Moment | None
    """When it can no longer be handed in."""
    timed: bool
    """Whether a clock of its own runs."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """One assignment for one reader."""

    id: str
    title: str
    phase: str
    everybody: Dates
    dates: Dates
    """Those that hold for the reader."""
    attempts: tuple[OwnAttempt, ...]
    used: int
    why_not: str | None
    """Why no further attempt can be begun."""
    marks: Fraction | None
    out_of: Fraction | None
    late: int
    """Days that were taken into account, where marks are told."""

    @property
    def open(self) -> OwnAttempt | None:
        """The attempt to go on with."""
        waiting = [each for each in self.attempts if each.submission is None]
        return waiting[-1] if waiting and self.phase not in (CLOSED, NOT_OPEN) else None

    @property
    def left(self) -> int | None:
        return None if self.dates.attempts is None else max(0, self.dates.attempts - self.used)

    @property
    def to_do(self) -> str:
        """What its button offers."""
        if self.open is not None:
            return GO_ON
        return BEGIN if self.why_not is None else LOOK

    @property
    def handed_in(self) -> list[OwnAttempt]:
        return [each for each in self.attempts if each.submission is not None]


def assigned(connection: Connection, row: Row[Any], member: Row[Any], now: Moment) -> Assigned:
    """`row` is an assignment described."""
    everybody = assignment_dates(row)
    dates = effective(everybody, extension_of(connection, row.id, member.id))
    begun = _begun(connection, row.id, member)
    own = _own_attempts(begun, dates, now)
    came = handed_in(connection, row.id, member.id)
    used = attempts_used((each.number for each in begun), came, timed=dates.minutes is not None)
    trying = member.role != "student"
    marks, out_of, late = _marks(connection, row.id, member)
    return Assigned(
        row.id,
        row.title or row.name,
        phase(dates, now),
        everybody,
        dates,
        own,
        used,
        None if trying else may_start(dates, used, now),
        marks,
        out_of,
        late,
    )


def all_assigned(connection: Connection, course_id: str, member: Row[Any], now: Moment) -> list[Assigned]:
    """What is due first comes first, what is never due last."""
    rows = connection.execute(described(course_id).order_by(assignment.c.created, assignment.c.id)).all()
    found = [assigned(connection, row, member, now) for row in rows]
    return sorted(found, key=lambda each: (each.dates.due is None, each.dates.due or 0))


def _begun(connection: Connection, assignment_id: str, member: Row[Any]) -> Sequence[Row[Any]]:
    """A member's attempts; one that was given back has a row for each time that it was handed in."""
    statement = (
        select(
            attempt,
            submission.c.id.label("submission"),
            submission.c.received,
            submission.c.reopened.label("opening"),
        )
        .outerjoin(submission, submission.c.attempt == attempt.c.id)
        .where(
            attempt.c.assignment == assignment_id,
            attempt.c.member == member.id,
            attempt.c.trial.is_(member.role != "student"),
        )
        .order_by(attempt.c.number, submission.c.reopened)
    )
    return connection.execute(statement).all()


def _own_attempts(begun: Sequence[Row[Any]], dates: Dates, now: Moment) -> tuple[OwnAttempt, ...]:
    """What was handed in, and what can be gone on with: an attempt whose time is over is left out."""
    own = []
    for row, following in zip_longest(begun, begun[1:]):
        ends = None if row.trial else attempt_ends(dates, row.started, row.until)
        timed = not row.trial and (dates.minutes is not None or row.until is not None)
        about = (row.id, row.number, row.started)
        if row.submission is not None:
            own.append(OwnAttempt(*about, row.submission, row.received, ends, timed))
        is_last = following is None or following.id != row.id
        if is_last and row.opening != row.reopened and (ends is None or now <= ends):
            own.append(OwnAttempt(*about, None, None, ends, timed))
    return tuple(own)


def _marks(
    connection: Connection, assignment_id: str, member: Row[Any]
) -> tuple[Fraction | None, Fraction | None, int]:
    if due_level(connection, assignment_id, member.role) in (RECEIPT, NOTHING):
        return None, None, 0
    wanted = select(grade).where(grade.c.assignment == assignment_id, grade.c.member == member.id)
    row = connection.execute(wanted).first()
    if row is None or row.marks is None:
        return None, None, 0
    return Fraction(row.marks), Fraction(row.out_of), row.late
