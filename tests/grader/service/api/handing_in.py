"""Students at work: attempts, submissions, and waiting until they are marked."""

from __future__ import annotations

import time
from typing import Any

import httpx

from grader.service.base.clock import now
from tests.grader.service.api.client import Api, Course

DEADLINE = 600.0
"""Seconds after which what never comes counts as missing; nothing is measured by it."""


def begun(course: Course, assignment: str, code: str) -> dict[str, Any]:
    answer = course.api.post(f"/api/assignments/{assignment}/attempts", course[code])
    assert answer.status_code in (200, 201), answer.text
    found: dict[str, Any] = answer.json()
    return found


def hand_in(course: Course, attempt: str, code: str, answers: Any, key: str = "k1") -> httpx.Response:
    path, headers = f"/api/attempts/{attempt}/submissions", {"Idempotency-Key": key}
    return course.api.post(path, course[code], json={"answers": answers}, headers=headers)


def handed_in(course: Course, assignment: str, code: str, answers: Any, key: str = "k1") -> str:
    """The id of a new submission in a new attempt."""
    answer = hand_in(course, begun(course, assignment, code)["id"], code, answers, key)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def until_marked(api: Api, submission: str, token: str, state: str = "marked") -> dict[str, Any]:
    """As staff see it, once it is in a state."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        found: dict[str, Any] = api.get(f"/api/submissions/{submission}", token).json()
        if found["state"] == state:
            return found
        time.sleep(0.02)
    raise AssertionError(f"still {found}")


def until_settled(api: Api) -> None:
    """Until nothing waits to be marked, for the first time or again."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        with api.service.store.engine.connect() as connection:
            waiting = connection.exec_driver_sql(
                f"SELECT count(*) FROM marking WHERE state = 'received' OR stale OR lease > {now()}"
            ).scalar_one()
        if not waiting and not api.service.marking.under_way:
            return
        time.sleep(0.02)
    raise AssertionError("something is never marked")
