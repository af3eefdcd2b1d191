"""Regrades: what another version would change, looked at first and then applied once, all of it or nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from fractions import Fraction
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, delete, func, select, update

from grader.service.ids import new_id
from grader.service.problems import ServiceProblem
from grader.service.rules.counting import MARKED, RECEIVED
from grader.service.rules.parts import apart
from grader.service.store import jobs
from grader.service.store.grades import recompute_all
from grader.service.store.remarking import TOTAL, Remarked, changes, remarked
from grader.service.store.schema import (
    assignment,
    attempt,
    decision,
    marking,
    member,
    override,
    part,
    regrade,
    regrade_change,
    submission,
    variant,
    version,
)
from grader.service.store.transaction import Transaction
from grader.service.store.variants import EXAM, alike_in, variant_of
from solver.kernel import plain

KIND = "regrade"
_THERE = variant.alias("there")
APPLIED, READY = "applied", "ready"
_move = (
    update(marking)
    .where(marking.c.submission == bindparam("submission_id"), marking.c.part == bindparam("part_number"))
    .values(
        **{
            name: bindparam(name)
            for name in ("version", "variant", "variant_sha256", "state", "program", "overrides_sha256", "readable")
        },
        stale=False,
        tries=0,
        lease=bindparam("now"),
        error=None,
    )
)


def version_numbered(connection: Connection, exercise_id: str, number: int) -> Row[Any] | None:
    statement = select(version).where(version.c.exercise == exercise_id, version.c.number == number)
    return connection.execute(statement).first()


def has_all_places(connection: Connection, assignment_id: str, version_id: str) -> bool:
    """Whether whatever was handed in has a variant to be marked against."""
    return not _was_answered(connection, assignment_id, version_id, _THERE.c.id.is_(None))


def _was_answered(connection: Connection, assignment_id: str, version_id: str, where: ColumnElement[bool]) -> bool:
    """Whether a variant was answered of which this is true; `_THERE` is what a version has in its place, if at all."""
    here = part.alias("here")
    statement = (
        select(marking.c.submission)
        .join(submission, submission.c.id == marking.c.submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .join(variant, variant.c.id == marking.c.variant)
        .outerjoin(here, and_(here.c.version == version_id, here.c.number == marking.c.part))
        .outerjoin(_THERE, and_(_THERE.c.part == here.c.id, _THERE.c.number == variant.c.number))
        .where(attempt.c.assignment == assignment_id, where)
        .limit(1)
    )
    return connection.execute(statement).first() is not None


def asks_alike(connection: Connection, assignment_id: str, version_id: str) -> bool:
    """Whether a version is an exam where the assignment's is one, with as many parts, and calls the exercises that were
    answered the same: answers stand under their names."""
    of = select(assignment.c.version).where(assignment.c.id == assignment_id).scalar_subquery()
    kinds = select(version.c.kind == EXAM, func.count(part.c.id)).join(part, part.c.version == version.c.id)
    grouped = kinds.group_by(version.c.id, version.c.kind)
    was, now = (connection.execute(grouped.where(version.c.id == each)).one() for each in (of, version_id))
    if not was[0] and not now[0]:
        return True
    renamed = _THERE.c.name != variant.c.name
    return tuple(was) == tuple(now) and not _was_answered(connection, assignment_id, version_id, renamed)


def new_regrade(tx: Transaction, who: str, of: Row[Any], to_version: str, never_lower: bool) -> str:
    """`of` is the assignment's row."""
    regrade_id = new_id()
    job_id = jobs.new_job(tx, who, KIND, {"regrade": regrade_id}, of.course)
    row = {"id": regrade_id, "assignment": of.id, "from_version": of.version, "to_version": to_version}
    more = {"never_lower": never_lower, "job": job_id, "state": jobs.WAITING, "created_by": who}
    tx.execute(regrade.insert(), {**row, **more, "created": tx.now, "applied": None})
    tx.audit(who, "regrade.begun", regrade_id, of.course, assignment=of.id)
    return regrade_id


def regrade_row(connection: Connection, regrade_id: str) -> Row[Any]:
    return connection.execute(select(regrade).where(regrade.c.id == regrade_id)).one()


def regrade_data(connection: Connection, row: Row[Any]) -> dict[str, Any]:
    work = jobs.job_row(connection, row.job)
    numbers = dict(
        connection.execute(
            select(version.c.id, version.c.number).where(version.c.id.in_([row.from_version, row.to_version]))
        ).all()
    )
    listed = (
        select(regrade_change, member.c.code)
        .join(member, member.c.id == regrade_change.c.member)
        .where(regrade_change.c.regrade == row.id)
        .order_by(member.c.position, regrade_change.c.question)
    )
    return {
        "id": row.id,
        "state": _state(row, work),
        "from": numbers[row.from_version],
        "to": numbers[row.to_version],
        "done": work.done,
        "of": work.of,
        "changes": [_change(each) for each in connection.execute(listed)],
        "job": row.job,
        "error": work.error,
    }


