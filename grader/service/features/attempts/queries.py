"""Attempts and their drafts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, func, select, update

from grader.service.base.clock import now
from grader.service.base.ids import new_id
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.assignments.queries import CURRENT, assignment_dates, extension_of, handed_in
from grader.service.features.exercises.queries import variant_of, variants_of_version
from grader.service.rules.assignment_dates import (
    CLOSED,
    NO_ATTEMPTS_LEFT,
    NOT_OPEN,
    Dates,
    Extension,
    attempt_ends,
    effective,
    may_start,
    may_submit,
    phase,
)
from grader.service.rules.grade_counting import attempts_used
from grader.service.rules.times import MINUTE, Moment
from grader.service.rules.variant_dealing import PartOfAssignment, staffs_variant, students_variant
from grader.service.store.prepared_statements import PreparedStatement
from grader.service.store.tables import assignment, attempt, course, draft, extension, member, submission
from grader.service.store.transaction import Transaction

WORDS = {
    NOT_OPEN: "this assignment is not open yet",
    CLOSED: "the time for this is over",
    NO_ATTEMPTS_LEFT: "all attempts are used up",
}
OVER = "already-submitted"
DURING_ATTEMPT = "attempt-open"

_desk = PreparedStatement(
    select(
        attempt.c.id,
        attempt.c.assignment,
        attempt.c.member,
        attempt.c.number,
        attempt.c.trial,
        attempt.c.variants,
        attempt.c.language,
        attempt.c.started,
        attempt.c.reopened,
        attempt.c.until,
        attempt.c.reason,
        *(assignment.c[name] for name in ("opens", "due", "closes", "minutes", "attempts", "late", "version")),
        extension.c.fields,
        submission.c.id.label("submission"),
    )
    .join(assignment, assignment.c.id == attempt.c.assignment)
    .outerjoin(extension, and_(extension.c.assignment == attempt.c.assignment, extension.c.member == attempt.c.member))
    .outerjoin(submission, CURRENT)
    .where(attempt.c.id == bindparam("attempt_id"))
)
_timed = PreparedStatement(
    select(attempt.c.id)
    .join(member, member.c.id == attempt.c.member)
    .join(assignment, assignment.c.id == attempt.c.assignment)
    .join(course, course.c.id == assignment.c.course)
    .outerjoin(submission, CURRENT)
    .where(
        member.c.person == bindparam("person"),
        member.c.removed.is_(None),
        course.c.deleted.is_(None),
        attempt.c.trial.is_(False),
        assignment.c.minutes.is_not(None) | attempt.c.until.is_not(None),
        submission.c.id.is_(None),
    )
)
_draft = PreparedStatement(select(draft).where(draft.c.attempt == bindparam("attempt_id")))
_first_draft = PreparedStatement(draft.insert())
_next_draft = PreparedStatement(
    update(draft)
    .where(draft.c.attempt == bindparam("of"), draft.c.revision == bindparam("before"))
    .values({name: bindparam(name) for name in ("answers", "revision", "saved")})
)


@dataclass(frozen=True, slots=True)
class SavedDraft:
    answers: bytes
    """JSON, as it was spelt."""
    revision: int


@dataclass(frozen=True, slots=True)
class AttemptState:
    """An attempt with all that decides whether it can still be worked on."""

    row: Row[Any]

    @property
    def dates(self) -> Dates:
        extended = None if self.row.fields is None else Extension(**json.loads(self.row.fields))
        return effective(assignment_dates(self.row), extended)

    @property
    def variants(self) -> list[str]:
        """Ids, one for each part."""
        found: list[str] = json.loads(self.row.variants)
        return found

    @property
    def ends(self) -> Moment | None:
        """The last moment at which it can be worked on; a try that counts for nobody has none."""
        return None if self.row.trial else attempt_ends(self.dates, self.row.started, self.row.until)

    def refusal(self, moment: Moment) -> str | None:
        """Why what arrives at a moment is too late or too early; a try that counts for nobody never is."""
        return None if self.row.trial else may_submit(self.dates, self.row.started, moment, self.row.until)


def attempt_state(connection: Connection, attempt_id: str) -> AttemptState:
    row = _desk.first(connection, attempt_id=attempt_id)
    assert row is not None
    return AttemptState(row)


def attempt_states(connection: Connection, assignment_id: str, member_id: str) -> list[AttemptState]:
    """Of a student's attempts, the earliest first."""
    rows = _rows_of(connection, assignment_id, member_id, trial=False)
    return [attempt_state(connection, each.id) for each in rows]


