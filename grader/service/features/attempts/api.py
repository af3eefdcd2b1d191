"""Attempts: what a student is asked, what they have written so far, and how it is read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Response
from pydantic import Field
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from grader.service import tasks
from grader.service.base.clock import now
from grader.service.base.service_problems import MEDIA_TYPE, ServiceProblem, problem_body
from grader.service.features.assignments.queries import due_level
from grader.service.features.attempts import queries as attempts_queries
from grader.service.features.attempts.queries import AttemptState, Outdated, SavedDraft
from grader.service.features.exercises.queries import StoredVariant, called, raw_of, variant_of
from grader.service.features.submissions.queries import parts_of, state_of
from grader.service.http.access import AnyRow, Who
from grader.service.http.answer_bodies import beside_parts, read_answers, schema, verbatim
from grader.service.http.body_limits import ANSWER
from grader.service.http.json_bodies import Body, Minutes, json_response, shape
from grader.service.http.routing import ApiCall, Gives, route
from grader.service.rules.assignment_dates import CLOSED
from grader.service.rules.assignment_rules import state_told
from grader.service.rules.grade_counting import MARKED
from grader.service.rules.times import moment_text
from grader.service.workers.lanes import MARKING
from grader.service.workers.task_results import members

router = APIRouter()
TEXT, NUMBER, LIST, OBJECT = {"type": "string"}, {"type": "integer"}, {"type": "array"}, {"type": "object"}
TEXT_OR_NULL = {"type": ["string", "null"]}
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
        "ends": TEXT_OR_NULL,
        "now": TEXT,
        "draft": {"type": ["object", "null"]},
        "revision": NUMBER,
    }
)
REOPENED = shape({"id": TEXT, "number": NUMBER, "state": {"const": OPEN}, "ends": TEXT_OR_NULL, "now": TEXT})
READ = shape({"fields": OBJECT, "ignored": LIST})


class ReopenFields(Body):
    """Without minutes, an attempt has as many as the assignment gives."""

    minutes: Minutes | None = None
    reason: Annotated[str, Field(min_length=1, max_length=1000, pattern=r"\S")]


@route(
    router,
    "POST",
    "/api/assignments/{a}/attempts",
    {201: Gives("A new attempt", ATTEMPT), 200: Gives("The one that is open", ATTEMPT)},
    who=Who.PLAYERS,
    about="Begin an attempt, or go on with it",
)
async def begin_attempt(call: ApiCall) -> Response:
    row, of = call.row("a"), call.member
    language = call.person.language or call.course.language
    store = call.service.store
    found = await store.read(lambda connection: attempts_queries.open_attempt(connection, row, of))
    if found is not None:
        return await _shown(call, found, 200)
    try:
        begun, new = await store.write(lambda tx: attempts_queries.begin(tx, row, of, language))
    except IntegrityError:
        # Another server was quicker: its attempt is the one.
        begun, new = await store.write(lambda tx: attempts_queries.begin(tx, row, of, language))
    return await _shown(call, begun, 201 if new else 200)


@route(router, "GET", "/api/attempts/{t}", {200: Gives("The attempt", ATTEMPT)}, who=Who.OWNER, about="An attempt")
async def get_attempt(call: ApiCall) -> Response:
    return await _shown(call, call.row("t").id, 200)


@route(
    router,
    "PUT",
    "/api/attempts/{t}/draft",
    {200: Gives("The draft's new revision", shape({"revision": NUMBER}))},
    who=Who.OWNER,
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
            lambda tx: attempts_queries.save_draft(tx, attempt_id, answers, revision, arrived)
        )
    except (Outdated, IntegrityError) as found:
        return _outdated(found.found if isinstance(found, Outdated) else await _draft(call, attempt_id))
    return json_response({"revision": saved})


@route(router, "POST", "/api/attempts/{t}/reopen", {200: Gives("The attempt, open again", REOPENED)}, who=Who.TEACHER,
       about="Give an attempt back, with its draft", problems=[409], body=ReopenFields)  # fmt: skip
async def reopen_attempt(call: ApiCall) -> Response:
    fields: ReopenFields = await call.fields(ReopenFields)
    desk = await reopen(call, call.row("t"), fields)
    return json_response({"id": desk.row.id, "number": desk.row.number, "state": OPEN, **_clock(desk)})


async def reopen(call: ApiCall, of: AnyRow, fields: ReopenFields) -> AttemptState:
    """By the API or on a page; `of` is the attempt with its course."""
    who = call.person.id
    return await call.service.store.write(
        lambda tx: attempts_queries.reopen(tx, who, of, fields.minutes, fields.reason)
    )


@route(router, "POST", "/api/attempts/{t}/read", {200: Gives("What was read, field by field", READ)}, who=Who.OWNER,
       about="How answers are read; nothing about right or wrong", body=schema(), limit=ANSWER)  # fmt: skip
async def read_attempt(call: ApiCall) -> Response:
    raw = await call.body()
    read_answers(raw)
    language, variants = await call.service.store.read(lambda connection: _asked(connection, call.row("t").id))
    return json_response(_reading_data(await read_parts(call, variants, raw, language)))


async def read_parts(
    call: ApiCall, variants: Sequence[StoredVariant], body: bytes, language: str
) -> tasks.AnswerReading:
    """How the answers to each part are read, and what answers none."""
    fields: dict[str, tasks.FieldReading] = {}
    ignored = beside_parts(body, {each.name for each in variants}) if variants[0].in_exam else []
    for each in variants:
        raw = await call.service.store.read(partial(raw_of, variant_id=each.id))
        reading = await call.service.workers.lane(MARKING).run(tasks.read, raw, body, language)
        fields |= reading.fields
        ignored += reading.ignored
    return tasks.AnswerReading(fields, tuple(ignored))


def _reading_data(reading: tasks.AnswerReading) -> dict[str, Any]:
    fields = {
        name: {"read": each.text} if each.problem is None else {"problem": each.problem}
        for name, each in reading.fields.items()
    }
    return {"fields": fields, "ignored": reading.ignored}


async def _shown(call: ApiCall, attempt_id: str, status: int) -> Response:
    desk, variants, found, state = await call.service.store.read(
        lambda connection: _state(connection, call, attempt_id)
    )
    language = desk.row.language
    posed = [
        await call.service.posed.get((each.sha256, language), partial(_pose, call, each, language)) for each in variants
    ]
    if variants[0].in_exam:
        name, title = await call.service.store.read(lambda connection: called(connection, variants[0].version))
        parts = [each.exercise for each in posed]
        exercise: Any = {"id": name, "title": title, "language": language, "parts": parts}
        tree: Any = {"parts": [each.tree for each in posed]}
    else:
        exercise, tree = posed[0].exercise, posed[0].tree
    data = {
        "id": desk.row.id,
        "number": desk.row.number,
        "variant": ", ".join(each.name for each in variants),
        "exercise": exercise,
        "fields": [_field_data(field) for each in posed for field in each.fields],
        "tree": tree,
        "state": state,
        **_clock(desk),
        "draft": None if found is None else verbatim(found.answers),
        "revision": 0 if found is None else found.revision,
    }
    return json_response(data, status)


def _field_data(field: tasks.AnswerField) -> dict[str, Any]:
    """With its part in an exam."""
    data = members(field)
    return data if field.part else {name: value for name, value in data.items() if name != "part"}


async def _pose(call: ApiCall, variant: StoredVariant, language: str) -> tasks.PosedExercise:
    """Never refused for the queue's depth: a class begins at once."""
    raw = await call.service.store.read(lambda connection: raw_of(connection, variant.id))
    return await call.service.workers.lane(MARKING).run(tasks.pose, raw, language)


