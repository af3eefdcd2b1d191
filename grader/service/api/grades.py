"""Grades, and what is decided about them by hand."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field
from sqlalchemy import Connection

from grader.service.api.bodies import Body, answer, items, nothing, shape
from grader.service.api.exports import chosen
from grader.service.api.marks import SCHEMA, read_marks
from grader.service.api.paging import page
from grader.service.api.routing import AFTER, LIMIT, ApiCall, Gives, Query, route
from grader.service.problems import ServiceProblem, field_problem
from grader.service.rules.counting import check_override
from grader.service.store import assignments, grade_book, grades
from grader.service.store.transaction import Transaction
from grader.service.work.lanes import MARKING
from solver.kernel import number_text

router = APIRouter()
TEXT, TEXT_OR_NULL, NUMBER = {"type": "string"}, {"type": ["string", "null"]}, {"type": "integer"}
MARKS, MARKS_OR_NULL = {"type": ["number", "string"]}, {"type": ["number", "string", "null"]}
BY_HAND = shape({"question": TEXT, "item": TEXT_OR_NULL, "marks": MARKS, "reason": TEXT})
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
Name = Annotated[str, Field(min_length=1, max_length=200)]


class OverrideFields(Body):
    """Marks of an item, of a question, or without both of the total after lateness."""

    marks: Annotated[Any, Field(json_schema_extra=SCHEMA)]
    reason: Annotated[str, Field(max_length=1000)] = ""
    question: Name | None = None
    item: Name | None = None


@route(router, "GET", "/api/assignments/{a}/grades", {200: Gives("In the order of the roster", items(GRADE),
       also=(CSV,))}, about="Grades", queries=[FORMAT, LIMIT, AFTER])  # fmt: skip
async def list_grades(call: ApiCall) -> Response:
    of, format, store = call.row("a"), chosen(call, "format", FORMATS), call.service.store
    wanted = page(call, number=True)
    if await store.read(lambda connection: grades.without_grade(connection, of.id)):
        await store.write(lambda tx: grades.ensure_grades(tx, of.id))
    if format == "json":
        return answer(await store.read(lambda connection: grade_book.grades_of(connection, of.id, wanted)))
    title, out_of, rows = await store.read(lambda connection: _sheet(connection, call))
    questions: list[str] = next((row["ids"] for row in rows if row["ids"]), [])
    made = await call.service.workers.run("gradebook", format, title, out_of, questions, rows, lane=MARKING)
    name = f'attachment; filename="grades-{of.id}.csv"'
    return Response(made, media_type=CSV, headers={"Content-Disposition": name})


@route(router, "PUT", "/api/grades/{g}/override", {200: Gives("The grade, until it is marked again", GRADE)},
       about="Give marks by hand, which outlive whatever comes", body=OverrideFields, problems=[409])  # fmt: skip
async def put_override(call: ApiCall) -> Response:
    given: OverrideFields = await call.fields(OverrideFields)
    question, item = given.question or "", given.item or ""
    if item and not question:
        raise _wrong("item: say of which question")
    marks, of = read_marks(given.marks), call.row("g")

    def write(tx: Transaction) -> dict[str, Any]:
        out_of = grade_book.out_of_override(tx.connection, of, question, item)
        if out_of is None:
            raise _unknown(tx.connection, call, question, item)
        check_override(marks, out_of)
        grade_book.put_override(tx, call.person.id, call.course.id, of, question, item, marks, given.reason)
        return grade_book.grade_data(tx.connection, of.id)

    made = await call.service.store.write(write)
    call.service.marking.wake()
    return answer(made)


@route(router, "DELETE", "/api/grades/{g}/override", {204: Gives("The grade is what marking says")},
       about="Take marks by hand back: of a question or an item, or all of them",
       queries=[Query("question", "Only what was decided of it"), Query("item", "Of that question")])  # fmt: skip
async def remove_override(call: ApiCall) -> Response:
    of, question, item = call.row("g"), call.query("question"), call.query("item")
    if item is not None and question is None:
        raise ServiceProblem(422, "parameter", "item: say of which question")
    await call.service.store.write(
        lambda tx: grade_book.remove_override(tx, call.person.id, call.course.id, of, question, item)
    )
    call.service.marking.wake()
    return nothing()


def _sheet(connection: Connection, call: ApiCall) -> tuple[str, str, list[dict[str, Any]]]:
    described = assignments.one_described(connection, call.row("a"))
    out_of = number_text(grades.out_of_version(connection, described.version))
    return described.title or described.name, out_of, grade_book.gradebook_rows(connection, described.id)


def _unknown(connection: Connection, call: ApiCall, question: str, item: str) -> ServiceProblem:
    """Nothing that is marked has such a question or item: perhaps since nothing is marked."""
    of = call.row("g")
    if of.submission is None:
        return ServiceProblem(409, "not-marked", "nothing is marked yet; without a question it is about the total")
    return _wrong(f"item: no {item!r} in {question!r}" if item else f"question: none is called {question!r}")


def _wrong(words: str) -> ServiceProblem:
    return ServiceProblem(422, "field", words, [field_problem(words)])
