"""What a whole class has handed in, for lists, exports and sums; and an assignment in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, func, select

from grader.service.features.assignments.queries import (
    assignment_dates,
    described,
    extensions_of,
    feedback_rule,
    standings,
)
from grader.service.features.exercises.queries import EXAM
from grader.service.features.review import queries as review_queries
from grader.service.features.review.queries import all_by_hand
from grader.service.rules.assignment_dates import Dates, days_late, effective, phase
from grader.service.rules.assignment_rules import FULL, level_due
from grader.service.rules.grade_counting import MARKED
from grader.service.rules.times import Moment, moment_text
from grader.service.store.tables import (
    assignment,
    attempt,
    grade,
    marking,
    member,
    part,
    person,
    report,
    submission,
    variant,
    version,
)
from grader.service.workers.task_results import ClassAnswer, ReviewEntry, review_entries
from solver.kernel import plain

_who = (
    select(
        submission.c.id,
        submission.c.raw,
        submission.c.received,
        attempt.c.id.label("attempt"),
        attempt.c.number,
        attempt.c.language,
        attempt.c.member,
        member.c.code,
        person.c.name,
        variant.c.id.label("variant"),
        variant.c.name.label("exercise"),
        marking.c.variant_sha256,
        marking.c.canonical_sha256,
        marking.c.program,
    )
    .select_from(submission)
    .join(attempt, attempt.c.id == submission.c.attempt)
    .join(member, member.c.id == attempt.c.member)
    .join(person, person.c.id == member.c.person)
    .join(marking, (marking.c.submission == submission.c.id) & (marking.c.part == 1))
    .join(variant, variant.c.id == marking.c.variant)
    .where(attempt.c.trial.is_(False))
    .order_by(submission.c.received, submission.c.id)
)
_answered = (
    select(marking.c.submission, marking.c.variant, variant.c.name)
    .join(variant, variant.c.id == marking.c.variant)
    .join(submission, submission.c.id == marking.c.submission)
    .join(attempt, attempt.c.id == submission.c.attempt)
    .where(attempt.c.trial.is_(False))
    .order_by(marking.c.submission, marking.c.part)
)
_without_raw = _who.with_only_columns(*(each for each in _who.selected_columns if each.name != "raw"))


def submissions_listed(connection: Connection, row: Row[Any], zone: str) -> list[dict[str, Any]]:
    """Of everybody, the earliest first. Tries that count for nobody are left out."""
    found = {one.handed_in.id: one for each in standings(connection, row.id).values() for one in each}
    dates, extended = assignment_dates(row), extensions_of(connection, row.id)
    names = answered_names(connection, row.id)
    listed = []
    for each in connection.execute(_without_raw.where(attempt.c.assignment == row.id)):
        standing = found[each.id]
        marked = standing.handed_in.state == MARKED
        due = effective(dates, extended.get(each.member)).due
        listed.append(
            {
                "id": each.id,
                "attempt": each.attempt,
                "number": each.number,
                "member": each.code,
                "variant": ", ".join(names[each.id]),
                "state": standing.handed_in.state,
                "received": moment_text(each.received),
                "counted": standing.handed_in.counted,
                "late": days_late(due, each.received, ZoneInfo(zone)),
                "marks": plain(standing.handed_in.marks) if marked else None,
                "out_of": plain(standing.out_of) if marked else None,
            }
        )
    return listed


def submissions_raw(connection: Connection, assignment_id: str) -> list[Any]:
    """With what was handed in, whose it is and which exercise it answers."""
    return list(connection.execute(_who.where(attempt.c.assignment == assignment_id)).all())


@dataclass(frozen=True, slots=True)
class ClassWork:
    """What counts of each member: arguments of the workers' tasks that sum up a class."""

    entries: Sequence[ClassAnswer]
    handed_out: Sequence[bytes] | bytes
    """All variants there are, answered or not; or the exam."""


def work_of_class(connection: Connection, row: Row[Any]) -> ClassWork:
    """By what is stored now. A submission that is marked again meanwhile is summed up as it will be."""
    counting = (
        _who.join(grade, grade.c.submission == submission.c.id)
        .where(grade.c.assignment == row.id)
        .order_by(None)
        .order_by(member.c.position)
    )
    rows = connection.execute(counting).all()
    exam, theirs = exam_raw(connection, row.version), _variants_of_each(connection, row.id)
    first = [] if exam else _first_variants(connection, row.version)
    raws = _raws(connection, [*first, *sorted({one for each in rows for one in theirs[each.id]})])
    by_hand, reviews = all_by_hand(connection, row.id), _reviews(connection, row)
    entries = [
        ClassAnswer(
            variants=tuple(raws[one] for one in (theirs[each.id] if exam else [each.variant])),
            submission=each.raw,
            language=each.language,
            by_hand=tuple(dict(one) for one in by_hand(each.member).applying_to(reviews.get(each.id, ()))),
            student=each.code,
            name=each.name,
        )
        for each in rows
    ]
    return ClassWork(entries, exam or [raws[each] for each in first])


def exam_raw(connection: Connection, version_id: str) -> bytes | None:
    """An exam as it was uploaded; None for a version that is none."""
    statement = select(version.c.raw).where(version.c.id == version_id, version.c.kind == EXAM)
    found = connection.execute(statement).scalar_one_or_none()
    return None if found is None else bytes(found)


