"""Practice without an account: pick an exercise, answer it or be led through its search, and follow the
mistake; or try a tree of one's own. Nothing is kept.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from html import escape
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Response

from grader.service import tasks
from grader.service.base.service_problems import ServiceProblem
from grader.service.http.access import Who
from grader.service.http.answer_sheet import answers_of, fields_of, sheet_of
from grader.service.http.page_calls import PageCall
from grader.service.http.page_routes import page, redirect
from grader.service.http.rendering import render
from grader.service.workers.lanes import STATELESS
from grader.service.workers.work_problems import Refused, TimedOut

router = APIRouter()
SEED_SIGNS, SEED_LENGTH = "0123456789abcdefghijkmnpqrstuvwxyz", 8
TREE = "tree"
MOST_TREE = 20_000
MOST_STEP = 1_000
SECONDS = 20.0
"""That a worker has to find an exercise."""
NEXT_SECONDS = 6.0
"""That it has to find one that exposes a mistake."""
NONE = "none"
HINTS, FULL = "hints", "full"


@page(router, "GET", "/practice", who=Who.SOLVERS)
async def show_practice(call: PageCall) -> Response:
    recipes = await call.service.workers.run(tasks.practice_topics)
    topics: dict[str, list[tasks.RecipeTopic]] = {}
    for each in recipes:
        topics.setdefault(each.topic, []).append(each)
    return render(call, "practice/practice.html", topics=topics, unfound=bool(call.query("none")))


@page(router, "GET", "/practice/new", who=Who.SOLVERS)
async def new_exercise(call: PageCall) -> Response:
    """Draws a seed."""
    seed = "".join(secrets.choice(SEED_SIGNS) for _ in range(SEED_LENGTH))
    after = f"?after={NONE}" if call.query("after") == NONE else ""
    return redirect(call, f"/practice/{_word(call.query('recipe'))}/{seed}{after}")


@page(router, "GET", "/practice/next", who=Who.SOLVERS)
async def next_exercise(call: PageCall) -> Response:
    """One that exposes the mistake; where none is found in time, another one of the same recipe, which says so."""
    mistake, recipe, seed = (_word(call.query(name)) for name in ("mistake", "recipe", "seed"))
    found: tasks.PracticeAddress | None = None
    with suppress(TimedOut):
        workers = call.service.workers.lane(STATELESS, NEXT_SECONDS)
        found = await workers.run(tasks.practice_next, mistake, recipe, seed)
    if found is None:
        other = recipe not in (TREE, "-")
        return redirect(
            call, f"/practice/new?{urlencode({'recipe': recipe, 'after': NONE})}" if other else "/practice?none=yes"
        )
    return redirect(call, f"/practice/{found.recipe}/{found.seed}?{urlencode({'after': mistake})}")


@page(router, "GET", "/practice/progress", who=Who.SOLVERS)
async def show_progress(call: PageCall) -> Response:
    advice = await call.service.workers.run(tasks.practice_mistakes, call.language)
    mistakes = {
        each.id: {"title": each.title, "explanation": each.explanation, "remedy": each.remedy} for each in advice
    }
    return render(call, "practice/progress.html", mistakes=mistakes)


@page(router, "GET", "/practice/tree/steps", who=Who.SOLVERS)
@page(router, "POST", "/practice/tree/steps", who=Who.SOLVERS)
@page(router, "GET", "/practice/{recipe}/{seed}/steps", who=Who.SOLVERS)
@page(router, "POST", "/practice/{recipe}/{seed}/steps", who=Who.SOLVERS)
async def take_step(call: PageCall) -> Response:
    """One question at a time: right leads to the next one; wrong, or a wish for it, to a hint and then the solution.

    Declared before the page of an exercise, whose address would take `tree/steps` for a recipe and a seed."""
    recipe, seed = _address(call)
    number, brief = _number(_sent(call, "step")), _sent(call, "every") != "yes"
    given: dict[str, str] = {
        name: call.form[name] for name in ("answer", "low", "high") if name in dict(call.form.pairs)
    }
    asked = call.form["show"]
    if asked == "tell":
        given = {}
    found = await _step(call, recipe, seed, number, given, brief)
    told = ""
    if found.step is not None and (found.verdict == "right" or asked == "skip"):
        told, number = found.step.solution, number + 1
        found, given = await _step(call, recipe, seed, number, {}, brief), {}
    return render(
        call,
        "practice/steps.html",
        **_about(recipe, seed),
        name=_title(call, recipe),
        number=number,
        found=found,
        given=given,
        told=told,
        hint=asked in ("hint", "tell") or found.verdict in ("wrong", "unreadable"),
        tell=asked == "tell",
        brief=brief,
        svg=_marked(found.svg, found.step),
    )


@page(router, "GET", "/practice/tree", who=Who.SOLVERS)
@page(router, "GET", "/practice/{recipe}/{seed}", who=Who.SOLVERS)
async def show_exercise(call: PageCall) -> Response:
    return await _exercise_page(call, {}, None)


@page(router, "POST", "/practice/tree", who=Who.SOLVERS)
@page(router, "POST", "/practice/{recipe}/{seed}", who=Who.SOLVERS)
async def answer_exercise(call: PageCall) -> Response:
    """What became of the answer: hints, or the solution if that is asked for. A tree that comes alone is posed."""
    if call.form["show"] not in (HINTS, FULL):
        return await _exercise_page(call, {}, None)
    return await _exercise_page(call, dict(call.form.pairs), call.form["show"])


async def _step(
    call: PageCall, recipe: str, seed: str, number: int, given: Mapping[str, str], brief: bool
) -> tasks.PracticeStep:
    workers = call.service.workers.lane(STATELESS, SECONDS)
    return await workers.run(tasks.practice_step, recipe, seed, number, dict(given), call.language, brief)


def _marked(svg: str, step: tasks.StepQuestion | None) -> str:
    """The drawing, in which the node that is asked about is marked."""
    node = "" if step is None else escape(step.node)
    return re.sub(rf'<g class="(?=[^"]*" data-node="{re.escape(node)}")', '<g class="current ', svg) if node else svg


async def _exercise_page(call: PageCall, written: Mapping[str, str], level: str | None) -> Response:
    recipe, seed = _address(call)
    workers = call.service.workers.lane(STATELESS, SECONDS)
    practice = await workers.run(tasks.practice_pose, recipe, seed, call.language)
    posed = practice.posed
    answers = answers_of(fields_of(posed), written)
    result = None
    if level is not None:
        result = await workers.run(tasks.practice_mark, recipe, seed, answers, call.language, level)
    return render(
        call,
        "practice/exercise.html",
        **_about(recipe, seed),
        posed=posed,
        led=practice.led,
        name=_title(call, recipe),
        model=sheet_of(posed, call.texts, answers),
        result=result,
        level=level,
        after=call.query("after") or "",
    )


def _title(call: PageCall, recipe: str) -> str:
    """Of an exercise, in the reader's language."""
    key = f"page.recipe.{recipe}"
    return call.texts("page.practice.own") if recipe == TREE else call.texts(key) if call.texts.knows(key) else recipe


