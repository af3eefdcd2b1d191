"""`/teach/c/{c}/exercises`: what there is to assign, and a plain way to add a document to it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import orjson
from fastapi import APIRouter, Response
from sqlalchemy import Connection

from grader.service.base.service_problems import ServiceProblem
from grader.service.features.classes.queries import handed_out_raw
from grader.service.features.exercises import queries as exercises_queries
from grader.service.features.exercises.api import MOST_MADE, take_in
from grader.service.features.exercises.queries import EXAM, all_exercises
from grader.service.http.access import Who, unknown
from grader.service.http.body_limits import UPLOAD
from grader.service.http.page_calls import TYPED, PageCall
from grader.service.http.page_routes import as_problem, page, redirect
from grader.service.http.rendering import render
from grader.service.http.routing import MOST_PARTS
from grader.service.store.tables import exercise
from grader.service.workers.work_problems import Refused

router = APIRouter()
LONGEST_ID = 64


@page(router, "GET", "/teach/c/{c}/exercises", who=Who.TEACHER)
async def show_exercises(call: PageCall) -> Response:
    return await _shown(call)


@page(router, "POST", "/teach/c/{c}/exercises", who=Who.TEACHER, limit=UPLOAD)
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
        await call.service.store.write(lambda tx: exercises_queries.add_version(tx, who, course, of, upload))
        return redirect(call, f"/teach/c/{course}/exercises")
    exercise_id = await call.service.store.write(lambda tx: exercises_queries.new_exercise(tx, who, course, upload))
    return redirect(call, f"/teach/c/{course}/assign?exercise={exercise_id}")


@page(router, "POST", "/teach/c/{c}/exams", who=Who.TEACHER)
async def make_exam(call: PageCall) -> Response:
    """Of exercises of the course, in the order of the places that they were given."""
    course, who = call.course.id, call.person.id
    try:
        raw, guessable = await call.service.store.read(lambda connection: _exam(connection, call))
        upload = replace(await take_in(call, raw, None, None), guessable=guessable)
    except Refused as found:
        return await _shown(call, exam_problem=as_problem(found))
    except ServiceProblem as problem:
        return await _shown(call, exam_problem=problem)
    exercise_id = await call.service.store.write(lambda tx: exercises_queries.new_exercise(tx, who, course, upload))
    return redirect(call, f"/teach/c/{course}/assign?exercise={exercise_id}")


def _exam(connection: Connection, call: PageCall) -> tuple[bytes, bool]:
    """exam/1 with its exercises inside, and whether one of them is guessable; the id that answers name is the title in
    small letters and hyphens."""
    title = call.form["title"].strip()
    name = re.sub(r"\W+", "-", title.casefold()).strip("-")[:LONGEST_ID].strip("-") or EXAM
    placed = _placed(connection, call)
    parts = [_part(connection, *each) for each in placed]
    raw = orjson.dumps({"plymark": "exam/1", "id": name, "title": title or name, "parts": parts})
    return raw, any(about["guessable"] for about, _ in placed)


def _placed(connection: Connection, call: PageCall) -> list[tuple[dict[str, Any], str]]:
    """Exercises with what each is to be worth, in order; 422 for places that are no numbers, or given twice."""
    found: dict[int, tuple[dict[str, Any], str]] = {}
    for each in all_exercises(connection, call.course.id):
        written = call.form[f"place-{each['id']}"].translate(TYPED).strip()
        if not written or each["kind"] == EXAM:
            continue
        if not (written.isascii() and written.isdigit() and 1 <= int(written[:9]) <= MOST_PARTS):
            raise ServiceProblem(422, "field", f"place: a whole number from 1 to {MOST_PARTS}")
        if int(written) in found:
            raise ServiceProblem(422, "field", f"place: two exercises have the place {int(written)}")
        found[int(written)] = each, call.form[f"worth-{each['id']}"].translate(TYPED).strip()
    if not found:
        raise ServiceProblem(422, "field", "place: say which exercises are in the exam, 1 for the first")
    return [found[place] for place in sorted(found)]


def _part(connection: Connection, about: dict[str, Any], worth: str) -> dict[str, Any]:
    """The newest version of an exercise."""
    version = exercises_queries.version_of(connection, about["id"], about["version"])
    assert version is not None
    raws = handed_out_raw(connection, version.id)
    inside = [orjson.Fragment(raw) for raw in raws] if isinstance(raws, list) else []
    held = {"exercise": inside[0]} if len(inside) == 1 else {"variants": inside}
    return {**held, **({"marks": worth} if worth else {})}


async def _shown(
    call: PageCall, problem: ServiceProblem | None = None, exam_problem: ServiceProblem | None = None
) -> Response:
    course = call.course.id
    found = await call.service.store.read(lambda connection: all_exercises(connection, course))
    wrong = problem or exam_problem
    status = 200 if wrong is None else wrong.status
    told = {"problem": problem, "exam_problem": exam_problem}
    return render(call, "exercises/exercises.html", status, exercises=found, **told, form=call.form)


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
