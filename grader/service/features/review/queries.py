"""What a person should look at, equal answers together; what was decided about them; and the marks given by
hand, as far as marking applies them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from grader.service.base.ids import new_id
from grader.service.features.assignments.queries import REPORT_OF_MARKING
from grader.service.features.grades.queries import make_stale
from grader.service.rules.grade_counting import apart
from grader.service.rules.times import Moment
from grader.service.store.tables import attempt, decision, marking, override, person, report, submission
from grader.service.store.transaction import Transaction, put
from grader.service.workers.task_results import ReviewEntry
from solver.kernel import number_text

_overrides = (
    select(override)
    .where(
        override.c.assignment == bindparam("assignment_id"),
        override.c.member == bindparam("member_id"),
        override.c.question != "",
    )
    .order_by(override.c.question, override.c.item)
)
_decisions = (
    select(decision)
    .where(decision.c.assignment == bindparam("assignment_id"))
    .order_by(decision.c.question, decision.c.item, decision.c.given)
)
AppliedMarks = Mapping[str, str]
"""`{question, item, marks, reason}`: what the worker's task takes."""
NOT_ASKED = "ignored"
"""Why a person should look at what answers no question. It says nothing of the rest of the answer: whoever wrote the
same need not have earned the same, and nothing is decided about all of them at once."""
LONGEST_GIVEN = 400
"""Characters; of what is longer, indexes hold the hash."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """Whatever might apply to what a member hands in."""

    own: Sequence[AppliedMarks] = ()
    equal: Mapping[tuple[str, str, str], AppliedMarks] = field(default_factory=dict)
    """By question, item and what was given."""

    def applying_to(self, review: Iterable[ReviewEntry]) -> list[AppliedMarks]:
        """What does, by the answers that a person should look at; what is a member's own comes last, and holds."""
        if not self.equal:
            return list(self.own)
        looked_at = {(each.question, each.item, given_key(each.given)) for each in review if each.why != NOT_ASKED}
        return [*(applied for key, applied in self.equal.items() if key in looked_at), *self.own]


def by_hand_of(connection: Connection, assignment_id: str, member_id: str) -> ByHand:
    keys = {"assignment_id": assignment_id, "member_id": member_id}
    own = [_applied(row) for row in connection.execute(_overrides, keys)]
    decided = connection.execute(_decisions, {"assignment_id": assignment_id})
    return ByHand(own, {(row.question, row.item, row.given): _applied(row) for row in decided})


def all_by_hand(connection: Connection, assignment_id: str) -> Callable[[str], ByHand]:
    """Of any member, found in two readings."""
    whole = select(override).where(override.c.assignment == assignment_id, override.c.question != "")
    own: dict[str, list[AppliedMarks]] = {}
    for row in connection.execute(whole.order_by(override.c.question, override.c.item)):
        own.setdefault(row.member, []).append(_applied(row))
    equal = by_hand_of(connection, assignment_id, "").equal
    return lambda member_id: ByHand(own.get(member_id, ()), equal)


def given_key(given: str) -> str:
    """What equal answers to a question or an item have in common."""
    return given if len(given) <= LONGEST_GIVEN else f"sha256:{hashlib.sha256(given.encode()).hexdigest()}"


