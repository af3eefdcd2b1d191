"""Regrades: what was handed in as another version would mark it, looked at first and then applied once, all of it or
nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, delete, func, select, update

from grader.service.base.ids import new_id
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.assignments.queries import (
    REPORT_OF_MARKING,
    Standing,
    counting_rule,
    extensions_of,
    standings,
)
from grader.service.features.exercises.queries import EXAM, alike_in, variant_of
from grader.service.features.grades.queries import recompute_all
from grader.service.features.jobs import queries as jobs_queries
from grader.service.features.review.queries import AppliedMarks, all_by_hand, by_hand_sha256
from grader.service.rules.grade_counting import MARKED, RECEIVED, apart
from grader.service.rules.grade_counting import grade as grade_by_rules
from grader.service.store.tables import (
    assignment,
    attempt,
    course,
    decision,
    marking,
    member,
    override,
    part,
    regrade,
    regrade_change,
    report,
    submission,
    variant,
    version,
)
from grader.service.store.transaction import Transaction
from grader.service.workers.task_results import review_entries
from solver.kernel import number_text, plain

TOTAL = ""
"""In place of a question."""


@dataclass(frozen=True, slots=True)
class RemarkedPart:
    """A part of a submission that is marked, what it would be marked against, and what is known of that."""

    submission: str
    part: int
    member: str
    language: str
    canonical_sha256: str
    variant: str
    variant_sha256: str
    worth: str | None
    """What the part is scaled to."""
    plain: Row[Any] | None = None
    """The report by the rules alone."""
    applied: Sequence[AppliedMarks] = ()
    """Marks given by hand."""
    final: Row[Any] | None = None
    """The report with those."""

    @property
    def overrides_sha256(self) -> str:
        return by_hand_sha256(self.applied)

    @property
    def marks(self) -> Fraction:
        assert self.final is not None
        marks = Fraction(self.final.marks)
        return marks if self.worth is None else marks * Fraction(self.worth) / Fraction(self.final.out_of)


@dataclass(frozen=True, slots=True)
class MemberChange:
    member: str
    submission: str
    before: Fraction | None
    after: Fraction
    questions: Sequence[tuple[str, str, str]]
    """Which, before, after; empty where a version does not ask it."""

    @property
    def is_lower(self) -> bool:
        return self.before is not None and self.after < self.before

    def rows(self) -> list[dict[str, str]]:
        whose = {"member": self.member, "submission": self.submission}
        before, after = "" if self.before is None else number_text(self.before), number_text(self.after)
        total = [(TOTAL, before, after)] if before != after else []
        return [
            {**whose, "question": name, "before": was, "after": now} for name, was, now in (*total, *self.questions)
        ]


def remark_parts(connection: Connection, assignment_id: str, version_id: str, program: str) -> list[RemarkedPart]:
    """Of all members, with those reports that are there. What stands in no place of the version is left out."""
    there, here = variant.alias("there"), part.alias("here")
    statement = (
        select(
            marking.c.submission,
            marking.c.part,
            attempt.c.member,
            attempt.c.language,
            marking.c.canonical_sha256,
            there.c.id.label("variant"),
            there.c.sha256.label("variant_sha256"),
            here.c.marks.label("worth"),
        )
        .join(submission, submission.c.id == marking.c.submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .join(variant, variant.c.id == marking.c.variant)
        .join(here, and_(here.c.version == version_id, here.c.number == marking.c.part))
        .join(there, and_(there.c.part == here.c.id, there.c.number == variant.c.number))
        .where(attempt.c.assignment == assignment_id, attempt.c.trial.is_(False), marking.c.state == MARKED)
        .order_by(submission.c.received, submission.c.id, marking.c.part)
    )
    found = [RemarkedPart(**row._asdict()) for row in connection.execute(statement)]
    reports = _reports(connection, {each.variant_sha256 for each in found}, program)
    by_hand = all_by_hand(connection, assignment_id)
    return [_known(each, reports, by_hand) for each in found]


def changes(connection: Connection, assignment_id: str, found: Sequence[RemarkedPart]) -> list[MemberChange]:
    """Whose marks differ, and where."""
    row = connection.execute(
        select(assignment, course.c.zone).join(course).where(assignment.c.id == assignment_id)
    ).one()
    extensions = extensions_of(connection, assignment_id)
    totals = select(override.c.member, override.c.marks).where(
        override.c.assignment == assignment_id, override.c.question == "", override.c.item == ""
    )
    decided = {each.member: Fraction(each.marks) for each in connection.execute(totals)}
    parts: dict[str, list[RemarkedPart]] = defaultdict(list)
    for each in found:
        parts[each.submission].append(each)
    old, new = _old_questions(connection, assignment_id), {name: _questions(each) for name, each in parts.items()}
    changed = []
    for member_id, theirs in sorted(standings(connection, assignment_id).items()):
        rule, total = counting_rule(row, row.zone, extensions.get(member_id)), decided.get(member_id)
        before = grade_by_rules([each.handed_in for each in theirs], rule, total)
        after = grade_by_rules([_remarked_standing(each, parts.get(each.handed_in.id)) for each in theirs], rule, total)
        if after is None or after.submission is None:
            continue
        was = old.get(before.submission or "", {}) if before else {}
        questions = _differing(was, new.get(after.submission) or was)
        made = MemberChange(member_id, after.submission, before.total if before else None, after.total, questions)
        if made.rows():
            changed.append(made)
    return changed


def _reports(connection: Connection, variants: set[str], program: str) -> dict[tuple[str, str, str], Row[Any]]:
    """Without what they tell."""
    columns = [column for column in report.c if column.name != "told"]
    found: dict[tuple[str, str, str], Row[Any]] = {}
    for each in sorted(variants):
        statement = select(*columns).where(report.c.variant_sha256 == each, report.c.program == program)
        for row in connection.execute(statement):
            found[each, row.canonical_sha256, row.overrides_sha256] = row
    return found


def _known(each: RemarkedPart, reports: Mapping[tuple[str, str, str], Row[Any]], by_hand: Any) -> RemarkedPart:
    plain = reports.get((each.variant_sha256, each.canonical_sha256, ""))
    if plain is None:
        return each
    applied = by_hand(each.member).applying_to(review_entries(plain.review))
    final = reports.get((each.variant_sha256, each.canonical_sha256, by_hand_sha256(applied)))
    return replace(each, plain=plain, applied=tuple(applied), final=final)


def _remarked_standing(each: Standing, parts: Sequence[RemarkedPart] | None) -> Any:
    """A submission as it would be; as it is, where that is not known."""
    if not parts or any(one.final is None for one in parts):
        return each.handed_in
    readable = any(one.final is not None and one.final.readable for one in parts)
    return replace(each.handed_in, marks=sum((one.marks for one in parts), Fraction(0)), counted=readable)


def _old_questions(connection: Connection, assignment_id: str) -> dict[str, dict[str, str]]:
    statement = (
        select(marking.c.submission, report.c.questions)
        .join(report, REPORT_OF_MARKING)
        .join(submission, submission.c.id == marking.c.submission)
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(attempt.c.assignment == assignment_id, attempt.c.trial.is_(False))
        .order_by(marking.c.part)
    )
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in connection.execute(statement):
        found[row.submission] |= {each["id"]: each["marks"] for each in json.loads(row.questions)}
    return found


def _questions(parts: Sequence[RemarkedPart]) -> dict[str, str]:
    if any(each.final is None for each in parts):
        return {}
    listed = [each.final.questions for each in parts if each.final is not None]
    return {each["id"]: each["marks"] for questions in listed for each in json.loads(questions)}


def _differing(was: Mapping[str, str], now: Mapping[str, str]) -> list[tuple[str, str, str]]:
    names = [*was, *(name for name in now if name not in was)]
    found = [(name, _spelt(was.get(name)), _spelt(now.get(name))) for name in names]
    return [each for each in found if each[1] != each[2]]


def _spelt(marks: str | None) -> str:
    return "" if marks is None else number_text(Fraction(marks))


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
    job_id = jobs_queries.new_job(tx, who, KIND, {"regrade": regrade_id}, of.course)
    row = {"id": regrade_id, "assignment": of.id, "from_version": of.version, "to_version": to_version}
    more = {"never_lower": never_lower, "job": job_id, "state": jobs_queries.WAITING, "created_by": who}
    tx.execute(regrade.insert(), {**row, **more, "created": tx.now, "applied": None})
    tx.audit(who, "regrade.begun", regrade_id, of.course, assignment=of.id)
    return regrade_id


def regrade_row(connection: Connection, regrade_id: str) -> Row[Any]:
    return connection.execute(select(regrade).where(regrade.c.id == regrade_id)).one()


def regrade_data(connection: Connection, row: Row[Any]) -> dict[str, Any]:
    work = jobs_queries.job_row(connection, row.job)
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
    parts = remark_parts(tx.connection, row.assignment, row.to_version, program)
    wanted = [each for each in changes(tx.connection, row.assignment, parts) if not (row.never_lower and each.is_lower)]
    tx.execute(delete(regrade_change).where(regrade_change.c.regrade == row.id))
    rows = [{"regrade": row.id, **one} for each in wanted for one in each.rows()]
    if rows:
        tx.execute(regrade_change.insert(), rows)
    left = sum(1 for each in parts if each.final is None)
    return {"members": len(wanted), "not_marked": left, "rests_on": _rests_on(tx.connection, row.assignment)}


def apply(tx: Transaction, who: str, course: str, regrade_id: str, exclude: Collection[str], program: str) -> None:
    """Moves what was handed in, the assignment and every grade to the other version; not what was handed in by those
    who are excluded, or would have less where nobody may."""
    row = regrade_row(tx.connection, regrade_id)
    if tx.connection.dialect.name == "postgresql":
        # One after another, and not beside what is being marked.
        tx.execute(select(assignment.c.id).where(assignment.c.id == row.assignment).with_for_update())
        row = regrade_row(tx.connection, regrade_id)
    work = jobs_queries.job_row(tx.connection, row.job)
    _require_fresh(tx.connection, row, work)
    parts = remark_parts(tx.connection, row.assignment, row.to_version, program)
    stay = set(exclude)
    if row.never_lower:
        stay |= {each.member for each in changes(tx.connection, row.assignment, parts) if each.is_lower}
    known = {(each.submission, each.part): each for each in parts if each.final is not None}
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


def _moved(
    tx: Transaction, each: Row[Any], row: Row[Any], known: dict[tuple[str, int], RemarkedPart]
) -> dict[str, Any]:
    """To its new report; what has none waits to be marked."""
    part_now = known.get((each.submission, each.part))
    by = alike_in(tx.connection, variant_of(tx.connection, each.variant), row.to_version)
    assert by is not None
    keys = {"submission_id": each.submission, "part_number": each.part, "version": row.to_version, "now": tx.now}
    against = {"variant": by.id, "variant_sha256": by.sha256}
    if part_now is None or part_now.final is None:
        waits = {"state": RECEIVED, "program": None, "overrides_sha256": "", "readable": True}
        return {**keys, **against, **waits}
    final = part_now.final
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
    return READY if work.state == jobs_queries.DONE else str(work.state)


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
