"""When an assignment can be worked on, by whom how long, and what a late submission loses: the one place where a
deadline is computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from grader.service.base.service_problems import RuleViolation
from grader.service.rules.times import MINUTE, Moment, days_later, local_date, moment_text
from solver.kernel import number_advice, number_text, parse_number, quoted

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


def check_dates(dates: Dates) -> list[RuleViolation]:
    """What is wrong with an assignment's dates."""
    if dates.due is None:
        return _in_order("closes", dates.closes, "opens", dates.opens)
    return [*_in_order("due", dates.due, "opens", dates.opens), *_in_order("closes", dates.closes, "due", dates.due)]


def check_extension(dates: Dates, extension: Extension) -> list[RuleViolation]:
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
        raise RuleViolation(field, "wrong-type", f"{field} is a whole number, or null for no limit")
    if not 1 <= value <= most:
        raise RuleViolation(field, "wrong-value", f"{field} is between 1 and {most:,}, or null for no limit")
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


def _in_order(later: str, its: Moment | None, earlier: str, than: Moment | None) -> list[RuleViolation]:
    if its is None or than is None or than <= its:
        return []
    message = f"{later}, {moment_text(its)}, is before {earlier}, {moment_text(than)}"
    return [RuleViolation(later, "wrong-value", message, "the order is opens, due, closes")]


def _shorter(field: str, has: int | None, gets: int) -> RuleViolation:
    if has is None:
        return RuleViolation(
            field, "wrong-value", f"{field} has no limit in this assignment: an extension never takes away"
        )
    said = [moment_text(each) if field in ("due", "closes") else f"{each:,}" for each in (gets, has)]
    message = f"{field} would be {said[0]}, less than the {said[1]} of everybody: an extension never takes away"
    return RuleViolation(field, "wrong-value", message)


@dataclass(frozen=True, slots=True)
class LateRule:
    per_day: Fraction
    """The share of the marks that each day takes off."""
    at_most: Fraction
    """The share that is never exceeded."""

    @property
    def data(self) -> dict[str, str]:
        """As documents carry it."""
        return {"per_day": number_text(self.per_day), "at_most": number_text(self.at_most)}


def read_late_rule(data: Any, field: str = "late") -> LateRule | None:
    """`{per_day: "1/10", at_most: "1/2"}`; without `at_most` everything can be lost. Null is no rule."""
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise RuleViolation(field, "wrong-type", f"{field} is null or has the keys per_day and at_most")
    for key in data:
        if key not in ("per_day", "at_most"):
            raise RuleViolation(f"{field}.{key}", "unknown-key", f"{field} has no key {quoted(str(key))}")
    if "per_day" not in data:
        raise RuleViolation(
            f"{field}.per_day", "missing-key", f"{field} does not say what a day takes off", 'such as "1/10"'
        )
    return LateRule(_share(data["per_day"], f"{field}.per_day"), _share(data.get("at_most", 1), f"{field}.at_most"))


def days_late(due: Moment | None, received: Moment, zone: ZoneInfo) -> int:
    """How many days had begun since the work was due; 0 until that very moment."""
    if due is None or received <= due:
        return 0
    # Dates that are left out and hours that are shown again make a difference of two at most.
    days = max(1, (local_date(received, zone) - local_date(due, zone)).days - 2)
    while days_later(due, days, zone) < received:
        days += 1
    return days


def share_off(rule: LateRule | None, due: Moment | None, received: Moment, zone: ZoneInfo) -> Fraction:
    """Between 0 and 1."""
    if rule is None:
        return Fraction(0)
    return min(rule.at_most, rule.per_day * days_late(due, received, zone))


def _share(value: Any, field: str) -> Fraction:
    """Best given as it was spelt; of a float, what it is printed as."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Fraction):
        raise RuleViolation(field, "wrong-type", f"{field} is a share between 0 and 1", 'a tenth is "1/10"')
    text = str(value)
    number = parse_number(text)
    if number is None:
        raise RuleViolation(field, "number", f"{quoted(text)} is not a number", number_advice(text))
    if not 0 <= number <= 1:
        raise RuleViolation(
            field, "wrong-value", f"{field} is a share between 0 and 1, not {quoted(text)}", 'a tenth is "1/10"'
        )
    return Fraction(number)
