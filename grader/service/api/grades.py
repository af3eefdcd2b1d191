"""Grades, and what is decided about them by hand."""

from __future__ import annotations

from fastapi import APIRouter, Response

from grader.service.access.who import Who
from grader.service.api import decisions
from grader.service.api.bodies import answer, items, nothing, shape
from grader.service.api.decisions import OverrideFields
from grader.service.api.exercises import MOST_PARTS, number_asked
from grader.service.api.exports import chosen
from grader.service.api.paging import page
from grader.service.api.routing import AFTER, LIMIT, ApiCall, Gives, Query, route
from grader.service.problems import ServiceProblem
from grader.service.store import grade_book
from grader.service.store.grades import ensure_every_grade

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
        return answer(await store.read(lambda connection: grade_book.grades_of(connection, of.id, wanted)))
    made = await decisions.gradebook(call, format)
    name = f'attachment; filename="grades-{of.id}.csv"'
    return Response(made, media_type=CSV, headers={"Content-Disposition": name})


@route(router, "PUT", "/api/grades/{g}/override", {200: Gives("The grade, until it is marked again", GRADE)},
       who=Who.TEACHER,
       about="Give marks by hand, which outlive whatever comes", body=OverrideFields, problems=[409])  # fmt: skip
async def put_override(call: ApiCall) -> Response:
    return answer(await decisions.put_override(call, await call.fields(OverrideFields)))


@route(router, "DELETE", "/api/grades/{g}/override", {204: Gives("The grade is what marking says")}, who=Who.TEACHER,
       about="Take marks by hand back: of a question or an item, or all of them",
       queries=[Query("question", "Only what was decided of it"), Query("item", "Of that question"),
                Query("part", "Of an exam: the number of the part", {"type": "integer", "minimum": 1})])  # fmt: skip
async def remove_override(call: ApiCall) -> Response:
    question, item = call.query("question"), call.query("item")
    if item is not None and question is None:
        raise ServiceProblem(422, "parameter", "item: say of which question")
    await decisions.remove_override(call, question, item, number_asked(call, "part", MOST_PARTS))
    return nothing()
