"""`/teach/c/{c}/exercises`: what there is to assign, and a plain way to add a document to it."""

from __future__ import annotations

from fastapi import APIRouter, Response
from sqlalchemy import Connection

from grader.service.access.scope import unknown
from grader.service.api.exercises import MOST_MADE, take_in
from grader.service.desk.courses import all_exercises
from grader.service.edge.bodies import UPLOAD
from grader.service.problems import ServiceProblem
from grader.service.store import exercises
from grader.service.store.schema import exercise
from grader.service.web.calls import PageCall
from grader.service.web.pages import as_problem, go, page
from grader.service.web.rendering import render
from grader.service.work.problems import Refused

router = APIRouter()


@page(router, "GET", "/teach/c/{c}/exercises")
async def show_exercises(call: PageCall) -> Response:
    return await _shown(call)


@page(router, "POST", "/teach/c/{c}/exercises", limit=UPLOAD)
async def add_exercise(call: PageCall) -> Response:
    """A new exercise, or a new version of one; what is wrong with the document is told beside it."""
    raw, of = next(iter(call.form.all("document")), "").replace("\r\n", "\n").encode(), call.form["of"]
    course, who = call.course.id, call.person.id
    try:
        upload = await take_in(call, raw, _count(call.form["count"]), call.form["seed"] or None)
    except Refused as found:
        return await _shown(call, as_problem(found))
    if of:
        await call.service.store.read(lambda connection: _require_own(connection, course, of))
        await call.service.store.write(lambda tx: exercises.add_version(tx, who, course, of, upload))
        return go(call, f"/teach/c/{course}/exercises")
    made = await call.service.store.write(lambda tx: exercises.new_exercise(tx, who, course, upload))
    return go(call, f"/teach/c/{course}/assign?exercise={made}")


async def _shown(call: PageCall, problem: ServiceProblem | None = None) -> Response:
    course = call.course.id
    found = await call.service.store.read(lambda connection: all_exercises(connection, course))
    status = 200 if problem is None else problem.status
    return render(call, "desk/exercises.html", status, exercises=found, problem=problem, form=call.form)


def _require_own(connection: Connection, course_id: str, exercise_id: str) -> None:
    wanted = exercise.select().where(exercise.c.id == exercise_id, exercise.c.course == course_id)
    if connection.execute(wanted).first() is None:
        raise unknown()


def _count(written: str) -> int | None:
    if not written:
        return None
    if not (written.isascii() and written.isdigit() and 1 <= int(written[:9]) <= MOST_MADE):
        raise ServiceProblem(422, "field", f"count: a whole number from 1 to {MOST_MADE:,}")
    return int(written)
