"""The rules of an assignment as a form has them: times of the course's clock, numbers as they are typed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from grader.service.problems import ServiceProblem
from grader.service.rules.times import local_time, read_moment
from grader.service.web.forms import SentForm
from solver.kernel import number_text

MOMENTS, PERCENT = ("opens", "due", "closes"), 100
LATE = ("per_day", "at_most")


def rules_shown(fields: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """For the boxes of a form; empty where there is no limit."""
    late = fields["late"]
    return {
        **{name: _local(fields[name], zone) for name in MOMENTS},
        "minutes": fields["minutes"] or "",
        "attempts": fields["attempts"] or "",
        "counts": fields["counts"],
        "per_day": "" if late is None else _percent(late["per_day"]),
        "at_most": "" if late is None else _percent(late["at_most"]),
        "variants": fields["variants"],
        "feedback_before": fields["feedback_before"],
        "feedback_after": fields["feedback_after"],
    }


def rules_written(form: SentForm) -> dict[str, Any]:
    """What the API takes, from what was typed."""
    late = None
    if form["per_day"]:
        late = {"per_day": _share(form, "per_day"), "at_most": _share(form, "at_most") if form["at_most"] else "1"}
    chosen = {name: form[name] for name in ("counts", "variants", "feedback_before", "feedback_after") if form[name]}
    return {
        **{name: form[name] or None for name in MOMENTS},
        "minutes": number_written(form, "minutes"),
        "attempts": number_written(form, "attempts"),
        "late": late,
        **chosen,
    }


def rules_changed(form: SentForm) -> dict[str, Any]:
    """Of them what was changed on the page: what somebody else has changed since it was opened stays."""
    written, shown = rules_written(form), _shown_before(form)
    late = written.pop("late")
    changed = {name: value for name, value in written.items() if form[name] != shown.get(name, "")}
    if any(form[name] != shown.get(name, "") for name in LATE):
        changed["late"] = late
    return changed


def _shown_before(form: SentForm) -> dict[str, str]:
    """What the boxes held when the page was opened; of a page that does not say it everything counts as changed."""
    try:
        found = json.loads(form["shown"] or "{}")
        return {name: str(value) for name, value in found.items()}
    except (ValueError, AttributeError, RecursionError):
        raise ServiceProblem(422, "form", "shown: what the boxes held, as JSON") from None


def extension_written(form: SentForm) -> dict[str, Any]:
    return {
        "due": form["due"] or None,
        "closes": form["closes"] or None,
        "minutes": number_written(form, "minutes"),
        "attempts": number_written(form, "attempts"),
        "reason": form["reason"],
    }


def _local(told: str | None, zone: ZoneInfo) -> str:
    if told is None:
        return ""
    return local_time(read_moment(told, zone, "time"), zone).strftime("%Y-%m-%dT%H:%M")


def _percent(share: str) -> str:
    return number_text(Fraction(share) * PERCENT)


def _share(form: SentForm, name: str) -> str:
    try:
        return str(Fraction(form[name].replace(",", ".")[:20]) / PERCENT)
    except (ValueError, ZeroDivisionError):
        raise ServiceProblem(422, "field", f"{name}: a percentage such as 10") from None


def number_written(form: SentForm, name: str) -> int | None:
    written = form[name]
    if not written:
        return None
    if not (written.isdecimal() and len(written) <= 9):
        raise ServiceProblem(422, "field", f"{name}: a whole number")
    return int(written)
