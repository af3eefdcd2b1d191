"""Attempts: what a student is asked, what they have written so far, and how it is read."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import APIRouter, Response
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from grader.service.api.bodies import answer, shape
from grader.service.api.feedback import due_level
from grader.service.api.routing import ApiCall, Gives, route
from grader.service.api.spelt import read_answers, schema, verbatim
from grader.service.clock import now
from grader.service.edge.bodies import ANSWER
from grader.service.problems import MEDIA_TYPE, ServiceProblem, problem_body
from grader.service.rules.counting import MARKED
from grader.service.rules.dates import CLOSED
from grader.service.rules.feedback import state_told
from grader.service.store import attempts
from grader.service.store.attempts import Desk, Outdated, SavedDraft
from grader.service.store.submissions import parts_of, state_of
from grader.service.store.variants import StoredVariant, raw_of, variant_of
from grader.service.work.lanes import MARKING

router = APIRouter()
TEXT, NUMBER, LIST, OBJECT = {"type": "string"}, {"type": "integer"}, {"type": "array"}, {"type": "object"}
OPEN, SUBMITTED, EXPIRED = "open", "submitted", "expired"
LARGEST_REVISION = 2**31 - 2
ATTEMPT = shape(
    {
        "id": TEXT,
        "number": NUMBER,
        "variant": TEXT,
        "exercise": OBJECT,
        "fields": LIST,
        "tree": OBJECT,
        "state": {"enum": [OPEN, SUBMITTED, MARKED, EXPIRED]},
        "draft": {"type": ["object", "null"]},
        "revision": NUMBER,
    }
)
READ = shape({"fields": OBJECT, "ignored": LIST})


@route(
    router,
    "POST",
    "/api/assignments/{a}/attempts",
    {201: Gives("A new attempt", ATTEMPT), 200: Gives("The one that is open", ATTEMPT)},
    about="Begin an attempt, or go on with it",
)
async def begin_attempt(call: ApiCall) -> Response:
    row, of = call.row("a"), call.member
    language = call.person.language or call.course.language
    store = call.service.store
    found = await store.read(lambda connection: attempts.open_attempt(connection, row, of))
    if found is not None:
        return await _shown(call, found, 200)
    try:
        begun, new = await store.write(lambda tx: attempts.begin(tx, row, of, language))
    except IntegrityError:
        # Another server was quicker: its attempt is the one.
        begun, new = await store.write(lambda tx: attempts.begin(tx, row, of, language))
    return await _shown(call, begun, 201 if new else 200)


@route(router, "GET", "/api/attempts/{t}", {200: Gives("The attempt", ATTEMPT)}, about="An attempt")
async def get_attempt(call: ApiCall) -> Response:
    return await _shown(call, call.row("t").id, 200)


@route(
    router,
    "PUT",
    "/api/attempts/{t}/draft",
    {200: Gives("The draft's new revision", shape({"revision": NUMBER}))},
    about="Save what was written so far",
    problems=[409],
    body=schema(revision={"type": "integer", "minimum": 0, "maximum": LARGEST_REVISION}),
    limit=ANSWER,
)
async def save_draft(call: ApiCall) -> Response:
    arrived = now()
    fields = read_answers(await call.body(), ["revision"])
    revision = _revision(fields["revision"])
    answers, attempt_id = orjson.dumps(fields["answers"]), call.row("t").id
    try:
        saved = await call.service.store.write(
            lambda tx: attempts.save_draft(tx, attempt_id, answers, revision, arrived)
        )
    except (Outdated, IntegrityError) as found:
        return _outdated(found.found if isinstance(found, Outdated) else await _draft(call, attempt_id))
    return answer({"revision": saved})


@route(router, "POST", "/api/attempts/{t}/read", {200: Gives("What was read, field by field", READ)},
       about="How answers are read; nothing about right or wrong", body=schema(), limit=ANSWER)  # fmt: skip
async def read_attempt(call: ApiCall) -> Response:
    raw = await call.body()
    read_answers(raw)
    language, variant_raw = await call.service.store.read(lambda connection: _asked(connection, call.row("t").id))
    return answer(await call.service.workers.run("read", variant_raw, raw, language))


async def _shown(call: ApiCall, attempt_id: str, status: int) -> Response:
    desk, variant, found, state = await call.service.store.read(lambda connection: _state(connection, call, attempt_id))
    posed = await call.service.posed.get(
        (variant.sha256, desk.row.language), lambda: _pose(call, variant.id, desk.row.language)
    )
    data = {
        "id": desk.row.id,
        "number": desk.row.number,
        "variant": variant.name,
        **posed,
        "state": state,
        "draft": None if found is None else verbatim(found.answers),
        "revision": 0 if found is None else found.revision,
    }
    return answer(data, status)


async def _pose(call: ApiCall, variant_id: str, language: str) -> dict[str, Any]:
    """Each part of the answer as JSON, ready to go out. Never refused for the queue's depth: a class begins at once."""
    raw = await call.service.store.read(lambda connection: raw_of(connection, variant_id))
    posed = await call.service.workers.run("pose", raw, language, lane=MARKING)
    return {name: verbatim(orjson.dumps(part)) for name, part in posed.items()}


def _state(
    connection: Connection, call: ApiCall, attempt_id: str
) -> tuple[Desk, StoredVariant, SavedDraft | None, str]:
    desk = attempts.desk_of(connection, attempt_id)
    variant = variant_of(connection, desk.variants[0])
    found = attempts.draft_of(connection, attempt_id)
    if desk.row.submission is None:
        return desk, variant, found, EXPIRED if desk.refusal(now()) == CLOSED else OPEN
    level = due_level(connection, desk.row.assignment, call.member.role)
    told = state_told(level, state_of(parts_of(connection, desk.row.submission)))
    return desk, variant, found, MARKED if told == MARKED else SUBMITTED


def _asked(connection: Connection, attempt_id: str) -> tuple[str, bytes]:
    """In which language, and what."""
    desk = attempts.desk_of(connection, attempt_id)
    return desk.row.language, raw_of(connection, desk.variants[0])


async def _draft(call: ApiCall, attempt_id: str) -> SavedDraft:
    found = await call.service.store.read(lambda connection: attempts.draft_of(connection, attempt_id))
    assert found is not None
    return found


def _revision(written: Any) -> int:
    """JSON has one kind of number: 2.0 is 2."""
    whole = written if isinstance(written, int) or (isinstance(written, float) and written.is_integer()) else -1
    if isinstance(written, bool) or not 0 <= whole <= LARGEST_REVISION:
        raise ServiceProblem(422, "field", "revision: the number that the draft had when it was read, 0 without one")
    return int(whole)


def _outdated(theirs: SavedDraft) -> Response:
    """With the draft that is stored, its numbers as they were spelt."""
    stored = {"answers": verbatim(theirs.answers), "revision": theirs.revision}
    body = problem_body(409, "draft", "another window has saved this draft since", extra=stored)
    return Response(orjson.dumps(body), 409, media_type=MEDIA_TYPE)
