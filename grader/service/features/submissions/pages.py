"""`/s/{submission}`: a receipt, and as much of what became of it as is due."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Connection, select
from starlette.responses import HTMLResponse

from grader.kernel.verdicts import SIGNS
from grader.service import tasks
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.accounts.queries import by_id
from grader.service.features.assignments.queries import one_described
from grader.service.features.attempts.queries import AttemptState, attempt_state
from grader.service.features.classes.queries import neighbours
from grader.service.features.exercises.queries import StoredVariant, raw_of, raw_reader, variant_of
from grader.service.features.submissions.api import SubmissionView, render_report, view_submission
from grader.service.features.submissions.queries import parts_of
from grader.service.http.access import STUDENT, TEACHER, Who, unknown
from grader.service.http.answer_bodies import answers_bytes
from grader.service.http.answer_sheet import Sheet, pose_exercise, saved_answers, whole_sheet
from grader.service.http.page_calls import PageCall
from grader.service.http.page_routes import page
from grader.service.http.rendering import render
from grader.service.http.routing import number_asked
from grader.service.rules.assignment_rules import FULL, has_report, state_told
from grader.service.rules.grade_counting import MARKED
from grader.service.store.tables import assignment, grade, member
from grader.service.workers.lanes import MARKING

router = APIRouter()
_POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


@page(router, "GET", "/s/{s}", who=Who.OWNER_OR_STAFF)
async def show_submission(call: PageCall) -> Response:
    row = call.row("s")
    seen, desk, title, whose = await call.service.store.read(lambda connection: _found(connection, call))
    by = await _marked_by(call, desk)
    posed = [await pose_exercise(call, each.sha256, raw_reader(each), desk.row.language) for each in by]
    sheet = whole_sheet(posed, call.texts, saved_answers(answers_bytes(row.raw)))
    state = state_told(seen.level, seen.state)
    report, parts = None, []
    if has_report(seen.level) and seen.state == MARKED and seen.report is not None:
        worded = await render_report(call, seen, call.language)
        report = json.loads(worded, parse_float=str, parse_int=str)
        told = [report] if seen.exam is None else report["parts"]
        parts = [
            await _part(call, seen, variant, part)
            for variant, part in zip(by, zip(sheet.parts, told, strict=True), strict=True)
        ]
    return render(
        call,
        "submissions/submission.html",
        title=title,
        whose=whose,
        desk=desk,
        row=row,
        sheet=sheet,
        state=state,
        seen=seen,
        is_released=has_report(seen.level),
        report=report,
        parts=parts,
        signs=SIGNS,
        own=call.member.id == row.member,
        beside=await _beside(call, desk),
    )


async def _part(
    call: PageCall, seen: SubmissionView, by: StoredVariant, part: tuple[Sheet, Mapping[str, Any]]
) -> dict[str, Any]:
    """An exercise, or a part of an exam, with what its report tells."""
    sheet, told = part
    worded = json.dumps({"questions": told["questions"]}).encode()
    row = call.row("s")
    pictures = await _pictures(call, by, row.raw, worded, seen)
    return {
        "sheet": sheet,
        "report": told,
        "questions": _rows(sheet, told, pictures.names),
        "pictures": pictures,
        "steps": f"/s/{row.id}/steps" + (f"?part={sheet.number}" if sheet.number else ""),
    }


@page(router, "GET", "/s/{s}/steps", who=Who.OWNER_OR_STAFF)
async def show_steps(call: PageCall) -> Response:
    """The search, stage by stage, to whom the key is due: a page that needs nothing else, with a policy of its own."""
    seen, desk, _, _ = await call.service.store.read(lambda connection: _found(connection, call))
    if seen.level != FULL or seen.state != MARKED:
        raise ServiceProblem(403, "not-released", "it has arrived; how it did is told later")
    parts = await _marked_by(call, desk)
    number = number_asked(call, "part", len(parts)) or 1
    if number > len(parts):
        raise unknown()
    by = parts[number - 1]
    raw = await call.service.store.read(lambda connection: raw_of(connection, by.id))
    workers = call.service.workers.lane(MARKING)
    html = await call.service.steps.get(
        (by.sha256, call.language), lambda: workers.run(tasks.steps, raw, call.language)
    )
    found = _POLICY.search(html)
    assert found is not None
    policy = found[1].decode().replace("&#x27;", "'").replace("&#39;", "'")
    return HTMLResponse(html, headers={"Content-Security-Policy": f"{policy}; frame-ancestors 'none'"})


async def _beside(call: PageCall, desk: AttemptState) -> dict[str, Any] | None:
    """For whoever judges: the work of the students before and after, and where these marks are changed."""
    row, assignment_id = call.row("s"), desk.row.assignment
    if call.member.role == STUDENT or desk.row.trial:
        return None

    def read(connection: Connection) -> dict[str, Any]:
        of = select(grade.c.id).where(grade.c.assignment == assignment_id, grade.c.member == row.member)
        before, after = neighbours(connection, assignment_id, row.member)
        grade_id = connection.execute(of).scalar_one_or_none() if call.member.role == TEACHER else None
        return {"assignment": assignment_id, "previous": before, "next": after, "grade": grade_id}

    return await call.service.store.read(read)


async def _pictures(
    call: PageCall, by: StoredVariant, submitted: bytes, worded: bytes, seen: SubmissionView
) -> tasks.AnswerPictures:
    """What was handed in beside the key, as far as the report tells what became of it."""
    raw = await call.service.store.read(lambda connection: raw_of(connection, by.id))
    body = b'{"answers":%s}' % answers_bytes(submitted, () if seen.exam is None else [by.name])
    with_key, workers = seen.level == FULL, call.service.workers.lane(MARKING)
    key = (by.sha256, sha256(body).digest(), sha256(worded).digest(), call.language, with_key)
    return await call.service.pictures.get(
        key, lambda: workers.run(tasks.answer_pictures, raw, body, worded, call.language, with_key)
    )


async def _marked_by(call: PageCall, desk: AttemptState) -> list[StoredVariant]:
    """What the submission is marked against, by part; it may be of a later version than what was asked."""
    submission_id = call.row("s").id

    def read(connection: Connection) -> list[StoredVariant]:
        marked = [each.variant for each in parts_of(connection, submission_id)]
        return [variant_of(connection, each) for each in marked or desk.variants]

    return await call.service.store.read(read)


def _found(connection: Connection, call: PageCall) -> tuple[SubmissionView, AttemptState, str, str]:
    row = call.row("s")
    desk = attempt_state(connection, row.attempt)
    described = one_described(
        connection, connection.execute(assignment.select().where(assignment.c.id == desk.row.assignment)).one()
    )
    whose = connection.execute(member.select().where(member.c.id == row.member)).one()
    return (
        view_submission(connection, call),
        desk,
        described.title or described.name,
        whose.code if call.names_off else by_id(connection, whose.person).name,
    )


def _rows(sheet: Sheet, report: Mapping[str, Any], names: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Questions of the report with the words in which they were asked, and items as people call them."""
    asked = {question.id: question.text for question in sheet.questions}
    return [
        {
            **each,
            "text": asked.get(each["id"], each["id"]),
            "items": [{**item, "called": name} for item, name in zip(each["items"], called, strict=True)],
        }
        for each, called in zip(report["questions"], names, strict=True)
    ]
