"""Documents without any state: what the commands of the same names do, in a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Response

from grader.service import tasks
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.jobs import queries as jobs_queries
from grader.service.features.jobs.queries import new_job
from grader.service.http.access import Who
from grader.service.http.json_bodies import json_response, shape
from grader.service.http.routing import ApiCall, Gives, Query, route
from grader.service.workers.lanes import STATELESS

router = APIRouter()
TEXT = {"type": "string"}
DOCUMENT: dict[str, Any] = {"application/yaml": {"schema": TEXT}, "application/json": {"schema": {}}}
"""Any Content-Type will do: the first character decides."""
OTHER_FORMATS = ("text/plain", "application/yaml")
MOST_AT_ONCE, MOST_EXERCISES = 10, 10_000
GENERATE_SECONDS = 60.0


def _whole(least: int = 0, most: int = 10**18 - 1) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


CONVENTION = Query("convention", "A name such as `aima3`, or a mapping")
LANGUAGE = Query("language", "`en`, `es`, `fa`, …")
DIGITS = Query("digits", "Decimals of what is random", _whole(most=100))
FORMAT = Query("format", "`json` (default), `text` or `yaml`", {"enum": ["json", "text", "yaml"], "default": "json"})
SEARCH = [
    Query("algorithm", "`auto` (default), `minimax`, `alpha-beta`, …"),
    CONVENTION,
    Query("depth", "Stop at this depth and use the estimates there", _whole()),
    Query("steps", "mcts: number of steps", _whole(1)),
    Query("seed", "mcts: seed for the random playouts", _whole()),
]


@route(router, "POST", "/api/check",
       {200: Gives("A valid document", shape({"kind": TEXT, "id": {"type": ["string", "null"]}}))}, who=Who.EVERYBODY,
       about="Check a document", body=DOCUMENT)  # fmt: skip
async def check(call: ApiCall) -> Response:
    return json_response(await call.service.workers.run(tasks.check, await call.body()))


@route(router, "POST", "/api/solve", {200: Gives("solution/1", {"type": "object"}, also=OTHER_FORMATS)},
       who=Who.SOLVERS,
       about="Solve a game", body=DOCUMENT, queries=[*SEARCH, DIGITS, FORMAT])  # fmt: skip
async def solve(call: ApiCall) -> Response:
    return await _printed(call, tasks.solve)


@route(router, "POST", "/api/analyse", {200: Gives("What was found", {"type": "object"}, also=OTHER_FORMATS)},
       who=Who.SOLVERS,
       about="Analyse a game", body=DOCUMENT,
       queries=[
           CONVENTION,
           DIGITS,
           FORMAT,
           Query("pruned", "Leaves, separated by commas"),
           Query("errs", "The probability with which MIN errs"),
           Query("transform", "A function of values, such as 2x + 1"),
       ])  # fmt: skip
async def analyse(call: ApiCall) -> Response:
    return await _printed(call, tasks.analyse)


@route(router, "POST", "/api/explain",
       {200: Gives("In sentences", shape({"language": TEXT, "sentences": {"type": "array", "items": TEXT}}))},
       who=Who.SOLVERS,
       about="Explain a search", body=DOCUMENT,
       queries=[*SEARCH, DIGITS, LANGUAGE, Query("detail", "`brief` (default), …")])  # fmt: skip
async def explain(call: ApiCall) -> Response:
    return json_response(await call.service.workers.run(tasks.explain, await call.body(), _options(call)))


@route(router, "POST", "/api/draw", {200: Gives("The tree", TEXT, "image/svg+xml")}, who=Who.SOLVERS,
       about="Draw a game", body=DOCUMENT,
       queries=[
           *SEARCH,
           LANGUAGE,
           Query("blank", "With empty boxes to fill in: `?blank` or `?blank=true`"),
           Query("leaves", "Draw at most this many leaves; 0 draws all", _whole()),
           Query("show", "What to show, separated by commas"),
           Query("stage", "The search after so many leaves", _whole()),
           Query("theme", "`auto` (default), `light` or `dark`"),
       ])  # fmt: skip
async def draw(call: ApiCall) -> Response:
    picture = await call.service.workers.run(tasks.draw, await call.body(), _options(call))
    return Response(picture, media_type="image/svg+xml")


@route(router, "POST", "/api/grade", {200: Gives("report/1", {"type": "object"})},
       who=Who.TEACHERS, about="Mark an answer",
       body={"application/json": {"schema": shape(
           {"exercise": {"type": ["object", "string"]}, "answer": {"type": ["object", "string"]}},
           {"language": TEXT, "feedback": TEXT},
       )}})  # fmt: skip
async def grade(call: ApiCall) -> Response:
    report = await call.service.workers.run(tasks.grade, await call.body())
    return Response(report, media_type="application/json")


@route(router, "POST", "/api/generate",
       {
           200: Gives("Exercises", shape({"seed": TEXT, "exercises": {"type": "array", "items": {"type": "object"}}})),
           202: Gives("More than ten: a job, whose result they will be", shape({"job": TEXT})),
       }, who=Who.TEACHERS,
       about="Make exercises from a recipe", body=DOCUMENT,
       queries=[
           Query("count", "How many; as the recipe says unless given", _whole(1, MOST_EXERCISES)),
           Query("seed", "The same seed makes the same exercises; without one it is drawn"),
       ])  # fmt: skip
async def generate(call: ApiCall) -> Response:
    recipe, count, seed = await call.body(), _count(call.query("count")), call.query("seed") or None
    workers = call.service.workers.lane(STATELESS, GENERATE_SECONDS)
    generated = await workers.run(tasks.generate_few, recipe, count, seed, MOST_AT_ONCE)
    if not isinstance(generated, int):
        return Response(generated, media_type="application/json")
    payload, who = jobs_queries.payload_of(recipe, generated, seed), call.person.id
    job = await call.service.store.write(lambda tx: new_job(tx, who, jobs_queries.GENERATION, payload, of=generated))
    call.service.jobs.wake()
    return json_response({"job": job}, 202)


def _count(given: str | None) -> int | None:
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and 1 <= int(given[:9]) <= MOST_EXERCISES):
        raise ServiceProblem(422, "parameter", f"count: a whole number from 1 to {MOST_EXERCISES:,}")
    return int(given)


async def _printed(call: ApiCall, task: Callable[[bytes, Mapping[str, str]], tuple[str, bytes]]) -> Response:
    media, output = await call.service.workers.run(task, await call.body(), _options(call))
    return Response(output, media_type=media)


def _options(call: ApiCall) -> dict[str, str]:
    return dict(call.request.query_params)
