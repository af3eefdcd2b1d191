"""The lecture hall: `/live/{code}` on the phones of those who are there, and the teacher's side with the projector.

Nobody needs an account on a phone, and no key comes before it is shown; the projector names nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import segno
from fastapi import APIRouter, Response

from grader.service import tasks
from grader.service.base.exchange import exchange_of
from grader.service.base.ids import hash_of, new_secret
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.exercises.queries import raw_reader, variant_of
from grader.service.features.hall import queries as hall_queries
from grader.service.features.hall.event_stream import EventStream
from grader.service.features.hall.live_rooms import LiveRoom, hall_of
from grader.service.features.hall.queries import HIDDEN, LiveAnswer
from grader.service.http.access import Who, unknown
from grader.service.http.answer_sheet import body_of, fields_of, pose_exercise, saved_answers, sheet_of, written_answers
from grader.service.http.body_limits import ANSWER
from grader.service.http.page_calls import PageCall
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import render
from grader.service.http.routing import base_url, only_here

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
    if await call.service.store.glance(lambda connection: hall_queries.by_code(connection, code)) is None:
        return render(call, "hall/code.html", 404, code=code, wrong=True)
    return redirect(call, f"/live/{code}")


@page(router, "GET", "/live/{code}", who=Who.EVERYBODY)
async def show_sheet(call: PageCall) -> Response:
    """With what this browser has answered so far."""
    guest = await _guest(call)
    room = await hall_of(call.service).room(guest.row)
    stored = await call.service.store.glance(lambda each: hall_queries.answer_of(each, guest.row.id, guest.who))
    posed = await _posed_for_phone(call, guest.row)
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
    if await store.glance(lambda each: hall_queries.answer_of(each, guest.row.id, guest.who)) is None:
        rates.joining(exchange_of(call.request.scope).client)
    raw = body_of(written_answers(call, [await _posed_for_phone(call, guest.row)]))
    room = await hall_of(call.service).room(guest.row)
    given = LiveAnswer(guest.row.id, guest.who, guest.member, call.form["name"][:LONGEST_NAME], raw)
    await store.write(lambda tx: hall_queries.store_answer(tx, given))
    hall_of(call.service).counting(room, guest.who, raw)
    return redirect(call, f"/live/{guest.row.code}?sent=1")


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

    state: dict[str, Any] = await room.drawn.get(("phone", row.revision, language), make)
    return state


def plain_code(written: str) -> str:
    """As it is stored: people write capitals, and leave space between the letters."""
    return "".join(written.split()).lower()[:LONGEST_CODE]


async def _guest(call: PageCall) -> Guest:
    """404 for a code that nobody has. A member is known by the session, everybody else by a cookie of their own."""
    code = plain_code(call.request.path_params["code"])
    store = call.service.store
    row = await store.glance(lambda connection: hall_queries.by_code(connection, code))
    if row is None:
        raise unknown()
    person = call.scope.person
    if person is not None:
        member = await store.glance(lambda connection: hall_queries.member_in(connection, row.course, person.id))
        if member is not None:
            return Guest(row, f"member {member}", member, "", known=True)
    kept = call.request.cookies.get(COOKIE, "")
    secret = kept if 20 <= len(kept) <= LONGEST_SECRET else new_secret()
    return Guest(row, hash_of(f"{row.id} {secret}"), None, secret, known=secret == kept)


async def _posed_for_phone(call: PageCall, row: Any) -> tasks.PosedExercise:
    variant = await call.service.store.glance(lambda connection: variant_of(connection, row.variant))
    return await pose_exercise(call, variant.sha256, raw_reader(variant), row.language)


PERCENT = {"fa": "٪"}


@page(router, "GET", "/teach/c/{c}/live", who=Who.TEACHER)
async def list_lives(call: PageCall) -> Response:
    course = call.course.id
    lives = await call.service.store.read(lambda connection: hall_queries.lives_of(connection, course))
    exercises = await call.service.store.read(lambda connection: hall_queries.exercises_of(connection, course))
    return render(call, "hall/lives.html", lives=lives, exercises=exercises)


@page(router, "POST", "/teach/c/{c}/live", who=Who.TEACHER)
async def start(call: PageCall) -> Response:
    who, course, exercise, language = call.person.id, call.course.id, call.form["exercise"], call.language
    code = await call.service.store.write(lambda tx: hall_queries.start(tx, who, course, exercise, language))
    return redirect(call, f"/teach/live/{code}")


@page(router, "GET", "/teach/live/{code}", who=Who.TEACHER)
async def show_projector(call: PageCall) -> Response:
    room = await hall_of(call.service).room(call.row("code"))
    address = f"{base_url(call)}/live/{room.row.code}"
    picture = segno.make(address, micro=False).svg_data_uri(border=3, scale=8, light="white")
    posed = await _posed_in_room(call, room)
    return render(
        call,
        "hall/projector.html",
        live=room.row,
        address=address,
        qr=picture,
        title=posed.exercise.title or posed.exercise.id,
        board=await _board(call, room),
        states=_states(room.row),
        local=only_here(call),
    )


@page(router, "POST", "/teach/live/{code}", who=Who.TEACHER)
async def move(call: PageCall) -> Response:
    """One button: what the class sees from now on."""
    row, store = call.row("code"), call.service.store
    room = await hall_of(call.service).room(row)
    who, done = call.person.id, call.form["do"]
    if done == "end":
        await store.write(lambda tx: hall_queries.end(tx, who, row.id, row.course))
    else:
        changes = await _changes(room, done)
        await store.write(lambda tx: hall_queries.move(tx, row.id, changes))
    moved = await store.glance(lambda connection: hall_queries.by_code(connection, row.code))
    room.moved(moved)
    return redirect(call, f"/teach/live/{row.code}")


@page(router, "GET", "/teach/live/{code}/events", who=Who.TEACHER)
async def projector_events(call: PageCall) -> Response:
    room = await hall_of(call.service).room(call.row("code"))

    async def make() -> tuple[str, Mapping[str, Any]]:
        number = f"{room.token}.{room.row.revision}.{room.counted}"
        state = " ".join(_states(room.row))
        shown = {"present": room.present, "answered": room.answered, "state": state, "html": await _board(call, room)}
        return number, shown

    return EventStream(hall_of(call.service), room, make, None, call.request.headers.get("last-event-id", ""))


def _states(row: Any) -> tuple[str, str, str]:
    """By which the buttons know whether there is anything to do for them."""
    return (
        "open" if row.open else "closed",
        "judged" if row.judged else "plain",
        "hidden" if row.stage == HIDDEN else "shown",
    )


async def _changes(room: LiveRoom, done: str) -> dict[str, Any]:
    stage, last = room.row.stage, await room.stages()
    possible: dict[str, dict[str, Any]] = {
        "next": {"stage": min(stage + 1, last)},
        "previous": {"stage": max(stage - 1, HIDDEN)},
        "everything": {"stage": last, "judged": True, "open": False},
        "nothing": {"stage": HIDDEN, "judged": False},
        "close": {"open": False},
        "open": {"open": True},
        "judge": {"judged": True},
        "plain": {"judged": False},
    }
    if done not in possible:
        raise ServiceProblem(422, "option", "this is none of the buttons")
    return possible[done]


async def _board(call: PageCall, room: LiveRoom) -> str:
    """What changes on the projector, as HTML; made once for each change and language."""
    row, counted, language = room.row, room.counted, call.language

    async def make() -> str:
        posed = await _posed_in_room(call, room)
        tree = await room.tree(_said(call, room), language)
        context = {
            "live": row,
            "room": room,
            "tree": tree,
            "questions": _questions(posed, room),
            "stage": await room.stage(language),
        }
        return bytes(render(call, "hall/board.html", **context).body).decode()

    html: str = await room.drawn.get(("board", row.revision, counted, language), make)
    return html


def _said(call: PageCall, room: LiveRoom) -> dict[str, tuple[str, int]]:
    """At the nodes: how many have answered, or how many per cent are right."""
    judged, digits = room.row.judged, call.texts.digits
    warmest = room.tally.warmth(judged).items()
    sign = PERCENT.get(call.language, "%") if judged else ""
    return {node: (f"{digits(number)}{sign}", warmth) for node, (number, warmth) in warmest}


def _questions(posed: tasks.PosedExercise, room: LiveRoom) -> list[dict[str, Any]]:
    fields = fields_of(posed)
    return [
        {
            "text": each.text,
            "fields": [(field.label, *room.tally.given(field.bare)) for field in fields if field.question == each.id],
        }
        for each in posed.exercise.questions
    ]


async def _posed_in_room(call: PageCall, room: LiveRoom) -> tasks.PosedExercise:
    variant = await call.service.store.glance(lambda connection: variant_of(connection, room.row.variant))
    return await pose_exercise(call, variant.sha256, raw_reader(variant), room.row.language)
