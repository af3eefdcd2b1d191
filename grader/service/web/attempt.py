"""`/a/{assignment}`: begin, write, see what is still blank or unreadable, hand in."""

from __future__ import annotations

import orjson
from fastapi import APIRouter, Response
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from grader.service.access.who import Who
from grader.service.clock import now
from grader.service.ids import new_id, sha256
from grader.service.problems import ServiceProblem
from grader.service.store import attempts
from grader.service.store.assignments import one_described
from grader.service.store.attempts import OVER, Outdated
from grader.service.store.submissions import Arrival, Receipt, hand_in
from grader.service.web.attempt_desk import OpenDesk, body_of, open_desk, read_sheet, written_answers
from grader.service.web.calls import PageCall
from grader.service.web.pages import go, page
from grader.service.web.rendering import render
from grader.service.web.sheet import saved_answers, whole_sheet
from grader.service.web.standing_views import Assigned, assigned

router = APIRouter()
LONGEST_KEY, LONGEST_REVISION = 64, 9


@page(router, "GET", "/a/{a}", who=Who.PLAYERS)
async def show_assignment(call: PageCall) -> Response:
    """The sheet of the attempt that is open; else what the assignment is about, with a button that begins."""
    about = await _about(call)
    if about.open is None:
        return render(call, "assignment.html", about=about)
    found = await open_desk(call, about.open.id)
    return await _sheet_page(call, about, found, saved=bool(call.query("saved")))


@page(router, "POST", "/a/{a}", who=Who.PLAYERS)
async def begin(call: PageCall) -> Response:
    row, of, store = call.row("a"), call.member, call.service.store
    language = call.person.language or call.course.language
    try:
        await store.write(lambda tx: attempts.begin(tx, row, of, language))
    except IntegrityError:
        # Another server was quicker: its attempt is the one.
        await store.write(lambda tx: attempts.begin(tx, row, of, language))
    return go(call, f"/a/{row.id}")


@page(router, "POST", "/a/{a}/draft", who=Who.PLAYERS)
async def save(call: PageCall) -> Response:
    found = await open_desk(call, call.form["attempt"])
    conflict = await _save(call, found)
    return conflict or go(call, f"/a/{call.row('a').id}?saved=1")


@page(router, "POST", "/a/{a}/check", who=Who.PLAYERS)
async def save_and_check(call: PageCall) -> Response:
    """Saved first: a page that was asked for, and not sent to, can be gone back to."""
    found = await open_desk(call, call.form["attempt"])
    conflict = await _save(call, found)
    return conflict or go(call, f"/a/{call.row('a').id}/check")


@page(router, "GET", "/a/{a}/check", who=Who.PLAYERS)
async def check(call: PageCall) -> Response:
    """What is still blank or unreadable, before it is handed in. It never stands in the way."""
    about = await _about(call)
    if about.open is None:
        return go(call, f"/a/{about.id}")
    found = await open_desk(call, about.open.id)
    sheet = await read_sheet(call, found, found.saved)
    # The key is made here, once for this page: whoever presses the button twice hands in once.
    return render(call, "check.html", about=about, sheet=sheet, desk=found, key=new_id())


@page(router, "POST", "/a/{a}/hand-in", who=Who.PLAYERS)
async def submit(call: PageCall) -> Response:
    arrived = now()
    found = await open_desk(call, call.form["attempt"])
    raw = body_of(written_answers(call, found.posed))
    key = call.form["key"][:LONGEST_KEY] or new_id()
    arrival = Arrival(found.desk.row.id, key, raw, sha256(raw), arrived)
    course, who, store = call.course.id, call.person.id, call.service.store
    try:
        receipt: Receipt = await store.write(lambda tx: hand_in(tx, arrival, course, who))
    except IntegrityError:
        receipt = await store.write(lambda tx: hand_in(tx, arrival, course, who))
    call.service.marking.wake()
    return go(call, f"/s/{receipt.id}")


async def _about(call: PageCall) -> Assigned:
    row, member, at = call.row("a"), call.member, now()

    def read(connection: Connection) -> Assigned:
        return assigned(connection, one_described(connection, row), member, at)

    return await call.service.store.read(read)


async def _sheet_page(call: PageCall, about: Assigned, found: OpenDesk, saved: bool) -> Response:
    sheet = await read_sheet(call, found, found.saved)
    return render(call, "attempt.html", about=about, sheet=sheet, desk=found, saved=saved)


async def _save(call: PageCall, found: OpenDesk) -> Response | None:
    """Keeps what the form holds; or the page that shows both, if another window has saved something else since."""
    if found.desk.row.submission is not None:
        raise ServiceProblem(409, OVER, "this attempt has been handed in")
    answers, arrived, attempt_id = written_answers(call, found.posed), now(), found.desk.row.id
    body_of(answers)
    written = call.form["revision"]
    revision = int(written) if written.isdecimal() and len(written) <= LONGEST_REVISION else 0
    if answers == found.saved:
        return None
    raw = orjson.dumps(answers)
    try:
        await call.service.store.write(lambda tx: attempts.save_draft(tx, attempt_id, raw, revision, arrived))
    except Outdated as outdated:
        mine = whole_sheet(found.posed, call.texts, answers)
        theirs = whole_sheet(found.posed, call.texts, saved_answers(outdated.found.answers))
        pairs = [(own, other) for own, other in zip(mine.fields, theirs.fields, strict=True) if own.text != other.text]
        return render(
            call,
            "conflict.html",
            409,
            about=await _about(call),
            desk=found,
            mine=mine,
            pairs=pairs,
            revision=outdated.found.revision,
        )
    return None
