"""The teacher's desk with a large class: how long its pages take beside the home page.

500 members, 10 assignments, and 500 different answers to one of them, all marked. Every page is asked for in turn, in
several rounds, by the teacher; the first asking, which may have to make what is kept afterwards, is shown apart, and so
is the class after one more answer.
"""

from __future__ import annotations

import asyncio
import re
import time
from functools import partial

import httpx

from benchmarks.measure import Ratio, interleaved, show, title
from benchmarks.service.classroom import Classroom, classroom, hand_in
from benchmarks.service.client import send
from benchmarks.service.servers import Served, served

STUDENTS, QUICK_STUDENTS = 500, 5
ASSIGNMENTS = 10
ROUNDS, QUICK_ROUNDS = 5, 1
AT_ONCE = 20
HOME = "/"


def desk(quick: bool) -> list[Ratio]:
    title("Desk: pages of a large class beside the home page")
    students, rounds = (QUICK_STUDENTS, QUICK_ROUNDS) if quick else (STUDENTS, ROUNDS)
    with served() as service:
        room = classroom(service, students + 1)
        course = service.call("GET", "/api/courses")["items"][0]["id"]
        exercise = service.call("GET", f"/api/courses/{course}/exercises")["items"][0]["id"]
        for _ in range(ASSIGNMENTS - 1):
            service.call("POST", f"/api/courses/{course}/assignments", {"exercise": exercise})
        asyncio.run(send(service.port, hand_in(room, 0, students), AT_ONCE))
        _marked(service, room, students)
        found = show(_measured(service, course, room.assignment, rounds))
        asyncio.run(send(service.port, hand_in(room, students, students + 1), 1))
        _marked(service, room, students + 1)
        with _teacher(service) as client:
            began = time.perf_counter()
            _get(client, f"/teach/a/{room.assignment}/class")
            print(f"  the class once more after one more answer: {time.perf_counter() - began:.3f} s")
        return found


def _marked(service: Served, room: Classroom, students: int) -> None:
    """Returns when so many have handed in and all are marked."""
    with _teacher(service) as client:
        while True:
            page = client.get(f"/teach/a/{room.assignment}").raise_for_status().text
            if f"Handed in: {students} of" in page and not re.search(r"(is|are) being marked", page):
                return
            time.sleep(1)


def _measured(service: Served, course: str, assignment: str, rounds: int) -> list[Ratio]:
    at, of = f"/teach/c/{course}", f"/teach/a/{assignment}"
    paths = [HOME, at, f"{at}/members", f"{at}/audit", of, f"{of}/class", f"{of}/answers?node=B", f"{of}/review"]
    paths += [f"{of}/extensions", f"{of}/edit", f"{of}/grades.csv?format=plain", f"{of}/answers.jsonl"]
    with _teacher(service) as client:
        first: dict[str, float] = {}
        sizes: dict[str, int] = {}
        for path in paths:
            began = time.perf_counter()
            sizes[path] = len(_get(client, path).content)
            first[path] = time.perf_counter() - began
        seconds = interleaved({path: partial(_get, client, path) for path in paths}, rounds)
    for path in paths:
        name = path.replace(course, "{c}").replace(assignment, "{a}")
        print(
            f"  {name:<40} first {first[path]:6.3f} s, then {min(seconds[path].wall):6.3f} s, {sizes[path]:>9,} bytes"
        )
    home = seconds[HOME].wall
    return [
        Ratio(path.replace(course, "{c}").replace(assignment, "{a}"), seconds[path].wall, home)
        for path in paths
        if path != HOME
    ]


def _get(client: httpx.Client, path: str) -> httpx.Response:
    return client.get(path).raise_for_status()


def _teacher(service: Served) -> httpx.Client:
    headers = {"Authorization": f"Bearer {service.token}"}
    return httpx.Client(base_url=f"http://127.0.0.1:{service.port}", headers=headers, timeout=120)
