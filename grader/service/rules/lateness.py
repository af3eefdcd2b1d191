"""What a late submission loses: a share of its marks for each day begun after it was due.

A day ends when clocks in the course's zone show again the time at which the work was due: a deadline at 18:00 on a
Friday begins its second late day after 18:00 on Saturday, also in the night in which clocks are set. Weekends count; a
date that a zone leaves out does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from grader.service.rules.times import Moment, days_later, local_date
from grader.service.rules.unfit import Unfit
from solver.kernel import number_advice, number_text, parse_number, quoted


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
        raise Unfit(field, "wrong-type", f"{field} is null or has the keys per_day and at_most")
    for key in data:
        if key not in ("per_day", "at_most"):
            raise Unfit(f"{field}.{key}", "unknown-key", f"{field} has no key {quoted(str(key))}")
    if "per_day" not in data:
        raise Unfit(f"{field}.per_day", "missing-key", f"{field} does not say what a day takes off", 'such as "1/10"')
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
        raise Unfit(field, "wrong-type", f"{field} is a share between 0 and 1", 'a tenth is "1/10"')
    text = str(value)
    number = parse_number(text)
    if number is None:
        raise Unfit(field, "number", f"{quoted(text)} is not a number", number_advice(text))
    if not 0 <= number <= 1:
        raise Unfit(
            field, "wrong-value", f"{field} is a share between 0 and 1, not {quoted(text)}", 'a tenth is "1/10"'
        )
    return Fraction(number)