def _about(recipe: str, seed: str) -> dict[str, Any]:
    """Where an exercise is, and the tree that its forms carry."""
    if recipe == TREE:
        return {"recipe": recipe, "seed": "", "place": "/practice/tree", "tree": seed}
    return {"recipe": recipe, "seed": seed, "place": f"/practice/{recipe}/{seed}", "tree": ""}


def _address(call: PageCall) -> tuple[str, str]:
    if "recipe" in call.request.path_params:
        return call.request.path_params["recipe"], call.request.path_params["seed"]
    tree = next(iter(call.form.all("tree")), "") or call.request.query_params.get("tree", "")
    if not tree.strip():
        raise ServiceProblem(422, "no-tree", "write a tree first")
    if len(tree) > MOST_TREE:
        raise ServiceProblem(413, "too-large", f"a tree has at most {MOST_TREE:,} characters here")
    return TREE, tree


def _sent(call: PageCall, name: str) -> str:
    return call.form[name] or (call.query(name) or "")


def _number(written: str) -> int:
    return min(int(written), MOST_STEP) if written.isascii() and written.isdigit() and len(written) < 6 else 0


def _word(written: str | None) -> str:
    """A name that may stand in an address, or `-` for none; 422 for anything else."""
    if written == "-":
        return written
    if not written or len(written) > 60 or not written.replace("-", "").isalnum() or not written.isascii():
        raise ServiceProblem(422, "option", "this is no name of an exercise or a mistake")
    return written


LONGEST_TREE = 4_000
"""Characters of a tree that fit in an address."""
LONGEST_STAGE = 6
LONGEST_OPTION = 400
EXAMPLE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


@page(router, "GET", "/try", who=Who.SOLVERS)
@page(router, "POST", "/try", who=Who.SOLVERS)
async def try_a_tree(call: PageCall) -> Response:
    sent = {**dict(call.request.query_params), **dict(call.form.pairs)}
    tree = sent.get("tree", "")
    chosen = {
        "algorithm": sent.get("algorithm", "auto")[:LONGEST_OPTION],
        "convention": (sent.get("own", "").strip() or sent.get("convention", "aima3"))[:LONGEST_OPTION],
    }
    written = sent.get("stage", "")
    stage = int(written) if written.isascii() and written.isdigit() and len(written) <= LONGEST_STAGE else None
    choices = await call.service.workers.run(tasks.try_choices)
    solved: tasks.TreeSolution | None = None
    problems: Sequence[Mapping[str, Any]] = []
    status = 200
    if tree.strip():
        try:
            solved = await call.service.workers.run(tasks.try_tree, tree, chosen, call.language, stage)
        except Refused as refused:
            status = refused.status
            # What is wrong with an option is at no line of the tree.
            problems = refused.problems or [{"line": None, "message": refused.detail, "hint": "", "code": refused.code}]
    share = _share(call, tree, chosen) if solved is not None and len(tree) <= LONGEST_TREE else ""
    return render(
        call,
        "practice/try.html",
        status,
        tree=tree or ("" if call.request.method == "POST" else EXAMPLE),
        chosen=chosen,
        own="" if chosen["convention"] in choices.conventions else chosen["convention"],
        conventions=choices.conventions,
        algorithms=choices.algorithms,
        found=solved,
        problems=problems,
        stage=stage,
        share=share,
        longest=LONGEST_TREE,
    )


def _share(call: PageCall, tree: str, chosen: dict[str, str]) -> str:
    query = urlencode({"tree": tree, **chosen})
    return call.url(f"/try?{query}")
