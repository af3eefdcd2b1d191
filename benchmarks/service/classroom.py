"""A course with many students, each with an attempt, and answers that are all different."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from random import Random

from benchmarks.service.client import request, send
from benchmarks.service.servers import Served

EXERCISE = {
    "plymark": "exercise/1",
    "id": "two-ply",
    "game": {"tree": [[3, 12, 8], [2, 4, 6], [14, 5, 2]]},
    "questions": [
        {"id": "values", "ask": "values", "marks": 4},
        {"id": "windows", "ask": "windows", "at": "entry", "marks": 4},
        {"id": "pruned", "ask": "pruned", "marks": 2},
        {"id": "move", "ask": "move", "marks": 1},
    ],
}
AT_ONCE = 500


@dataclass(frozen=True)
class Classroom:
    assignment: str
    tokens: list[str]
    """Of the students, in the order of the attempts."""
    attempts: list[str]


def classroom(service: Served, students: int) -> Classroom:
    course = service.call("POST", "/api/courses", {"title": "Benchmark"})["id"]
    made = service.call("POST", f"/api/courses/{course}/exercises", EXERCISE)
    assignment = service.call("POST", f"/api/courses/{course}/assignments", {"exercise": made["id"]})["id"]
    tokens: list[str] = []
    for start in range(0, students, AT_ONCE):
        members = [{"id": f"s{number}"} for number in range(start, min(students, start + AT_ONCE))]
        added = service.call("POST", f"/api/courses/{course}/members", {"members": members})["members"]
        tokens += (each["link"].rsplit("/", 1)[-1] for each in added)
    begin = [request("POST", f"/api/assignments/{assignment}/attempts", token) for token in tokens]
    # One after the other, so that the answers come in the order of the tokens.
    started = asyncio.run(send(service.port, begin, 1, keep=True))
    assert set(started.statuses) == {201}, started.statuses
    return Classroom(assignment, tokens, [json.loads(body)["id"] for body in started.bodies])


def answers(number: int) -> dict[str, object]:
    """Wrong in a way of its own."""
    random = Random(number)
    values = {node: random.randint(-99, 99) for node in "ABCD"}
    windows = {node: [random.randint(-99, 0), random.randint(1, 99)] for node in "ABCD"}
    return {"values": values, "windows": windows, "pruned": [f"L{random.randint(4, 9)}"], "move": "a2"}


def hand_in(room: Classroom, first: int, last: int) -> list[bytes]:
    return [
        request(
            "POST",
            f"/api/attempts/{room.attempts[number]}/submissions",
            room.tokens[number],
            {"answers": answers(number)},
            Idempotency_Key=f"k{number}",
        )
        for number in range(first, last)
    ]
