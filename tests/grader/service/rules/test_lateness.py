"""Late days are counted by the calendar of the course's zone, and what they take off is exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.service_problems import RuleViolation
from grader.service.rules.assignment_dates import LateRule, days_late, read_late_rule, share_off
from grader.service.rules.times import MINUTE, days_later, zone_named
from tests.grader.service.rules.strategies import DAY, UTC, at, moments, near_changes, shares, zone_names

TENTH = LateRule(Fraction(1, 10), Fraction(1, 2))
rules = st.builds(LateRule, shares, shares)
in_zones = zone_names.flatmap(lambda zone: st.tuples(st.just(zone), near_changes(zone), near_changes(zone)))


def days(due: str, received: str, zone: str) -> int:
    return days_late(at(due, zone), at(received, zone), zone_named(zone))


@pytest.mark.parametrize(
    ("zone", "due", "received", "begun"),
    [
        ("Europe/Lisbon", "2026-11-20T18:00:00", "2026-11-20T18:00:00", 0),
        ("Europe/Lisbon", "2026-11-20T18:00:00", "2026-11-20T18:00:00.000001", 1),
        ("Europe/Lisbon", "2026-11-20T18:00:00", "2026-11-21T18:00:00", 1),
        ("Europe/Lisbon", "2026-11-20T18:00:00", "2026-11-21T18:00:01", 2),
        ("Europe/Lisbon", "2026-11-20T23:59:00", "2026-11-21T00:05:00", 1),
        # A day of 23 hours, and one of 25.
        ("Europe/Lisbon", "2026-03-28T18:00:00", "2026-03-29T18:00:00", 1),
        ("Europe/Lisbon", "2026-03-28T18:00:00", "2026-03-29T18:00:01", 2),
        ("Europe/Lisbon", "2026-10-24T18:00:00", "2026-10-25T18:00:00", 1),
        ("America/New_York", "2026-10-31T18:00:00", "2026-11-01T18:00:00", 1),
        ("America/New_York", "2026-03-07T18:00:00", "2026-03-08T18:00:01", 2),
        ("Australia/Lord_Howe", "2026-04-04T12:00:00", "2026-04-05T12:00:00", 1),
        ("Australia/Lord_Howe", "2026-04-04T12:00:00", "2026-04-05T12:00:01", 2),
        # The time at which it was due is skipped the day after, or shown twice.
        ("Europe/Lisbon", "2026-03-28T01:30:00", "2026-03-29T02:00:00", 1),
        ("Europe/Lisbon", "2026-03-28T01:30:00", "2026-03-29T02:00:01", 2),
        ("Europe/Lisbon", "2026-10-24T01:30:00", "2026-10-25T01:30:00+00:00", 1),
        ("Asia/Tehran", "2022-03-21T00:00:00", "2022-03-22T01:00:00", 1),
        # There was no 30 December 2011 in Apia, so that it is no late day.
        ("Pacific/Apia", "2011-12-29T18:00:00", "2011-12-31T18:00:00", 1),
        ("Pacific/Apia", "2011-12-29T18:00:00", "2011-12-31T18:00:01", 2),
        ("Pacific/Apia", "2011-12-29T18:00:00", "2012-01-01T18:00:00", 2),
        ("Pacific/Apia", "2011-12-29T18:00:00", "2012-07-01T18:00:00", 184),
    ],
)
def test_days_are_counted_by_the_calendar(zone: str, due: str, received: str, begun: int) -> None:
    assert days(due, received, zone) == begun


@given(in_zones)
def test_each_day_ends_when_clocks_show_the_time_it_was_due(case: tuple[str, int, int]) -> None:
    zone, (due, received) = zone_named(case[0]), sorted(case[1:])
    days = days_late(due, received, zone)
    assert days == 0 or days_later(due, days - 1, zone) < received <= days_later(due, days, zone)


@given(in_zones, st.integers(0, 40 * DAY))
def test_later_is_never_less_late_and_due_later_never_more(case: tuple[str, int, int], more: int) -> None:
    zone, due, received = zone_named(case[0]), *case[1:]
    assert days_late(due, received, zone) <= days_late(due, received + more, zone)
    assert days_late(due + more, received, zone) <= days_late(due, received, zone)


@given(moments, st.integers(-DAY, 60 * DAY))
def test_without_changes_of_clocks_a_day_is_a_day(due: int, after: int) -> None:
    assert days_late(due, due + after, UTC) == max(0, -(-after // DAY))


@given(rules, in_zones, st.integers(0, 40 * DAY))
def test_the_share_grows_to_its_limit(rule: LateRule, case: tuple[str, int, int], more: int) -> None:
    zone, due, received = zone_named(case[0]), *case[1:]
    off = share_off(rule, due, received, zone)
    assert 0 <= off <= share_off(rule, due, received + more, zone) <= rule.at_most
    assert off == 0 or received > due
    assert off == min(rule.at_most, days_late(due, received, zone) * rule.per_day)


def test_nothing_is_taken_off_without_a_rule_or_a_date() -> None:
    assert share_off(None, 0, 5 * DAY, UTC) == 0
    assert share_off(TENTH, None, 5 * DAY, UTC) == 0
    assert [share_off(TENTH, 0, n * DAY + MINUTE, UTC) for n in (0, 2, 4, 40)] == [
        Fraction(1, 10),
        Fraction(3, 10),
        Fraction(1, 2),
        Fraction(1, 2),
    ]


@given(rules)
def test_a_rule_is_read_as_it_is_written(rule: LateRule) -> None:
    assert read_late_rule(rule.data) == rule


def test_numbers_are_read_in_every_spelling() -> None:
    assert read_late_rule({"per_day": "0.1", "at_most": 1}) == read_late_rule({"per_day": 0.1})
    assert read_late_rule({"per_day": "1/10", "at_most": "1/2"}) == TENTH
    assert read_late_rule(None) is None


@pytest.mark.parametrize(
    ("data", "field", "code"),
    [
        ("1/10", "late", "wrong-type"),
        ([], "late", "wrong-type"),
        ({}, "late.per_day", "missing-key"),
        ({"per_day": "1/10", "per_week": "1"}, "late.per_week", "unknown-key"),
        ({"per_day": "10%"}, "late.per_day", "number"),
        ({"per_day": "1/0"}, "late.per_day", "number"),
        ({"per_day": float("nan")}, "late.per_day", "number"),
        ({"per_day": "10"}, "late.per_day", "wrong-value"),
        ({"per_day": "1/10", "at_most": "-1"}, "late.at_most", "wrong-value"),
        ({"per_day": True}, "late.per_day", "wrong-type"),
        ({"per_day": None}, "late.per_day", "wrong-type"),
    ],
)
def test_a_broken_rule_is_told(data: Any, field: str, code: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        read_late_rule(data)
    assert (caught.value.field, caught.value.code) == (field, code)