def draft_of(connection: Connection, attempt_id: str) -> SavedDraft | None:
    found = _draft.first(connection, attempt_id=attempt_id)
    return None if found is None else SavedDraft(bytes(found.answers), found.revision)


def refused(why: str) -> ServiceProblem:
    return ServiceProblem(403, why, WORDS[why])


def refuse_during_attempt(connection: Connection, person_id: str) -> None:
    """ServiceProblem while an attempt on the clock is open, in whatever course: until it is handed in, or its end."""
    for each in _timed.all(connection, person=person_id):
        if attempt_state(connection, each.id).refusal(now()) is None:
            words = "you are in a timed attempt: trees are solved for you again once it is over"
            raise ServiceProblem(403, DURING_ATTEMPT, words)


def open_attempt(connection: Connection, row: Row[Any], of: Row[Any]) -> str | None:
    """The id of a member's attempt that can be gone on with; `row` is the assignment's."""
    theirs = _attempts(connection, row.id, of)
    return _open(theirs, _dates(connection, row, of), now()) if theirs else None


def begin(tx: Transaction, row: Row[Any], of: Row[Any], language: str) -> tuple[str, bool]:
    """The attempt to work on, and whether it is new; ServiceProblem if there can be none. Staff only ever try."""
    theirs, dates = _attempts(tx.connection, row.id, of), _dates(tx.connection, row, of)
    found = _open(theirs, dates, tx.now)
    if found is not None:
        return found, False
    if of.role == "student":
        came = handed_in(tx.connection, row.id, of.id)
        used = attempts_used((each.number for each in theirs), came, timed=dates.minutes is not None)
        why = may_start(dates, used, tx.now)
        if why is not None:
            raise refused(why)
    attempt_id = new_id()
    last = tx.execute(
        select(func.max(attempt.c.number)).where(attempt.c.assignment == row.id, attempt.c.member == of.id)
    ).scalar_one()
    fields = {"id": attempt_id, "assignment": row.id, "member": of.id, "number": (last or 0) + 1}
    dealt = json.dumps(_dealt(tx.connection, row, of, theirs))
    more = {"trial": of.role != "student", "version": row.version, "variants": dealt, "language": language}
    opened = {"started": tx.now, "reopened": 0, "until": None, "reason": None}
    tx.execute(attempt.insert(), {**fields, **more, **opened})
    tx.audit(of.person, "attempt.begun", attempt_id, row.course, assignment=row.id, number=fields["number"])
    return attempt_id, True


def reopen(tx: Transaction, who: str, of: Row[Any], minutes: int | None, reason: str) -> AttemptState:
    """Gives an attempt back, with its draft: for so many minutes from now, or as many as everybody has. What was handed
    in stays and counts as before. `of` is the attempt with its course; ServiceProblem if it is not over."""
    desk = attempt_state(tx.connection, of.id)
    dates, theirs = desk.dates, _rows_of(tx.connection, of.assignment, of.member, desk.row.trial)
    if desk.row.submission is None and desk.refusal(tx.now) is None:
        raise ServiceProblem(409, "not-over", "this attempt is still open; an extension gives it more time")
    if not desk.row.trial and phase(dates, tx.now) == CLOSED:
        words = "the assignment is closed; first extend the time at which it closes for this member"
        raise ServiceProblem(409, "assignment-closed", words)
    if _open(theirs, dates, tx.now) is not None:
        raise ServiceProblem(409, "another-open", "another attempt of this member is open")
    time = minutes or dates.minutes
    until = None if time is None else tx.now + MINUTE * time
    again = {"reopened": desk.row.reopened + 1, "until": until, "reason": reason}
    unchanged = (attempt.c.id == of.id, attempt.c.reopened == desk.row.reopened)
    if not tx.execute(update(attempt).where(*unchanged).values(**again)).rowcount:
        raise ServiceProblem(409, "not-over", "somebody else has just given this attempt back")
    tx.audit(who, "attempt.reopened", of.id, of.course, assignment=of.assignment, member=of.member, minutes=time)
    return attempt_state(tx.connection, of.id)


