"""What a teacher takes away: gradebooks, answers, feedback, papers, and the exercise for a learning system."""

from __future__ import annotations

import re

from fastapi import APIRouter, Response

from grader.service import tasks
from grader.service.access.who import Who
from grader.service.api.decisions import gradebook
from grader.service.api.exports import CLASS_SECONDS, LINES_TYPE, answer_lines, chosen
from grader.service.rules.feedback import NOTHING, has_report
from grader.service.store.assignments import one_described
from grader.service.store.class_work import handed_out_raw, work_of_class
from grader.service.store.grades import ensure_every_grade
from grader.service.web.calls import PageCall
from grader.service.web.pages import page
from grader.service.work.lanes import BULK

router = APIRouter()
grade_router = APIRouter()
BOOKS = ("plain", "canvas", "moodle")
PAPERS, FORMATS = ("sheet", "key", "solution"), ("pdf", "html", "latex")
SYSTEMS = ("moodle", "canvas", "prairielearn", "gradescope")
PAGES = ("html", "pdf")
PAPER_SECONDS = 60.0
NOT_PLAIN = re.compile(r"[^A-Za-z0-9._-]+")
TYPES = {".pdf": "application/pdf", ".zip": "application/zip", ".html": "text/html; charset=utf-8"}


@page(grade_router, "GET", "/teach/a/{a}/grades.csv", who=Who.STAFF)
async def download_grades(call: PageCall) -> Response:
    format = chosen(call, "format", BOOKS)
    await ensure_every_grade(call.service.store, call.row("a").id)
    of = call.row("a")
    described = await call.service.store.read(lambda connection: one_described(connection, of))
    book = await gradebook(call, format)
    return file_response(call, described.name, book, f"grades-{format}.csv", "text/csv; charset=utf-8")


@page(router, "GET", "/teach/a/{a}/answers.jsonl", who=Who.STAFF)
async def download_answers(call: PageCall) -> Response:
    return file_response(call, await _exercise_name(call), await answer_lines(call), "answers.jsonl", LINES_TYPE)


@page(router, "GET", "/teach/a/{a}/feedback.zip", who=Who.TEACHER)
async def download_feedback(call: PageCall) -> Response:
    """A page for every student, with as much as they are told in the end."""
    of, format = call.row("a"), chosen(call, "format", PAGES)
    work = await call.service.store.read(lambda connection: work_of_class(connection, of))
    level = of.feedback_after if has_report(of.feedback_after) else NOTHING
    made = await call.service.workers.lane(BULK, CLASS_SECONDS).run(
        tasks.feedback_pages, work.entries, work.handed_out, call.course.language, level, format
    )
    return file_response(call, await _exercise_name(call), made, f"feedback-{format}.zip", TYPES[".zip"])


@page(router, "GET", "/teach/a/{a}/paper", who=Who.TEACHER)
async def download_paper(call: PageCall) -> Response:
    """A sheet, a key or a solution; with `?system=` the exercise for a learning system."""
    version, language = call.row("a").version, call.course.language
    raws = await call.service.store.read(lambda connection: handed_out_raw(connection, version))
    workers = call.service.workers.lane(BULK, PAPER_SECONDS)
    if call.query("system") is not None:
        name = chosen(call, "system", SYSTEMS)
        ending, made = await workers.run(tasks.export, raws, name, language)
    else:
        name = chosen(call, "kind", PAPERS)
        format = chosen(call, "format", FORMATS)
        ending, made = await workers.run(tasks.paper_file, raws, name, format, language)
    return file_response(
        call, await _exercise_name(call), made, f"{name}{ending}", TYPES.get(ending, "application/octet-stream")
    )


async def _exercise_name(call: PageCall) -> str:
    of = call.row("a")
    return str((await call.service.store.read(lambda connection: one_described(connection, of))).name)


def file_response(call: PageCall, exercise: str, content: bytes, name: str, media: str) -> Response:
    """Called after the exercise, so that a folder of downloads can be told apart."""
    whole = f"{NOT_PLAIN.sub('-', exercise).strip('-.') or call.row('a').id}-{name}"
    return Response(content, media_type=media, headers={"Content-Disposition": f'attachment; filename="{whole}"'})
