"""When an assignment can be worked on, and by whom how long: the one place where a deadline is computed.

An assignment has dates, a student may have an extension of them, and `effective` makes of both the dates that hold for
that student. Everything else asks those. A moment that is a deadline still belongs to the time before it, and there is
no grace after it: what counts is when a submission arrived, not when somebody had time to store it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grader.service.rules.times import MINUTE, Moment, moment_text
from grader.service.rules.unfit import Unfit

NOT_OPEN, OPEN, LATE, CLOSED = PHASES = ("not-open", "open", "late", "closed")
NO_ATTEMPTS_LEFT = "no-attempts-left"
MOST_MINUTES = 527_040
"""Of an attempt: a leap year."""
MOST_ATTEMPTS = 10_000


@dataclass(frozen=True, slots=True)
class Dates:
    """None is no limit."""

    opens: Moment
    due: Moment | None = None
    closes: Moment | None = None
    minutes: int | None = None
    """Of an attempt, from its start."""
    attempts: int | None = 1


@dataclass(frozen=True, slots=True)
class Extension:
    """What one student has instead; where it is None, what the assignment has."""

    due: Moment | None = None
    closes: Moment | None = None
    minutes: int | None = None
    attempts: int | None = None


def dates_of(
    opens: Moment,
    due: Moment | None,
    closes: Moment | None,
    minutes: int | None,
    attempts: int | None,
    *,
    takes_late: bool,
) -> Dates:
    """Unless it takes late work, an assignment that does not say when it closes does so when it is due. Keep the fields
    as they were given: then whoever moves `due` later on moves the closing time with it."""
    if closes is None and not takes_late:
        closes = due
    return Dates(opens, due, closes, minutes, attempts)


def check_dates(dates: Dates) -> list[Unfit]:
    """What is wrong with an assignment's dates."""
    if dates.due is None:
        return _in_order("closes", dates.closes, "opens", dates.opens)
    return [*_in_order("due", dates.due, "opens", dates.opens), *_in_order("closes", dates.closes, "due", dates.due)]


def check_extension(dates: Dates, extension: Extension) -> list[Unfit]:
    """What is wrong with an extension: it never takes anything away, and closes no sooner than it is due."""
    given = (
        ("due", dates.due, extension.due),
        ("closes", dates.closes, extension.closes),
        ("minutes", dates.minutes, extension.minutes),
        ("attempts", dates.attempts, extension.attempts),
    )
    problems = [
        _shorter(field, has, gets) for field, has, gets in given if gets is not None and gets != _more(has, gets)
    ]
    return problems or _in_order("closes", extension.closes, "due", extension.due)


def read_count(value: Any, field: str, most: int) -> int | None:
    """A number of minutes or attempts, at least 1; null is no limit."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unfit(field, "wrong-type", f"{field} is a whole number, or null for no limit")
    if not 1 <= value <= most:
        raise Unfit(field, "wrong-value", f"{field} is between 1 and {most:,}, or null for no limit")
    return value


def effective(dates: Dates, extension: Extension | None) -> Dates:
    """The dates that hold for a student.

    What the extension does not say is as the assignment has it: more minutes alone do not move the closing time.
    Nothing is ever less than the assignment gives, also when that was changed after the extension; and nothing closes
    before it is due.
    """
    if extension is None:
        return dates
    due, closes = _more(dates.due, extension.due), _more(dates.closes, extension.closes)
    if due is not None and closes is not None:
        closes = max(due, closes)
    minutes, attempts = _more(dates.minutes, extension.minutes), _more(dates.attempts, extension.attempts)
    return Dates(dates.opens, due, closes, minutes, attempts)


def phase(dates: Dates, now: Moment) -> str:
    """`not-open`, `open`, `late` or `closed`."""
    if now < dates.opens:
        return NOT_OPEN
    if dates.closes is not None and now > dates.closes:
        return CLOSED
    return LATE if dates.due is not None and now > dates.due else OPEN


def attempt_ends(dates: Dates, started: Moment, until: Moment | None = None) -> Moment | None:
    """The last moment of an attempt, which a teacher who gave it back may have put off: its time never outlasts the
    closing time, so that once everybody's has passed nobody is still at work and the key can be shown."""
    own = [] if dates.minutes is None else [started + MINUTE * dates.minutes]
    own += [] if until is None else [until]
    if not own:
        return dates.closes
    return max(own) if dates.closes is None else min(max(own), dates.closes)


def may_start(dates: Dates, used: int, now: Moment) -> str | None:
    """None, or why a student who has used so many attempts may not begin another."""
    now_is = phase(dates, now)
    if now_is in (NOT_OPEN, CLOSED):
        return now_is
    return NO_ATTEMPTS_LEFT if dates.attempts is not None and used >= dates.attempts else None


def may_submit(dates: Dates, started: Moment, now: Moment, until: Moment | None = None) -> str | None:
    """None, or why what arrives now is too late, or too early, for an attempt."""
    if now < dates.opens:
        return NOT_OPEN
    ends = attempt_ends(dates, started, until)
    return CLOSED if ends is not None and now > ends else None


def _more(has: int | None, gets: int | None) -> int | None:
    """The larger of two limits, of which that of the assignment may be none."""
    return has if has is None or gets is None else max(has, gets)


def _in_order(later: str, its: Moment | None, earlier: str, than: Moment | None) -> list[Unfit]:
    if its is None or than is None or than <= its:
        return []
    message = f"{later}, {moment_text(its)}, is before {earlier}, {moment_text(than)}"
    return [Unfit(later, "wrong-value", message, "the order is opens, due, closes")]


def _shorter(field: str, has: int | None, gets: int) -> Unfit:
    if has is None:
        return Unfit(field, "wrong-value", f"{field} has no limit in this assignment: an extension never takes away")
    said = [moment_text(each) if field in ("due", "closes") else f"{each:,}" for each in (gets, has)]
    message = f"{field} would be {said[0]}, less than the {said[1]} of everybody: an extension never takes away"
    return Unfit(field, "wrong-value", message)
