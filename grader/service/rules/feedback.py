"""How much of a report a student is told, and from when on.

Before an assignment has closed for everybody a student is told what `before` says, then what `after` says. "Everybody"
includes whoever has an extension: one student's key is another's answer. `released` brings it forward; an assignment
that never closes is never *after* unless it was released.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from grader.service.rules.counting import RECEIVED
from grader.service.rules.dates import Dates, Extension, effective
from grader.service.rules.times import Moment
from grader.service.rules.unfit import one_of

RECEIPT, NOTHING, MARKS, HINTS, FULL = LEVELS = ("receipt", "none", "marks", "hints", "full")
"""From the least that is told to the most; a receipt says nothing but that the answer arrived."""


@dataclass(frozen=True, slots=True)
class FeedbackRule:
    before: str = RECEIPT
    after: str = FULL
    released: bool = False


def read_level(value: Any, field: str) -> str:
    return one_of(LEVELS, value, field)


def closes_for_all(dates: Dates, extensions: Iterable[Extension]) -> Moment | None:
    """The last moment at which any member may still hand in, those with extensions included; None is never. No attempt
    outlasts it."""
    last = dates.closes
    for extension in extensions:
        theirs = effective(dates, extension).closes
        last = None if last is None or theirs is None else max(last, theirs)
    return last


def level_due(rule: FeedbackRule, closing: Moment | None, now: Moment) -> str:
    """What a student is told now, `closing` being when the assignment closes for the last of them."""
    is_after = rule.released or (closing is not None and now > closing)
    return rule.after if is_after else rule.before


def has_report(level: str) -> bool:
    """Whether there is a report to be read at a level."""
    return level != RECEIPT


def state_told(level: str, state: str) -> str:
    """A submission's state as a student sees it: a receipt does not tell whether it has been marked."""
    return state if has_report(level) else RECEIVED
