"""`/teach/a/{a}`: what comes in, how the class did, the answers behind every number, and what a teacher
takes away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Response
from sqlalchemy import Connection

from grader.kernel.verdicts import SIGNS
from grader.service import tasks
from grader.service.base.clock import now
from grader.service.features.assignments.queries import one_described
from grader.service.features.classes import queries as classes_queries
from grader.service.features.classes.api import CLASS_SECONDS, LINES_TYPE, answer_lines
from grader.service.features.classes.queries import (
    assignment_overview,
    handed_out_raw,
    has_second_account,
    work_of_class,
)
from grader.service.features.grades import queries as grades_queries
from grader.service.features.grades.queries import ensure_every_grade
from grader.service.features.members.queries import names_of, people_of
from grader.service.http.access import TEACHER, Who, unknown
from grader.service.http.page_calls import PageCall
from grader.service.http.page_routes import file_response, page
from grader.service.http.rendering import filter_list, list_people, render
from grader.service.http.routing import MOST_PARTS, base_url, chosen, number_asked
from grader.service.rules.assignment_rules import NOTHING, has_report
from grader.service.rules.times import read_moment
from grader.service.store.prepared_statements import Page
from grader.service.workers.lanes import BULK

router = APIRouter()
EVERY = Page(100_000)
RIGHT = ("right", "follow-through")


@page(router, "GET", "/teach/a/{a}", who=Who.STAFF)
async def show_assignment(call: PageCall) -> Response:
    """Every student with what they have handed in: the page asks again for itself while it is open."""
    row, course = call.row("a"), call.course
    await ensure_every_grade(call.service.store, row.id)

    def read(connection: Connection) -> dict[str, Any]:
        listed = classes_queries.submissions_listed(connection, row, course.zone)
        handed_in: dict[str, list[dict[str, Any]]] = {}
        for each in listed:
            handed_in.setdefault(each["member"], []).append(
                {**each, "at": read_moment(each["received"], ZoneInfo(course.zone), "received")}
            )
        people = people_of(connection, course.id)
        return {
            "about": assignment_overview(connection, one_described(connection, row), now()),
            "students": [each for each in people if each.role == "student"],
            "handed_in": handed_in,
            "grades": {each["member"]: each for each in grades_queries.grades_of(connection, row.id, EVERY)["items"]},
        }

    found = await call.service.store.read(read)
    return render(
        call,
        "classes/assignment.html",
        **{**found, "students": list_people(call, found["students"], call.names_off)},
        row=row,
        second_account=call.member.role == TEACHER and has_second_account(call.course, row, now()),
        role=call.member.role,
        hidden=call.names_off,
        address=f"{base_url(call)}/a/{row.id}",
    )


@page(router, "GET", "/teach/a/{a}/class", who=Who.STAFF)
async def show_class(call: PageCall) -> Response:
    overview = await class_of(call)
    row = call.row("a")
    about = await call.service.store.read(
        lambda connection: assignment_overview(connection, one_described(connection, row), now())
    )
    return render(call, "classes/class.html", about=about, overview=overview, teacher=call.member.role == TEACHER)


@page(router, "GET", "/teach/a/{a}/answers", who=Who.STAFF)
async def show_answers(call: PageCall) -> Response:
    """Behind a node, an item, a mistake or a convention."""
    whole, row, course = await class_of(call), call.row("a"), call.course.id
    part_asked = number_asked(call, "part", MOST_PARTS)
    shown = _part(whole, part_asked)

    def read(connection: Connection) -> dict[str, Any]:
        grades = grades_queries.grades_of(connection, row.id, EVERY)["items"]
        return {
            "about": assignment_overview(connection, one_described(connection, row), now()),
            "submissions": {each["member"]: each["submission"] for each in grades},
            "names": names_of(connection, course),
        }

    found = await call.service.store.read(read)
    asked = {name: call.query(name) for name in ("question", "item", "node", "mistake", "convention", "part")}
    people = [each for each in (_behind(one, asked, shown.nodes) for one in shown.people) if each is not None]
    part = filter_list(call, people, lambda each: (each.student,), **asked)
    titles = {each.id: each.title for each in shown.mistakes} | {each.id: each.title for each in shown.conventions}
    return render(
        call,
        "classes/answers.html",
        **found,
        asked=asked,
        titles=titles,
        of_part=shown.title if whole.in_exam else "",
        people=part.items,
        part=part,
        path=call.url(f"/teach/a/{row.id}/answers"),
        signs=SIGNS,
        teacher=call.member.role == TEACHER,
        hidden=call.names_off,
    )


def _part(overview: tasks.ClassOverview, number: int | None) -> tasks.PartOverview:
    """The class in a part of an exam, the first unless another is asked for; in an exercise as it is."""
    if not overview.in_exam:
        return overview.parts[0]
    if (number or 1) > len(overview.parts):
        raise unknown()
    return overview.parts[(number or 1) - 1]


async def class_of(call: PageCall) -> tasks.ClassOverview:
    """Kept for as long as nothing that counts has changed."""
    row, language = call.row("a"), call.language
    work = await call.service.store.read(lambda connection: classes_queries.work_of_class(connection, row))
    same = hashlib.sha256(repr((work.entries, work.handed_out)).encode()).hexdigest()
    workers = call.service.workers.lane(BULK, CLASS_SECONDS)
    return await call.service.class_overviews.get(
        (row.id, same, language), lambda: workers.run(tasks.class_overview, work.entries, work.handed_out, language)
    )


def _behind(
    one: tasks.StudentOverview, asked: Mapping[str, str | None], nodes: Mapping[str, Sequence[str]]
) -> tasks.StudentOverview | None:
    """A student with the items that were asked about; None for one whom it is not about."""
    if asked["mistake"] is not None and one.mistake != asked["mistake"]:
        return None
    if asked["convention"] is not None and one.convention != asked["convention"]:
        return None
    if asked["node"] is not None:
        return replace(one, items=_at(one.items, asked["node"], nodes))
    items = [each for each in one.items if asked["question"] in (None, each.question)]
    if asked["item"] is None:
        return replace(one, items=tuple(each for each in items if each.verdict not in RIGHT))
    items = [each for each in items if each.item == asked["item"]]
    return replace(one, items=tuple(items)) if items else None


def _at(
    items: Sequence[tasks.ItemAnswer], node: str, nodes: Mapping[str, Sequence[str]]
) -> tuple[tasks.ItemAnswer, ...]:
    """Items of a node; of a question that asks about it in another way, such as by cuts, all of them."""
    own = {each.question for each in items if each.item == node}
    whole = set(nodes.get(node, ())) - own
    return tuple(each for each in items if each.item == node or each.question in whole)


PAPERS, FORMATS = ("sheet", "key", "solution"), ("pdf", "html", "latex")
SYSTEMS = ("moodle", "canvas", "prairielearn", "gradescope")
PAGES = ("html", "pdf")
PAPER_SECONDS = 60.0

TYPES = {".pdf": "application/pdf", ".zip": "application/zip", ".html": "text/html; charset=utf-8"}


@page(router, "GET", "/teach/a/{a}/answers.jsonl", who=Who.STAFF)
async def download_answers(call: PageCall) -> Response:
    return file_response(call, await _exercise_name(call), await answer_lines(call), "answers.jsonl", LINES_TYPE)


@page(router, "GET", "/teach/a/{a}/feedback.zip", who=Who.TEACHER)
async def download_feedback(call: PageCall) -> Response:
    """A page for every student, with as much as they are told in the end."""
    of, format = call.row("a"), chosen(call, "format", PAGES)
    work = await call.service.store.read(lambda connection: work_of_class(connection, of))
    level = of.feedback_after if has_report(of.feedback_after) else NOTHING
    content = await call.service.workers.lane(BULK, CLASS_SECONDS).run(
        tasks.feedback_pages, work.entries, work.handed_out, call.course.language, level, format
    )
    return file_response(call, await _exercise_name(call), content, f"feedback-{format}.zip", TYPES[".zip"])


@page(router, "GET", "/teach/a/{a}/paper", who=Who.TEACHER)
async def download_paper(call: PageCall) -> Response:
    """A sheet, a key or a solution; with `?system=` the exercise for a learning system."""
    version, language = call.row("a").version, call.course.language
    raws = await call.service.store.read(lambda connection: handed_out_raw(connection, version))
    workers = call.service.workers.lane(BULK, PAPER_SECONDS)
    if call.query("system") is not None:
        name = chosen(call, "system", SYSTEMS)
        ending, content = await workers.run(tasks.export, raws, name, language)
    else:
        name = chosen(call, "kind", PAPERS)
        format = chosen(call, "format", FORMATS)
        ending, content = await workers.run(tasks.paper_file, raws, name, format, language)
    return file_response(
        call, await _exercise_name(call), content, f"{name}{ending}", TYPES.get(ending, "application/octet-stream")
    )


async def _exercise_name(call: PageCall) -> str:
    of = call.row("a")
    return str((await call.service.store.read(lambda connection: one_described(connection, of))).name)
