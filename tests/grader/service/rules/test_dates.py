"""One effective deadline: what holds for a student, and what follows from it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.service_problems import RuleViolation
from grader.service.rules.assignment_dates import (
    MOST_ATTEMPTS,
    Dates,
    Extension,
    attempt_ends,
    check_dates,
    check_extension,
    dates_of,
    effective,
    may_start,
    may_submit,
    phase,
    read_count,
)
from grader.service.rules.times import MINUTE
from tests.grader.service.rules.strategies import HOUR, at, dates, extensions, moments

ELEVEN, NOON = at("2026-11-20T11:00:00Z"), at("2026-11-20T12:00:00Z")
EXAM = Dates(ELEVEN, NOON, NOON, minutes=60)


def at_least(one: int | None, other: int | None) -> bool:
    """As limits, of which None is none."""
    return one is None or (other is not None and one >= other)


def test_an_assignment_closes_when_it_is_due_unless_it_takes_late_work() -> None:
    assert dates_of(ELEVEN, NOON, None, None, 1, takes_late=False).closes == NOON
    assert dates_of(ELEVEN, NOON, None, None, 1, takes_late=True).closes is None
    assert dates_of(ELEVEN, NOON, NOON + HOUR, None, 1, takes_late=False).closes == NOON + HOUR
    assert dates_of(ELEVEN, None, None, None, 1, takes_late=False) == Dates(ELEVEN)


@given(dates(), extensions)
def test_an_extension_never_shortens(given_: Dates, extension: Extension) -> None:
    theirs = effective(given_, extension)
    assert theirs.opens == given_.opens
    assert at_least(theirs.due, given_.due) and at_least(theirs.closes, given_.closes)
    assert at_least(theirs.minutes, given_.minutes) and at_least(theirs.attempts, given_.attempts)
    assert at_least(attempt_ends(theirs, ELEVEN), attempt_ends(given_, ELEVEN))


@given(dates(), extensions)
def test_what_holds_is_in_order_and_holds_when_applied_again(given_: Dates, extension: Extension) -> None:
    theirs = effective(given_, extension)
    assert not check_dates(given_) and not check_dates(theirs)
    assert effective(theirs, extension) == theirs
    assert effective(given_, None) == effective(given_, Extension()) == given_


@given(dates(), extensions)
def test_what_an_extension_says_is_so(given_: Dates, extension: Extension) -> None:
    """If nothing is wrong with it."""
    theirs = effective(given_, extension)
    if check_extension(given_, extension):
        return
    for field in ("due", "minutes", "attempts", "closes"):
        if getattr(extension, field) is not None:
            assert getattr(theirs, field) == getattr(extension, field)
        elif field != "closes" or extension.due is None:
            assert getattr(theirs, field) == getattr(given_, field)


def test_moving_what_is_due_moves_the_closing_time() -> None:
    assert effective(EXAM, Extension(due=NOON + HOUR)).closes == NOON + HOUR
    open_late = Dates(ELEVEN, NOON, NOON + 3 * HOUR)
    assert effective(open_late, Extension(due=NOON + HOUR)).closes == NOON + 3 * HOUR


def test_extra_minutes_move_no_date() -> None:
    theirs = effective(EXAM, Extension(minutes=90))
    assert (theirs.minutes, theirs.due, theirs.closes) == (90, NOON, NOON)
    assert attempt_ends(theirs, ELEVEN) == NOON
    longer = effective(EXAM, Extension(minutes=90, closes=NOON + HOUR))
    assert longer.due == NOON and attempt_ends(longer, ELEVEN) == ELEVEN + 90 * MINUTE


def test_an_extension_still_holds_when_everybody_gets_more() -> None:
    friday = Extension(due=NOON + HOUR, closes=NOON + HOUR)
    later = Dates(ELEVEN, NOON + 5 * HOUR, NOON + 6 * HOUR)
    assert effective(later, friday) == later


@given(dates(), moments)
def test_phases_follow_each_other(given_: Dates, now: int) -> None:
    order = ("not-open", "open", "late", "closed")
    assert order.index(phase(given_, now)) <= order.index(phase(given_, now + HOUR))
    assert (phase(given_, now) == "not-open") == (now < given_.opens)
    assert (phase(given_, now) == "closed") == (
        given_.closes is not None and now > max(given_.closes, given_.opens - 1)
    )


def test_a_deadline_belongs_to_the_time_before_it_and_there_is_no_grace() -> None:
    late = Dates(ELEVEN, NOON, NOON + HOUR)
    moments_ = (ELEVEN - 1, ELEVEN, NOON, NOON + 1, NOON + HOUR, NOON + HOUR + 1)
    assert [phase(late, now) for now in moments_] == ["not-open", "open", "open", "late", "late", "closed"]
    told = [may_submit(late, ELEVEN, now) for now in moments_]
    assert told == ["not-open", None, None, None, None, "closed"]
    assert [may_start(late, 0, now) for now in moments_] == told


@given(dates(), moments, moments, st.integers(0, 5))
def test_whoever_may_start_may_submit_at_once_and_until_the_attempt_ends(
    given_: Dates, started: int, now: int, used: int
) -> None:
    if may_start(given_, used, started) is not None:
        return
    ends = attempt_ends(given_, started)
    assert may_submit(given_, started, started) is None
    assert at_least(given_.closes, ends), "an attempt never outlasts the closing time"
    if now >= started:
        assert may_submit(given_, started, now) == (None if ends is None or now <= ends else "closed")


def test_attempts_are_counted() -> None:
    two = Dates(ELEVEN, attempts=2)
    assert [may_start(two, used, NOON) for used in range(4)] == [None, None, "no-attempts-left", "no-attempts-left"]
    assert may_start(Dates(ELEVEN, attempts=None), 10**6, NOON) is None
    assert may_start(effective(two, Extension(attempts=3)), 2, NOON) is None
    assert may_start(EXAM, 1, NOON + 1) == "closed"


def test_minutes_run_from_the_start_of_an_attempt() -> None:
    half = Dates(ELEVEN, minutes=30, attempts=None)
    assert attempt_ends(half, NOON) == NOON + 30 * MINUTE
    assert may_submit(half, NOON, NOON + 30 * MINUTE) is None
    assert may_submit(half, NOON, NOON + 30 * MINUTE + 1) == "closed"
    assert attempt_ends(EXAM, ELEVEN + MINUTE) == NOON, "whoever begins later has less"


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        (Dates(NOON, due=ELEVEN, closes=ELEVEN), "due, 2026-11-20T11:00:00Z, is before opens, 2026-11-20T12:00:00Z"),
        (Dates(NOON, closes=ELEVEN), "closes, 2026-11-20T11:00:00Z, is before opens, 2026-11-20T12:00:00Z"),
        (Dates(0, due=NOON, closes=ELEVEN), "closes, 2026-11-20T11:00:00Z, is before due, 2026-11-20T12:00:00Z"),
    ],
)
def test_dates_out_of_order_are_told(given_: Dates, said: str) -> None:
    assert [problem.message for problem in check_dates(given_)] == [said]


@pytest.mark.parametrize(
    ("extension", "field", "said"),
    [
        (Extension(due=ELEVEN), "due", "due would be 2026-11-20T11:00:00Z, less than the 2026-11-20T12:00:00Z"),
        (Extension(minutes=30), "minutes", "minutes would be 30, less than the 60 of everybody"),
        (Extension(due=NOON + HOUR, closes=NOON + 1), "closes", "is before due"),
    ],
)
def test_an_extension_that_takes_away_is_told(extension: Extension, field: str, said: str) -> None:
    (problem,) = check_extension(EXAM, extension)
    assert problem.field == field and said in problem.message


def test_nothing_can_be_more_than_no_limit() -> None:
    (problem,) = check_extension(Dates(ELEVEN, attempts=None), Extension(attempts=5))
    assert problem.message == "attempts has no limit in this assignment: an extension never takes away"


@pytest.mark.parametrize(
    ("value", "code"),
    [("3", "wrong-type"), (True, "wrong-type"), (1.5, "wrong-type"), (0, "wrong-value"), (10_001, "wrong-value")],
)
def test_what_is_no_count_is_told(value: Any, code: str) -> None:
    assert [read_count(each, "attempts", MOST_ATTEMPTS) for each in (None, 1, MOST_ATTEMPTS)] == [None, 1, 10_000]
    with pytest.raises(RuleViolation) as caught:
        read_count(value, "attempts", MOST_ATTEMPTS)
    assert caught.value.code == code
