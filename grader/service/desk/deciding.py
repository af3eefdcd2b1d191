"""Deciding about marks: equal answers in the review list, and marks by hand for one student."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Connection, select

from grader.service.access.scope import unknown
from grader.service.access.who import TEACHER, Who
from grader.service.api import decisions
from grader.service.api.attempts import ReopenFields, reopen
from grader.service.api.decisions import Decided, OverrideFields
from grader.service.clock import now
from grader.service.desk.overview import glance, names_of
from grader.service.desk.rules_form import number_written
from grader.service.rules.parts import apart
from grader.service.store import grade_book, review
from grader.service.store.assignments import one_described
from grader.service.store.attempts import desks_of
from grader.service.store.schema import assignment, attempt
from grader.service.web.calls import PageCall
from grader.service.web.pages import go, page
from grader.service.web.rendering import render

router = APIRouter()
grade_router = APIRouter()
attempt_router = APIRouter()
TYPED = str.maketrans("۰۱۲۳۴۵۶۷۸۹,٫", "0123456789..")
"""Marks as people type them, in any of the languages."""


@page(router, "GET", "/teach/a/{a}/review", who=Who.STAFF)
async def show_review(call: PageCall) -> Response:
    """Equal answers together, those of most students first."""
    row = call.row("a")

    def read(connection: Connection) -> dict[str, Any]:
        found = review.to_review(connection, row.id)
        return {
            "about": glance(connection, one_described(connection, row), now()),
            "groups": sorted(found, key=lambda each: (-each.count, each.id)),
            "decided": review.decided(connection, row.id),
        }

    return render(call, "desk/review.html", **await call.service.store.read(read), teacher=call.member.role == TEACHER)


@page(router, "POST", "/teach/a/{a}/review/{id}", who=Who.STAFF)
async def decide(call: PageCall) -> Response:
    fields = Decided.of({"marks": call.form["marks"].translate(TYPED), "reason": call.form["reason"]})
    await decisions.decide(call, call.request.path_params["id"], fields)
    return go(call, f"/teach/a/{call.row('a').id}/review")


@page(grade_router, "GET", "/teach/g/{g}", who=Who.TEACHER)
async def show_grade(call: PageCall) -> Response:
    row, course = call.row("g"), call.course.id

    def read(connection: Connection) -> dict[str, Any]:
        of = connection.execute(assignment.select().where(assignment.c.id == row.assignment)).one()
        found = grade_book.grade_data(connection, row.id)
        return {
            "about": glance(connection, one_described(connection, of), now()),
            "grade": found,
            "name": names_of(connection, course)[found["member"]],
            "attempts": [
                (each, each.row.submission is not None or each.refusal(now()) is not None)
                for each in desks_of(connection, row.assignment, row.member)
            ],
            "questions": [_of_part(each) for each in grade_book.questions_of(connection, row)],
        }

    return render(call, "desk/grade.html", **await call.service.store.read(read), hidden=call.names_off)


def _of_part(question: dict[str, Any]) -> dict[str, Any]:
    number, name = apart(question["id"])
    return {**question, "part": number, "id": name}


@page(grade_router, "POST", "/teach/g/{g}", who=Who.TEACHER)
async def put_override(call: PageCall) -> Response:
    """`of` is a question, an item and the number of an exam's part, in one box."""
    question, item, part, *_ = [*call.form["of"].split("\t"), "", ""]
    fields = {"marks": call.form["marks"].translate(TYPED), "reason": call.form["reason"]}
    about: dict[str, Any] = {"question": question or None, "item": item or None}
    if part.isascii() and part.isdigit():
        about["part"] = int(part[:9])
    await decisions.put_override(call, OverrideFields.of({**fields, **about}))
    return go(call, f"/teach/g/{call.row('g').id}")


@page(attempt_router, "POST", "/teach/g/{g}/reopen", who=Who.TEACHER)
async def reopen_attempt(call: PageCall) -> Response:
    row, wanted = call.row("g"), call.form["attempt"]
    fields = ReopenFields.of({"minutes": number_written(call.form, "minutes"), "reason": call.form["reason"]})
    whose = (attempt.c.assignment == row.assignment, attempt.c.member == row.member, attempt.c.trial.is_(False))
    statement = select(attempt, assignment.c.course).join(assignment).where(attempt.c.id == wanted, *whose)
    of = await call.service.store.read(lambda connection: connection.execute(statement).first())
    if of is None:
        raise unknown()
    await reopen(call, of, fields)
    return go(call, f"/teach/g/{row.id}")


@page(grade_router, "POST", "/teach/g/{g}/remove", who=Who.TEACHER)
async def remove_override(call: PageCall) -> Response:
    await decisions.remove_override(call)
    return go(call, f"/teach/g/{call.row('g').id}")
