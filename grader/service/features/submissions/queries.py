"""What students hand in: stored once, as it came, before anybody is told that it arrived; the queue of what is to be
marked; and reports.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, or_, select, tuple_, update

from grader.service.base.clock import SECOND, now
from grader.service.base.ids import new_id
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.attempts.queries import OVER, AttemptState, attempt_state, refused
from grader.service.features.exercises.queries import alike_in, variant_of
from grader.service.features.grades.queries import recompute
from grader.service.features.review.queries import ByHand, all_by_hand, by_hand_sha256
from grader.service.rules.grade_counting import FAILED, MARKED, RECEIVED
from grader.service.rules.times import Moment
from grader.service.store.prepared_statements import PreparedStatement
from grader.service.store.tables import attempt, marking, report, submission
from grader.service.store.transaction import Transaction, insert_missing
from grader.service.workers.task_results import MarkingResult, members

_insert, _insert_marking = PreparedStatement(submission.insert()), PreparedStatement(marking.insert())
_by_key = PreparedStatement(
    select(submission.c.id, submission.c.received, submission.c.sha256).where(
        submission.c.attempt == bindparam("attempt_id"), submission.c.key == bindparam("key")
    )
)
_parts = PreparedStatement(
    select(marking).where(marking.c.submission == bindparam("submission_id")).order_by(marking.c.part)
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A request to hand in."""

    attempt: str
    key: str
    raw: bytes
    sha256: str
    received: Moment
    """When the request arrived, not when there was time to store it."""


@dataclass(frozen=True, slots=True)
class Receipt:
    id: str
    received: Moment
    sha256: str


def hand_in(tx: Transaction, arrival: Arrival, course: str, who: str) -> Receipt:
    """Stored and in the queue, or what was stored before under the same key; ServiceProblem otherwise."""
    desk = attempt_state(tx.connection, arrival.attempt)
    if desk.row.submission is not None or desk.row.reopened:
        stored = _by_key.first(tx.connection, attempt_id=arrival.attempt, key=arrival.key)
        if stored is not None:
            return _again(stored, arrival)
    if desk.row.submission is not None:
        raise ServiceProblem(409, OVER, "this attempt has been handed in")
    why = desk.refusal(arrival.received)
    if why is not None:
        raise refused(why)
    submission_id = new_id()
    row = {"id": submission_id, "attempt": arrival.attempt, "key": arrival.key, "raw": arrival.raw}
    row["reopened"] = desk.row.reopened
    _insert.run(tx.connection, {**row, "sha256": arrival.sha256, "received": arrival.received})
    _insert_marking.run_each(tx.connection, _queue_parts(tx.connection, desk, submission_id, arrival.received))
    tx.audit(who, "submission.received", submission_id, course, attempt=arrival.attempt, sha256=arrival.sha256)
    return Receipt(submission_id, arrival.received, arrival.sha256)


def _again(stored: Row[Any], arrival: Arrival) -> Receipt:
    if stored.sha256 != arrival.sha256:
        raise ServiceProblem(409, "idempotency", "something else was handed in with this Idempotency-Key")
    return Receipt(stored.id, stored.received, stored.sha256)


def _queue_parts(
    connection: Connection, desk: AttemptState, submission_id: str, received: Moment
) -> list[dict[str, Any]]:
    """A row for each part. What was asked by a version that the assignment has left behind is marked against the one
    that has taken its place."""
    rows = []
    for variant_id in desk.variants:
        asked = variant_of(connection, variant_id)
        by = alike_in(connection, asked, desk.row.version) or asked
        row = {"submission": submission_id, "part": asked.part, "version": by.version, "variant": by.id}
        state = {"state": RECEIVED, "stale": False, "tries": 0, "lease": received, "readable": True, "error": None}
        keys = {"variant_sha256": by.sha256, "canonical_sha256": None, "program": None, "overrides_sha256": ""}
        rows.append({**row, **state, **keys})
    return rows


def parts_of(connection: Connection, submission_id: str) -> list[Row[Any]]:
    """How far marking has come, by part."""
    return _parts.all(connection, submission_id=submission_id)


def state_of(parts: list[Row[Any]]) -> str:
    states = {each.state for each in parts}
    return FAILED if FAILED in states else RECEIVED if RECEIVED in states else MARKED


def is_counted(parts: list[Row[Any]]) -> bool:
    """Not where nothing could be read, nor while it cannot be marked."""
    state = state_of(parts)
    return state == RECEIVED or (state == MARKED and any(each.readable for each in parts))


def raws_of(connection: Connection, submissions: Sequence[str]) -> list[bytes]:
    """What was handed in, in the order asked for."""
    statement = select(submission.c.id, submission.c.raw).where(submission.c.id.in_(submissions))
    found = {row.id: bytes(row.raw) for row in connection.execute(statement)}
    return [found[each] for each in submissions]


