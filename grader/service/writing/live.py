"""What the editor's script asks for while a teacher writes: a changed text, or a part of the page."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import orjson
from fastapi import APIRouter, Response

from grader.service import tasks
from grader.service.access.who import Who
from grader.service.problems import ServiceProblem
from grader.service.web.calls import PageCall
from grader.service.web.pages import page
from grader.service.web.rendering import render
from grader.service.work.lanes import BULK
from grader.service.work.problems import Refused

router = APIRouter()
PREVIEW_SECONDS = 60.0
LONGEST_SEED = 64


def written(call: PageCall) -> str:
    """The document as it was typed; browsers send a form's lines with CR and LF."""
    return next(iter(call.form.all("text")), "").replace("\r\n", "\n")


def seed_of(call: PageCall) -> str | None:
    """What a person typed, else the new one that they wished for, else the one that the page came with."""
    return (call.form["seed"] or call.form["other"] or call.form["drawn"])[:LONGEST_SEED] or None


def _refusing_in_data(handler: Callable[[PageCall], Awaitable[Any]]) -> Callable[[PageCall], Awaitable[Response]]:
    """What a script asked for: data, or why there is none."""

    @wraps(handler)
    async def answer(call: PageCall) -> Response:
        try:
            found, status = await handler(call), 200
        except Refused as refused:
            found, status = {"detail": refused.detail, "problems": list(refused.problems)}, refused.status
        return Response(orjson.dumps(found), status, media_type="application/json")

    return answer


@page(router, "GET", "/teach/write/offers", who=Who.TEACHERS)
@_refusing_in_data
async def offers(call: PageCall) -> Any:
    """What can be completed: equal for everybody, for as long as the program is."""
    return await call.service.workers.run(tasks.completion_shapes)


@page(router, "POST", "/teach/write/edit", who=Who.TEACHERS)
@_refusing_in_data
async def edit(call: PageCall) -> Any:
    change = _change(call.form["change"])
    return await call.service.workers.run(tasks.edit_tree, written(call), change.op, change.path, change.to)


@page(router, "POST", "/teach/write/ask", who=Who.TEACHERS)
@_refusing_in_data
async def ask(call: PageCall) -> Any:
    sent = call.form
    return {"text": await call.service.workers.run(tasks.add_question, written(call), sent["ask"], sent["marks"])}


@page(router, "POST", "/teach/write/question", who=Who.TEACHERS)
@_refusing_in_data
async def question(call: PageCall) -> Any:
    change = _change(call.form["change"])
    op, place = str(change.op), next(iter(change.path), 0)
    return {"text": await call.service.workers.run(tasks.edit_question, written(call), op, place, change.to)}


@page(router, "POST", "/teach/write/look", who=Who.TEACHERS)
async def look(call: PageCall) -> Response:
    found = await call.service.workers.run(tasks.look_at, written(call), call.language)
    return render(call, "writing/look.html", found=found)


@page(router, "POST", "/teach/write/preview", who=Who.TEACHERS)
async def preview(call: PageCall) -> Response:
    return render(call, "writing/preview.html", **await previewed(call))


async def previewed(call: PageCall) -> dict[str, Any]:
    """Three exercises of a recipe, or what is wrong with it."""
    try:
        workers = call.service.workers.lane(BULK, PREVIEW_SECONDS)
        made = await workers.run(tasks.preview_recipe, written(call), seed_of(call), call.language)
    except Refused as refused:
        return {"preview": None, "refused": refused.problems or [{"message": refused.detail, "hint": ""}]}
    return {"preview": made, "refused": []}


@dataclass(frozen=True, slots=True)
class DocumentEdit:
    op: str | None
    path: tuple[int, ...]
    to: str


def _change(sent: str) -> DocumentEdit:
    """422 for what no script of ours sends."""
    try:
        found = json.loads(sent or "{}")
        path = found.get("path", [])
        if isinstance(path, list) and all(isinstance(step, int) and step >= 0 for step in path):
            op = found.get("op")
            return DocumentEdit(None if op is None else str(op), tuple(path), str(found.get("to", "")))
    except (ValueError, AttributeError, RecursionError):
        pass
    raise ServiceProblem(422, "form", "a change is written as {op, path, to}")
