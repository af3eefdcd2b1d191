"""`/teach/c/{c}/exercises/…` and `/recipes/new`: an exercise, a recipe or a game is written. Without script a button
checks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Response

from grader.kernel.seeds import DRAWN, drawn_seed
from grader.service import tasks
from grader.service.access.who import Who
from grader.service.problems import ServiceProblem
from grader.service.store.exercises import Upload, add_version, new_exercise, version_data, version_of
from grader.service.web.calls import PageCall
from grader.service.web.pages import go, page
from grader.service.web.rendering import render
from grader.service.work.lanes import BULK
from grader.service.work.problems import Refused
from grader.service.writing.live import previewed, seed_of, written

router = APIRouter()
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
    return go(call, f"/teach/c/{call.course.id}/exercises/{saved}?saved=1")


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
        "drawn": drawn_seed(),
        "other": "",
        "new": drawn_seed(),
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
