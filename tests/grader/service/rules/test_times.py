"""Times in and out: by offset, in a zone, and the ones that clocks skip or show twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.service_problems import RuleViolation
from grader.service.rules.times import EPOCH, days_later, local_date, local_time, moment_text, read_moment, zone_named
from tests.grader.service.rules.strategies import CHANGES, DAY, HOUR, at, moments, near_changes, zone_names

LISBON = zone_named("Europe/Lisbon")
in_zones = zone_names.flatmap(lambda zone: st.tuples(st.just(zone), near_changes(zone)))


def refused(text: str, zone: str = "Europe/Lisbon") -> RuleViolation:
    with pytest.raises(RuleViolation) as caught:
        read_moment(text, zone_named(zone), "due")
    assert caught.value.field == "due"
    return caught.value


def outcome(text: str, zone: str = "Europe/Lisbon") -> int | RuleViolation:
    try:
        return read_moment(text, zone_named(zone))
    except RuleViolation as problem:
        return problem


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
        ("2026-11-20T18:00:00", "2026-11-20T18:00:00Z"),
        ("2026-07-20T18:00:00", "2026-07-20T17:00:00Z"),
        ("2026-07-20T18:00", "2026-07-20T17:00:00Z"),
        ("2026-07-20t18:00:00z", "2026-07-20T18:00:00Z"),
        ("2026-07-20 18:00:00-03:30", "2026-07-20T21:30:00Z"),
        ("2026-07-20T18:00:00-00:00", "2026-07-20T18:00:00Z"),
        ("2026-07-20T18:00:00.25Z", "2026-07-20T18:00:00.250000Z"),
        ("2026-07-20T18:00:00.1234569Z", "2026-07-20T18:00:00.123456Z"),
        ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00Z"),
    ],
)
def test_a_time_is_read(text: str, means: str) -> None:
    assert moment_text(read_moment(text, LISBON)) == means


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-11-20", '"2026-11-20" is a day without a time'),
        ("tomorrow", '"tomorrow" is not a time'),
        ("", '"" is not a time'),
        ("2026-02-30T10:00:00Z", "no calendar or clock shows it"),
        ("2026-02-20T24:00:00Z", "no calendar or clock shows it"),
        ("2026-02-20T10:61:00Z", "no calendar or clock shows it"),
        ("2026-02-20T10:00:00+24:00", "no calendar or clock shows it"),
        ("2026-02-20T10:00:00+01:60", "no calendar or clock shows it"),
        ("9999-12-31T23:59:60Z", "no calendar or clock shows it"),
        ("0206-11-20T18:00:00Z", "the year 0206 is not between 1970 and 2199"),
        ("2200-01-01T00:00:00Z", "the year 2200 is not between 1970 and 2199"),
        ("٢٠٢٦-11-20T18:00:00Z", "is not a time"),
        ("2026-11-20T18:00:00Z\n", "is not a time"),
        ("2026-11-20T18:00:00." + "1" * 5_000, "is not a time"),
    ],
)
def test_what_is_no_time_is_told(text: str, said: str) -> None:
    problem = refused(text)
    assert problem.code == "wrong-value" and said in problem.message and len(problem.message) < 200


@given(st.one_of(st.text(max_size=40), st.from_regex(r"[0-9]{4}-[01]\d-[0-3]\dT\d\d:\d\d:[0-6]\d(\.\d+)?[Z+-].*")))
def test_no_text_breaks_the_reader(text: str) -> None:
    read = outcome(text)
    assert read.message if isinstance(read, RuleViolation) else read_moment(moment_text(read), LISBON) == read


@given(moments, st.integers(-23 * 60 - 59, 23 * 60 + 59))
def test_what_is_written_is_read_back(moment: int, offset: int) -> None:
    assert read_moment(moment_text(moment), LISBON) == moment
    elsewhere = (EPOCH + timedelta(microseconds=moment)).astimezone(timezone(timedelta(minutes=offset)))
    assert read_moment(elsewhere.isoformat(), LISBON) == moment


@given(in_zones)
def test_a_local_time_is_read_where_it_means_one_moment(case: tuple[str, int]) -> None:
    """Every moment has a local time: it means that moment alone, or the clocks show it twice."""
    zone, moment = case
    shown = local_time(moment, zone_named(zone)).replace(tzinfo=None)
    offsets = {local_time(moment + step * DAY // 2, zone_named(zone)).utcoffset() for step in range(-3, 4)}
    candidates = {
        (shown.replace(tzinfo=UTC) - EPOCH - (offset or timedelta())) // timedelta.resolution for offset in offsets
    }
    meant = {each for each in candidates if local_time(each, zone_named(zone)).replace(tzinfo=None) == shown}
    assert moment in meant
    if len(meant) == 1:
        assert read_moment(shown.isoformat(), zone_named(zone)) == moment
    else:
        problem = refused(shown.isoformat(), zone)
        assert problem.code == "ambiguous-time"
        for each in meant:
            assert local_time(each, zone_named(zone)).isoformat() in problem.message


@given(in_zones, st.integers(0, 86_399))
def test_a_local_time_is_refused_where_clocks_skip_it(case: tuple[str, int], second: int) -> None:
    zone, moment = case
    text = f"{local_date(moment, zone_named(zone))}T00:00:00"
    wall = datetime.fromisoformat(text) + timedelta(seconds=second)
    read = outcome(wall.isoformat(), zone)
    if not isinstance(read, RuleViolation):
        assert local_time(read, zone_named(zone)).replace(tzinfo=None) == wall
        return
    assert read.code == "ambiguous-time"
    if "never show" in read.message:
        assert read_moment(read.hint.rpartition(" ")[2], zone_named(zone)) in map(at, CHANGES[zone])


@pytest.mark.parametrize(
    ("zone", "time", "gap"),
    [
        ("Europe/Lisbon", "2026-03-29T01:30:00", "from 2026-03-29T01:00:00 to 2026-03-29T02:00:00"),
        ("America/New_York", "2026-03-08T02:00:00", "from 2026-03-08T02:00:00 to 2026-03-08T03:00:00"),
        ("Australia/Lord_Howe", "2026-10-04T02:15:00", "from 2026-10-04T02:00:00 to 2026-10-04T02:30:00"),
        ("Asia/Tehran", "2022-03-22T00:30:00", "from 2022-03-22T00:00:00 to 2022-03-22T01:00:00"),
        ("Pacific/Apia", "2011-12-30T18:00:00", "from 2011-12-30T00:00:00 to 2011-12-31T00:00:00"),
    ],
)
def test_the_gap_is_named(zone: str, time: str, gap: str) -> None:
    problem = refused(time, zone)
    assert problem.code == "ambiguous-time"
    assert problem.message == f"clocks in {zone} never show {time}: they go {gap}"


def test_both_readings_are_named() -> None:
    problem = refused("2026-04-05T01:45:00", "Australia/Lord_Howe")
    assert problem.code == "ambiguous-time"
    assert problem.message.endswith("twice, as 2026-04-05T01:45:00+11:00 and as 2026-04-05T01:45:00+10:30")
    assert at("2026-04-05T01:45:00+10:30") - at("2026-04-05T01:45:00+11:00") == HOUR // 2


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Europe/Lisbonn", "did you mean Europe/Lisbon?"),
        ("europe/lisbon", "did you mean Europe/Lisbon?"),
        ("../../etc/passwd", "such as Europe/Lisbon"),
        ("localtime", "such as Europe/Lisbon"),
        ("\0", "such as Europe/Lisbon"),
        ("", "such as Europe/Lisbon"),
        ("é" * 100_000, "such as Europe/Lisbon"),
    ],
)
def test_an_unknown_zone_is_told(name: str, hint: str) -> None:
    with pytest.raises(RuleViolation, match="there is no time zone") as caught:
        zone_named(name)
    assert hint in caught.value.hint and len(caught.value.message) < 400


@given(in_zones, st.integers(1, 9))
def test_days_later_clocks_show_the_same_on_that_date(case: tuple[str, int], days: int) -> None:
    zone, moment = zone_named(case[0]), case[1]
    if local_time(moment, zone).fold:
        return
    hours = (moment + hour * HOUR for hour in range(24 * (days + 2)))
    dates = sorted({local_date(each, zone) for each in hours})
    wall = local_time(moment, zone).replace(tzinfo=None)
    expected = datetime.combine(dates[days], wall.time())
    then = days_later(moment, days, zone)
    read = outcome(expected.isoformat(), zone.key)
    if isinstance(read, RuleViolation):
        second = read.message.rpartition(" and as ")[2] if "twice" in read.message else read.hint.rpartition(" ")[2]
        read = read_moment(second, zone)
    assert then == read


@given(in_zones, st.one_of(st.integers(0, 2 * HOUR), st.integers(0, 5 * DAY)), st.integers(0, 9))
def test_days_after_a_later_moment_are_no_earlier(case: tuple[str, int], more: int, days: int) -> None:
    zone, moment = zone_named(case[0]), case[1]
    assert days_later(moment, days, zone) <= days_later(moment + more, days, zone)
    assert days_later(moment, days, zone) < days_later(moment, days + 1, zone)


def test_a_time_that_is_shown_again_counts_to_the_end_of_its_hour() -> None:
    first, again = "2026-10-25T01:30:00+01:00", "2026-10-25T01:30:00+00:00"
    assert moment_text(days_later(at(first), 1, LISBON)) == "2026-10-26T01:30:00Z"
    assert moment_text(days_later(at(again), 1, LISBON)) == "2026-10-26T02:00:00Z"
