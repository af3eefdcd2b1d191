"""Moments: written as RFC 3339 by people and programs, kept as whole microseconds since 1970 in UTC; and how long a
session lasts.

A time without an offset is meant in the course's zone, where clocks may show it twice or never.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from grader.service.base.clock import DAY, HOUR
from grader.service.base.service_problems import RuleViolation
from solver.kernel import quoted

Moment = int
"""Microseconds since the beginning of 1970 in UTC."""

MICROSECOND = timedelta(microseconds=1)
CALENDAR_DAY = timedelta(days=1)
MINUTE: Moment = 60_000_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_YEAR, LAST_YEAR = 1970, 2199
"""A year outside is a slip of the pen; a date that should never come is null."""
NOT_PLACES = frozenset({"localtime", "Factory"})
"""Among the zones of some systems, but they mean something else on each."""

_WRITTEN = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[Tt ](?P<minute>\d\d:\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d{1,30}))?)?"
    r"(?P<offset>[Zz]|[+-]\d\d:\d\d)?",
    re.ASCII,
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_EXAMPLE = "write it like 2026-03-27T18:00:00, or with an offset like 2026-03-27T18:00:00+01:00"


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones() - NOT_PLACES)


def zone_named(name: str, field: str = "zone") -> ZoneInfo:
    """An IANA zone by the name it has there."""
    if name in _zones():
        return ZoneInfo(name)
    alike = get_close_matches(name[:64], sorted(_zones()), n=1, cutoff=0.7)
    hint = f"did you mean {alike[0]}?" if alike else "zones have names such as Europe/Lisbon or America/New_York"
    raise RuleViolation(field, "wrong-value", f"there is no time zone {quoted(name)}", hint)


def read_moment(text: str, zone: ZoneInfo, field: str = "time") -> Moment:
    """What a time means; without an offset, in the zone. Digits beyond microseconds are dropped, and a leap second is
    the first moment of the minute that follows it."""
    local, offset = _read(text, field)
    if not FIRST_YEAR <= local.year <= LAST_YEAR:
        message = f"the year {local.year:04} is not between {FIRST_YEAR} and {LAST_YEAR}"
        raise RuleViolation(field, "wrong-value", message, "null means never")
    if offset is not None:
        return _moment(local.replace(tzinfo=offset))
    first, second = _readings(local, zone)
    if first != second:
        raise _ambiguous(local, zone, first, second, field)
    return first


def moment_text(moment: Moment) -> str:
    """In UTC, with `Z`; a fraction only where there is one."""
    return f"{_utc(moment).replace(tzinfo=None).isoformat()}Z"


def local_time(moment: Moment, zone: ZoneInfo) -> datetime:
    return _utc(moment).astimezone(zone)


def days_later(moment: Moment, days: int, zone: ZoneInfo) -> Moment:
    """When clocks in the zone show the same time that many dates later, however long the days between are; a date that
    the zone leaves out is not counted.

    Where they show it twice it is the second time; where they skip it, when they were set. Of a moment in an hour that
    is shown again it is the end of that hour: a later moment never has an earlier one days later.
    """
    if not days:
        return moment
    shown = _furthest_shown(moment, zone)
    then = _latest(shown + timedelta(days=days), zone)
    # A zone that moves across the date line changes its offset by about a day.
    left_out = round((_offset_at(then, zone) - _offset_at(moment, zone)) / CALENDAR_DAY)
    return _latest(shown + timedelta(days=days + left_out), zone) if left_out else then


def local_date(moment: Moment, zone: ZoneInfo) -> date:
    return local_time(moment, zone).date()


def _utc(moment: Moment) -> datetime:
    return EPOCH + timedelta(microseconds=moment)


def _moment(time: datetime) -> Moment:
    return (time - EPOCH) // MICROSECOND


def _read(text: str, field: str) -> tuple[datetime, timezone | None]:
    """What the clock showed, and how far it was from UTC, where that was written."""
    parts = _WRITTEN.fullmatch(text)
    if parts is None:
        what = "a day without a time" if _DAY.fullmatch(text) else "not a time"
        raise RuleViolation(field, "wrong-value", f"{quoted(text)} is {what}", _EXAMPLE)
    second, fraction = parts["second"] or "00", (parts["fraction"] or "").ljust(6, "0")[:6]
    leap = second == "60"
    try:
        local = datetime.fromisoformat(f"{parts['day']}T{parts['minute']}:{'59' if leap else second}")
        offset = _offset(parts["offset"])
        exact = local + (timedelta(seconds=1) if leap else timedelta(microseconds=int(fraction)))
    except (ValueError, OverflowError):
        message = f"{quoted(text)} is not a time: no calendar or clock shows it"
        raise RuleViolation(field, "wrong-value", message, _EXAMPLE) from None
    return exact, offset


def _offset(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text in "Zz":
        return UTC
    hours, minutes = int(text[1:3]), int(text[4:])
    if minutes > 59:
        raise ValueError(text)
    size = timedelta(hours=hours, minutes=minutes)
    return timezone(-size if text[0] == "-" else size)


def _ambiguous(local: datetime, zone: ZoneInfo, first: Moment, second: Moment, field: str) -> RuleViolation:
    """Where clocks are set back the reading by the offset before comes first; where they are set forward it is last."""
    readings = [local_time(each, zone).isoformat() for each in (first, second)]
    if first < second:
        message = f"clocks in {zone.key} show {local.isoformat()} twice, as {readings[0]} and as {readings[1]}"
        return RuleViolation(field, "ambiguous-time", message, "write which of the two you mean, with its offset")
    leaps = _change(second, first, zone)
    shown = local_time(leaps, zone)
    before = (local_time(leaps - 1, zone) + MICROSECOND).replace(tzinfo=None)
    after = shown.replace(tzinfo=None)
    message = (
        f"clocks in {zone.key} never show {local.isoformat()}: they go from {before.isoformat()} to {after.isoformat()}"
    )
    return RuleViolation(
        field, "ambiguous-time", message, f"write a time that exists there, such as {shown.isoformat()}"
    )


def _furthest_shown(moment: Moment, zone: ZoneInfo) -> datetime:
    """The latest time that clocks have shown: where they were set back, what they showed before."""
    shown = local_time(moment, zone)
    if not shown.fold:
        return shown.replace(tzinfo=None)
    set_back = _change(_moment(shown.replace(fold=0)), moment, zone)
    return local_time(set_back - 1, zone).replace(tzinfo=None) + MICROSECOND


def _latest(shown: datetime, zone: ZoneInfo) -> Moment:
    """The last moment at which clocks show a time; where they skip it, when they were set."""
    first, second = _readings(shown, zone)
    return _change(second, first, zone) if second < first else second


def _readings(shown: datetime, zone: ZoneInfo) -> tuple[Moment, Moment]:
    """What a local time means by the offsets before and after the clocks were set; mostly they are the same."""
    before, after = (_moment(shown.replace(tzinfo=zone, fold=fold)) for fold in (0, 1))
    return before, after


def _offset_at(moment: Moment, zone: ZoneInfo) -> timedelta:
    return local_time(moment, zone).utcoffset() or timedelta()


def _change(low: Moment, high: Moment, zone: ZoneInfo) -> Moment:
    """The first moment after `low`, up to `high`, with another offset than `low` has; `high` has another."""
    at_first = _offset_at(low, zone)
    while high - low > 1:
        middle = (low + high) // 2
        if _offset_at(middle, zone) == at_first:
            low = middle
        else:
            high = middle
    return high


IDLE, LONGEST = 14 * DAY, 60 * DAY


def expiry(created: int, now: int) -> int:
    """When a session that is used now will have run out."""
    return min(created + LONGEST, now + IDLE)


def is_renewal_due(created: int, expires: int, now: int) -> bool:
    """Not with every request: each time is a write."""
    return expiry(created, now) - expires >= HOUR
