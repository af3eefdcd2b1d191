"""Which submission counts, and the grade that comes of it; of an exam, by its parts.

Marks stay exact until the total, which alone is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from grader.kernel.verdicts import rounded
from grader.service.base.service_problems import RuleViolation, require_one_of
from grader.service.rules.assignment_dates import LateRule, days_late, share_off
from grader.service.rules.times import Moment
from solver.kernel import number_text

BETWEEN = "\x1f"
"""No document may hold it, so that no question is called like one of a part."""


def in_part(part: int | str | None, question: str) -> str:
    """What a question of a part, numbered from 1, is known as; without a part, its own name."""
    return f"{part}{BETWEEN}{question}" if part else question


def apart(known_as: str) -> tuple[int | None, str]:
    """The part, None where there are none, and what the question is called there."""
    part, between, question = known_as.partition(BETWEEN)
    return (int(part), question) if between else (None, known_as)


BEST, LAST = POLICIES = ("best", "last")
RECEIVED, MARKED, FAILED = STATES = ("received", "marked", "failed")


@dataclass(frozen=True, slots=True)
class SubmissionMarks:
    """A submission, as far as it matters for a grade."""

    id: str
    attempt: int
    """Its number, from 1."""
    received: Moment
    state: str = MARKED
    counted: bool = True
    """Not where nothing in it could be read."""
    marks: Fraction = Fraction(0)
    """Exact, with overrides of items and questions; of no meaning until it is marked."""


@dataclass(frozen=True, slots=True)
class CountingRule:
    """What an assignment says about grades, with the date that holds for the student."""

    due: Moment | None
    zone: ZoneInfo
    counts: str = BEST
    late: LateRule | None = None


@dataclass(frozen=True, slots=True)
class Grade:
    submission: str | None
    """Which one counts; none where there is only an override."""
    marks: Fraction
    """Of that submission, before lateness."""
    days_late: int
    share_off: Fraction
    exact: Fraction
    """The total, not rounded."""
    is_override: bool = False

    @property
    def total(self) -> Fraction:
        """As a gradebook has it: to two decimals, half up."""
        return rounded(self.exact)


def read_policy(value: Any, field: str = "counts") -> str:
    return require_one_of(POLICIES, value, field)


def attempts_used(numbers: Iterable[int], handed_in: Iterable[SubmissionMarks], *, timed: bool) -> int:
    """How many of the attempts that were begun are used up: all but those of which nothing could be read or be marked.
    With a time limit all are: else the clock could be started again and again."""
    if timed:
        return len(set(numbers))
    came = list(handed_in)
    kept = {each.attempt for each in came if each.counted and each.state != FAILED}
    return len(set(numbers) - ({each.attempt for each in came} - kept))


def after_lateness(submission: SubmissionMarks, rule: CountingRule) -> Fraction:
    return submission.marks * (1 - share_off(rule.late, rule.due, submission.received, rule.zone))


def counting(handed_in: Sequence[SubmissionMarks], rule: CountingRule) -> SubmissionMarks | None:
    """The submission that counts: the last that is marked, or the one worth most after lateness, the earlier of equals.
    One that is not marked yet counts as soon as it is."""
    marked = sorted(
        (each for each in handed_in if each.counted and each.state == MARKED),
        key=lambda each: (each.received, each.attempt, each.id),
    )
    if not marked:
        return None
    # max keeps the first of equals.
    return marked[-1] if rule.counts == LAST else max(marked, key=lambda each: after_lateness(each, rule))


def grade(handed_in: Sequence[SubmissionMarks], rule: CountingRule, override: Fraction | None = None) -> Grade | None:
    """None where nothing counts, and nobody has decided otherwise."""
    chosen = counting(handed_in, rule)
    if chosen is None:
        return None if override is None else Grade(None, Fraction(0), 0, Fraction(0), override, is_override=True)
    return Grade(
        chosen.id,
        chosen.marks,
        days_late(rule.due, chosen.received, rule.zone),
        share_off(rule.late, rule.due, chosen.received, rule.zone),
        after_lateness(chosen, rule) if override is None else override,
        override is not None,
    )


def check_override(marks: Fraction, out_of: Fraction, field: str = "marks") -> None:
    """Marks that a person gives stay within what they are out of."""
    if not 0 <= marks <= out_of:
        message = f"{field} is between 0 and {number_text(out_of)}, not {number_text(marks)}"
        raise RuleViolation(field, "wrong-value", message)
