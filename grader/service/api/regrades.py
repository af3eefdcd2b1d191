"""Marking again against another version: first a look at what would change, then all of it at once."""

from __future__ import annotations

from fastapi import APIRouter, Response

from grader.service.access.who import Who
from grader.service.api import decisions
from grader.service.api.bodies import answer, shape
from grader.service.api.decisions import ApplyFields, RegradeFields
from grader.service.api.routing import ApiCall, Gives, route
from grader.service.store import regrades

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


@route(router, "POST", "/api/assignments/{a}/regrades", {201: Gives("It is looked at", shape({"id": TEXT}))},
       who=Who.TEACHER,
       about="See what another version would change", body=RegradeFields)  # fmt: skip
async def begin_regrade(call: ApiCall) -> Response:
    made = await decisions.begin_regrade(call, await call.fields(RegradeFields))
    return answer({"id": made}, 201)


@route(router, "GET", "/api/assignments/{a}/regrades/{r}", {200: Gives("What would change", REGRADE)}, who=Who.TEACHER,
       about="A regrade")  # fmt: skip
async def get_regrade(call: ApiCall) -> Response:
    row = call.row("r")
    return answer(await call.service.store.read(lambda connection: regrades.regrade_data(connection, row)))


@route(router, "POST", "/api/assignments/{a}/regrades/{r}/apply", {200: Gives("It is done", REGRADE)}, who=Who.TEACHER,
       about="Apply a regrade", body=ApplyFields, problems=[409])  # fmt: skip
async def apply_regrade(call: ApiCall) -> Response:
    return answer(await decisions.apply_regrade(call, await call.fields(ApplyFields)))
