"""`/teach`: the teacher's courses, and each at a glance, with its settings."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from fastapi import APIRouter, Response
from sqlalchemy import Connection

from grader.service.access.who import Who
from grader.service.api import course_changes as changes
from grader.service.api.course_changes import CopyFields, CourseChanges, CourseFields
from grader.service.api.links import base_url, only_here
from grader.service.clock import now
from grader.service.desk.overview import glances, people_of
from grader.service.desk.qr import qr_picture
from grader.service.desk.rules_form import number_written
from grader.service.problems import ServiceProblem
from grader.service.store import exercises, people
from grader.service.store.paging import Page
from grader.service.web.calls import PageCall
from grader.service.web.pages import go, page
from grader.service.web.rendering import render

router = APIRouter()
EVERY = Page(100_000)


def all_exercises(connection: Connection, course_id: str) -> list[dict[str, Any]]:
    """The newest first."""
    found: list[dict[str, Any]] = exercises.exercises_of(connection, course_id, EVERY)["items"]
    return sorted(found, key=lambda each: str(each["created"]), reverse=True)


@page(router, "GET", "/teach", who=Who.TEACHERS)
async def show_courses(call: PageCall) -> Response:
    person = call.person.id
    theirs = await call.service.store.read(lambda connection: people.courses_and_roles(connection, person))
    staff = [each for each in theirs if each["role"] != "student"]
    return render(call, "desk/courses.html", courses=staff, zones=sorted(available_timezones()))


@page(router, "POST", "/teach", who=Who.TEACHERS)
async def make_course(call: PageCall) -> Response:
    form = call.form
    fields = {"title": form["title"], "zone": form["zone"] or "UTC", "language": form["language"] or call.language}
    made = await changes.make_course(call, CourseFields.of(fields))
    return go(call, f"/teach/c/{made}")


@page(router, "GET", "/teach/c/{c}", who=Who.STAFF)
async def show_course(call: PageCall) -> Response:
    course, at = call.course, now()

    def read(connection: Connection) -> dict[str, Any]:
        return {
            "assignments": glances(connection, course.id, at),
            "members": people_of(connection, course.id),
            "exercises": all_exercises(connection, course.id),
        }

    found = await call.service.store.read(read)
    address = f"{base_url(call)}/join?code={course.join_code}"
    return render(
        call,
        "desk/course.html",
        **found,
        students=sum(1 for each in found["members"] if each.role == "student"),
        role=call.member.role,
        address=address,
        local=only_here(call),
        qr=qr_picture(address) if course.join_code else "",
    )


@page(router, "GET", "/teach/c/{c}/settings", who=Who.TEACHER)
async def show_settings(call: PageCall) -> Response:
    return render(call, "desk/settings.html", zones=sorted(available_timezones()))


@page(router, "POST", "/teach/c/{c}/settings", who=Who.TEACHER)
async def change_settings(call: PageCall) -> Response:
    form = call.form
    fields: dict[str, Any] = {"title": form["title"], "zone": form["zone"], "language": form["language"]}
    if form["closed"]:
        fields["join"] = None
    await changes.change_course(call, CourseChanges.of(fields))
    return go(call, f"/teach/c/{call.course.id}")


@page(router, "POST", "/teach/c/{c}/copy", who=Who.TEACHER)
async def copy_course(call: PageCall) -> Response:
    weeks = number_written(call.form, "weeks") or 0
    made = await changes.copy_course(call, CopyFields.of({"title": call.form["title"] or None, "weeks": weeks}))
    return go(call, f"/teach/c/{made}")


@page(router, "POST", "/teach/c/{c}/delete", who=Who.TEACHER)
async def delete_course(call: PageCall) -> Response:
    if not call.form["sure"]:
        raise ServiceProblem(422, "not-sure", "tick the box that says that the course is to be deleted")
    await changes.delete_course(call)
    return go(call, "/teach")
