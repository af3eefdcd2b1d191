"""Every page of the desk against everybody: assistants see and review, teachers do the rest, others learn nothing."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from tests.grader.service.desk.class_scene import Desk
from tests.grader.service.routes import DESK
from tests.grader.service.served import COMMAND, environment

GRANTS = """
GET /teach any-teacher
POST /teach any-teacher
POST /teach/names anyone
GET /teach/c/{c} A T
GET /teach/c/{c}/settings T
POST /teach/c/{c}/settings T
POST /teach/c/{c}/copy T
POST /teach/c/{c}/delete T
GET /teach/c/{c}/audit T
GET /teach/c/{c}/members T
POST /teach/c/{c}/members T
POST /teach/c/{c}/links T
POST /teach/c/{c}/members/{m}/role T
POST /teach/c/{c}/members/{m}/link T
POST /teach/c/{c}/members/{m}/remove T
GET /teach/c/{c}/exercises T
POST /teach/c/{c}/exercises T
POST /teach/c/{c}/exams T
GET /teach/c/{c}/assign T
POST /teach/c/{c}/assign T
GET /teach/a/{a} A T
GET /teach/a/{a}/edit T
POST /teach/a/{a}/edit T
POST /teach/a/{a}/now T
GET /teach/a/{a}/extensions T
POST /teach/a/{a}/extensions T
GET /teach/a/{a}/class A T
GET /teach/a/{a}/answers A T
GET /teach/a/{a}/review A T
POST /teach/a/{a}/review/{id} A T
GET /teach/g/{g} T
POST /teach/g/{g} T
POST /teach/g/{g}/remove T
POST /teach/g/{g}/reopen T
GET /teach/a/{a}/regrades T
POST /teach/a/{a}/regrades T
GET /teach/a/{a}/regrades/{r} T
POST /teach/a/{a}/regrades/{r} T
GET /teach/a/{a}/grades.csv A T
GET /teach/a/{a}/answers.jsonl A T
GET /teach/a/{a}/feedback.zip T
GET /teach/a/{a}/paper T
"""
PAGES = [tuple(line.split(maxsplit=2)) for line in GRANTS.split("\n") if line]


@dataclass
class Room:
    """An id for every parameter of a path, and a client for everybody."""

    ids: dict[str, str]
    callers: dict[str, tuple[httpx.Client, str]]


@pytest.fixture
def room(desk: Desk) -> Iterator[Room]:
    with desk.visit() as opened:
        page = opened.page
        opened.go(f"/teach/c/{desk.course}/members")
        page.get_by_label("One line for each member").fill("ta; Tess Adams")
        page.get_by_label("Their role").select_option("assistant")
        page.get_by_role("button", name="Add members").click()
        assistant = page.locator(".links .hash").inner_text().rpartition("/")[2]
        opened.go(f"/teach/a/{desk.assignment}")
        grade = re.search(r"/teach/g/(\w+)", page.content())
        opened.go(f"/teach/a/{desk.assignment}/regrades")
        page.get_by_role("button", name="See what would change").click()
        page.wait_for_url("**/regrades/*")
        regrade = page.url.rpartition("/")[2]
        cookies = {each["name"]: each["value"] for each in opened.context.cookies()}
    assert grade is not None
    ids = {"c": desk.course, "a": desk.assignment, "m": "s02", "g": grade[1], "r": regrade, "id": "x"}
    told = [*COMMAND, "admin", "token", "--data", str(desk.running.log.with_suffix("")), "--teacher", "grace"]
    other = subprocess.run(told, capture_output=True, text=True, check=True, env=environment()).stdout.strip()
    client = desk.running.client
    callers = {
        "nobody": (client(), ""),
        "student": (client(desk.links["s01"].rpartition("/")[2]), "anyone S"),
        "assistant": (client(assistant), "anyone A"),
        "another course's teacher": (client(other), "anyone any-teacher"),
        "teacher": (httpx.Client(base_url=desk.running.url, cookies=cookies, timeout=300), "anyone any-teacher T"),
    }
    made = callers["another course's teacher"][0].post("/api/courses", json={"title": "Theirs"})
    assert made.status_code == 201
    yield Room(ids, callers)
    for each, _ in callers.values():
        each.close()


def test_the_table_has_every_page() -> None:
    assert {(method, path) for method, path, _ in PAGES} == set(DESK)


@pytest.mark.slow
def test_everybody_on_every_page(room: Room) -> None:
    """What is no form is refused after the role is: 422 means that the caller was let in, and nothing was done."""
    for method, path, grants in PAGES:
        for name, (client, is_a) in room.callers.items():
            body = {"content": b"x", "headers": {"Content-Type": "text/plain"}} if method == "POST" else {}
            answer = client.request(method, path.format(**room.ids), **body)  # type: ignore[arg-type]
            told = f"{name}: {method} {path}: {answer.status_code}"
            if name == "nobody":
                assert answer.status_code == (303 if method == "GET" else 401), told
                assert method == "POST" or "/sign-in?" in answer.headers["location"], told
            elif set(grants.split()) & set(is_a.split()):
                assert answer.status_code == (200 if method == "GET" else 422), told
            else:
                unknown = name == "another course's teacher"
                assert answer.status_code == (404 if unknown else 403), told
