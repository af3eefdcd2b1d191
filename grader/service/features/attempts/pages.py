"""`/a/{assignment}`: begin, write, see what is still blank or unreadable, hand in; and give an attempt back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from fastapi import APIRouter, Response
from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import IntegrityError

from grader.service import tasks
from grader.service.base.clock import now
from grader.service.base.ids import new_id, sha256
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.assignments.queries import AssignmentView, one_described, view_assignment
from grader.service.features.attempts import queries as attempts_queries
from grader.service.features.attempts.api import ReopenFields, read_parts, reopen
from grader.service.features.attempts.queries import OVER, AttemptState, Outdated, SavedDraft, attempt_state, draft_of
from grader.service.features.exercises.queries import StoredVariant, raw_reader, variant_of
from grader.service.features.submissions.queries import Arrival, Receipt, hand_in
from grader.service.http.access import Who, unknown
from grader.service.http.answer_sheet import (
    WholeSheet,
    all_with_reading,
    body_of,
    pose_exercise,
    saved_answers,
    whole_sheet,
    written_answers,
)
from grader.service.http.page_calls import PageCall, number_written
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import render
from grader.service.store.tables import assignment, attempt

_own = select(attempt.c.member, attempt.c.assignment).where(attempt.c.id == bindparam("id"))


@dataclass(frozen=True, slots=True)
class OpenAttempt:
    desk: AttemptState
    variants: Sequence[StoredVariant]
    """One for each part."""
    draft: SavedDraft | None
    posed: Sequence[tasks.PosedExercise]
    """Of each part."""

    @property
    def revision(self) -> int:
        return 0 if self.draft is None else self.draft.revision

    @property
    def saved(self) -> dict[str, Any]:
        """The answers of the draft."""
        return {} if self.draft is None else saved_answers(self.draft.answers)


async def find_open_attempt(call: PageCall, attempt_id: str) -> OpenAttempt:
    """404 for an attempt that is not the caller's, or of another assignment."""
    desk, variants, draft = await call.service.store.read(lambda connection: _found(connection, call, attempt_id))
    posed = [await pose_exercise(call, each.sha256, raw_reader(each), desk.row.language) for each in variants]
    return OpenAttempt(desk, variants, draft, posed)


async def read_sheet(call: PageCall, opened: OpenAttempt, answers: Mapping[str, Any]) -> WholeSheet:
    """The sheet with these answers, and how each is read; nothing about right or wrong."""
    sheet = whole_sheet(opened.posed, call.texts, answers)
    if not answers:
        return sheet
    return all_with_reading(sheet, await read_parts(call, opened.variants, body_of(answers), opened.desk.row.language))


def _found(
    connection: Connection, call: PageCall, attempt_id: str
) -> tuple[AttemptState, list[StoredVariant], SavedDraft | None]:
    if not _is_own(connection, call, attempt_id):
        raise unknown()
    desk = attempt_state(connection, attempt_id)
    return desk, [variant_of(connection, each) for each in desk.variants], draft_of(connection, attempt_id)


def _is_own(connection: Connection, call: PageCall, attempt_id: str) -> bool:
    """Whether it is the caller's attempt at the assignment of the page."""
    row = connection.execute(_own, {"id": attempt_id}).first()
    return row is not None and row.member == call.member.id and row.assignment == call.row("a").id


router = APIRouter()
LONGEST_KEY, LONGEST_REVISION = 64, 9


@page(router, "GET", "/a/{a}", who=Who.PLAYERS)
async def show_assignment(call: PageCall) -> Response:
    """The sheet of the attempt that is open; else what the assignment is about, with a button that begins."""
    about = await _about(call)
    if about.open is None:
        return render(call, "attempts/assignment.html", about=about)
    opened = await find_open_attempt(call, about.open.id)
    return await _sheet_page(call, about, opened, saved=bool(call.query("saved")))


@page(router, "POST", "/a/{a}", who=Who.PLAYERS)
async def begin(call: PageCall) -> Response:
    row, of, store = call.row("a"), call.member, call.service.store
    language = call.person.language or call.course.language
    try:
        await store.write(lambda tx: attempts_queries.begin(tx, row, of, language))
    except IntegrityError:
        # Another server was quicker: its attempt is the one.
        await store.write(lambda tx: attempts_queries.begin(tx, row, of, language))
    return redirect(call, f"/a/{row.id}")


