"""Zones with clocks that are set in every way, and moments near where they are."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from grader.service.rules.assignment_dates import Dates, Extension
from grader.service.rules.times import MINUTE, Moment, read_moment, zone_named

HOUR, DAY = 60 * MINUTE, 1440 * MINUTE

CHANGES = {
    "Europe/Lisbon": ("2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"),
    "America/New_York": ("2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z"),
    "Australia/Lord_Howe": ("2026-04-04T15:00:00Z", "2026-10-03T15:30:00Z"),
    "Asia/Tehran": ("2022-03-21T20:30:00Z", "2022-09-21T19:30:00Z"),
    "Pacific/Apia": ("2011-12-30T10:00:00Z", "2012-03-31T14:00:00Z"),
    "Pacific/Kiritimati": ("1994-12-31T10:00:00Z",),
    "Africa/Casablanca": ("2026-02-15T02:00:00Z", "2026-03-22T02:00:00Z"),
}
"""When clocks are set: an hour, half an hour, at midnight, across a whole date, twice around a month."""
UTC = zone_named("UTC")

zones = st.sampled_from(sorted(CHANGES)).map(zone_named)


def at(text: str, zone: str = "UTC") -> Moment:
    return read_moment(text, zone_named(zone))


def near_changes(zone: str, within: Moment = 3 * DAY) -> st.SearchStrategy[Moment]:
    """Moments of which many are close to a change of clocks, some by whole hours."""
    steps = st.one_of(
        st.integers(-within, within),
        st.integers(-within // HOUR, within // HOUR).map(lambda hours: hours * HOUR),
        st.integers(-2 * HOUR, 2 * HOUR),
    )
    return st.tuples(st.sampled_from(CHANGES[zone]).map(at), steps).map(sum)


zone_names = st.sampled_from(sorted(CHANGES))
moments = st.integers(at("2026-01-01T00:00:00Z"), at("2026-12-31T00:00:00Z"))
marks = st.fractions(0, 10, max_denominator=12)
shares = st.fractions(Fraction(0), Fraction(1), max_denominator=20)


@st.composite
def dates(draw: st.DrawFn) -> Dates:
    """In order; each limit may be missing."""
    opens, due, closes = sorted(draw(st.lists(moments, min_size=3, max_size=3)))
    return Dates(
        opens,
        draw(st.sampled_from([due, None])),
        draw(st.sampled_from([closes, due, None])),
        draw(st.one_of(st.none(), st.integers(1, 20_000))),
        draw(st.one_of(st.none(), st.integers(1, 5))),
    )


extensions = st.builds(
    Extension,
    due=st.one_of(st.none(), moments),
    closes=st.one_of(st.none(), moments),
    minutes=st.one_of(st.none(), st.integers(1, 30_000)),
    attempts=st.one_of(st.none(), st.integers(1, 9)),
)
