"""What a person should look at: answers that could not be read or were not marked as they were meant, equal ones
together; and what was decided about them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, func, select

from grader.service.ids import new_id
from grader.service.rules.parts import apart
from grader.service.rules.times import Moment
from grader.service.store.by_hand import NOT_ASKED, given_key
from grader.service.store.reports import make_stale
from grader.service.store.schema import attempt, decision, marking, person, report, submission
from grader.service.store.standing import REPORT_OF_MARKING
from grader.service.store.transaction import Transaction
from grader.service.store.upserts import put
from solver.kernel import number_text

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
