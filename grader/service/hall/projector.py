"""The teacher's side: starting a live exercise, and the page for the projector, which names nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import segno
from fastapi import APIRouter, Response

from grader.service import tasks
from grader.service.access.who import Who
from grader.service.api.links import base_url, only_here
from grader.service.hall.rooms import LiveRoom, hall_of
from grader.service.hall.streams import EventStream
from grader.service.problems import ServiceProblem
from grader.service.store import live as store_of_live
from grader.service.store.live import HIDDEN
from grader.service.store.variants import raw_reader, variant_of
from grader.service.web.attempt_desk import posed_for
from grader.service.web.calls import PageCall
from grader.service.web.pages import go, page
from grader.service.web.rendering import render
from grader.service.web.sheet import fields_of

router = APIRouter()
PERCENT = {"fa": "٪"}


@page(router, "GET", "/teach/c/{c}/live", who=Who.TEACHER)
async def list_lives(call: PageCall) -> Response:
    course = call.course.id
    lives = await call.service.store.read(lambda connection: store_of_live.lives_of(connection, course))
    exercises = await call.service.store.read(lambda connection: store_of_live.exercises_of(connection, course))
    return render(call, "hall/lives.html", lives=lives, exercises=exercises)


@page(router, "POST", "/teach/c/{c}/live", who=Who.TEACHER)
async def start(call: PageCall) -> Response:
    who, course, exercise, language = call.person.id, call.course.id, call.form["exercise"], call.language
    code = await call.service.store.write(lambda tx: store_of_live.start(tx, who, course, exercise, language))
    return go(call, f"/teach/live/{code}")


@page(router, "GET", "/teach/live/{code}", who=Who.TEACHER)
async def show_projector(call: PageCall) -> Response:
    room = await hall_of(call.service).room(call.row("code"))
    address = f"{base_url(call)}/live/{room.row.code}"
    picture = segno.make(address, micro=False).svg_data_uri(border=3, scale=8, light="white")
    posed = await _posed(call, room)
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
        await store.write(lambda tx: store_of_live.end(tx, who, row.id, row.course))
    else:
        changes = await _changes(room, done)
        await store.write(lambda tx: store_of_live.move(tx, row.id, changes))
    moved = await store.glance(lambda connection: store_of_live.by_code(connection, row.code))
    room.moved(moved)
    return go(call, f"/teach/live/{row.code}")


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
        posed = await _posed(call, room)
        tree = await room.tree(_said(call, room), language)
        context = {
            "live": row,
            "room": room,
            "tree": tree,
            "questions": _questions(posed, room),
            "stage": await room.stage(language),
        }
        return bytes(render(call, "hall/board.html", **context).body).decode()

    made: str = await room.drawn.get(("board", row.revision, counted, language), make)
    return made


def _said(call: PageCall, room: LiveRoom) -> dict[str, tuple[str, int]]:
    """At the nodes: how many have answered, or how many per cent are right."""
    judged, digits = room.row.judged, call.texts.digits
    found = room.tally.warmth(judged).items()
    sign = PERCENT.get(call.language, "%") if judged else ""
    return {node: (f"{digits(number)}{sign}", warmth) for node, (number, warmth) in found}


def _questions(posed: tasks.PosedExercise, room: LiveRoom) -> list[dict[str, Any]]:
    fields = fields_of(posed)
    return [
        {
            "text": each.text,
            "fields": [(field.label, *room.tally.given(field.bare)) for field in fields if field.question == each.id],
        }
        for each in posed.exercise.questions
    ]


async def _posed(call: PageCall, room: LiveRoom) -> tasks.PosedExercise:
    variant = await call.service.store.glance(lambda connection: variant_of(connection, room.row.variant))
    return await posed_for(call, variant.sha256, raw_reader(variant), room.row.language)
