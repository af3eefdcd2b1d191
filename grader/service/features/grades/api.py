"""Grades, gradebooks, and marks that a person gives in place of those computed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field
from sqlalchemy import Connection

from grader.service import tasks
from grader.service.base.service_problems import ServiceProblem, field_problem
from grader.service.features.assignments import queries as assignments_queries
from grader.service.features.classes.queries import exam_raw
from grader.service.features.grades import queries as grades_queries
from grader.service.features.grades.queries import ensure_every_grade
from grader.service.http.access import AnyRow, Who
from grader.service.http.json_bodies import SCHEMA, Body, items, json_response, no_content, read_marks, shape
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
from grader.service.rules.grade_counting import check_override, in_part
from grader.service.store.transaction import Transaction
from grader.service.workers.lanes import MARKING
from grader.service.workers.task_results import GradebookEntry
from solver.kernel import number_text

Name = Annotated[str, Field(min_length=1, max_length=200)]


class OverrideFields(Body):
    """Marks of an item, of a question, or without both of the total after lateness."""

    marks: Annotated[Any, Field(json_schema_extra=SCHEMA)]
    reason: Annotated[str, Field(max_length=1000)] = ""
    question: Name | None = None
    item: Name | None = None
    part: Annotated[int, Field(ge=1, le=MOST_PARTS, strict=True)] | None = None
    """Of an exam: the number of the part."""


async def override_marks(call: ApiCall, given: OverrideFields) -> dict[str, Any]:
    """The grade as it is until it is marked again."""
    item = given.item or ""
    if item and not given.question:
        raise _wrong("item: say of which question")
    question = in_part(given.part, given.question or "")
    marks, of = read_marks(given.marks), call.row("g")

    def write(tx: Transaction) -> dict[str, Any]:
        out_of = grades_queries.out_of_override(tx.connection, of, question, item)
        if out_of is None:
            raise _unknown(of, given.question or "", item, given.part)
        check_override(marks, out_of)
        grades_queries.put_override(tx, call.person.id, call.course.id, of, question, item, marks, given.reason)
        return grades_queries.grade_data(tx.connection, of.id)

    made = await call.service.store.write(write)
    call.service.marking.wake()
    return made


async def withdraw_override(
    call: ApiCall, question: str | None = None, item: str | None = None, part: int | None = None
) -> None:
    """That of a question or an item, or all of them."""
    of = call.row("g")
    question = in_part(part, question or "") if part else question
    await call.service.store.write(
        lambda tx: grades_queries.remove_override(tx, call.person.id, call.course.id, of, question, item)
    )
    call.service.marking.wake()


async def gradebook(call: ApiCall, format: str) -> bytes:
    """A gradebook as CSV."""
    of = call.row("a")
    title, out_of, rows = await call.service.store.read(lambda connection: _sheet(connection, of))
    exam = await call.service.store.read(lambda connection: exam_raw(connection, of.version))
    questions = next((row.ids for row in rows if row.ids), ())
    workers = call.service.workers.lane(MARKING)
    return await workers.run(tasks.gradebook, format, title, out_of, questions, rows, exam)


def _sheet(connection: Connection, of: AnyRow) -> tuple[str, str, list[GradebookEntry]]:
    described = assignments_queries.one_described(connection, of)
    out_of = number_text(grades_queries.out_of_version(connection, described.version))
    return described.title or described.name, out_of, grades_queries.gradebook_rows(connection, described.id)


def _unknown(of: AnyRow, question: str, item: str, part: int | None) -> ServiceProblem:
    """Nothing that is marked has such a question or item: perhaps since nothing is marked."""
    if of.submission is None:
        return ServiceProblem(409, "not-marked", "nothing is marked yet; without a question it is about the total")
    where = "; of an exam, say of which part" if part is None else f" in part {part}"
    words = f"item: no {item!r} in {question!r}" if item else f"question: none is called {question!r}"
    return _wrong(words + where)


def _wrong(words: str) -> ServiceProblem:
    return ServiceProblem(422, "field", words, [field_problem(words)])


router = APIRouter()
TEXT, TEXT_OR_NULL, NUMBER = {"type": "string"}, {"type": ["string", "null"]}, {"type": "integer"}
MARKS, MARKS_OR_NULL = {"type": ["number", "string"]}, {"type": ["number", "string", "null"]}
BY_HAND = shape({"question": TEXT, "item": TEXT_OR_NULL, "marks": MARKS, "reason": TEXT}, {"part": NUMBER})
OVERRIDE = {
    "anyOf": [
        {"type": "null"},
        shape({"marks": MARKS_OR_NULL, "reason": TEXT_OR_NULL, "questions": {"type": "array", "items": BY_HAND}}),
    ]
}
GRADE = shape(
    {
        "id": TEXT,
        "member": TEXT,
        "marks": MARKS_OR_NULL,
        "out_of": MARKS,
        "submission": TEXT_OR_NULL,
        "late": NUMBER,
        "override": OVERRIDE,
        "version": NUMBER,
    }
)
FORMATS = ("json", "canvas", "moodle", "plain")
FORMAT = Query("format", "Of the list, or of a gradebook as CSV", {"enum": list(FORMATS)})
CSV = "text/csv"


@route(router, "GET", "/api/assignments/{a}/grades", {200: Gives("In the order of the roster", items(GRADE),
       also=(CSV,))}, who=Who.STAFF, about="Grades", queries=[FORMAT, LIMIT, AFTER])  # fmt: skip
async def list_grades(call: ApiCall) -> Response:
    of, format, store = call.row("a"), chosen(call, "format", FORMATS), call.service.store
    wanted = page(call, number=True)
    await ensure_every_grade(call.service.store, call.row("a").id)
    if format == "json":
        return json_response(await store.read(lambda connection: grades_queries.grades_of(connection, of.id, wanted)))
    book = await gradebook(call, format)
    name = f'attachment; filename="grades-{of.id}.csv"'
    return Response(book, media_type=CSV, headers={"Content-Disposition": name})


@route(router, "PUT", "/api/grades/{g}/override", {200: Gives("The grade, until it is marked again", GRADE)},
       who=Who.TEACHER,
       about="Give marks by hand, which outlive whatever comes", body=OverrideFields, problems=[409])  # fmt: skip
async def put_override(call: ApiCall) -> Response:
    return json_response(await override_marks(call, await call.fields(OverrideFields)))


@route(router, "DELETE", "/api/grades/{g}/override", {204: Gives("The grade is what marking says")}, who=Who.TEACHER,
       about="Take marks by hand back: of a question or an item, or all of them",
       queries=[Query("question", "Only what was decided of it"), Query("item", "Of that question"),
                Query("part", "Of an exam: the number of the part", {"type": "integer", "minimum": 1})])  # fmt: skip
async def remove_override(call: ApiCall) -> Response:
    question, item = call.query("question"), call.query("item")
    if item is not None and question is None:
        raise ServiceProblem(422, "parameter", "item: say of which question")
    await withdraw_override(call, question, item, number_asked(call, "part", MOST_PARTS))
    return no_content()
