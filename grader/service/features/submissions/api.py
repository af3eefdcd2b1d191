"""Handing in, and what became of it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from fastapi import APIRouter, Response
from sqlalchemy import Connection, Row
from sqlalchemy.exc import IntegrityError

from grader.service import tasks
from grader.service.base.clock import now
from grader.service.base.ids import sha256
from grader.service.base.program import PROGRAM
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.assignments.queries import due_level
from grader.service.features.attempts.queries import attempt_state
from grader.service.features.exercises.queries import called, variant_of
from grader.service.features.members.queries import member_code
from grader.service.features.submissions.queries import (
    Arrival,
    hand_in,
    is_counted,
    parts_of,
    report_of,
    state_of,
    told_by,
)
from grader.service.http.access import Who
from grader.service.http.answer_bodies import answers_bytes, beside_parts, read_answers, schema, verbatim
from grader.service.http.body_limits import ANSWER
from grader.service.http.json_bodies import json_response, shape
from grader.service.http.routing import ApiCall, Gives, Query, route
from grader.service.rules.assignment_dates import days_late
from grader.service.rules.assignment_rules import NOTHING, has_report, state_told
from grader.service.rules.grade_counting import FAILED, MARKED, STATES
from grader.service.rules.times import moment_text
from grader.service.workers.lanes import MARKING
from grader.service.workers.task_results import StoredReport
from grader.service.workers.work_problems import UNREADABLE, Refused, TaskFailed
from solver.languages import LANGUAGES

router = APIRouter()
_log = logging.getLogger("plymark.reports")
TEXT = {"type": "string"}
LONGEST_KEY = 200
RECEIPT = shape({"id": TEXT, "received": TEXT, "sha256": TEXT})
SUBMISSION = shape(
    {
        "id": TEXT,
        "attempt": TEXT,
        "state": {"enum": list(STATES)},
        "received": TEXT,
        "counted": {"type": "boolean"},
        "late": {"type": "integer"},
        "answers": {"type": "object"},
    }
)
KEY = Query(
    "Idempotency-Key",
    "Made once for an attempt; whoever repeats it gets the same answer",
    {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[ -~]*$"},
    required=True,
    place="header",
)
LANGUAGE = Query("language", "Of the report; the reader's own unless it is given", {"enum": list(LANGUAGES)})


@route(
    router,
    "POST",
    "/api/attempts/{t}/submissions",
    {201: Gives("It is stored", RECEIPT)},
    who=Who.OWNER,
    about="Hand in",
    problems=[409],
    body=schema(),
    queries=[KEY],
    limit=ANSWER,
)
async def submit(call: ApiCall) -> Response:
    arrived = now()
    key = call.request.headers.get("idempotency-key", "")
    if not key or len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
        words = f"send a header Idempotency-Key of 1 to {LONGEST_KEY} printable characters, the same with every retry"
        raise ServiceProblem(400, "idempotency-key", words)
    raw = await call.body()
    read_answers(raw)
    arrival = Arrival(call.row("t").id, key, raw, sha256(raw), arrived)
    course, who, store = call.course.id, call.person.id, call.service.store
    try:
        receipt = await store.write(lambda tx: hand_in(tx, arrival, course, who))
    except IntegrityError:
        # Another server was quicker: what it stored decides.
        receipt = await store.write(lambda tx: hand_in(tx, arrival, course, who))
    call.service.marking.wake()
    return json_response({"id": receipt.id, "received": moment_text(receipt.received), "sha256": receipt.sha256}, 201)


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """A submission as the caller may see it."""

    level: str
    state: str
    """What it is, whatever is told of it."""
    counted: bool
    late: int
    report: Row[Any] | None
    """Of its first part."""
    student: str
    parts: tuple[PartView, ...] = ()
    """Of an exam that is marked: all of them."""
    exam: tasks.ExamHeading | None = None

    @property
    def reports(self) -> list[Row[Any]]:
        """Of all parts; nothing while it is not marked."""
        if self.exam is not None:
            return [each.report for each in self.parts]
        return [] if self.report is None else [self.report]


@dataclass(frozen=True, slots=True)
class PartView:
    name: str
    report: Row[Any]


def keys_of(report: Row[Any]) -> tuple[str, ...]:
    """What a report is found by."""
    return (report.variant_sha256, report.canonical_sha256, report.program, report.overrides_sha256)


@route(
    router,
    "GET",
    "/api/submissions/{s}",
    {200: Gives("The submission", SUBMISSION)},
    who=Who.OWNER_OR_STAFF,
    about="A submission",
)
async def get_submission(call: ApiCall) -> Response:
    row = call.row("s")
    view = await call.service.store.read(lambda connection: view_submission(connection, call))
    data = {
        "id": row.id,
        "attempt": row.attempt,
        "state": state_told(view.level, view.state),
        "received": moment_text(row.received),
        "counted": view.counted,
        "late": view.late,
        "answers": verbatim(answers_bytes(row.raw)),
    }
    return json_response(data)


@route(router, "GET", "/api/submissions/{s}/report", {200: Gives("report/1 at the level due", {"type": "object"})},
       who=Who.OWNER_OR_STAFF,
       about="What became of a submission", problems=[409], queries=[LANGUAGE])  # fmt: skip
async def get_report(call: ApiCall) -> Response:
    wanted = call.query("language")
    language = (call.person.language or call.course.language) if wanted is None else wanted
    if language not in LANGUAGES:
        raise ServiceProblem(422, "parameter", f"language: one of {', '.join(LANGUAGES)}")
    view = await call.service.store.read(lambda connection: view_submission(connection, call))
    if not has_report(view.level):
        raise ServiceProblem(403, "not-released", "it has arrived; how it did is told later")
    if view.state != MARKED or view.report is None:
        words = "this could not be marked; it is tried again by itself" if view.state == FAILED else "not marked yet"
        raise ServiceProblem(409, "not-marked", words, headers={"Retry-After": "10" if view.state == FAILED else "1"})
    worded = await render_report(call, view, language)
    return Response(worded, media_type="application/json")


async def render_report(call: ApiCall, view: SubmissionView, language: str) -> bytes:
    """report/1 of what is marked, at the level that is due."""
    about: tuple[Any, ...] = tuple(keys_of(each) for each in view.reports)
    if view.exam is not None:
        about = (*about, view.exam)
    return await call.service.worded.get(
        (about, view.level, language, view.student), lambda: _word(call, view, language)
    )


async def _word(call: ApiCall, view: SubmissionView, language: str) -> bytes:
    """Where only the student's own answers are shown, without any marks."""
    worded = await _told_or_worked_out(call, view, language)
    return orjson.dumps(_without_marks(orjson.loads(worded))) if view.level == NOTHING else worded


