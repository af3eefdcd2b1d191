"""What a person decides about marks, whether by the API or on a page: equal answers, overrides, regrades."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Connection

from grader.service import tasks
from grader.service.access.scope import AnyRow, unknown
from grader.service.api.bodies import Body
from grader.service.api.exercises import MOST_PARTS
from grader.service.api.marks import SCHEMA, read_marks
from grader.service.api.routing import ApiCall
from grader.service.problems import ServiceProblem, field_problem
from grader.service.queue.program import PROGRAM
from grader.service.rules.counting import check_override
from grader.service.rules.parts import in_part
from grader.service.store import assignments, grade_book, grades, regrades, review
from grader.service.store.class_work import exam_raw
from grader.service.store.submissions import members_coded
from grader.service.store.transaction import Transaction
from grader.service.work.lanes import MARKING
from grader.service.work.records import GradebookEntry
from solver.kernel import number_text

MOST_EXCLUDED = 5_000
Name = Annotated[str, Field(min_length=1, max_length=200)]


class Decided(Body):
    marks: Annotated[Any, Field(json_schema_extra=SCHEMA)]
    reason: str = ""


class OverrideFields(Body):
    """Marks of an item, of a question, or without both of the total after lateness."""

    marks: Annotated[Any, Field(json_schema_extra=SCHEMA)]
    reason: Annotated[str, Field(max_length=1000)] = ""
    question: Name | None = None
    item: Name | None = None
    part: Annotated[int, Field(ge=1, le=MOST_PARTS, strict=True)] | None = None
    """Of an exam: the number of the part."""


class RegradeFields(Body):
    version: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
    never_lower: Annotated[bool, Field(strict=True)] = False


class ApplyFields(Body):
    exclude: Annotated[tuple[str, ...], Field(max_length=MOST_EXCLUDED)] = ()


async def decide(call: ApiCall, review_id: str, fields: Decided) -> None:
    """For all answers that are equal to one."""
    marks, assignment = read_marks(fields.marks), call.row("a").id

    def write(tx: Transaction) -> None:
        about = review.equal_answers(tx.connection, assignment, review_id)
        if about is None:
            raise unknown()
        check_override(marks, about.out_of)
        review.decide(tx, call.person.id, call.course.id, assignment, about, marks, fields.reason)

    await call.service.store.write(write)
    call.service.marking.wake()


async def put_override(call: ApiCall, given: OverrideFields) -> dict[str, Any]:
    """The grade as it is until it is marked again."""
    item = given.item or ""
    if item and not given.question:
        raise _wrong("item: say of which question")
    question = in_part(given.part, given.question or "")
    marks, of = read_marks(given.marks), call.row("g")

    def write(tx: Transaction) -> dict[str, Any]:
        out_of = grade_book.out_of_override(tx.connection, of, question, item)
        if out_of is None:
            raise _unknown(of, given.question or "", item, given.part)
        check_override(marks, out_of)
        grade_book.put_override(tx, call.person.id, call.course.id, of, question, item, marks, given.reason)
        return grade_book.grade_data(tx.connection, of.id)

    made = await call.service.store.write(write)
    call.service.marking.wake()
    return made


async def remove_override(
    call: ApiCall, question: str | None = None, item: str | None = None, part: int | None = None
) -> None:
    """That of a question or an item, or all of them."""
    of = call.row("g")
    question = in_part(part, question or "") if part else question
    await call.service.store.write(
        lambda tx: grade_book.remove_override(tx, call.person.id, call.course.id, of, question, item)
    )
    call.service.marking.wake()


async def begin_regrade(call: ApiCall, fields: RegradeFields) -> str:
    """The id of a regrade that is looked at."""
    row = call.row("a")

    def write(tx: Transaction) -> str:
        wanted = regrades.version_numbered(tx.connection, row.exercise, fields.version)
        if wanted is None:
            raise ServiceProblem(422, "field", f"version: the exercise has no version {fields.version}")
        if not regrades.has_all_places(tx.connection, row.id, wanted.id):
            words = f"version: version {fields.version} has fewer parts or variants than were answered"
            raise ServiceProblem(422, "field", words)
        if not regrades.asks_alike(tx.connection, row.id, wanted.id):
            words = f"version: version {fields.version} has other parts, or calls the exercises in them otherwise"
            raise ServiceProblem(422, "field", words)
        return regrades.new_regrade(tx, call.person.id, row, wanted.id, fields.never_lower)

    made = await call.service.store.write(write)
    call.service.jobs.wake()
    return made


async def apply_regrade(call: ApiCall, fields: ApplyFields) -> dict[str, Any]:
    row, course = call.row("r"), call.course.id

    def write(tx: Transaction) -> dict[str, Any]:
        excluded = members_coded(tx.connection, course, fields.exclude)
        for code in fields.exclude:
            if code not in excluded:
                raise ServiceProblem(422, "field", f"exclude: there is no member {code[:60]!r}")
        regrades.apply(tx, call.person.id, course, row.id, set(excluded.values()), PROGRAM)
        return regrades.regrade_data(tx.connection, regrades.regrade_row(tx.connection, row.id))

    applied = await call.service.store.write(write)
    call.service.marking.wake()
    return applied


async def gradebook(call: ApiCall, format: str) -> bytes:
    """A gradebook as CSV."""
    of = call.row("a")
    title, out_of, rows = await call.service.store.read(lambda connection: _sheet(connection, of))
    exam = await call.service.store.read(lambda connection: exam_raw(connection, of.version))
    questions = next((row.ids for row in rows if row.ids), ())
    workers = call.service.workers.lane(MARKING)
    return await workers.run(tasks.gradebook, format, title, out_of, questions, rows, exam)


def _sheet(connection: Connection, of: AnyRow) -> tuple[str, str, list[GradebookEntry]]:
    described = assignments.one_described(connection, of)
    out_of = number_text(grades.out_of_version(connection, described.version))
    return described.title or described.name, out_of, grade_book.gradebook_rows(connection, described.id)


def _unknown(of: AnyRow, question: str, item: str, part: int | None) -> ServiceProblem:
    """Nothing that is marked has such a question or item: perhaps since nothing is marked."""
    if of.submission is None:
        return ServiceProblem(409, "not-marked", "nothing is marked yet; without a question it is about the total")
    where = "; of an exam, say of which part" if part is None else f" in part {part}"
    words = f"item: no {item!r} in {question!r}" if item else f"question: none is called {question!r}"
    return _wrong(words + where)


def _wrong(words: str) -> ServiceProblem:
    return ServiceProblem(422, "field", words, [field_problem(words)])
