"""Assigning an exercise, changing its rules, opening, closing and releasing it, and extensions for members."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Response
from sqlalchemy import Connection, select

from grader.service.access.scope import AnyRow, unknown
from grader.service.access.who import Who
from grader.service.api import assignment_changes as changes
from grader.service.api.assignment_changes import AssignmentChanges, AssignmentFields, ExtensionFields
from grader.service.clock import now
from grader.service.desk.courses import all_exercises
from grader.service.desk.overview import Glance, glance, has_second_account, people_of
from grader.service.desk.rules_form import extension_written, rules_changed, rules_shown, rules_written
from grader.service.problems import ServiceProblem
from grader.service.rules.assigning import DEFAULTS, written_fields
from grader.service.rules.feedback import LEVELS
from grader.service.rules.times import Moment, days_later, local_time, moment_text
from grader.service.store.assignments import extensions_of, one_described
from grader.service.store.schema import extension, member
from grader.service.web.calls import PageCall
from grader.service.web.pages import go, page
from grader.service.web.rendering import render

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
    made = await changes.make_assignment(call, AssignmentFields.of(fields))
    return go(call, f"/teach/a/{made}")


@page(router, "GET", "/teach/a/{a}/edit", who=Who.TEACHER)
async def show_edit(call: PageCall) -> Response:
    row, zone = call.row("a"), ZoneInfo(call.course.zone)
    about = await call.service.store.read(lambda connection: glance(connection, one_described(connection, row), now()))
    rules = rules_shown(written_fields(row._asdict()), zone)
    return _form(call, about, rules, second_account=has_second_account(call.course, row, now()))


def _form(call: PageCall, about: Glance | None, rules: dict[str, Any], **more: Any) -> Response:
    empty: dict[str, Any] = {"exercises": [], "chosen": None, "second_account": False}
    closed = call.service.settings.closed
    shown = {"about": about, "rules": rules, "levels": LEVELS, "everything_closed": closed}
    return render(call, "desk/assign.html", **{**empty, **shown, **more})


@page(router, "POST", "/teach/a/{a}/edit", who=Who.TEACHER)
async def edit(call: PageCall) -> Response:
    fields = rules_changed(call.form)
    if "opens" in fields and fields["opens"] is None:
        fields["opens"] = moment_text(now())
    await changes.change_assignment(call, AssignmentChanges.of(fields))
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
    await changes.change_assignment(call, AssignmentChanges.of(wanted[call.form["what"]]))
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
            "about": glance(connection, one_described(connection, row), now()),
            "students": [each for each in people_of(connection, course) if each.role == "student"],
            "extended": extensions_of(connection, row.id),
            "reasons": reasons,
        }

    return render(call, "desk/extensions.html", **await call.service.store.read(read), hidden=call.names_off)


@page(router, "POST", "/teach/a/{a}/extensions", who=Who.TEACHER)
async def put_extension(call: PageCall) -> Response:
    """Or takes one back."""
    course, code = call.course.id, call.form["member"]
    whom = await call.service.store.read(lambda connection: _member(connection, course, code))
    if call.form["remove"]:
        await changes.remove_extension(call, whom)
    else:
        await changes.put_extension(call, whom, ExtensionFields.of(extension_written(call.form)))
    return go(call, f"/teach/a/{call.row('a').id}/extensions")


def _member(connection: Connection, course_id: str, code: str) -> AnyRow:
    wanted = member.select().where(member.c.course == course_id, member.c.code == code, member.c.removed.is_(None))
    found = connection.execute(wanted).first()
    if found is None:
        raise unknown()
    return found


def _back(call: PageCall) -> Response:
    return go(call, f"/teach/a/{call.row('a').id}")