def _without_marks(report: Any) -> Any:
    if isinstance(report, list):
        return [_without_marks(each) for each in report]
    if not isinstance(report, dict):
        return report
    return {key: _without_marks(each) for key, each in report.items() if key not in ("marks", "out_of", "override")}


async def _told_or_worked_out(call: ApiCall, view: SubmissionView, language: str) -> bytes:
    """What another program has stored, and what cannot be worded, is worked out again."""
    told = [blob for each in view.reports if (blob := told_by(PROGRAM, each)) is not None]
    if len(told) == len(view.reports):
        try:
            return await _worded(call, view, language, told)
        except Refused as refused:
            if refused.code != UNREADABLE:
                raise
            _log.warning("submission %s: %s", call.row("s").id, refused.detail)
    try:
        return await _worded(call, view, language, await call.service.marking.tell_again(call.row("s").id))
    except Refused as refused:
        raise TaskFailed(refused.detail) if refused.code == UNREADABLE else refused from None


async def _worded(call: ApiCall, view: SubmissionView, language: str, told: Sequence[bytes]) -> bytes:
    names = [each.name for each in view.parts] or [""]
    parts = [
        (name, StoredReport(blob, each.marks, each.questions))
        for name, blob, each in zip(names, told, view.reports, strict=True)
    ]
    workers = call.service.workers.lane(MARKING)
    return await workers.run(tasks.word, parts, view.level, language, {"student": view.student}, view.exam)


def view_submission(connection: Connection, call: ApiCall) -> SubmissionView:
    row = call.row("s")
    desk, parts = attempt_state(connection, row.attempt), parts_of(connection, row.id)
    return SubmissionView(
        due_level(connection, desk.row.assignment, call.member.role),
        state_of(parts),
        is_counted(parts),
        days_late(desk.dates.due, row.received, ZoneInfo(call.course.zone)),
        report_of(connection, parts[0]),
        member_code(connection, row.member),
        *_exam(connection, row, parts),
    )


def _exam(
    connection: Connection, row: Row[Any], parts: list[Row[Any]]
) -> tuple[tuple[PartView, ...], tasks.ExamHeading | None]:
    variants = [variant_of(connection, each.variant) for each in parts]
    if not variants[0].in_exam:
        return (), None
    name, title = called(connection, variants[0].version)
    found = [(each.name, report_of(connection, part)) for each, part in zip(variants, parts, strict=True)]
    told = tuple(PartView(each, report) for each, report in found if report is not None)
    odd = beside_parts(row.raw, {each.name for each in variants})
    return told, tasks.ExamHeading(name, title, tuple(odd))
