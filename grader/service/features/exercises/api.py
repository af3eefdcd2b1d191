"""Exercises: uploaded as documents, kept in versions that never change."""

from __future__ import annotations

import re

from fastapi import APIRouter, Response

from grader.service import tasks
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.exercises import queries as exercises_queries
from grader.service.features.exercises.queries import Upload, etag
from grader.service.http.access import Who
from grader.service.http.body_limits import UPLOAD
from grader.service.http.json_bodies import items, json_response, shape
from grader.service.http.routing import AFTER, LIMIT, ApiCall, Gives, Query, number_asked, page, route
from grader.service.workers.lanes import BULK

router = APIRouter()
TEXT, NUMBER, TEXT_OR_NULL = {"type": "string"}, {"type": "integer"}, {"type": ["string", "null"]}
FLAG = {"type": "boolean"}
MARKS = {"type": ["number", "string"]}
MADE = shape({"id": TEXT, "version": NUMBER, "variants": NUMBER})
LISTED = shape(
    {
        "id": TEXT,
        "name": TEXT,
        "title": TEXT_OR_NULL,
        "version": NUMBER,
        "kind": TEXT,
        "variants": NUMBER,
        "guessable": FLAG,
        "created": TEXT,
    }
)
VARIANT = shape({"part": NUMBER, "number": NUMBER, "name": TEXT, "sha256": TEXT, "out_of": MARKS})
VERSION = shape(
    {
        "id": TEXT,
        "name": TEXT,
        "title": TEXT_OR_NULL,
        "version": NUMBER,
        "latest": NUMBER,
        "kind": TEXT,
        "created": TEXT,
        "sha256": TEXT,
        "seed": TEXT_OR_NULL,
        "guessable": FLAG,
        "document": TEXT,
        "variants": {"type": "array", "items": VARIANT},
    }
)
MOST_MADE, LONGEST_SEED = 10_000, 64
COUNT = Query("count", "How many variants to make of a recipe", {"type": "integer", "minimum": 1, "maximum": MOST_MADE})
SEED = Query(
    "seed",
    "Of a recipe: the same seed makes the same variants, for whoever guesses it as well; without one it is drawn",
    {"type": "string", "maxLength": LONGEST_SEED},
)
WHICH = Query("version", "The newest unless another is asked for", {"type": "integer", "minimum": 1})
IF_MATCH = Query("If-Match", 'The version that was changed, as `"3"`: 412 if it is not the newest', place="header")
DOCUMENT = {"*/*": {"schema": {"type": "string"}}}
UPLOAD_SECONDS = 60.0

_TAG = re.compile(r'\s*(?:W/)?"(\d{1,9})"\s*', re.ASCII)


@route(router, "GET", "/api/courses/{c}/exercises", {200: Gives("Each with its newest version", items(LISTED))},
       who=Who.TEACHER,
       about="Exercises of a course", queries=[LIMIT, AFTER])  # fmt: skip
async def list_exercises(call: ApiCall) -> Response:
    wanted = page(call)
    return json_response(
        await call.service.store.read(lambda found: exercises_queries.exercises_of(found, call.course.id, wanted))
    )


@route(router, "POST", "/api/courses/{c}/exercises", {201: Gives("The exercise with its first version", MADE)},
       who=Who.TEACHER,
       about="Upload an exercise, a set of variants, a recipe or an exam", body=DOCUMENT, queries=[COUNT, SEED],
       limit=UPLOAD)  # fmt: skip
async def make_exercise(call: ApiCall) -> Response:
    upload = await take_in(call, await call.body(), *_asked(call))
    exercise_id = await call.service.store.write(
        lambda tx: exercises_queries.new_exercise(tx, call.person.id, call.course.id, upload)
    )
    return json_response({"id": exercise_id, "version": 1, "variants": upload.variants}, 201, {"ETag": etag(1)})


@route(router, "GET", "/api/courses/{c}/exercises/{e}", {200: Gives("A version, as it was uploaded", VERSION)},
       who=Who.TEACHER,
       about="An exercise", queries=[WHICH])  # fmt: skip
async def get_exercise(call: ApiCall) -> Response:
    of = call.row("e")
    number = number_asked(call, "version", of.latest) or of.latest
    found = await call.service.store.read(lambda connection: exercises_queries.version_data(connection, of, number))
    if found is None:
        raise ServiceProblem(404, "unknown", f"the exercise has no version {number}; its newest is {of.latest}")
    return json_response(found, headers={"ETag": etag(number)})


@route(router, "POST", "/api/courses/{c}/exercises/{e}/versions", {201: Gives("The new version", MADE)},
       who=Who.TEACHER,
       about="Upload a new version of an exercise", body=DOCUMENT, queries=[COUNT, SEED, IF_MATCH],
       problems=[412], limit=UPLOAD)  # fmt: skip
async def make_version(call: ApiCall) -> Response:
    of, asked, expected = call.row("e"), _asked(call), _expected(call)
    if expected is not None and expected != of.latest:
        raise exercises_queries.changed_since(of.latest, expected)
    upload = await take_in(call, await call.body(), *asked)
    number = await call.service.store.write(
        lambda tx: exercises_queries.add_version(tx, call.person.id, call.course.id, of.id, upload, expected)
    )
    return json_response({"id": of.id, "version": number, "variants": upload.variants}, 201, {"ETag": etag(number)})


def _asked(call: ApiCall) -> tuple[int | None, str | None]:
    """How many variants of a recipe, and by which seed; without one it is drawn."""
    seed = call.query("seed") or None
    if seed is not None and len(seed) > LONGEST_SEED:
        raise ServiceProblem(422, "parameter", f"seed: at most {LONGEST_SEED} characters")
    return number_asked(call, "count", MOST_MADE), seed


async def take_in(call: ApiCall, raw: bytes, count: int | None, seed: str | None) -> Upload:
    """What a worker makes of a document."""
    intake = await call.service.workers.lane(BULK, UPLOAD_SECONDS).run(tasks.take_in, raw, count, seed)
    return Upload(raw, intake, guessable=seed is not None)


def _expected(call: ApiCall) -> int | None:
    """What `If-Match` names; None where anything will do."""
    written = call.request.headers.get("if-match")
    if written is None or written.strip() == "*":
        return None
    found = _TAG.fullmatch(written)
    if found is None:
        raise ServiceProblem(412, "changed", 'If-Match holds the number of a version in quotation marks, as "3"')
    return int(found[1])
