"""Marking again against another version: first a look at what would change, then all of it at once."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field

from grader.service.base.program import PROGRAM
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.members.queries import members_coded
from grader.service.features.regrades import queries as regrades_queries
from grader.service.http.access import Who
from grader.service.http.json_bodies import Body, json_response, shape
from grader.service.http.routing import ApiCall, Gives, route
from grader.service.store.transaction import Transaction

MOST_EXCLUDED = 5_000


class RegradeFields(Body):
    version: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
    never_lower: Annotated[bool, Field(strict=True)] = False


class ApplyFields(Body):
    exclude: Annotated[tuple[str, ...], Field(max_length=MOST_EXCLUDED)] = ()


async def start_regrade(call: ApiCall, fields: RegradeFields) -> str:
    """The id of a regrade that is looked at."""
    row = call.row("a")

    def write(tx: Transaction) -> str:
        wanted = regrades_queries.version_numbered(tx.connection, row.exercise, fields.version)
        if wanted is None:
            raise ServiceProblem(422, "field", f"version: the exercise has no version {fields.version}")
        if not regrades_queries.has_all_places(tx.connection, row.id, wanted.id):
            words = f"version: version {fields.version} has fewer parts or variants than were answered"
            raise ServiceProblem(422, "field", words)
        if not regrades_queries.asks_alike(tx.connection, row.id, wanted.id):
            words = f"version: version {fields.version} has other parts, or calls the exercises in them otherwise"
            raise ServiceProblem(422, "field", words)
        return regrades_queries.new_regrade(tx, call.person.id, row, wanted.id, fields.never_lower)

    made = await call.service.store.write(write)
    call.service.jobs.wake()
    return made


async def carry_out_regrade(call: ApiCall, fields: ApplyFields) -> dict[str, Any]:
    row, course = call.row("r"), call.course.id

    def write(tx: Transaction) -> dict[str, Any]:
        excluded = members_coded(tx.connection, course, fields.exclude)
        for code in fields.exclude:
            if code not in excluded:
                raise ServiceProblem(422, "field", f"exclude: there is no member {code[:60]!r}")
        regrades_queries.apply(tx, call.person.id, course, row.id, set(excluded.values()), PROGRAM)
        return regrades_queries.regrade_data(tx.connection, regrades_queries.regrade_row(tx.connection, row.id))

    applied = await call.service.store.write(write)
    call.service.marking.wake()
    return applied


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
    regrade_id = await start_regrade(call, await call.fields(RegradeFields))
    return json_response({"id": regrade_id}, 201)


@route(router, "GET", "/api/assignments/{a}/regrades/{r}", {200: Gives("What would change", REGRADE)}, who=Who.TEACHER,
       about="A regrade")  # fmt: skip
async def get_regrade(call: ApiCall) -> Response:
    row = call.row("r")
    return json_response(
        await call.service.store.read(lambda connection: regrades_queries.regrade_data(connection, row))
    )


@route(router, "POST", "/api/assignments/{a}/regrades/{r}/apply", {200: Gives("It is done", REGRADE)}, who=Who.TEACHER,
       about="Apply a regrade", body=ApplyFields, problems=[409])  # fmt: skip
async def apply_regrade(call: ApiCall) -> Response:
    return json_response(await carry_out_regrade(call, await call.fields(ApplyFields)))