FIRST_PAUSE, LONGEST_PAUSE = 10 * SECOND, 3_600 * SECOND
"""Before what could not be marked is tried again; each pause is four times as long as the one before."""
_STAMPED = b"\n"
KEYS = ("variant_sha256", "canonical_sha256", "program", "overrides_sha256")
_report = select(report).where(*(report.c[name] == bindparam(name) for name in KEYS))
_this = and_(marking.c.submission == bindparam("submission_id"), marking.c.part == bindparam("part_number"))
_is_marked = (
    update(marking)
    .where(_this)
    .values(
        state=MARKED,
        stale=bindparam("is_stale"),
        tries=0,
        lease=bindparam("moment"),
        canonical_sha256=bindparam("found_canonical"),
        program=bindparam("found_program"),
        overrides_sha256=bindparam("found_overrides"),
        readable=bindparam("found_readable"),
        error=None,
    )
)


@dataclass(frozen=True, slots=True)
class PendingPart:
    """A part of a submission, and whose it is."""

    submission: str
    part: int
    variant: str
    variant_sha256: str
    raw: bytes
    sha256: str
    language: str
    assignment: str
    member: str
    trial: bool
    by_hand: ByHand = field(default_factory=ByHand)
    """Whatever might apply to it."""

    @property
    def key(self) -> tuple[str, int]:
        return self.submission, self.part


@dataclass(frozen=True, slots=True)
class Earned:
    """A worker's result, and the marks by hand that it applied."""

    result: MarkingResult
    program: str
    overrides_sha256: str

    @property
    def stamped(self) -> bytes:
        """What is told, and by which program: no other can read it."""
        return self.program.encode() + _STAMPED + self.result.feedback

    def row(self, variant_sha256: str, moment: int) -> dict[str, Any]:
        return {
            "variant_sha256": variant_sha256,
            "canonical_sha256": self.result.canonical_sha256,
            "program": self.program,
            "overrides_sha256": self.overrides_sha256,
            "readable": self.result.readable,
            "marks": self.result.marks,
            "out_of": self.result.out_of,
            "told": self.stamped,
            "questions": _stored(self.result.questions),
            "review": _stored(self.result.review),
            "created": moment,
        }


def _stored(messages: Sequence[Any]) -> str:
    return json.dumps(messages, ensure_ascii=False, separators=(",", ":"), default=members)


def is_any_to_mark(connection: Connection) -> bool:
    return connection.execute(select(marking.c.submission).where(_due(now())).limit(1)).first() is not None


def take_to_mark(tx: Transaction, most: int, until: int) -> list[PendingPart]:
    """Those that wait longest, leased until a moment: several servers on one database share the queue."""
    statement = select(marking.c.submission, marking.c.part).where(_due(tx.now)).order_by(marking.c.lease).limit(most)
    if tx.connection.dialect.name == "postgresql":
        statement = statement.with_for_update(skip_locked=True)
    keys = [tuple(row) for row in tx.execute(statement)]
    if not keys:
        return []
    these = tuple_(marking.c.submission, marking.c.part).in_(keys)
    tx.execute(update(marking).where(these).values(lease=until))
    return _pending_parts(tx.connection, these)


def parts_to_mark(connection: Connection, submission_id: str) -> list[PendingPart]:
    """Whether or not they have been."""
    return _pending_parts(connection, marking.c.submission == submission_id)


