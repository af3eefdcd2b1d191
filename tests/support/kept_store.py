"""What a store says of marks, over the API: compared between the program that made it and all later ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import httpx

from solver.languages import LANGUAGES

DEADLINE = 120.0
"""Seconds after which what never comes counts as missing; nothing is measured by it."""
TABLES = (
    "person", "course", "member", "exercise", "version", "variant", "assignment", "extension", "attempt", "draft",
    "submission", "override", "decision", "live", "live_answer",
)  # fmt: skip
"""Whose rows no later program adds to or takes away by opening the store."""


class Client(Protocol):
    """The service as a teacher's program reaches it."""

    def get(self, path: str) -> httpx.Response: ...

    def post(self, path: str, **more: Any) -> httpx.Response: ...


def marks_of(client: Client) -> dict[str, Any]:
    """By assignment: every grade, and of every submission the state, the marks and the verdicts."""
    said = {}
    for course in _items(client, "/api/courses"):
        for assignment in _items(client, f"/api/courses/{course['id']}/assignments"):
            path = f"/api/assignments/{assignment['id']}"
            said[assignment["id"]] = {
                "grades": {each["member"]: _grade(each) for each in _items(client, f"{path}/grades")},
                "submissions": {
                    each["id"]: _submission(client, each) for each in _items(client, f"{path}/submissions")
                },
                "to review": len(_items(client, f"{path}/review")),
            }
    return said


def without_verdicts(said: Mapping[str, Any]) -> Any:
    """Marks stay for ever; why they were given is told by today's rules."""
    if isinstance(said, list):
        return [without_verdicts(each) for each in said]
    if isinstance(said, dict):
        return {name: without_verdicts(each) for name, each in said.items() if name != "verdicts"}
    return said


def reports_in_all_languages(client: Client, said: Mapping[str, Any]) -> list[httpx.Response]:
    """Of everything that is marked, over the API and as a page."""
    opened = []
    for assignment in said.values():
        for submission, told in assignment["submissions"].items():
            if told["state"] == "marked":
                path = f"/api/submissions/{submission}/report?language="
                opened += [client.get(f"{path}{language}") for language in LANGUAGES]
            opened.append(client.get(f"/s/{submission}"))
    return opened


def told_to(students: Mapping[str, Client], said: Mapping[str, Any]) -> dict[str, int]:
    """By submission, how a student's own request for its report is answered."""
    return {
        submission: students[told["member"]].get(f"/api/submissions/{submission}/report").status_code
        for assignment in said.values()
        for submission, told in assignment["submissions"].items()
    }


def regrade_all(client: Client) -> None:
    """Everything, to the newest version of its exercise."""
    for course in _items(client, "/api/courses"):
        exercises = {each["id"]: each["version"] for each in _items(client, f"/api/courses/{course['id']}/exercises")}
        for assignment in _items(client, f"/api/courses/{course['id']}/assignments"):
            path = f"/api/assignments/{assignment['id']}/regrades"
            begun = client.post(path, json={"version": exercises[assignment["exercise"]]})
            assert begun.status_code == 201, begun.text
            regrade = f"{path}/{begun.json()['id']}"
            until(lambda: client.get(regrade).json()["state"] == "ready")  # noqa: B023 - called at once
            applied = client.post(f"{regrade}/apply", json={})
            assert applied.status_code == 200, applied.text


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + DEADLINE
    while not done():
        assert time.monotonic() < end, "it never ends"
        time.sleep(0.05)


def _items(client: Client, path: str) -> list[dict[str, Any]]:
    answer = client.get(f"{path}?limit=500")
    assert answer.status_code == 200, f"{path}: {answer.text}"
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def _grade(each: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each[name] for name in ("marks", "out_of", "submission", "late", "override", "version")}


def _submission(client: Client, each: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: each[name] for name in ("member", "state", "counted", "late", "marks", "out_of")}
    if each["state"] == "marked":
        answer = client.get(f"/api/submissions/{each['id']}/report?language=en")
        assert answer.status_code == 200, answer.text
        report = answer.json()
        told["parts"] = [_part(part) for part in report.get("parts", [report])]
    return told


def _part(report: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "marks": report["marks"],
        "out_of": report["out_of"],
        "questions": [
            {
                "id": each["id"],
                "marks": each["marks"],
                "verdicts": [f"{item['item']}: {item['verdict']}" for item in each["items"]],
            }
            for each in report["questions"]
        ],
    }