def _state(
    connection: Connection, call: ApiCall, attempt_id: str
) -> tuple[AttemptState, list[StoredVariant], SavedDraft | None, str]:
    desk = attempts_queries.attempt_state(connection, attempt_id)
    variants = [variant_of(connection, each) for each in desk.variants]
    found = attempts_queries.draft_of(connection, attempt_id)
    if desk.row.submission is None:
        return desk, variants, found, EXPIRED if desk.refusal(now()) == CLOSED else OPEN
    level = due_level(connection, desk.row.assignment, call.member.role)
    told = state_told(level, state_of(parts_of(connection, desk.row.submission)))
    return desk, variants, found, MARKED if told == MARKED else SUBMITTED


def _asked(connection: Connection, attempt_id: str) -> tuple[str, list[StoredVariant]]:
    """In which language, and what."""
    desk = attempts_queries.attempt_state(connection, attempt_id)
    return desk.row.language, [variant_of(connection, each) for each in desk.variants]


def _clock(desk: AttemptState) -> dict[str, str | None]:
    """When it ends, and what time it is here: a reader's own clock may be wrong."""
    return {"ends": None if desk.ends is None else moment_text(desk.ends), "now": moment_text(now())}


async def _draft(call: ApiCall, attempt_id: str) -> SavedDraft:
    found = await call.service.store.read(lambda connection: attempts_queries.draft_of(connection, attempt_id))
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