def _pending_parts(connection: Connection, these: ColumnElement[bool]) -> list[PendingPart]:
    wanted = (
        select(
            marking.c.submission,
            marking.c.part,
            marking.c.variant,
            marking.c.variant_sha256,
            submission.c.raw,
            submission.c.sha256,
            attempt.c.language,
            attempt.c.assignment,
            attempt.c.member,
            attempt.c.trial,
        )
        .join(submission, submission.c.id == marking.c.submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(these)
        .order_by(submission.c.received, submission.c.id, marking.c.part)
    )
    found = [PendingPart(**row._asdict()) for row in connection.execute(wanted)]
    by_hand = {each: all_by_hand(connection, each) for each in sorted({each.assignment for each in found})}
    return [replace(each, by_hand=by_hand[each.assignment](each.member)) for each in found]


def give_back(tx: Transaction, keys: Iterable[tuple[str, int]]) -> None:
    """What was taken and not begun, for whoever is next."""
    for submission_id, part in keys:
        tx.execute(
            update(marking).where(marking.c.submission == submission_id, marking.c.part == part).values(lease=tx.now)
        )


def take_up_again(tx: Transaction) -> None:
    """After a start: whoever held a lease may be gone. Where another server has it after all, the same is marked twice,
    which changes nothing."""
    waits = or_(marking.c.state == RECEIVED, marking.c.stale.is_(True))
    tx.execute(update(marking).where(waits, marking.c.lease > tx.now).values(lease=tx.now))


def put_reports(tx: Transaction, variant_sha256: str, made: Sequence[Earned]) -> None:
    insert_missing(tx, report, [each.row(variant_sha256, tx.now) for each in made])


def told_by(program: str, of: Row[Any]) -> bytes | None:
    """What a row of `report` tells; None where another program wrote it."""
    by, _, told = bytes(of.told).partition(_STAMPED)
    return told if by == program.encode() else None


def put_told_again(tx: Transaction, task: PendingPart, earned: Earned) -> str | None:
    """In place of what cannot be read any longer. The marks that were given stay as they are: these are returned where
    they differ. What has been decided or moved meanwhile waits to be marked, and tells it then."""
    row = _rows(tx, [task.key])[task.key]
    there = report_of(tx.connection, row)
    same = (task.variant_sha256, earned.overrides_sha256)
    if there is None or row.state != MARKED or (row.variant_sha256, row.overrides_sha256) != same:
        return None
    this = and_(*(report.c[name] == getattr(row, name) for name in KEYS))
    tx.execute(update(report).where(this).values(told=earned.stamped))
    return None if there.marks == earned.result.marks else str(there.marks)


def _reports(tx: Transaction, task: PendingPart, earned: Sequence[Earned]) -> list[dict[str, Any]]:
    return [each.row(task.variant_sha256, tx.now) for each in earned]


def _rows(tx: Transaction, keys: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Row[Any]]:
    statement = select(marking).where(tuple_(marking.c.submission, marking.c.part).in_(keys))
    if tx.connection.dialect.name == "postgresql":
        # Not beside another server that decides or moves them just now.
        statement = statement.order_by(marking.c.submission, marking.c.part).with_for_update()
    return {(row.submission, row.part): row for row in tx.execute(statement)}


def _regrade(tx: Transaction, tasks: Sequence[PendingPart]) -> None:
    theirs: dict[str, set[str]] = {}
    for task in tasks:
        if not task.trial:
            theirs.setdefault(task.assignment, set()).add(task.member)
    for assignment_id in sorted(theirs):
        recompute(tx, assignment_id, *sorted(theirs[assignment_id]))


def record(tx: Transaction, found: Sequence[tuple[PendingPart, Sequence[Earned]]]) -> None:
    """What became of submissions; the last that each earned is its report. What was decided, or moved to another
    version, while it was being marked is marked again."""
    rows = _rows(tx, [task.key for task, _ in found])
    made = {tuple(row[name] for name in KEYS): row for task, earned in found for row in _reports(tx, task, earned)}
    insert_missing(tx, report, list(made.values()))
    by_hand = {each: all_by_hand(tx.connection, each) for each in sorted({task.assignment for task, _ in found})}
    marked, moved = [], []
    for task, earned in found:
        if rows[task.key].variant_sha256 != task.variant_sha256:
            moved.append(task.key)
            continue
        last = earned[-1]
        now_applied = by_hand[task.assignment](task.member).applying_to(earned[0].result.review)
        marked.append(
            {
                **_keys(task),
                "is_stale": by_hand_sha256(now_applied) != last.overrides_sha256,
                "found_canonical": last.result.canonical_sha256,
                "found_program": last.program,
                "found_overrides": last.overrides_sha256,
                "found_readable": last.result.readable,
                "moment": tx.now,
            }
        )
    if marked:
        tx.execute(_is_marked, marked)
    give_back(tx, moved)
    _regrade(tx, [task for task, _ in found if task.key not in moved])


def record_failure(tx: Transaction, task: PendingPart, error: str) -> None:
    """Tried again by itself; a report that is there already stays in force."""
    row = _rows(tx, [task.key])[task.key]
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 4 ** min(row.tries, 10))
    state = MARKED if row.state == MARKED else FAILED
    values = {"state": state, "tries": row.tries + 1, "lease": tx.now + pause, "error": error}
    tx.execute(update(marking).where(_this).values(**values), _keys(task))
    if state == FAILED:
        _regrade(tx, [task])


def report_of(connection: Connection, of: Row[Any]) -> Row[Any] | None:
    """That of a row of `marking`."""
    return connection.execute(_report, {name: getattr(of, name) for name in KEYS}).first()


def _due(moment: int) -> Any:
    waits = or_(marking.c.state.in_((RECEIVED, FAILED)), marking.c.stale.is_(True))
    return and_(waits, marking.c.lease <= moment)


def _keys(task: PendingPart) -> dict[str, Any]:
    return {"submission_id": task.submission, "part_number": task.part}