def by_hand_sha256(applied: Sequence[AppliedMarks]) -> str:
    """Empty where nothing applies."""
    if not applied:
        return ""
    written = json.dumps([dict(each) for each in applied], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(written.encode("ascii")).hexdigest()


def _applied(row: Any) -> dict[str, str]:
    return {"question": row.question, "item": row.item, "marks": row.marks, "reason": row.reason}


NOTHING = "[]"
_of_assignment = (
    select(report.c.review, func.count().label("answers"))
    .select_from(marking)
    .join(report, REPORT_OF_MARKING)
    .join(submission, submission.c.id == marking.c.submission)
    .join(attempt, attempt.c.id == submission.c.attempt)
    .where(attempt.c.trial.is_(False), report.c.review != NOTHING)
)


@dataclass(slots=True)
class EqualAnswers:
    question: str
    item: str
    given: str
    why: str
    out_of: Fraction
    """The least, where variants differ."""
    count: int = 0
    keys: list[str] = field(default_factory=list)
    """What is right there, each once: where variants differ there are several."""

    @property
    def id(self) -> str:
        """The same for the same text, whoever wrote it; what is about one item has ids that stand together."""
        place = _digest(self.question, self.item)[:8]
        return place + _digest(self.question, self.item, self.given)[:24]

    @property
    def key(self) -> tuple[str, str, str]:
        return self.question, self.item, given_key(self.given)

    @property
    def asked(self) -> tuple[int | None, str]:
        """The part of an exam, and its question."""
        return apart(self.question)

    @property
    def data(self) -> dict[str, Any]:
        number, question = self.asked
        return {
            **({} if number is None else {"part": number}),
            "id": self.id,
            "question": question,
            "item": self.item,
            "given": self.given,
            "count": self.count,
            "why": self.why,
        }


def to_review(connection: Connection, assignment_id: str) -> list[EqualAnswers]:
    """By id, without what was decided."""
    statement = select(decision.c.question, decision.c.item, decision.c.given)
    decided = {tuple(row) for row in connection.execute(statement.where(decision.c.assignment == assignment_id))}
    return [each for each in _all(connection, assignment_id) if each.key not in decided]


@dataclass(frozen=True, slots=True)
class DecisionMade:
    about: EqualAnswers
    marks: str
    reason: str
    by: str
    """The name of a person."""
    at: Moment


def decided(connection: Connection, assignment_id: str) -> list[DecisionMade]:
    """The newest first, as far as there are answers it is about."""
    there = {each.key: each for each in _all(connection, assignment_id)}
    statement = (
        select(decision, person.c.name)
        .join(person, person.c.id == decision.c.by)
        .where(decision.c.assignment == assignment_id)
        .order_by(decision.c.created.desc(), decision.c.id)
    )
    found = [(there.get((row.question, row.item, row.given)), row) for row in connection.execute(statement)]
    return [
        DecisionMade(about, row.marks, row.reason, row.name, row.created) for about, row in found if about is not None
    ]


def equal_answers(connection: Connection, assignment_id: str, review_id: str) -> EqualAnswers | None:
    """Decided or not: whoever decides again changes what was decided."""
    return next((each for each in _all(connection, assignment_id) if each.id == review_id), None)


def decide(
    tx: Transaction, who: str, course: str, assignment_id: str, about: EqualAnswers, marks: Fraction, reason: str
) -> None:
    """For all of them and those to come. What is marked is marked again."""
    question, item, given = about.key
    key = {"assignment": assignment_id, "question": question, "item": item, "given": given}
    row = {"id": new_id(), **key, "marks": number_text(marks), "reason": reason, "by": who, "created": tx.now}
    put(tx, decision, row, tuple(key), kept=("id",))
    affected = _submissions(tx.connection, assignment_id, about)
    make_stale(tx, affected)
    tx.audit(who, "review.decided", about.id, course, assignment=assignment_id, marks=row["marks"], answers=about.count)


def _all(connection: Connection, assignment_id: str) -> list[EqualAnswers]:
    found: dict[str, EqualAnswers] = {}
    statement = _of_assignment.where(attempt.c.assignment == assignment_id).group_by(
        report.c.variant_sha256, report.c.canonical_sha256, report.c.program, report.c.overrides_sha256
    )
    for row in connection.execute(statement):
        for each in _looked_at(row.review):
            kept = found.setdefault(each.id, each)
            kept.count += row.answers
            kept.out_of = min(kept.out_of, each.out_of)
            kept.keys += [key for key in each.keys if key not in kept.keys]
    return [found[name] for name in sorted(found)]


def _submissions(connection: Connection, assignment_id: str, about: EqualAnswers) -> Sequence[str]:
    statement = _of_assignment.with_only_columns(report.c.review, marking.c.submission)
    rows = connection.execute(statement.where(attempt.c.assignment == assignment_id)).all()
    return sorted({row.submission for row in rows if any(each.key == about.key for each in _looked_at(row.review))})


def _looked_at(review: str) -> list[EqualAnswers]:
    return [
        EqualAnswers(
            each["question"],
            each["item"],
            each["given"],
            each["why"],
            Fraction(each["out_of"]),
            keys=[each["expected"]] if each.get("expected") else [],  # what was marked before this was stored has none
        )
        for each in json.loads(review)
        if each["why"] != NOT_ASKED
    ]


def _digest(*texts: str) -> str:
    return hashlib.sha256(json.dumps(texts).encode("ascii")).hexdigest()
