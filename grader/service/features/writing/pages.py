"""Where a teacher writes games, exercises and recipes: the editor's pages, and what its script asks for
meanwhile. Without script a button checks what is written.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

import orjson
from fastapi import APIRouter, Response

from grader.kernel.seeds import DRAWN, draw_seed
from grader.service import tasks
from grader.service.base.service_problems import ServiceProblem
from grader.service.features.exercises.queries import Upload, add_version, new_exercise, version_data, version_of
from grader.service.http.access import Who
from grader.service.http.page_calls import PageCall
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import render
from grader.service.workers.lanes import BULK
from grader.service.workers.work_problems import Refused

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


SAVE_SECONDS = 60.0
MOST_MADE = 10_000
RECIPE = "recipe/1"
FIRST_RECIPE = "alpha-beta-medium"
NEW = """\
plymark: exercise/1
id: my-exercise
title: My exercise
game:
  tree: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
convention: aima3
questions:
  - {id: values, ask: values, marks: 4}
"""


@page(router, "GET", "/teach/c/{c}/exercises/new", who=Who.TEACHER)
async def new(call: PageCall) -> Response:
    return await _shown(call, call.request.query_params.get("text") or NEW)


@page(router, "POST", "/teach/c/{c}/exercises/new", who=Who.TEACHER)
async def write_new(call: PageCall) -> Response:
    return await _written(call)


@page(router, "GET", "/teach/c/{c}/recipes/new", who=Who.TEACHER)
async def new_recipe(call: PageCall) -> Response:
    """One of the ready ones is there to begin with."""
    name = call.query("recipe") or FIRST_RECIPE
    text = await call.service.workers.run(tasks.ready_recipe, name)
    return await _shown(call, text, recipes=await _ready(call), chosen=name, taken=bool(call.query("recipe")))


@page(router, "POST", "/teach/c/{c}/recipes/new", who=Who.TEACHER)
async def write_recipe(call: PageCall) -> Response:
    return await _written(call, more={"recipes": await _ready(call), "chosen": call.form["recipe"]})


async def _ready(call: PageCall) -> dict[str, list[tasks.RecipeTopic]]:
    """The ready recipes by topic."""
    topics: dict[str, list[tasks.RecipeTopic]] = {}
    for each in await call.service.workers.run(tasks.practice_topics):
        topics.setdefault(each.topic, []).append(each)
    return topics


@page(router, "GET", "/teach/c/{c}/exercises/{e}", who=Who.TEACHER)
async def edit_exercise(call: PageCall) -> Response:
    of = call.row("e")
    found = await call.service.store.read(lambda connection: version_data(connection, of, of.latest))
    assert found is not None
    told = "saved" if "saved" in call.request.query_params else ""
    kept = {"drawn": found["seed"]} if found["seed"] else {}
    return await _shown(call, found["document"], found, version=of.latest, told=told, **kept)


@page(router, "POST", "/teach/c/{c}/exercises/{e}", who=Who.TEACHER)
async def write_version(call: PageCall) -> Response:
    return await _written(call, call.row("e"))


async def _written(call: PageCall, of: Any = None, more: Mapping[str, Any] | None = None) -> Response:
    """Stored if that was asked for; otherwise only looked at."""
    text, about = written(call), {"title": of.title, "name": of.name, "guessable": False} if of else None
    version = _whole(call, "version") if of is not None else None
    sent = {name: call.form[name] for name in ("seed", "count", "drawn", "other")}
    more = {**(more or {}), **sent, "version": version}
    if call.form["action"] == "preview":
        return await _shown(call, text, about, **more, **await previewed(call))
    if call.form["action"] != "save":
        return await _shown(call, text, about, **more)
    try:
        saved = await _save(call, text, of, version)
    except Refused as refused:
        return await _shown(call, text, about, refused.status, **more, refusal=refused.detail)
    except ServiceProblem as problem:
        if problem.status != 412:
            raise
        return await _shown(call, text, about, 412, **more, told="changed")
    return redirect(call, f"/teach/c/{call.course.id}/exercises/{saved}?saved=1")


async def _save(call: PageCall, text: str, of: Any, version: int | None) -> str:
    """The exercise's id."""
    raw = text.encode("utf-8")
    kind = (await call.service.workers.run(tasks.check, raw)).kind
    seed = seed_of(call) if kind == RECIPE else None
    count = _whole(call, "count") if kind == RECIPE else None
    intake = await call.service.workers.lane(BULK, SAVE_SECONDS).run(tasks.take_in, raw, count, seed)
    upload = Upload(raw, intake, seed is not None and await _is_guessable(call, of, seed))
    who, course = call.person.id, call.course.id
    if of is None:
        return await call.service.store.write(lambda tx: new_exercise(tx, who, course, upload))
    await call.service.store.write(lambda tx: add_version(tx, who, course, of.id, upload, version))
    return str(of.id)


async def _is_guessable(call: PageCall, of: Any, seed: str) -> bool:
    """Whether a person chose a seed, now or for the version that is changed."""
    if call.form["seed"] or DRAWN.fullmatch(seed) is None:
        return True
    if of is None:
        return False
    newest = await call.service.store.read(lambda connection: version_of(connection, of.id, of.latest))
    return newest is not None and newest.guessable and newest.seed == seed


async def _shown(
    call: PageCall, text: str, about: Mapping[str, Any] | None = None, status: int = 200, **more: Any
) -> Response:
    found = await call.service.workers.run(tasks.look_at, text, call.language)
    usual: dict[str, Any] = {
        "version": None,
        "told": "",
        "refusal": "",
        "preview": None,
        "refused": [],
        "seed": "",
        "count": "",
        "drawn": draw_seed(),
        "other": "",
        "new": draw_seed(),
        "recipes": None,
        "chosen": "",
        "taken": False,
    }
    return render(call, "writing/editor.html", status, text=text, about=about, found=found, **{**usual, **more})


def _whole(call: PageCall, name: str) -> int | None:
    sent = call.form[name]
    if not sent:
        return None
    if not (sent.isascii() and sent.isdigit() and 1 <= int(sent[:9]) <= MOST_MADE):
        raise ServiceProblem(422, "parameter", f"{name}: a whole number from 1 to {MOST_MADE:,}")
    return int(sent)
