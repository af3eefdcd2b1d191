"""Grades as teachers read them and decide about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, select

from grader.service.ids import new_id
from grader.service.rules.parts import apart
from grader.service.store.grades import recompute
from grader.service.store.paging import Page, page_of
from grader.service.store.reports import make_stale
from grader.service.store.schema import (
    attempt,
    grade,
    marking,
    member,
    override,
    person,
    report,
    submission,
    version,
)
from grader.service.store.standing import REPORT_OF_MARKING
from grader.service.store.transaction import Transaction
from grader.service.store.upserts import put
from grader.service.work.records import GradebookEntry
from solver.kernel import number_text, plain

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
