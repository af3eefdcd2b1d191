"""What students hand in: stored once, as it came, before anybody is told that it arrived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from grader.service.ids import new_id
from grader.service.problems import ServiceProblem
from grader.service.rules.counting import FAILED, MARKED, RECEIVED
from grader.service.rules.times import Moment
from grader.service.store.attempts import OVER, Desk, desk_of, refused
from grader.service.store.prepared import Prepared
from grader.service.store.schema import marking, member, submission
from grader.service.store.transaction import Transaction
from grader.service.store.variants import alike_in, variant_of

_insert, _insert_marking = Prepared(submission.insert()), Prepared(marking.insert())
_by_key = Prepared(
    select(submission.c.id, submission.c.received, submission.c.sha256).where(
        submission.c.attempt == bindparam("attempt_id"), submission.c.key == bindparam("key")
    )
)
_parts = Prepared(select(marking).where(marking.c.submission == bindparam("submission_id")).order_by(marking.c.part))


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
    desk = desk_of(tx.connection, arrival.attempt)
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
    _insert_marking.run_each(tx.connection, _to_mark(tx.connection, desk, submission_id, arrival.received))
    tx.audit(who, "submission.received", submission_id, course, attempt=arrival.attempt, sha256=arrival.sha256)
    return Receipt(submission_id, arrival.received, arrival.sha256)


def _again(stored: Row[Any], arrival: Arrival) -> Receipt:
    if stored.sha256 != arrival.sha256:
        raise ServiceProblem(409, "idempotency", "something else was handed in with this Idempotency-Key")
    return Receipt(stored.id, stored.received, stored.sha256)


def _to_mark(connection: Connection, desk: Desk, submission_id: str, received: Moment) -> list[dict[str, Any]]:
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


def member_code(connection: Connection, member_id: str) -> str:
    """The id that the teacher gave."""
    return str(connection.execute(select(member.c.code).where(member.c.id == member_id)).scalar_one())


def members_coded(connection: Connection, course_id: str, codes: Sequence[str]) -> dict[str, str]:
    """The ids of members by those that the teacher gave."""
    found: dict[str, str] = {}
    for at in range(0, len(codes), 500):
        these = member.c.code.in_(codes[at : at + 500])
        rows = connection.execute(select(member.c.code, member.c.id).where(member.c.course == course_id, these))
        found |= {row.code: row.id for row in rows}
    return found


def raws_of(connection: Connection, submissions: Sequence[str]) -> list[bytes]:
    """What was handed in, in the order asked for."""
    statement = select(submission.c.id, submission.c.raw).where(submission.c.id.in_(submissions))
    found = {row.id: bytes(row.raw) for row in connection.execute(statement)}
    return [found[each] for each in submissions]
