"""What members have handed in, and what became of it, as the rules want it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, and_, bindparam, select

from grader.service.rules.counting import FAILED, MARKED, RECEIVED, HandedIn
from grader.service.store.schema import attempt, marking, part, report, submission, variant

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

    handed_in: HandedIn
    out_of: Fraction
    """Of no meaning until it is marked."""
    version: str


def standings(
    connection: Connection, assignment_id: str, members: Collection[str] | None = None
) -> dict[str, list[Standing]]:
    """Of everybody, or of some members, the earliest first. Tries that count for nobody are left out."""
    statement, keys = (_all, {}) if members is None else (_some, {"members": list(members)})
    found: dict[str, list[Standing]] = defaultdict(list)
    rows_found = connection.execute(statement, {"assignment_id": assignment_id, **keys}).all()
    for _, parts in groupby(rows_found, key=lambda row: row.id):
        rows: list[Any] = list(parts)
        found[rows[0].member].append(_standing(rows))
    return dict(found)


def handed_in(connection: Connection, assignment_id: str, member_id: str) -> list[HandedIn]:
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
    return Standing(HandedIn(first.id, first.number, first.received, state, counted, marks), out_of, first.version)
