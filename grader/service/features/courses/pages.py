"""A course on its pages: what a student has to do; for its teacher all of it at a glance, its settings and
its audit log.
"""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from fastapi import APIRouter, Response
from sqlalchemy import Connection, select

from grader.service.base.clock import now
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.accounts import queries as accounts_queries
from grader.service.features.assignments.queries import view_assignments
from grader.service.features.classes.queries import assignment_overviews
from grader.service.features.courses import api as courses_api
from grader.service.features.courses.api import CopyFields, CourseChanges, CourseFields
from grader.service.features.exercises.queries import all_exercises
from grader.service.features.members.queries import people_of
from grader.service.http.access import Who
from grader.service.http.page_calls import PageCall, number_written
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import qr_picture, render
from grader.service.http.routing import base_url, only_here
from grader.service.store.tables import audit, person

router = APIRouter()


@page(router, "GET", "/c/{c}", who=Who.MEMBERS)
async def show_course(call: PageCall) -> Response:
    course, member, at = call.course.id, call.member, now()
    assignments = await call.service.store.read(lambda connection: view_assignments(connection, course, member, at))
    return render(call, "courses/course.html", assignments=assignments, role=member.role)


@page(router, "GET", "/teach", who=Who.TEACHERS)
async def show_courses(call: PageCall) -> Response:
    person = call.person.id
    theirs = await call.service.store.read(lambda connection: accounts_queries.courses_and_roles(connection, person))
    staff = [each for each in theirs if each["role"] != "student"]
    return render(call, "courses/courses.html", courses=staff, zones=sorted(available_timezones()))


@page(router, "POST", "/teach", who=Who.TEACHERS)
async def make_course(call: PageCall) -> Response:
    form = call.form
    fields = {"title": form["title"], "zone": form["zone"] or "UTC", "language": form["language"] or call.language}
    course_id = await courses_api.create_course(call, CourseFields.of(fields))
    return redirect(call, f"/teach/c/{course_id}")


@page(router, "GET", "/teach/c/{c}", who=Who.STAFF)
async def show_course_to_staff(call: PageCall) -> Response:
    course, at = call.course, now()

    def read(connection: Connection) -> dict[str, Any]:
        return {
            "assignments": assignment_overviews(connection, course.id, at),
            "members": people_of(connection, course.id),
            "exercises": all_exercises(connection, course.id),
        }

    found = await call.service.store.read(read)
    address = f"{base_url(call)}/join?code={course.join_code}"
    return render(
        call,
        "courses/staff_course.html",
        **found,
        students=sum(1 for each in found["members"] if each.role == "student"),
        role=call.member.role,
        address=address,
        local=only_here(call),
        qr=qr_picture(address) if course.join_code else "",
    )


@page(router, "GET", "/teach/c/{c}/settings", who=Who.TEACHER)
async def show_settings(call: PageCall) -> Response:
    return render(call, "courses/settings.html", zones=sorted(available_timezones()))


@page(router, "POST", "/teach/c/{c}/settings", who=Who.TEACHER)
async def change_settings(call: PageCall) -> Response:
    form = call.form
    fields: dict[str, Any] = {"title": form["title"], "zone": form["zone"], "language": form["language"]}
    if form["closed"]:
        fields["join"] = None
    await courses_api.update_course(call, CourseChanges.of(fields))
    return redirect(call, f"/teach/c/{call.course.id}")


@page(router, "POST", "/teach/c/{c}/copy", who=Who.TEACHER)
async def copy_course(call: PageCall) -> Response:
    weeks = number_written(call.form, "weeks") or 0
    course_id = await courses_api.duplicate_course(
        call, CopyFields.of({"title": call.form["title"] or None, "weeks": weeks})
    )
    return redirect(call, f"/teach/c/{course_id}")


@page(router, "POST", "/teach/c/{c}/delete", who=Who.TEACHER)
async def delete_course(call: PageCall) -> Response:
    if not call.form["sure"]:
        raise ServiceProblem(422, "not-sure", "tick the box that says that the course is to be deleted")
    await courses_api.discard_course(call)
    return redirect(call, "/teach")


SHOWN = 100


@page(router, "GET", "/teach/c/{c}/audit", who=Who.TEACHER)
async def show_audit(call: PageCall) -> Response:
    """The newest first, a hundred at a time."""
    course, before = call.course.id, call.query("before") or ""
    last = int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None

    def read(connection: Connection) -> list[Any]:
        wanted = (
            select(audit.c.number, audit.c.at, audit.c.what, audit.c.detail, person.c.name)
            .outerjoin(person, person.c.id == audit.c.who)
            .where(audit.c.course == course)
        )
        if last is not None:
            wanted = wanted.where(audit.c.number < last)
        return list(connection.execute(wanted.order_by(audit.c.number.desc()).limit(SHOWN + 1)))

    rows = await call.service.store.read(read)
    more = rows[SHOWN - 1].number if len(rows) > SHOWN else None
    return render(call, "courses/audit.html", entries=rows[:SHOWN], more=more)
