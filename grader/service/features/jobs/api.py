"""Bulk work that is under way."""

from __future__ import annotations

from fastapi import APIRouter, Response

from grader.service.features.jobs import queries as jobs_queries
from grader.service.http.access import Who
from grader.service.http.json_bodies import json_response, shape
from grader.service.http.routing import ApiCall, Gives, route
from grader.service.store.transaction import Transaction

router = APIRouter()
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
JOB = shape(
    {
        "id": TEXT,
        "kind": TEXT,
        "state": {"enum": list(jobs_queries.STATES)},
        "done": NUMBER,
        "of": NUMBER,
        "result": {},
        "error": {"type": ["string", "null"]},
    }
)


@route(router, "GET", "/api/jobs/{j}", {200: Gives("How far it has come", JOB)}, who=Who.TEACHER, about="A job")
async def get_job(call: ApiCall) -> Response:
    return json_response(jobs_queries.job_data(call.row("j")))


@route(
    router, "DELETE", "/api/jobs/{j}", {200: Gives("The job as it is now", JOB)}, who=Who.TEACHER, about="Stop a job"
)
async def stop_job(call: ApiCall) -> Response:
    row = call.row("j")

    def write(tx: Transaction) -> dict[str, object]:
        jobs_queries.stop(tx, call.person.id, row)
        return jobs_queries.job_data(jobs_queries.job_row(tx.connection, row.id))

    return json_response(await call.service.store.write(write))