@page(router, "POST", "/a/{a}/draft", who=Who.PLAYERS)
async def save(call: PageCall) -> Response:
    opened = await find_open_attempt(call, call.form["attempt"])
    conflict = await _save(call, opened)
    return conflict or redirect(call, f"/a/{call.row('a').id}?saved=1")


@page(router, "POST", "/a/{a}/check", who=Who.PLAYERS)
async def save_and_check(call: PageCall) -> Response:
    """Saved first: a page that was asked for, and not sent to, can be gone back to."""
    opened = await find_open_attempt(call, call.form["attempt"])
    conflict = await _save(call, opened)
    return conflict or redirect(call, f"/a/{call.row('a').id}/check")


@page(router, "GET", "/a/{a}/check", who=Who.PLAYERS)
async def check(call: PageCall) -> Response:
    """What is still blank or unreadable, before it is handed in. It never stands in the way."""
    about = await _about(call)
    if about.open is None:
        return redirect(call, f"/a/{about.id}")
    opened = await find_open_attempt(call, about.open.id)
    sheet = await read_sheet(call, opened, opened.saved)
    # The key is made here, once for this page: whoever presses the button twice hands in once.
    return render(call, "attempts/check.html", about=about, sheet=sheet, desk=opened, key=new_id())


@page(router, "POST", "/a/{a}/hand-in", who=Who.PLAYERS)
async def submit(call: PageCall) -> Response:
    arrived = now()
    opened = await find_open_attempt(call, call.form["attempt"])
    raw = body_of(written_answers(call, opened.posed))
    key = call.form["key"][:LONGEST_KEY] or new_id()
    arrival = Arrival(opened.desk.row.id, key, raw, sha256(raw), arrived)
    course, who, store = call.course.id, call.person.id, call.service.store
    try:
        receipt: Receipt = await store.write(lambda tx: hand_in(tx, arrival, course, who))
    except IntegrityError:
        receipt = await store.write(lambda tx: hand_in(tx, arrival, course, who))
    call.service.marking.wake()
    return redirect(call, f"/s/{receipt.id}")


async def _about(call: PageCall) -> AssignmentView:
    row, member, at = call.row("a"), call.member, now()

    def read(connection: Connection) -> AssignmentView:
        return view_assignment(connection, one_described(connection, row), member, at)

    return await call.service.store.read(read)


async def _sheet_page(call: PageCall, about: AssignmentView, opened: OpenAttempt, saved: bool) -> Response:
    sheet = await read_sheet(call, opened, opened.saved)
    return render(call, "attempts/attempt.html", about=about, sheet=sheet, desk=opened, saved=saved)


async def _save(call: PageCall, opened: OpenAttempt) -> Response | None:
    """Keeps what the form holds; or the page that shows both, if another window has saved something else since."""
    if opened.desk.row.submission is not None:
        raise ServiceProblem(409, OVER, "this attempt has been handed in")
    answers, arrived, attempt_id = written_answers(call, opened.posed), now(), opened.desk.row.id
    body_of(answers)
    written = call.form["revision"]
    revision = int(written) if written.isdecimal() and len(written) <= LONGEST_REVISION else 0
    if answers == opened.saved:
        return None
    raw = orjson.dumps(answers)
    try:
        await call.service.store.write(lambda tx: attempts_queries.save_draft(tx, attempt_id, raw, revision, arrived))
    except Outdated as outdated:
        mine = whole_sheet(opened.posed, call.texts, answers)
        theirs = whole_sheet(opened.posed, call.texts, saved_answers(outdated.found.answers))
        pairs = [(own, other) for own, other in zip(mine.fields, theirs.fields, strict=True) if own.text != other.text]
        return render(
            call,
            "attempts/conflict.html",
            409,
            about=await _about(call),
            desk=opened,
            mine=mine,
            pairs=pairs,
            revision=outdated.found.revision,
        )
    return None


@page(router, "POST", "/teach/g/{g}/reopen", who=Who.TEACHER)
async def reopen_attempt(call: PageCall) -> Response:
    row, wanted = call.row("g"), call.form["attempt"]
    fields = ReopenFields.of({"minutes": number_written(call.form, "minutes"), "reason": call.form["reason"]})
    whose = (attempt.c.assignment == row.assignment, attempt.c.member == row.member, attempt.c.trial.is_(False))
    statement = select(attempt, assignment.c.course).join(assignment).where(attempt.c.id == wanted, *whose)
    of = await call.service.store.read(lambda connection: connection.execute(statement).first())
    if of is None:
        raise unknown()
    await reopen(call, of, fields)
    return redirect(call, f"/teach/g/{row.id}")
