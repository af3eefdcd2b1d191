"""Marking again against another version: first a look at what would change, then all of it at once."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field

from grader.service.api.bodies import Body, answer, shape
from grader.service.api.routing import ApiCall, Gives, route
from grader.service.problems import ServiceProblem
from grader.service.queue.program import PROGRAM
from grader.service.store import regrades
from grader.service.store.submissions import members_coded
from grader.service.store.transaction import Transaction

router = APIRouter()
TEXT, NUMBER, NULLABLE = {"type": "string"}, {"type": "integer"}, {"type": ["string", "null"]}
MARKS = {"type": ["number", "string", "null"]}
CHANGE = shape({"member": TEXT, "submission": TEXT, "before": MARKS, "after": MARKS, "question": NULLABLE})
REGRADE = shape(
    {
        "id": TEXT,
        "state": {"enum": ["waiting", "running", "ready", "failed", "stopped", "applied"]},
        "from": NUMBER,
        "to": NUMBER,
        "done": NUMBER,
        "of": NUMBER,
        "changes": {"type": "array", "items": CHANGE},
        "job": TEXT,
        "error": NULLABLE,
    }
)
MOST_EXCLUDED = 5_000


class RegradeFields(Body):
    version: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
    never_lower: Annotated[bool, Field(strict=True)] = False


class ApplyFields(Body):
    exclude: Annotated[tuple[str, ...], Field(max_length=MOST_EXCLUDED)] = ()


@route(router, "POST", "/api/assignments/{a}/regrades", {201: Gives("It is looked at", shape({"id": TEXT}))},
       about="See what another version would change", body=RegradeFields)  # fmt: skip
async def begin_regrade(call: ApiCall) -> Response:
    fields: RegradeFields = await call.fields(RegradeFields)
    row = call.row("a")

    def write(tx: Transaction) -> str:
        wanted = regrades.version_numbered(tx.connection, row.exercise, fields.version)
        if wanted is None:
            raise ServiceProblem(422, "field", f"version: the exercise has no version {fields.version}")
        if not regrades.has_all_places(tx.connection, row.id, wanted.id):
            words = f"version: version {fields.version} has fewer parts or variants than were answered"
            raise ServiceProblem(422, "field", words)
        return regrades.new_regrade(tx, call.person.id, row, wanted.id, fields.never_lower)

    made = await call.service.store.write(write)
    call.service.jobs.wake()
    return answer({"id": made}, 201)


@route(router, "GET", "/api/assignments/{a}/regrades/{r}", {200: Gives("What would change", REGRADE)},
       about="A regrade")  # fmt: skip
async def get_regrade(call: ApiCall) -> Response:
    row = call.row("r")
    return answer(await call.service.store.read(lambda connection: regrades.regrade_data(connection, row)))


@route(router, "POST", "/api/assignments/{a}/regrades/{r}/apply", {200: Gives("It is done", REGRADE)},
       about="Apply a regrade", body=ApplyFields, problems=[409])  # fmt: skip
async def apply_regrade(call: ApiCall) -> Response:
    fields: ApplyFields = await call.fields(ApplyFields)
    row, course = call.row("r"), call.course.id

    def write(tx: Transaction) -> dict[str, object]:
        excluded = members_coded(tx.connection, course, fields.exclude)
        for code in fields.exclude:
            if code not in excluded:
                raise ServiceProblem(422, "field", f"exclude: there is no member {code[:60]!r}")
        regrades.apply(tx, call.person.id, course, row.id, set(excluded.values()), PROGRAM)
        return regrades.regrade_data(tx.connection, regrades.regrade_row(tx.connection, row.id))

    applied = await call.service.store.write(write)
    call.service.marking.wake()
    return answer(applied)
