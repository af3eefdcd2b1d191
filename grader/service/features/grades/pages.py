"""`/teach/g/{g}`: the grade of one student, marks by hand, and gradebooks to take away."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Connection

from grader.service.base.clock import now
from grader.service.features.assignments.queries import one_described
from grader.service.features.attempts.queries import attempt_states
from grader.service.features.classes.queries import assignment_overview
from grader.service.features.grades import api as grades_api
from grader.service.features.grades import queries as grades_queries
from grader.service.features.grades.api import OverrideFields, gradebook
from grader.service.features.grades.queries import ensure_every_grade
from grader.service.features.members.queries import names_of
from grader.service.http.access import Who
from grader.service.http.page_calls import TYPED, PageCall
from grader.service.http.page_routes import file_response, page, redirect
from grader.service.http.rendering import render
from grader.service.http.routing import chosen
from grader.service.rules.grade_counting import apart
from grader.service.store.tables import assignment

router = APIRouter()


@page(router, "GET", "/teach/g/{g}", who=Who.TEACHER)
async def show_grade(call: PageCall) -> Response:
    row, course = call.row("g"), call.course.id

    def read(connection: Connection) -> dict[str, Any]:
        of = connection.execute(assignment.select().where(assignment.c.id == row.assignment)).one()
        found = grades_queries.grade_data(connection, row.id)
        return {
            "about": assignment_overview(connection, one_described(connection, of), now()),
            "grade": found,
            "name": names_of(connection, course)[found["member"]],
            "attempts": [
                (each, each.row.submission is not None or each.refusal(now()) is not None)
                for each in attempt_states(connection, row.assignment, row.member)
            ],
            "questions": [_of_part(each) for each in grades_queries.questions_of(connection, row)],
        }

    return render(call, "grades/grade.html", **await call.service.store.read(read), hidden=call.names_off)


def _of_part(question: dict[str, Any]) -> dict[str, Any]:
    number, name = apart(question["id"])
    return {**question, "part": number, "id": name}


@page(router, "POST", "/teach/g/{g}", who=Who.TEACHER)
async def put_override(call: PageCall) -> Response:
    """`of` is a question, an item and the number of an exam's part, in one box."""
    question, item, part, *_ = [*call.form["of"].split("\t"), "", ""]
    fields = {"marks": call.form["marks"].translate(TYPED), "reason": call.form["reason"]}
    about: dict[str, Any] = {"question": question or None, "item": item or None}
    if part.isascii() and part.isdigit():
        about["part"] = int(part[:9])
    await grades_api.override_marks(call, OverrideFields.of({**fields, **about}))
    return redirect(call, f"/teach/g/{call.row('g').id}")


@page(router, "POST", "/teach/g/{g}/remove", who=Who.TEACHER)
async def remove_override(call: PageCall) -> Response:
    await grades_api.withdraw_override(call)
    return redirect(call, f"/teach/g/{call.row('g').id}")


BOOKS = ("plain", "canvas", "moodle")


@page(router, "GET", "/teach/a/{a}/grades.csv", who=Who.STAFF)
async def download_grades(call: PageCall) -> Response:
    format = chosen(call, "format", BOOKS)
    await ensure_every_grade(call.service.store, call.row("a").id)
    of = call.row("a")
    described = await call.service.store.read(lambda connection: one_described(connection, of))
    book = await gradebook(call, format)
    return file_response(call, described.name, book, f"grades-{format}.csv", "text/csv; charset=utf-8")