def answered_names(connection: Connection, assignment_id: str) -> dict[str, list[str]]:
    """By submission, what the exercise of each part is called."""
    found: dict[str, list[str]] = {}
    for row in connection.execute(_answered.where(attempt.c.assignment == assignment_id)):
        found.setdefault(row.submission, []).append(row.name)
    return found


def _variants_of_each(connection: Connection, assignment_id: str) -> dict[str, list[str]]:
    """By submission, that of each part."""
    found: dict[str, list[str]] = {}
    for row in connection.execute(_answered.where(attempt.c.assignment == assignment_id)):
        found.setdefault(row.submission, []).append(row.variant)
    return found


def neighbours(connection: Connection, assignment_id: str, member_id: str) -> tuple[str | None, str | None]:
    """What counts of the members before and after one, in the order of the roster, as far as they have handed in."""
    statement = (
        select(grade.c.member, grade.c.submission)
        .join(member, member.c.id == grade.c.member)
        .where(grade.c.assignment == assignment_id)
        .where(grade.c.submission.is_not(None) | (grade.c.member == member_id))
        .order_by(member.c.position)
    )
    rows = connection.execute(statement).all()
    at = next((place for place, each in enumerate(rows) if each.member == member_id), None)
    if at is None:
        return None, None
    return rows[at - 1].submission if at else None, rows[at + 1].submission if at + 1 < len(rows) else None


def handed_out_raw(connection: Connection, version_id: str) -> list[bytes] | bytes:
    """Documents of all variants of a version; or the exam that it is."""
    exam = exam_raw(connection, version_id)
    return exam or list(_raws(connection, _first_variants(connection, version_id)).values())


def _first_variants(connection: Connection, version_id: str) -> list[str]:
    """Of the first part, in order."""
    statement = (
        select(variant.c.id)
        .join(part, part.c.id == variant.c.part)
        .where(part.c.version == version_id, part.c.number == 1)
        .order_by(variant.c.number)
    )
    return list(connection.execute(statement).scalars())


def _raws(connection: Connection, variants: Iterable[str]) -> dict[str, bytes]:
    """Each document once, however many have answered it."""
    return {
        each: bytes(connection.execute(select(variant.c.raw).where(variant.c.id == each)).scalar_one())
        for each in dict.fromkeys(variants)
    }


def _reviews(connection: Connection, row: Row[Any]) -> dict[str, list[ReviewEntry]]:
    """By submission: which equal answers it holds, as was found when it was first marked."""
    as_first_marked = (
        (report.c.variant_sha256 == marking.c.variant_sha256)
        & (report.c.canonical_sha256 == marking.c.canonical_sha256)
        & (report.c.program == marking.c.program)
        & (report.c.overrides_sha256 == "")
    )
    statement = (
        select(marking.c.submission, report.c.review)
        .select_from(grade)
        .join(marking, marking.c.submission == grade.c.submission)
        .join(report, as_first_marked)
        .where(grade.c.assignment == row.id)
        .order_by(marking.c.submission, marking.c.part)
    )
    found: dict[str, list[ReviewEntry]] = {}
    for each in connection.execute(statement):
        found.setdefault(each.submission, []).extend(review_entries(each.review))
    return found


@dataclass(frozen=True, slots=True)
class AssignmentOverview:
    """One assignment at a glance."""

    id: str
    title: str
    phase: str
    dates: Dates
    released: bool
    handed_in: int
    """Students, each counted once."""
    submissions: int
    waiting: int
    """Submissions that are not marked yet."""
    to_review: int


def assignment_overviews(connection: Connection, course_id: str, now: Moment) -> list[AssignmentOverview]:
    """The newest first."""
    rows = connection.execute(described(course_id).order_by(assignment.c.created.desc(), assignment.c.id)).all()
    return [assignment_overview(connection, row, now) for row in rows]


def assignment_overview(connection: Connection, row: Row[Any], now: Moment) -> AssignmentOverview:
    """`row` is an assignment described."""
    counted = (
        select(func.count(attempt.c.member.distinct()), func.count(submission.c.id))
        .select_from(submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(attempt.c.assignment == row.id, attempt.c.trial.is_(False))
    )
    handed_in, submissions = connection.execute(counted).one()
    waiting = (
        select(func.count(marking.c.submission.distinct()))
        .join(submission, submission.c.id == marking.c.submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(attempt.c.assignment == row.id, attempt.c.trial.is_(False))
        .where((marking.c.state != MARKED) | marking.c.stale)
    )
    dates = assignment_dates(row)
    return AssignmentOverview(
        row.id,
        row.title or row.name,
        phase(dates, now),
        dates,
        row.released,
        handed_in,
        submissions,
        connection.execute(waiting).scalar_one(),
        len(review_queries.to_review(connection, row.id)),
    )


def has_second_account(course: Row[Any], row: Row[Any], now: Moment) -> bool:
    """Whether students could read the key with another account before they answer: it is shown before the assignment
    closes, and anybody can join with a code."""
    closing = assignment_dates(row).closes
    is_over = closing is not None and now > closing
    return course.join_code is not None and not is_over and level_due(feedback_rule(row), None, now) == FULL
