"""What a class handed in: as a list, as documents, in sum, and on the tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from fastapi import APIRouter, Response
from sqlalchemy import Connection

from grader.service import tasks
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.assignments.queries import one_described
from grader.service.features.classes import queries as classes_queries
from grader.service.http.access import Who
from grader.service.http.answer_bodies import answers_bytes, verbatim
from grader.service.http.json_bodies import items, json_response, shape
from grader.service.http.routing import (
    AFTER,
    LIMIT,
    MOST_PARTS,
    ApiCall,
    Gives,
    Query,
    chosen,
    number_asked,
    page,
    route,
)
from grader.service.rules.times import moment_text
from grader.service.workers.lanes import BULK
from solver.languages import LANGUAGES

router = APIRouter()
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
MARKS = {"type": ["number", "string", "null"]}
SUBMISSION = shape(
    {
        "id": TEXT,
        "attempt": TEXT,
        "number": NUMBER,
        "member": TEXT,
        "variant": TEXT,
        "state": TEXT,
        "received": TEXT,
        "counted": {"type": "boolean"},
        "late": NUMBER,
        "marks": MARKS,
        "out_of": MARKS,
    }
)
JSON, LINES = "json", "jsonl"
LINES_TYPE, SVG = "application/jsonl", "image/svg+xml"
SUMMARY_TYPES = ("text/plain", "text/csv", "text/html")
SUMMARIES = (JSON, "text", "csv", "html")
LANGUAGE = Query("language", "Of the words; the reader's own unless it is given", {"enum": list(LANGUAGES)})
PART = Query("part", "Of an exam: which part, the first unless it is given", {"type": "integer", "minimum": 1})
CLASS_SECONDS = 120.0


def _formats(known: tuple[str, ...]) -> Query:
    return Query("format", f"{known[0]} unless another is asked for", {"enum": list(known)})


@route(router, "GET", "/api/assignments/{a}/submissions",
       {200: Gives("The earliest first", items(SUBMISSION), also=(LINES_TYPE,))}, who=Who.STAFF,
       about="What was handed in", queries=[LIMIT, AFTER, _formats((JSON, LINES))])  # fmt: skip
async def list_submissions(call: ApiCall) -> Response:
    of, zone, wanted = call.row("a"), call.course.zone, page(call)
    if chosen(call, "format", (JSON, LINES)) == LINES:
        return Response(await answer_lines(call), media_type=LINES_TYPE)
    listed = await call.service.store.read(lambda connection: classes_queries.submissions_listed(connection, of, zone))
    places = {each["id"]: place for place, each in enumerate(listed, start=1)}
    begins = 0 if wanted.after is None else places.get(wanted.after, len(listed))
    shown = listed[begins : begins + wanted.limit]
    more = begins + wanted.limit < len(listed)
    return json_response({"items": shown, "next": shown[-1]["id"] if more else None})


@route(router, "GET", "/api/assignments/{a}/summary", {200: Gives("Of what counts", {"type": "object"},
       also=SUMMARY_TYPES)},
       who=Who.STAFF, about="How a class did", queries=[_formats(SUMMARIES), LANGUAGE])  # fmt: skip
async def get_summary(call: ApiCall) -> Response:
    of, format, language = call.row("a"), chosen(call, "format", SUMMARIES), _language(call)
    work = await call.service.store.read(lambda connection: classes_queries.work_of_class(connection, of))
    media, summary = await call.service.workers.lane(BULK, CLASS_SECONDS).run(
        tasks.summary, work.entries, work.handed_out, language, "full", format
    )
    return Response(summary, media_type=media)


@route(router, "GET", "/api/assignments/{a}/heat-map", {200: Gives("The tree with shares of right answers", TEXT, SVG)},
       who=Who.STAFF,
       about="Where in the tree a class went wrong", queries=[LANGUAGE, PART])  # fmt: skip
async def get_heat_map(call: ApiCall) -> Response:
    of, language, part = call.row("a"), _language(call), number_asked(call, "part", MOST_PARTS) or 1
    work = await call.service.store.read(lambda connection: classes_queries.work_of_class(connection, of))
    drawn = await call.service.workers.lane(BULK, CLASS_SECONDS).run(
        tasks.heat_map, work.entries, work.handed_out, language, part
    )
    return Response(drawn, media_type=SVG)


async def answer_lines(call: ApiCall) -> bytes:
    """Everything that was handed in, as answer/1."""
    of = call.row("a")

    def read(connection: Connection) -> tuple[list[Any], str | None, dict[str, list[str]]]:
        is_exam = classes_queries.exam_raw(connection, of.version) is not None
        exam = one_described(connection, of).name if is_exam else None
        names = classes_queries.answered_names(connection, of.id) if is_exam else {}
        return classes_queries.submissions_raw(connection, of.id), exam, names

    found, exam, names = await call.service.store.read(read)
    return b"".join(_line(each, exam, names.get(each.id, ())) for each in found)


def _language(call: ApiCall) -> str:
    written = call.query("language")
    if written is not None and written not in LANGUAGES:
        raise ServiceProblem(422, "parameter", f"language: one of {', '.join(LANGUAGES)}")
    return str(written or call.person.language or call.course.language)


def _line(each: Any, exam: str | None, parts: Sequence[str]) -> bytes:
    """answer/1 in one line, with the answers as they were spelt; of an exam, those to what the student had been given,
    as only they are marked."""
    document = {
        "plymark": "answer/1",
        "exercise": exam or each.exercise,
        "student": each.code,
        "name": each.name,
        "submitted": moment_text(each.received),
        "language": each.language,
        "answers": verbatim(answers_bytes(each.raw, parts)),
    }
    return orjson.dumps(document) + b"\n"