def preview(tx: Transaction, row: Row[Any], program: str) -> dict[str, Any]:
    """Writes down what would change; what it rests on is the job's result."""
    found = remarked(tx.connection, row.assignment, row.to_version, program)
    wanted = [each for each in changes(tx.connection, row.assignment, found) if not (row.never_lower and each.is_lower)]
    tx.execute(delete(regrade_change).where(regrade_change.c.regrade == row.id))
    rows = [{"regrade": row.id, **one} for each in wanted for one in each.rows()]
    if rows:
        tx.execute(regrade_change.insert(), rows)
    left = sum(1 for each in found if each.final is None)
    return {"members": len(wanted), "not_marked": left, "rests_on": _rests_on(tx.connection, row.assignment)}


def apply(tx: Transaction, who: str, course: str, regrade_id: str, exclude: Collection[str], program: str) -> None:
    """Moves what was handed in, the assignment and every grade to the other version; not what was handed in by those
    who are excluded, or would have less where nobody may."""
    row = regrade_row(tx.connection, regrade_id)
    if tx.connection.dialect.name == "postgresql":
        # One after another, and not beside what is being marked.
        tx.execute(select(assignment.c.id).where(assignment.c.id == row.assignment).with_for_update())
        row = regrade_row(tx.connection, regrade_id)
    work = jobs.job_row(tx.connection, row.job)
    _require_fresh(tx.connection, row, work)
    found = remarked(tx.connection, row.assignment, row.to_version, program)
    stay = set(exclude)
    if row.never_lower:
        stay |= {each.member for each in changes(tx.connection, row.assignment, found) if each.is_lower}
    known = {(each.submission, each.part): each for each in found if each.final is not None}
    moved = [_moved(tx, each, row, known) for each in _parts(tx.connection, row.assignment) if each.member not in stay]
    if moved:
        tx.execute(_move, moved)
    tx.execute(update(assignment).where(assignment.c.id == row.assignment).values(version=row.to_version))
    tx.execute(update(regrade).where(regrade.c.id == row.id).values(state=APPLIED, applied=tx.now))
    recompute_all(tx, row.assignment)
    tx.audit(who, "regrade.applied", row.id, course, assignment=row.assignment, moved=len(moved), stayed=len(stay))


def _require_fresh(connection: Connection, row: Row[Any], work: Row[Any]) -> None:
    state = _state(row, work)
    if state == APPLIED:
        raise ServiceProblem(409, "applied", "this regrade has been applied")
    if state != READY:
        raise ServiceProblem(409, "not-ready", f"there is nothing to apply: this regrade is {state}")
    if json.loads(work.result)["rests_on"] != _rests_on(connection, row.assignment):
        words = "submissions, marks given by hand or the version have changed since; look at the changes again first"
        raise ServiceProblem(409, "stale", words)


def _moved(tx: Transaction, each: Row[Any], row: Row[Any], known: dict[tuple[str, int], Remarked]) -> dict[str, Any]:
    """To its new report; what has none waits to be marked."""
    made = known.get((each.submission, each.part))
    by = alike_in(tx.connection, variant_of(tx.connection, each.variant), row.to_version)
    assert by is not None
    keys = {"submission_id": each.submission, "part_number": each.part, "version": row.to_version, "now": tx.now}
    against = {"variant": by.id, "variant_sha256": by.sha256}
    if made is None or made.final is None:
        waits = {"state": RECEIVED, "program": None, "overrides_sha256": "", "readable": True}
        return {**keys, **against, **waits}
    final = made.final
    there = {"program": final.program, "overrides_sha256": final.overrides_sha256, "readable": final.readable}
    return {**keys, **against, "state": MARKED, **there}


def _parts(connection: Connection, assignment_id: str) -> list[Any]:
    statement = (
        select(marking.c.submission, marking.c.part, marking.c.variant, attempt.c.member, attempt.c.trial)
        .join(submission, submission.c.id == marking.c.submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(attempt.c.assignment == assignment_id)
        .order_by(marking.c.submission, marking.c.part)
    )
    return list(connection.execute(statement))


def _rests_on(connection: Connection, assignment_id: str) -> str:
    """Equal as long as nobody hands in, decides by hand or moves to another version."""
    own = select(override.c.member, override.c.question, override.c.item, override.c.marks, override.c.reason)
    equal = select(decision.c.question, decision.c.item, decision.c.given, decision.c.marks, decision.c.reason)
    current = select(assignment.c.version).where(assignment.c.id == assignment_id)
    facts = [
        connection.execute(current).scalar_one(),
        [list(row) for row in _parts(connection, assignment_id) if not row.trial],
        sorted(list(row) for row in connection.execute(own.where(override.c.assignment == assignment_id))),
        sorted(list(row) for row in connection.execute(equal.where(decision.c.assignment == assignment_id))),
    ]
    return hashlib.sha256(json.dumps(facts).encode("ascii")).hexdigest()


def _state(row: Row[Any], work: Row[Any]) -> str:
    if row.state == APPLIED:
        return APPLIED
    return READY if work.state == jobs.DONE else str(work.state)


def _change(each: Row[Any]) -> dict[str, Any]:
    return {
        "member": each.code,
        "submission": each.submission,
        "before": None if each.before == "" else plain(Fraction(each.before)),
        "after": None if each.after == "" else plain(Fraction(each.after)),
        **_asked(each.question),
    }


def _asked(known_as: str) -> dict[str, Any]:
    if known_as == TOTAL:
        return {"question": None}
    number, question = apart(known_as)
    return {"question": question} if number is None else {"question": question, "part": number}
