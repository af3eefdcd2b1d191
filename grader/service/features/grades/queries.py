"""Grades: computed from reports, dates and what was decided by hand, never typed in; and as teachers read
and decide them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, select, update

from grader.service.base.ids import new_id
from grader.service.features.assignments.queries import (
    REPORT_OF_MARKING,
    Standing,
    counting_rule,
    extensions_of,
    standings,
)
from grader.service.rules.assignment_dates import Extension
from grader.service.rules.grade_counting import MARKED, Grade, apart
from grader.service.rules.grade_counting import grade as grade_by_rules
from grader.service.store.prepared_statements import Page, page_of
from grader.service.store.store import Store
from grader.service.store.tables import (
    assignment,
    attempt,
    course,
    grade,
    marking,
    member,
    override,
    part,
    person,
    report,
    submission,
    variant,
    version,
)
from grader.service.store.transaction import Transaction, put
from grader.service.workers.task_results import GradebookEntry
from solver.kernel import number_text, plain


def make_stale(tx: Transaction, submissions: Sequence[str]) -> None:
    """To be marked again, as somebody has decided; what is not marked yet is marked so anyway."""
    for at in range(0, len(submissions), 500):
        these = marking.c.submission.in_(submissions[at : at + 500])
        tx.execute(update(marking).where(these, marking.c.state == MARKED).values(stale=True, lease=tx.now))


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


_all = (
    select(grade, member.c.code, member.c.position, person.c.name, person.c.email, version.c.number.label("number"))
    .join(member, member.c.id == grade.c.member)
    .join(person, person.c.id == member.c.person)
    .join(version, version.c.id == grade.c.version)
)
_of_students = _all.where(member.c.role == "student", member.c.removed.is_(None))


def grades_of(connection: Connection, assignment_id: str, page: Page) -> dict[str, Any]:
    """In the order of the roster."""
    decided = _decided(connection, assignment_id)
    statement = _of_students.where(grade.c.assignment == assignment_id)
    return page_of(connection, statement, member.c.position, page, lambda row: _data(row, decided), int)


def grade_data(connection: Connection, grade_id: str) -> dict[str, Any]:
    row = connection.execute(_all.where(grade.c.id == grade_id)).one()
    return _data(row, _decided(connection, row.assignment))


def gradebook_rows(connection: Connection, assignment_id: str) -> list[GradebookEntry]:
    """Of those who have marks."""
    statement = _of_students.where(grade.c.assignment == assignment_id).order_by(member.c.position)
    rows = connection.execute(statement).all()
    asked: dict[str, list[dict[str, Any]]] = {}
    for each in connection.execute(_questions(assignment_id)):
        asked.setdefault(each.submission, []).extend(_columns(each))
    return [
        GradebookEntry(
            student=row.code,
            name=row.name,
            address=row.email,
            marks=row.marks,
            questions=tuple(each["marks"] for each in asked.get(row.submission, ())),
            ids=tuple(each["id"] for each in asked.get(row.submission, ())),
        )
        for row in rows
        if row.marks is not None
    ]


def _columns(row: Row[Any]) -> list[dict[str, Any]]:
    """A question each, or one for a part of an exam."""
    questions: list[dict[str, Any]] = json.loads(row.questions)
    in_exam = any(apart(each["id"])[0] is not None for each in questions)
    return [{"id": str(row.part), "marks": row.marks}] if in_exam else questions


def out_of_override(connection: Connection, of: Row[Any], question: str, item: str) -> Fraction | None:
    """What can be had for a question or an item, by what the member has handed in, the least where variants differ;
    without both, for all of it. None where nothing that is marked has it."""
    if not question:
        return Fraction(of.out_of)
    rows = connection.execute(_questions(of.assignment).where(attempt.c.member == of.member))
    asked = [each for row in rows for each in json.loads(row.questions)]
    number, name = apart(question)
    if number is not None and not name:
        return _out_of_part(connection, of, number)
    found = [each for each in asked if each["id"] == question]
    if item:
        found = [one for each in found for one in each["items"] if one["item"] == item]
    return min((Fraction(each["out_of"]) for each in found), default=None)


def _out_of_part(connection: Connection, of: Row[Any], number: int) -> Fraction | None:
    """The least, where versions differ; None where nothing of the part is marked."""
    rows = connection.execute(_questions(of.assignment).where(attempt.c.member == of.member, marking.c.part == number))
    return min((Fraction(row.out_of) for row in rows), default=None)


def questions_of(connection: Connection, of: Row[Any]) -> list[dict[str, Any]]:
    """Of the submission that counts for a grade: its questions with their items, and what each has earned."""
    found = connection.execute(_questions(of.assignment).where(marking.c.submission == of.submission))
    return [each for row in found for each in json.loads(row.questions)]


def put_override(
    tx: Transaction, who: str, course_id: str, of: Row[Any], question: str, item: str, marks: Fraction, reason: str
) -> None:
    """In place of what was decided before about the same."""
    key = {"assignment": of.assignment, "member": of.member, "question": question, "item": item}
    row = {"id": new_id(), **key, "marks": number_text(marks), "reason": reason, "by": who, "created": tx.now}
    put(tx, override, row, tuple(key), kept=("id",))
    tx.audit(who, "grade.override", of.id, course_id, question=question, item=item, marks=row["marks"])
    if question:
        _mark_again(tx, of)
    recompute(tx, of.assignment, of.member)


def remove_override(
    tx: Transaction, who: str, course_id: str, of: Row[Any], question: str | None, item: str | None
) -> None:
    """That of a question or an item, or all that was decided by hand about the grade."""
    statement = delete(override).where(override.c.assignment == of.assignment, override.c.member == of.member)
    if question is not None:
        statement = statement.where(override.c.question == question, override.c.item == (item or ""))
    if tx.execute(statement).rowcount:
        tx.audit(who, "grade.override-removed", of.id, course_id, question=question, item=item)
        _mark_again(tx, of)
        recompute(tx, of.assignment, of.member)


def _mark_again(tx: Transaction, of: Row[Any]) -> None:
    """Whatever the member has handed in."""
    statement = (
        select(submission.c.id)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(attempt.c.assignment == of.assignment, attempt.c.member == of.member, attempt.c.trial.is_(False))
    )
    make_stale(tx, list(tx.execute(statement).scalars()))


def _questions(assignment_id: str) -> Select[Any]:
    """Reports of what was handed in, by submission."""
    return (
        select(marking.c.submission, marking.c.part, report.c.questions, report.c.marks, report.c.out_of)
        .select_from(marking)
        .join(report, REPORT_OF_MARKING)
        .join(submission, submission.c.id == marking.c.submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(attempt.c.assignment == assignment_id, attempt.c.trial.is_(False))
        .order_by(marking.c.submission, marking.c.part)
    )


def _decided(connection: Connection, assignment_id: str) -> dict[str, list[Any]]:
    """By member."""
    statement = select(override).where(override.c.assignment == assignment_id)
    found: dict[str, list[Any]] = {}
    for row in connection.execute(statement.order_by(override.c.question, override.c.item)):
        found.setdefault(row.member, []).append(row)
    return found


def _data(row: Row[Any], decided: dict[str, list[Any]]) -> dict[str, Any]:
    return {
        "id": row.id,
        "member": row.code,
        "marks": None if row.marks is None else plain(Fraction(row.marks)),
        "out_of": plain(Fraction(row.out_of)),
        "submission": row.submission,
        "late": row.late,
        "override": _override(decided.get(row.member, [])),
        "version": row.number,
    }


def _override(decided: list[Any]) -> dict[str, Any] | None:
    if not decided:
        return None
    total = next((each for each in decided if not each.question), None)
    return {
        "marks": None if total is None else plain(Fraction(total.marks)),
        "reason": None if total is None else total.reason,
        "questions": list(_parts(decided)),
    }


def _parts(decided: list[Any]) -> Iterator[dict[str, Any]]:
    for each in decided:
        if each.question:
            number, question = apart(each.question)
            about = {"question": question, "item": each.item or None, **({} if number is None else {"part": number})}
            yield {**about, "marks": plain(Fraction(each.marks)), "reason": each.reason}
