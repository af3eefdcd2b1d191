"""What an assignment says, read from what a teacher wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from grader.service.rules.counting import BEST, read_policy
from grader.service.rules.dates import MOST_ATTEMPTS, MOST_MINUTES, Dates, Extension, dates_of, read_count
from grader.service.rules.dealing import SAME, read_way
from grader.service.rules.feedback import FULL, RECEIPT, read_level
from grader.service.rules.lateness import read_late_rule
from grader.service.rules.times import Moment, moment_text, read_moment
from grader.service.rules.unfit import Unfit

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
        raise Unfit("opens", "wrong-value", "opens: an assignment cannot be without it")
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
