"""What has been handed in, as another version would mark it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, Row, and_, select

from grader.service.rules.counting import MARKED
from grader.service.rules.counting import grade as grade_by_rules
from grader.service.store.assignments import counting_rule, extensions_of
from grader.service.store.by_hand import Applied, all_by_hand, by_hand_sha256
from grader.service.store.schema import (
    assignment,
    attempt,
    course,
    marking,
    override,
    part,
    report,
    submission,
    variant,
)
from grader.service.store.standing import REPORT_OF_MARKING, Standing, standings
from grader.service.work.records import review_entries
from solver.kernel import number_text

TOTAL = ""
"""In place of a question."""


@dataclass(frozen=True, slots=True)
class Remarked:
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
    applied: Sequence[Applied] = ()
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


def remarked(connection: Connection, assignment_id: str, version_id: str, program: str) -> list[Remarked]:
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
    found = [Remarked(**row._asdict()) for row in connection.execute(statement)]
    reports = _reports(connection, {each.variant_sha256 for each in found}, program)
    by_hand = all_by_hand(connection, assignment_id)
    return [_known(each, reports, by_hand) for each in found]


def changes(connection: Connection, assignment_id: str, found: Sequence[Remarked]) -> list[MemberChange]:
    """Whose marks differ, and where."""
    row = connection.execute(
        select(assignment, course.c.zone).join(course).where(assignment.c.id == assignment_id)
    ).one()
    extensions = extensions_of(connection, assignment_id)
    totals = select(override.c.member, override.c.marks).where(
        override.c.assignment == assignment_id, override.c.question == "", override.c.item == ""
    )
    decided = {each.member: Fraction(each.marks) for each in connection.execute(totals)}
    parts: dict[str, list[Remarked]] = defaultdict(list)
    for each in found:
        parts[each.submission].append(each)
    old, new = _old_questions(connection, assignment_id), {name: _questions(each) for name, each in parts.items()}
    changed = []
    for member, theirs in sorted(standings(connection, assignment_id).items()):
        rule, total = counting_rule(row, row.zone, extensions.get(member)), decided.get(member)
        before = grade_by_rules([each.handed_in for each in theirs], rule, total)
        after = grade_by_rules([_moved(each, parts.get(each.handed_in.id)) for each in theirs], rule, total)
        if after is None or after.submission is None:
            continue
        was = old.get(before.submission or "", {}) if before else {}
        questions = _differing(was, new.get(after.submission) or was)
        made = MemberChange(member, after.submission, before.total if before else None, after.total, questions)
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


def _known(each: Remarked, reports: Mapping[tuple[str, str, str], Row[Any]], by_hand: Any) -> Remarked:
    plain = reports.get((each.variant_sha256, each.canonical_sha256, ""))
    if plain is None:
        return each
    applied = by_hand(each.member).applying_to(review_entries(plain.review))
    final = reports.get((each.variant_sha256, each.canonical_sha256, by_hand_sha256(applied)))
    return replace(each, plain=plain, applied=tuple(applied), final=final)


def _moved(each: Standing, parts: Sequence[Remarked] | None) -> Any:
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


def _questions(parts: Sequence[Remarked]) -> dict[str, str]:
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
