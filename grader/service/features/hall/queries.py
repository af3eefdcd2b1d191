"""Live exercises: starting one, moving it on, and the last answer of each who is there."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select, update

from grader.service.base.ids import new_id
from grader.service.base.service_problems import ServiceProblem
from grader.service.store.prepared_statements import PreparedStatement
from grader.service.store.tables import exercise, live, live_answer, member, part, variant, version
from grader.service.store.transaction import Transaction, put

SIGNS, LENGTH = "bcdfghjkmnpqrstvwxz", 6
"""Of a code: letters that look like no other, and make no words."""
MOST_GUESTS = 2_000
"""Who may answer one live exercise: more than any hall holds."""
HIDDEN = -1

_by_code = PreparedStatement(select(live).where(live.c.code == bindparam("code")))
_own = PreparedStatement(
    select(live_answer).where(live_answer.c.live == bindparam("live"), live_answer.c.who == bindparam("who"))
)
_member = PreparedStatement(
    select(member.c.id).where(
        member.c.course == bindparam("course"), member.c.person == bindparam("person"), member.c.removed.is_(None)
    )
)


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    live: str
    who: str
    member: str | None
    name: str
    raw: bytes


def by_code(connection: Connection, code: str) -> Any:
    """None if there is none."""
    return _by_code.first(connection, code=code)


def answer_of(connection: Connection, live_id: str, who: str) -> Any:
    return _own.first(connection, live=live_id, who=who)


def member_in(connection: Connection, course_id: str, person: str) -> str | None:
    found = _member.first(connection, course=course_id, person=person)
    return None if found is None else str(found.id)


def all_answers(connection: Connection, live_id: str) -> list[tuple[str, bytes]]:
    """Whose, and what."""
    found = connection.execute(select(live_answer.c.who, live_answer.c.raw).where(live_answer.c.live == live_id))
    return [(row.who, bytes(row.raw)) for row in found]


def lives_of(connection: Connection, course_id: str) -> list[Row[Any]]:
    """The newest first, each with the title of its exercise and how many have answered."""
    count = select(func.count()).where(live_answer.c.live == live.c.id).scalar_subquery()
    return list(
        connection.execute(
            select(live, variant.c.title, variant.c.name, count.label("answers"))
            .join(variant, variant.c.id == live.c.variant)
            .where(live.c.course == course_id)
            .order_by(live.c.created.desc())
            .limit(100)
        )
    )


def exercises_of(connection: Connection, course_id: str) -> list[Row[Any]]:
    found = select(exercise).where(exercise.c.course == course_id).order_by(exercise.c.created)
    return list(connection.execute(found))


def start(tx: Transaction, who: str, course_id: str, exercise_id: str, language: str) -> str:
    """The code of a new one, with the first variant of the exercise's newest version. 404 for no exercise of theirs."""
    chosen = tx.execute(
        select(variant.c.id)
        .join(part, part.c.id == variant.c.part)
        .join(version, version.c.id == part.c.version)
        .join(exercise, exercise.c.id == version.c.exercise)
        .where(exercise.c.id == exercise_id, exercise.c.course == course_id, version.c.number == exercise.c.latest)
        .order_by(part.c.number, variant.c.number)
        .limit(1)
    ).scalar_one_or_none()
    if chosen is None:
        raise ServiceProblem(404, "unknown", "there is no such exercise in this course")
    code = _new_code(tx)
    about = {"id": new_id(), "course": course_id, "variant": chosen, "code": code, "language": language}
    state = {"open": True, "judged": False, "stage": HIDDEN, "revision": 1, "ended": None}
    tx.execute(live.insert(), {**about, **state, "created_by": who, "created": tx.now})
    tx.audit(who, "live.started", about["id"], course_id)
    return code


def move(tx: Transaction, live_id: str, changes: Mapping[str, Any]) -> None:
    """What the teacher changes, as one more revision; nothing changes once it has ended."""
    going_on = update(live).where(live.c.id == live_id, live.c.ended.is_(None))
    tx.execute(going_on.values(**changes, revision=live.c.revision + 1))


def end(tx: Transaction, who: str, live_id: str, course_id: str) -> None:
    move(tx, live_id, {"ended": tx.now, "open": False})
    tx.audit(who, "live.ended", live_id, course_id)


def store_answer(tx: Transaction, answer: LiveAnswer) -> None:
    """In place of the one before. 409 once answers are no longer taken, 429 when the hall is full."""
    of = tx.execute(select(live.c.open).where(live.c.id == answer.live)).scalar_one()
    if not of:
        raise ServiceProblem(409, "live-closed", "answers are no longer taken")
    if answer_of(tx.connection, answer.live, answer.who) is None:
        count = tx.execute(select(func.count()).where(live_answer.c.live == answer.live)).scalar_one()
        if count >= MOST_GUESTS:
            raise ServiceProblem(429, "live-full", "too many have answered already", headers={"Retry-After": "60"})
    row = {"live": answer.live, "who": answer.who, "member": answer.member, "name": answer.name, "raw": answer.raw}
    put(tx, live_answer, {**row, "received": tx.now}, ("live", "who"))


def _new_code(tx: Transaction) -> str:
    while True:
        code = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
        if by_code(tx.connection, code) is None:
            return code