def save_draft(tx: Transaction, attempt_id: str, answers: bytes, revision: int, arrived: Moment) -> int:
    """The new revision; ServiceProblem if another window has saved since, or the attempt is over."""
    desk = attempt_state(tx.connection, attempt_id)
    if desk.row.submission is not None:
        raise ServiceProblem(409, OVER, "this attempt has been handed in")
    why = desk.refusal(arrived)
    if why is not None:
        raise refused(why)
    values = {"answers": answers, "revision": revision + 1, "saved": tx.now}
    if revision and _next_draft.run(tx.connection, {"of": attempt_id, "before": revision, **values}):
        return revision + 1
    found = draft_of(tx.connection, attempt_id)
    if found is None and not revision:
        _first_draft.run(tx.connection, {"attempt": attempt_id, **values})
        return 1
    raise Outdated(found or SavedDraft(b"{}", 0))


class Outdated(Exception):
    """Another window has saved since; its draft."""

    def __init__(self, found: SavedDraft) -> None:
        super().__init__(found.revision)
        self.found = found


def _attempts(connection: Connection, assignment_id: str, of: Row[Any]) -> Sequence[Row[Any]]:
    """A member's, or what one of the staff has tried, the earliest first."""
    return _rows_of(connection, assignment_id, of.id, of.role != "student")


def _rows_of(connection: Connection, assignment_id: str, member_id: str, trial: bool) -> Sequence[Row[Any]]:
    statement = (
        select(attempt, submission.c.id.label("submission"))
        .outerjoin(submission, CURRENT)
        .where(
            attempt.c.assignment == assignment_id,
            attempt.c.member == member_id,
            attempt.c.trial.is_(trial),
        )
        .order_by(attempt.c.number)
    )
    return connection.execute(statement).all()


def _dates(connection: Connection, row: Row[Any], of: Row[Any]) -> Dates:
    return effective(assignment_dates(row), extension_of(connection, row.id, of.id))


def _open(theirs: Sequence[Row[Any]], dates: Dates, moment: Moment) -> str | None:
    """The last that can be gone on with; an earlier one may have been given back."""
    for each in reversed(theirs):
        if each.submission is None and (each.trial or may_submit(dates, each.started, moment, each.until) is None):
            return str(each.id)
    return None


def _dealt(connection: Connection, row: Row[Any], of: Row[Any], theirs: Sequence[Row[Any]]) -> list[str]:
    """The variant of each part. Dealing knows variants by their numbers, which mean the same in every version."""
    had = [[variant_of(connection, each) for each in json.loads(one.variants)] for one in theirs]
    place = _place(connection, of) if of.role == "student" else None
    chosen = []
    for at, variants in enumerate(variants_of_version(connection, row.version)):
        by_number = {str(each.number): each.id for each in variants}
        dealing = PartOfAssignment(str(at + 1), tuple(by_number), row.secret)
        before = [str(one[at].number) for one in had if at < len(one)]
        if place is None:
            number = staffs_variant(dealing, of.person, before, row.variants)
        else:
            number = students_variant(dealing, place, before, row.variants)
        chosen.append(by_number[number])
    return chosen


def _place(connection: Connection, of: Row[Any]) -> int:
    """Among the students of the roster, from 0; those who were removed keep theirs."""
    statement = select(func.count()).where(
        member.c.course == of.course, member.c.role == "student", member.c.position < of.position
    )
    return int(connection.execute(statement).scalar_one())
