"""An assignment as different people see it: staff all of its rules, a student what holds for them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row

from grader.service.api.bodies import shape
from grader.service.rules.assigning import told_dates, written_fields
from grader.service.rules.counting import attempts_used
from grader.service.rules.dates import Dates, effective, may_start, phase
from grader.service.rules.times import Moment
from grader.service.store.assignments import assignment_dates, attempts_of, extension_of
from grader.service.store.standing import handed_in

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TEXT_OR_NULL, NUMBER_OR_NULL = {"type": ["string", "null"]}, {"type": ["integer", "null"]}
_LIMITS = {"due": TEXT_OR_NULL, "closes": TEXT_OR_NULL, "minutes": NUMBER_OR_NULL, "attempts": NUMBER_OR_NULL}
_RULES = {
    "id": TEXT,
    "url": TEXT,
    "title": TEXT,
    "phase": TEXT,
    "opens": TEXT,
    **_LIMITS,
    "counts": TEXT,
    "late": {"type": ["object", "null"]},
    "variants": TEXT,
    "feedback_before": TEXT,
    "feedback_after": TEXT,
    "released": {"type": "boolean"},
}
_ATTEMPT = shape({"id": TEXT, "number": NUMBER, "submission": TEXT_OR_NULL})
_OF_STUDENTS = {
    "extended": {"type": ["object", "null"], "properties": _LIMITS},
    "attempts_used": NUMBER,
    "attempts_left": NUMBER_OR_NULL,
    "may_start": {"type": "boolean"},
    "why_not": TEXT_OR_NULL,
    "begun": {"type": "array", "items": _ATTEMPT},
}
SEEN = shape(_RULES, {"exercise": TEXT, "version": NUMBER, **_OF_STUDENTS})


def seen(connection: Connection, row: Row[Any], member: Row[Any], base: str, now: Moment) -> dict[str, Any]:
    """`row` is an assignment described. A student learns nothing of the exercise but what it is called."""
    dates = assignment_dates(row)
    told = {"id": row.id, "url": f"{base}/a/{row.id}", "title": row.title or row.name}
    rules = written_fields(row._asdict())
    if member.role != "student":
        about = {"exercise": row.exercise, "version": row.number, "phase": phase(dates, now)}
        return {**told, **about, **rules, **told_dates(dates)}
    theirs = effective(dates, extension_of(connection, row.id, member.id))
    return {**told, **rules, **told_dates(theirs), **_own(connection, row.id, member.id, dates, theirs, now)}


def _own(
    connection: Connection, assignment_id: str, member_id: str, dates: Dates, theirs: Dates, now: Moment
) -> dict[str, Any]:
    begun = [each for each in attempts_of(connection, assignment_id, member_id) if not each.trial]
    came = handed_in(connection, assignment_id, member_id)
    used = attempts_used((each.number for each in begun), came, timed=theirs.minutes is not None)
    why_not = may_start(theirs, used, now)
    everybody, own = told_dates(dates), told_dates(theirs)
    changed = {name: value for name, value in everybody.items() if own[name] != value}
    return {
        "phase": phase(theirs, now),
        "extended": changed or None,
        "attempts_used": used,
        "attempts_left": None if theirs.attempts is None else max(0, theirs.attempts - used),
        "may_start": why_not is None,
        "why_not": why_not,
        "begun": [{"id": each.id, "number": each.number, "submission": each.submission} for each in begun],
    }
