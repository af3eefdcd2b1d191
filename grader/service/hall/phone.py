"""`/live/{code}`: the phones of those who are there. Nobody needs an account, and no key comes before it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Response

from grader.service import tasks
from grader.service.access.scope import unknown
from grader.service.access.who import Who
from grader.service.edge.bodies import ANSWER
from grader.service.edge.exchange import exchange_of
from grader.service.hall.rooms import LiveRoom, hall_of
from grader.service.hall.streams import EventStream
from grader.service.ids import hash_of, new_secret
from grader.service.problems import ServiceProblem
from grader.service.store import live as store_of_live
from grader.service.store.live import LiveAnswer
from grader.service.store.variants import raw_reader, variant_of
from grader.service.web.attempt_desk import body_of, posed_for, written_answers
from grader.service.web.calls import PageCall
from grader.service.web.pages import go, page
from grader.service.web.rendering import render
from grader.service.web.sheet import saved_answers, sheet_of

router = APIRouter()
COOKIE = "plymark_live"
A_DAY = 86_400
LONGEST_CODE, LONGEST_SECRET, LONGEST_NAME = 20, 100, 80
ANSWER_FIELDS = "answers"


@dataclass(frozen=True, slots=True)
class Guest:
    row: Any
    """Of the live exercise."""
    who: str
    member: str | None
    secret: str
    """What the browser keeps; new if it kept nothing."""
    known: bool
    """Whether it can be told again who this is."""


@page(router, "GET", "/live", who=Who.EVERYBODY)
async def ask_for_code(call: PageCall) -> Response:
    code = plain_code(call.query("code") or "")
    if not code:
        return render(call, "hall/code.html", code="", wrong=False)
    if await call.service.store.glance(lambda connection: store_of_live.by_code(connection, code)) is None:
        return render(call, "hall/code.html", 404, code=code, wrong=True)
    return go(call, f"/live/{code}")


@page(router, "GET", "/live/{code}", who=Who.EVERYBODY)
async def show_sheet(call: PageCall) -> Response:
    """With what this browser has answered so far."""
    guest = await _guest(call)
    room = await hall_of(call.service).room(guest.row)
    stored = await call.service.store.glance(lambda each: store_of_live.answer_of(each, guest.row.id, guest.who))
    posed = await _posed(call, guest.row)
    answers = {} if stored is None else saved_answers(bytes(stored.raw))[ANSWER_FIELDS]
    response = render(
        call,
        "hall/phone.html",
        posed=posed,
        model=sheet_of(posed, call.texts, answers),
        state=await phone_state(call, room),
        live=room.row,
        code=guest.row.code,
        name="" if stored is None else stored.name,
        member=guest.member is not None,
        answered=stored is not None,
        sent=bool(call.query("sent")),
    )
    if not guest.known:
        settings = call.service.settings
        where = f"{settings.path}/live"
        response.set_cookie(
            COOKIE, guest.secret, A_DAY, path=where, secure=settings.secure, httponly=True, samesite="lax"
        )
    return response


@page(router, "POST", "/live/{code}", who=Who.EVERYBODY, limit=ANSWER)
async def answer(call: PageCall) -> Response:
    """Stored before it is acknowledged; counted after that."""
    guest = await _guest(call)
    if not guest.known:
        raise ServiceProblem(422, "live-cookie", "let the browser keep a cookie, so that your answer is yours")
    rates, store = call.service.rates, call.service.store
    rates.answering(guest.who)
    if await store.glance(lambda each: store_of_live.answer_of(each, guest.row.id, guest.who)) is None:
        rates.joining(exchange_of(call.request.scope).client)
    raw = body_of(written_answers(call, [await _posed(call, guest.row)]))
    room = await hall_of(call.service).room(guest.row)
    given = LiveAnswer(guest.row.id, guest.who, guest.member, call.form["name"][:LONGEST_NAME], raw)
    await store.write(lambda tx: store_of_live.store_answer(tx, given))
    hall_of(call.service).counting(room, guest.who, raw)
    return go(call, f"/live/{guest.row.code}?sent=1")


@page(router, "GET", "/live/{code}/events", who=Who.EVERYBODY)
async def phone_events(call: PageCall) -> Response:
    """What the teacher does; nothing of what others answer."""
    guest = await _guest(call)
    if not guest.known:
        raise unknown()
    room = await hall_of(call.service).room(guest.row)

    async def make() -> tuple[str, Mapping[str, Any]]:
        number = str(room.row.revision)
        return number, await phone_state(call, room)

    return EventStream(hall_of(call.service), room, make, guest.who, call.request.headers.get("last-event-id", ""))


async def phone_state(call: PageCall, room: LiveRoom) -> dict[str, Any]:
    """The same for all who read the same language; made once for each change."""
    row, language = room.row, call.language

    async def make() -> dict[str, Any]:
        stage = await room.stage(language)
        shown = bytes(render(call, "hall/phone_part.html", live=row, stage=stage).body).decode()
        said = bytes(render(call, "hall/said.html", live=row).body).decode()
        return {"open": row.open, "said": said.strip(), "html": shown}

    made: dict[str, Any] = await room.drawn.get(("phone", row.revision, language), make)
    return made


def plain_code(written: str) -> str:
    """As it is stored: people write capitals, and leave space between the letters."""
    return "".join(written.split()).lower()[:LONGEST_CODE]


async def _guest(call: PageCall) -> Guest:
    """404 for a code that nobody has. A member is known by the session, everybody else by a cookie of their own."""
    code = plain_code(call.request.path_params["code"])
    store = call.service.store
    row = await store.glance(lambda connection: store_of_live.by_code(connection, code))
    if row is None:
        raise unknown()
    person = call.scope.person
    if person is not None:
        member = await store.glance(lambda connection: store_of_live.member_in(connection, row.course, person.id))
        if member is not None:
            return Guest(row, f"member {member}", member, "", known=True)
    kept = call.request.cookies.get(COOKIE, "")
    secret = kept if 20 <= len(kept) <= LONGEST_SECRET else new_secret()
    return Guest(row, hash_of(f"{row.id} {secret}"), None, secret, known=secret == kept)


async def _posed(call: PageCall, row: Any) -> tasks.PosedExercise:
    variant = await call.service.store.glance(lambda connection: variant_of(connection, row.variant))
    return await posed_for(call, variant.sha256, raw_reader(variant), row.language)
