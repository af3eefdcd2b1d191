"""The queue of what is to be marked, and reports: what became of an answer, whoever gave it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, or_, select, tuple_, update

from grader.service.clock import SECOND, now
from grader.service.rules.counting import FAILED, MARKED, RECEIVED
from grader.service.store.by_hand import by_hand_of, by_hand_sha256
from grader.service.store.grades import recompute
from grader.service.store.schema import attempt, marking, report, submission
from grader.service.store.transaction import Transaction
from grader.service.store.upserts import insert_missing

FIRST_PAUSE, LONGEST_PAUSE = 10 * SECOND, 3_600 * SECOND
"""Before what could not be marked is tried again; each pause is four times as long as the one before."""
_report = select(report).where(
    *(report.c[name] == bindparam(name) for name in ("variant_sha256", "canonical_sha256", "program")),
    report.c.overrides_sha256 == bindparam("overrides_sha256"),
)
_this = and_(marking.c.submission == bindparam("submission_id"), marking.c.part == bindparam("part_number"))
_row = select(marking).where(_this)


@dataclass(frozen=True, slots=True)
class ToMark:
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


@dataclass(frozen=True, slots=True)
class Earned:
    """What a worker found, and the marks by hand that it applied."""

    found: Mapping[str, Any]
    program: str
    overrides_sha256: str

    def row(self, variant_sha256: str, moment: int) -> dict[str, Any]:
        return {
            "variant_sha256": variant_sha256,
            "canonical_sha256": self.found["canonical_sha256"],
            "program": self.program,
            "overrides_sha256": self.overrides_sha256,
            "readable": self.found["readable"],
            "marks": self.found["marks"],
            "out_of": self.found["out_of"],
            "told": self.found["told"],
            "questions": json.dumps(self.found["questions"], ensure_ascii=False, separators=(",", ":")),
            "review": json.dumps(self.found["review"], ensure_ascii=False, separators=(",", ":")),
            "created": moment,
        }


def is_any_to_mark(connection: Connection) -> bool:
    return connection.execute(select(marking.c.submission).where(_due(now())).limit(1)).first() is not None


def take_to_mark(tx: Transaction, most: int, until: int) -> list[ToMark]:
    """Those that wait longest, leased until a moment: several servers on one database share the queue."""
    statement = select(marking.c.submission, marking.c.part).where(_due(tx.now)).order_by(marking.c.lease).limit(most)
    if tx.connection.dialect.name == "postgresql":
        statement = statement.with_for_update(skip_locked=True)
    keys = [tuple(row) for row in tx.execute(statement)]
    if not keys:
        return []
    these = tuple_(marking.c.submission, marking.c.part).in_(keys)
    tx.execute(update(marking).where(these).values(lease=until))
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
    return [ToMark(**row._asdict()) for row in tx.execute(wanted)]


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


def record(tx: Transaction, task: ToMark, made: Sequence[Earned]) -> None:
    """What became of a submission; the last of `made` is its report. What was decided, or moved to another version,
    while it was being marked is marked again."""
    row = tx.execute(_row, _keys(task)).one()
    put_reports(tx, task.variant_sha256, made)
    if row.variant_sha256 != task.variant_sha256:
        tx.execute(update(marking).where(_this).values(lease=tx.now), _keys(task))
        return
    by_hand = by_hand_of(tx.connection, task.assignment, task.member)
    last = made[-1]
    values = {
        "state": MARKED,
        "stale": by_hand_sha256(by_hand.applying_to(made[0].found["review"])) != last.overrides_sha256,
        "tries": 0,
        "lease": tx.now,
        "canonical_sha256": last.found["canonical_sha256"],
        "program": last.program,
        "overrides_sha256": last.overrides_sha256,
        "readable": last.found["readable"],
        "error": None,
    }
    tx.execute(update(marking).where(_this).values(**values), _keys(task))
    if not task.trial:
        recompute(tx, task.assignment, task.member)


def record_failure(tx: Transaction, task: ToMark, error: str) -> None:
    """Tried again by itself; a report that is there already stays in force."""
    row = tx.execute(_row, _keys(task)).one()
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 4 ** min(row.tries, 10))
    state = MARKED if row.state == MARKED else FAILED
    values = {"state": state, "tries": row.tries + 1, "lease": tx.now + pause, "error": error}
    tx.execute(update(marking).where(_this).values(**values), _keys(task))
    if state == FAILED and not task.trial:
        recompute(tx, task.assignment, task.member)


def make_stale(tx: Transaction, submissions: Sequence[str]) -> None:
    """To be marked again, as somebody has decided; what is not marked yet is marked so anyway."""
    for at in range(0, len(submissions), 500):
        these = marking.c.submission.in_(submissions[at : at + 500])
        tx.execute(update(marking).where(these, marking.c.state == MARKED).values(stale=True, lease=tx.now))


def report_of(connection: Connection, of: Row[Any]) -> Row[Any] | None:
    """That of a row of `marking`."""
    names = ("variant_sha256", "canonical_sha256", "program", "overrides_sha256")
    return connection.execute(_report, {name: getattr(of, name) for name in names}).first()


def _due(moment: int) -> Any:
    waits = or_(marking.c.state.in_((RECEIVED, FAILED)), marking.c.stale.is_(True))
    return and_(waits, marking.c.lease <= moment)


def _keys(task: ToMark) -> dict[str, Any]:
    return {"submission_id": task.submission, "part_number": task.part}
