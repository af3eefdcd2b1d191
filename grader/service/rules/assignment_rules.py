"""The rules of an assignment, read from what a teacher wrote; and feedback levels: how much of a report a student is
told, and from when on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from grader.service.base.service_problems import RuleViolation, require_one_of
from grader.service.rules.assignment_dates import (
    MOST_ATTEMPTS,
    MOST_MINUTES,
    Dates,
    Extension,
    dates_of,
    effective,
    read_count,
    read_late_rule,
)
from grader.service.rules.grade_counting import BEST, RECEIVED, read_policy
from grader.service.rules.times import Moment, moment_text, read_moment
from grader.service.rules.variant_dealing import SAME, read_way

RECEIPT, NOTHING, MARKS, HINTS, FULL = LEVELS = ("receipt", "none", "marks", "hints", "full")
"""From the least that is told to the most; a receipt says nothing but that the answer arrived."""


@dataclass(frozen=True, slots=True)
class FeedbackRule:
    before: str = RECEIPT
    after: str = FULL
    released: bool = False


def read_level(value: Any, field: str) -> str:
    return require_one_of(LEVELS, value, field)


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


DEFAULTS: Mapping[str, Any] = {
    "opens": None,
    "due": None,
    "closes": None,
    "minutes": None,
    "attempts": 1,
    "counts": BEST,
    "late": None,
    "variants": SAME,
    "feedback_before": RECEIPT,
    "feedback_after": FULL,
    "released": False,
}
"""Of every field but the exercise and its version. Without a time it opens when it is made, or before that if it was
due before."""
MOMENTS, LIMITS = ("due", "closes"), {"minutes": MOST_MINUTES, "attempts": MOST_ATTEMPTS}


def read_fields(written: Mapping[str, Any], zone: ZoneInfo, now: Moment) -> dict[str, Any]:
    """The fields as the store keeps them; Unfit for one that is wrong."""
    late = read_late_rule(written["late"])
    moments = {field: _moment(written[field], zone, field) for field in MOMENTS}
    past = min([now, *(each for each in moments.values() if each is not None)])
    opens = _moment(written["opens"], zone, "opens")
    return {
        "opens": past if opens is None else opens,
        **moments,
        **{field: read_count(written[field], field, most) for field, most in LIMITS.items()},
        "counts": read_policy(written["counts"]),
        "late": None if late is None else json.dumps(late.data),
        "variants": read_way(written["variants"]),
        "feedback_before": read_level(written["feedback_before"], "feedback_before"),
        "feedback_after": read_level(written["feedback_after"], "feedback_after"),
        "released": written["released"],
    }


def stored_dates(fields: Mapping[str, Any]) -> Dates:
    """Of fields as the store keeps them: those that hold for whoever has no extension."""
    given = (fields[name] for name in ("opens", "due", "closes", "minutes", "attempts"))
    return dates_of(*given, takes_late=fields["late"] is not None)


def merged(kept: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """Fields after a JSON Merge Patch, both as teachers write them. Null is what null means in an assignment: no limit,
    no date, no rule."""
    late, now = patch.get("late"), kept["late"]
    if isinstance(late, Mapping) and isinstance(now, Mapping):
        late = {name: value for name, value in {**now, **late}.items() if value is not None}
    fields = {**kept, **patch, **({"late": late} if "late" in patch else {})}
    if fields["opens"] is None:
        raise RuleViolation("opens", "wrong-value", "opens: an assignment cannot be without it")
    return fields


def written_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields that the store keeps, as teachers write them."""
    told = {name: fields[name] for name in DEFAULTS}
    told |= {name: _told(fields[name]) for name in ("opens", *MOMENTS)}
    return {**told, "late": None if fields["late"] is None else json.loads(fields["late"])}


def read_extension(written: Mapping[str, Any], zone: ZoneInfo) -> Extension:
    """What is absent or null stays as the assignment has it."""
    moments = {field: _moment(written.get(field), zone, field) for field in MOMENTS}
    limits = {field: read_count(written.get(field), field, most) for field, most in LIMITS.items()}
    return Extension(**moments, **limits)


def told_dates(dates: Dates | Extension) -> dict[str, Any]:
    """Dates and limits as they are told."""
    moments = {field: _told(getattr(dates, field)) for field in MOMENTS}
    return {**moments, **{field: getattr(dates, field) for field in LIMITS}}


def _moment(written: str | None, zone: ZoneInfo, field: str) -> Moment | None:
    return None if written is None else read_moment(written, zone, field)


def _told(moment: Moment | None) -> str | None:
    return None if moment is None else moment_text(moment)
