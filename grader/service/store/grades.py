"""Grades: computed from reports, dates and what was decided by hand; never typed in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select, update

from grader.service.ids import new_id
from grader.service.rules.counting import Grade
from grader.service.rules.counting import grade as grade_by_rules
from grader.service.rules.dates import Extension
from grader.service.store.assignments import counting_rule, extensions_of
from grader.service.store.schema import assignment, course, grade, member, override, part, variant
from grader.service.store.standing import Standing, standings
from grader.service.store.store import Store
from grader.service.store.transaction import Transaction
from solver.kernel import number_text

_computed = ("submission", "version", "marks", "out_of", "late", "overridden")
_renew = (
    update(grade)
    .where(grade.c.id == bindparam("grade"))
    .values({**{name: bindparam(name) for name in _computed}, "updated": bindparam("at")})
)
_this = assignment.c.id == bindparam("assignment_id")
_assignment = select(assignment, course.c.zone).join(course).where(_this)
_assignment_in_turn = _assignment.with_for_update(of=assignment, key_share=True)
"""Several servers take turns: each must see what the other has marked."""
_kept = select(grade).where(grade.c.assignment == bindparam("assignment_id"))
_kept_of_some = _kept.where(grade.c.member.in_(bindparam("members", expanding=True)))
_totals = select(override.c.member, override.c.marks).where(
    override.c.assignment == bindparam("assignment_id"), override.c.question == "", override.c.item == ""
)
_totals_of_some = _totals.where(override.c.member.in_(bindparam("members", expanding=True)))
_worth = (
    select(part.c.marks, variant.c.out_of)
    .join(variant, variant.c.part == part.c.id)
    .where(part.c.version == bindparam("version_id"), variant.c.number == 1)
)


def recompute(tx: Transaction, assignment_id: str, *members: str) -> None:
    """The grades of some members, by everything that is stored now."""
    _recompute(tx, assignment_id, members)


def recompute_all(tx: Transaction, assignment_id: str) -> None:
    """The grade of every member who has one or should."""
    _recompute(tx, assignment_id, None)


def ensure_grades(tx: Transaction, assignment_id: str) -> None:
    """A row for each student, so that also one who handed in nothing has a grade that can be decided by hand."""
    if without_grade(tx.connection, assignment_id):
        recompute_all(tx, assignment_id)


async def ensure_every_grade(store: Store, assignment_id: str) -> None:
    """Whoever has joined since has a grade as well."""
    if await store.read(lambda connection: without_grade(connection, assignment_id)):
        await store.write(lambda tx: ensure_grades(tx, assignment_id))


def without_grade(connection: Connection, assignment_id: str) -> int:
    """How many students of the course have no row yet."""
    statement = (
        select(func.count())
        .select_from(member)
        .join(assignment, assignment.c.course == member.c.course)
        .outerjoin(grade, (grade.c.member == member.c.id) & (grade.c.assignment == assignment.c.id))
        .where(
            assignment.c.id == assignment_id,
            member.c.role == "student",
            member.c.removed.is_(None),
            grade.c.id.is_(None),
        )
    )
    return int(connection.execute(statement).scalar_one())


def out_of_version(connection: Connection, version_id: str) -> Fraction:
    """What a version is out of; its variants are all worth the same."""
    rows = connection.execute(_worth, {"version_id": version_id}).all()
    return sum((Fraction(row.out_of if row.marks is None else row.marks) for row in rows), Fraction(0))


def _recompute(tx: Transaction, assignment_id: str, members: Collection[str] | None) -> None:
    connection, some = tx.connection, members is not None
    keys = {"assignment_id": assignment_id, **({} if members is None else {"members": list(members)})}
    row = tx.execute(_assignment_in_turn if connection.dialect.name == "postgresql" else _assignment, keys).one()
    kept = {each.member: each for each in connection.execute(_kept_of_some if some else _kept, keys)}
    found = standings(connection, assignment_id, members)
    decided = connection.execute(_totals_of_some if some else _totals, keys)
    totals = {each.member: Fraction(each.marks) for each in decided}
    whole = number_text(out_of_version(connection, row.version))
    those = {*kept, *found, *totals, *(_students(connection, row.course) if members is None else members)}
    extensions = extensions_of(connection, assignment_id)
    wanted = {
        each: _row(row, extensions.get(each), found.get(each, []), totals.get(each), whole) for each in sorted(those)
    }
    _store(tx, row, kept, wanted)


def _row(
    row: Row[Any], extended: Extension | None, found: list[Standing], total: Fraction | None, whole: str
) -> dict[str, Any]:
    """What is computed of a grade."""
    made = grade_by_rules([each.handed_in for each in found], counting_rule(row, row.zone, extended), total)
    chosen = next((each for each in found if made and each.handed_in.id == made.submission), None)
    return {
        "submission": made.submission if made else None,
        "version": chosen.version if chosen else row.version,
        "marks": _marks(made),
        "out_of": number_text(chosen.out_of) if chosen else whole,
        "late": made.days_late if made else 0,
        "overridden": total is not None,
    }


def _marks(made: Grade | None) -> str | None:
    return None if made is None else number_text(made.total)


def _store(
    tx: Transaction, row: Row[Any], kept: Mapping[str, Row[Any]], wanted: Mapping[str, Mapping[str, Any]]
) -> None:
    """Only what has changed."""
    new, changed = [], []
    for member_id, fields in wanted.items():
        before = kept.get(member_id)
        if before is None:
            new.append({"id": new_id(), "assignment": row.id, "member": member_id, **fields, "updated": tx.now})
        elif any(getattr(before, name) != value for name, value in fields.items()):
            changed.append({"grade": before.id, "at": tx.now, **fields})
    if new:
        tx.execute(grade.insert(), new)
    if changed:
        tx.execute(_renew, changed)


def _students(connection: Connection, course_id: str) -> Iterable[str]:
    statement = select(member.c.id).where(
        member.c.course == course_id, member.c.role == "student", member.c.removed.is_(None)
    )
    return connection.execute(statement).scalars()
