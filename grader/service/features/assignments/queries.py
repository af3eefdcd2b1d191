"""Assignments: what they mean to the rules, what members have handed in for them, and how much each reader
is told.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, zip_longest
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, Select, and_, bindparam, delete, func, select, update

from grader.service.base.clock import now
from grader.service.base.ids import new_id, new_secret
from grader.service.rules.assignment_dates import (
    CLOSED,
    NOT_OPEN,
    Dates,
    Extension,
    LateRule,
    attempt_ends,
    effective,
    may_start,
    phase,
    read_late_rule,
)
from grader.service.rules.assignment_rules import (
    FULL,
    NOTHING,
    RECEIPT,
    FeedbackRule,
    closes_for_all,
    level_due,
    stored_dates,
)
from grader.service.rules.grade_counting import FAILED, MARKED, RECEIVED, CountingRule, SubmissionMarks, attempts_used
from grader.service.rules.times import Moment
from grader.service.store.tables import (
    assignment,
    attempt,
    exercise,
    extension,
    grade,
    marking,
    part,
    report,
    submission,
    variant,
    version,
)
from grader.service.store.transaction import Transaction

REPORT_OF_MARKING = and_(
    report.c.variant_sha256 == marking.c.variant_sha256,
    report.c.canonical_sha256 == marking.c.canonical_sha256,
    report.c.program == marking.c.program,
    report.c.overrides_sha256 == marking.c.overrides_sha256,
)
"""How a report is found."""
CURRENT = and_(submission.c.attempt == attempt.c.id, submission.c.reopened == attempt.c.reopened)
"""What was handed in since an attempt was begun, or last given back."""
_all = (
    select(
        attempt.c.member,
        attempt.c.number,
        submission.c.id,
        submission.c.received,
        marking.c.version,
        marking.c.state,
        marking.c.readable,
        report.c.marks,
        report.c.out_of,
        part.c.marks.label("worth"),
    )
    .select_from(attempt)
    .join(submission, submission.c.attempt == attempt.c.id)
    .join(marking, marking.c.submission == submission.c.id)
    .join(variant, variant.c.id == marking.c.variant)
    .join(part, part.c.id == variant.c.part)
    .outerjoin(report, REPORT_OF_MARKING)
    .where(attempt.c.trial.is_(False), attempt.c.assignment == bindparam("assignment_id"))
    .order_by(submission.c.received, submission.c.id, marking.c.part)
)
_some = _all.where(attempt.c.member.in_(bindparam("members", expanding=True)))


@dataclass(frozen=True, slots=True)
class Standing:
    """A submission with what it is out of and the version that it was marked against."""

    handed_in: SubmissionMarks
    out_of: Fraction
    """Of no meaning until it is marked."""
    version: str


def standings(
    connection: Connection, assignment_id: str, members: Collection[str] | None = None
) -> dict[str, list[Standing]]:
    """Of everybody, or of some members, the earliest first. Tries that count for nobody are left out."""
    statement, keys = (_all, {}) if members is None else (_some, {"members": list(members)})
    by_member: dict[str, list[Standing]] = defaultdict(list)
    rows_found = connection.execute(statement, {"assignment_id": assignment_id, **keys}).all()
    for _, parts in groupby(rows_found, key=lambda row: row.id):
        rows: list[Any] = list(parts)
        by_member[rows[0].member].append(_standing(rows))
    return dict(by_member)


def handed_in(connection: Connection, assignment_id: str, member_id: str) -> list[SubmissionMarks]:
    """By one member."""
    return [each.handed_in for each in standings(connection, assignment_id, [member_id]).get(member_id, [])]


def _standing(parts: list[Any]) -> Standing:
    first = parts[0]
    states = {each.state for each in parts}
    state = FAILED if FAILED in states else RECEIVED if RECEIVED in states else MARKED
    marks, out_of = Fraction(0), Fraction(0)
    if state == MARKED:
        for each in parts:
            worth = Fraction(each.out_of if each.worth is None else each.worth)
            out_of += worth
            marks += (
                Fraction(each.marks) if each.worth is None else Fraction(each.marks) * worth / Fraction(each.out_of)
            )
    counted = state != MARKED or any(each.readable for each in parts)
    return Standing(
        SubmissionMarks(first.id, first.number, first.received, state, counted, marks), out_of, first.version
    )


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


_assignment = select(assignment).where(assignment.c.id == bindparam("assignment_id"))


def due_level(connection: Connection, assignment_id: str, role: str) -> str:
    """Staff are told everything."""
    if role != "student":
        return FULL
    row = connection.execute(_assignment, {"assignment_id": assignment_id}).one()
    return level_due(feedback_rule(row), closing_of(connection, row), now())


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
class AssignmentView:
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


def view_assignment(connection: Connection, row: Row[Any], member: Row[Any], now: Moment) -> AssignmentView:
    """`row` is an assignment described."""
    everybody = assignment_dates(row)
    dates = effective(everybody, extension_of(connection, row.id, member.id))
    begun = _begun(connection, row.id, member)
    own = _own_attempts(begun, dates, now)
    came = handed_in(connection, row.id, member.id)
    used = attempts_used((each.number for each in begun), came, timed=dates.minutes is not None)
    trying = member.role != "student"
    marks, out_of, late = _marks(connection, row.id, member)
    return AssignmentView(
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


def view_assignments(connection: Connection, course_id: str, member: Row[Any], now: Moment) -> list[AssignmentView]:
    """What is due first comes first, what is never due last."""
    rows = connection.execute(described(course_id).order_by(assignment.c.created, assignment.c.id)).all()
    views = [view_assignment(connection, row, member, now) for row in rows]
    return sorted(views, key=lambda each: (each.dates.due is None, each.dates.due or 0))


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
