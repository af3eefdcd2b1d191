"""Which submission counts, and what a grade is worth after lateness, by hand or by rule."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.service_problems import RuleViolation
from grader.service.rules.assignment_dates import LateRule
from grader.service.rules.grade_counting import (
    POLICIES,
    STATES,
    CountingRule,
    Grade,
    SubmissionMarks,
    after_lateness,
    attempts_used,
    check_override,
    counting,
    grade,
    read_policy,
)
from tests.grader.service.rules.strategies import DAY, UTC, marks, moments, shares, zones

late_rules = st.one_of(st.none(), st.builds(LateRule, shares, shares))
counting_rules = st.builds(CountingRule, st.one_of(st.none(), moments), zones, st.sampled_from(POLICIES), late_rules)


@st.composite
def histories(draw: st.DrawFn) -> list[SubmissionMarks]:
    """A student's submissions, one an attempt, in the order in which they came."""
    times = sorted(draw(st.lists(moments, max_size=6)))
    return [
        SubmissionMarks(f"s{n}", n, time, draw(st.sampled_from(STATES)), draw(st.booleans()), draw(marks))
        for n, time in enumerate(times, 1)
    ]


def counted(history: list[SubmissionMarks]) -> list[SubmissionMarks]:
    return [each for each in history if each.counted and each.state == "marked"]


@given(histories(), counting_rules)
def test_the_best_is_at_least_the_last(history: list[SubmissionMarks], rule: CountingRule) -> None:
    best, last = (grade(history, replace(rule, counts=policy)) for policy in ("best", "last"))
    assert (best is None) == (last is None) == (not counted(history))
    if best is not None and last is not None:
        assert best.exact >= last.exact and best.total >= last.total
        assert last.submission == counted(history)[-1].id
        assert best.exact == max(after_lateness(each, rule) for each in counted(history))
        earliest = next(each for each in counted(history) if after_lateness(each, rule) == best.exact)
        assert best.submission == earliest.id


@given(histories(), counting_rules, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(
    history: list[SubmissionMarks], rule: CountingRule, numbers: random.Random
) -> None:
    shuffled = numbers.sample(history, len(history))
    assert grade(shuffled, rule) == grade(history, rule)


@given(histories(), counting_rules)
def test_what_is_unread_failed_or_waiting_changes_no_grade(history: list[SubmissionMarks], rule: CountingRule) -> None:
    assert grade(history, rule) == grade(counted(history), rule)


@given(histories(), counting_rules, marks)
def test_an_override_outlives_everything(history: list[SubmissionMarks], rule: CountingRule, decided: Fraction) -> None:
    by_hand, by_rule = grade(history, rule, decided), grade(history, rule)
    assert by_hand is not None and by_hand.exact == decided and by_hand.is_override
    if by_rule is None:
        assert by_hand.submission is None
    else:
        assert replace(by_hand, exact=by_rule.exact, is_override=False) == by_rule


@given(histories(), counting_rules)
def test_a_grade_is_the_marks_less_the_share(history: list[SubmissionMarks], rule: CountingRule) -> None:
    found = grade(history, rule)
    if found is not None:
        assert found.exact == found.marks * (1 - found.share_off)
        assert abs(found.total - found.exact) <= Fraction(1, 200) and (100 * found.total).denominator == 1
        assert found.share_off == 0 or found.days_late > 0


@given(histories(), counting_rules, st.integers(0, 40 * DAY))
def test_more_time_never_lowers_the_best(history: list[SubmissionMarks], rule: CountingRule, more: int) -> None:
    rule = replace(rule, counts="best")
    before, after = (
        grade(history, rule),
        grade(history, replace(rule, due=None if rule.due is None else rule.due + more)),
    )
    assert before is None or (after is not None and after.exact >= before.exact)


def test_late_and_better_can_be_worth_less() -> None:
    rule = CountingRule(0, UTC, "best", LateRule(Fraction(1, 10), Fraction(1, 2)))
    history = [
        SubmissionMarks("early", 1, 0, marks=Fraction(7)),
        SubmissionMarks("late", 2, DAY + 1, marks=Fraction(8)),
    ]
    assert grade(history, rule) == Grade("early", Fraction(7), 0, Fraction(0), Fraction(7))
    found = grade(history, replace(rule, counts="last"))
    assert found == Grade("late", Fraction(8), 2, Fraction(1, 5), Fraction(32, 5))
    chosen = counting(history, rule)
    assert chosen is not None and chosen.id == "early"


def test_only_the_total_is_rounded_and_half_goes_up() -> None:
    for exact, total in (("7/3", "233/100"), ("1/200", "1/100"), ("2/3", "67/100")):
        found = grade([], CountingRule(None, UTC), Fraction(exact))
        assert found is not None and (found.exact, found.total) == (Fraction(exact), Fraction(total))


@given(histories(), st.integers(0, 3))
def test_attempts_that_could_not_be_read_or_marked_are_given_back(
    history: list[SubmissionMarks], unsubmitted: int
) -> None:
    begun = range(1, len(history) + unsubmitted + 1)
    given_back = sum(not each.counted or each.state == "failed" for each in history)
    assert attempts_used(begun, history, timed=False) == len(begun) - given_back
    assert attempts_used(begun, history, timed=True) == len(begun), "a clock that has run is not given back"


def test_a_reopened_attempt_is_used_up_by_anything_that_could_be_marked() -> None:
    unread, fine = SubmissionMarks("first", 1, 0, counted=False), SubmissionMarks("second", 1, 1)
    assert attempts_used([1], [unread], timed=False) == 0
    assert attempts_used([1], [unread, fine], timed=False) == attempts_used([1], [fine, unread], timed=False) == 1


def test_what_is_no_policy_or_mark_is_told() -> None:
    assert [read_policy(each) for each in POLICIES] == list(POLICIES)
    with pytest.raises(RuleViolation, match='counts is one of best, last, not "latest"'):
        read_policy("latest")
    check_override(Fraction(0), Fraction(10))
    check_override(Fraction(10), Fraction(10))
    for given_ in (Fraction(-1, 2), Fraction(21, 2)):
        with pytest.raises(RuleViolation, match="marks is between 0 and 10, not"):
            check_override(given_, Fraction(10))
