"""Assigning an exercise, changing its rules in a form, opening, closing and releasing it, and extensions for
members.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Response
from sqlalchemy import Connection, select

from grader.service.base.clock import now
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.assignments import api as assignments_api
from grader.service.features.assignments.api import AssignmentChanges, AssignmentFields, ExtensionFields
from grader.service.features.assignments.queries import extensions_of, one_described
from grader.service.features.classes.queries import AssignmentOverview, assignment_overview, has_second_account
from grader.service.features.exercises.queries import all_exercises
from grader.service.features.members.queries import people_of
from grader.service.http.access import AnyRow, Who, unknown
from grader.service.http.page_calls import PageCall, SentForm, number_written
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import render
from grader.service.rules.assignment_rules import DEFAULTS, LEVELS, written_fields
from grader.service.rules.times import Moment, days_later, local_time, moment_text, read_moment
from grader.service.store.tables import extension, member
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


router = APIRouter()
USUAL_DAYS, LAST_MINUTE = 7, "T23:59"


@page(router, "GET", "/teach/c/{c}/assign", who=Who.TEACHER)
async def show_new(call: PageCall) -> Response:
    """Due in a week unless the teacher says otherwise."""
    course, zone = call.course.id, ZoneInfo(call.course.zone)
    found = await call.service.store.read(lambda connection: all_exercises(connection, course))
    week = local_time(days_later(now(), USUAL_DAYS, zone), zone)
    rules = {**rules_shown(DEFAULTS, zone), "due": week.strftime("%Y-%m-%d") + LAST_MINUTE}
    return _form(call, None, rules, exercises=found, chosen=call.query("exercise"))


@page(router, "POST", "/teach/c/{c}/assign", who=Who.TEACHER)
async def assign(call: PageCall) -> Response:
    fields = {"exercise": call.form["exercise"], **rules_written(call.form)}
    assignment_id = await assignments_api.create_assignment(call, AssignmentFields.of(fields))
    return redirect(call, f"/teach/a/{assignment_id}")


@page(router, "GET", "/teach/a/{a}/edit", who=Who.TEACHER)
async def show_edit(call: PageCall) -> Response:
    row, zone = call.row("a"), ZoneInfo(call.course.zone)
    about = await call.service.store.read(
        lambda connection: assignment_overview(connection, one_described(connection, row), now())
    )
    rules = rules_shown(written_fields(row._asdict()), zone)
    return _form(call, about, rules, second_account=has_second_account(call.course, row, now()))


def _form(call: PageCall, about: AssignmentOverview | None, rules: dict[str, Any], **more: Any) -> Response:
    empty: dict[str, Any] = {"exercises": [], "chosen": None, "second_account": False}
    closed = call.service.settings.closed
    shown = {"about": about, "rules": rules, "levels": LEVELS, "everything_closed": closed}
    return render(call, "assignments/assign.html", **{**empty, **shown, **more})


@page(router, "POST", "/teach/a/{a}/edit", who=Who.TEACHER)
async def edit(call: PageCall) -> Response:
    fields = rules_changed(call.form)
    if "opens" in fields and fields["opens"] is None:
        fields["opens"] = moment_text(now())
    await assignments_api.update_assignment(call, AssignmentChanges.of(fields))
    return _back(call)


@page(router, "POST", "/teach/a/{a}/now", who=Who.TEACHER)
async def do_now(call: PageCall) -> Response:
    """Open, close or release at once."""
    row, at = call.row("a"), now()
    wanted: dict[str, dict[str, Any]] = {
        "open": _opening(row, at),
        "close": {"closes": moment_text(at), **({"due": moment_text(at)} if row.due is None or row.due > at else {})},
        "release": {"released": True},
        "hold": {"released": False},
    }
    if call.form["what"] not in wanted:
        raise ServiceProblem(422, "field", f"what: one of {', '.join(wanted)}")
    await assignments_api.update_assignment(call, AssignmentChanges.of(wanted[call.form["what"]]))
    return _back(call)


def _opening(row: AnyRow, at: Moment) -> dict[str, Any]:
    """Sooner than it was to open; or once more, without the dates that are over. With a rule for lateness it stays due
    when it was."""
    if row.opens > at:
        return {"opens": moment_text(at)}
    return {"closes": None} if row.late is not None else {"closes": None, "due": None}


@page(router, "GET", "/teach/a/{a}/extensions", who=Who.TEACHER)
async def show_extensions(call: PageCall) -> Response:
    row, course = call.row("a"), call.course.id

    def read(connection: Connection) -> dict[str, Any]:
        reasons = dict(
            connection.execute(
                select(extension.c.member, extension.c.reason).where(extension.c.assignment == row.id)
            ).all()
        )
        return {
            "about": assignment_overview(connection, one_described(connection, row), now()),
            "students": [each for each in people_of(connection, course) if each.role == "student"],
            "extended": extensions_of(connection, row.id),
            "reasons": reasons,
        }

    return render(call, "assignments/extensions.html", **await call.service.store.read(read), hidden=call.names_off)


@page(router, "POST", "/teach/a/{a}/extensions", who=Who.TEACHER)
async def put_extension(call: PageCall) -> Response:
    """Or takes one back."""
    course, code = call.course.id, call.form["member"]
    whom = await call.service.store.read(lambda connection: _member(connection, course, code))
    if call.form["remove"]:
        await assignments_api.withdraw_extension(call, whom)
    else:
        await assignments_api.grant_extension(call, whom, ExtensionFields.of(extension_written(call.form)))
    return redirect(call, f"/teach/a/{call.row('a').id}/extensions")


def _member(connection: Connection, course_id: str, code: str) -> AnyRow:
    wanted = member.select().where(member.c.course == course_id, member.c.code == code, member.c.removed.is_(None))
    found = connection.execute(wanted).first()
    if found is None:
        raise unknown()
    return found


def _back(call: PageCall) -> Response:
    return redirect(call, f"/teach/a/{call.row('a').id}")
