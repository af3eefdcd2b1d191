"""The service as users start it, killed, stopped and started again under clients that try on."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from grader.service.store.store import open_store
from grader.service.store.store_backup import check
from grader.service.store.tables import submission
from tests.grader.service.api.client import RIGHT, TWO_PLY
from tests.grader.service.served import Running, admin, served, start
from tests.grader.service.store.databases import postgresql

pytestmark = pytest.mark.slow

CLIENTS = 12


class Class:
    """A course with an assignment and students, each of whom hands in once, however often it takes."""

    def __init__(self, running: Running, data: Path, students: int, database: str | None = None) -> None:
        options = ["--database", database] if database else []
        made = admin("token", "--teacher", "ada", "--data", data, *options)
        assert made.returncode == 0, made.stderr
        self.url, self.teacher = running.url, made.stdout.strip()
        course = self.ask("POST", "/api/courses", self.teacher, json={"title": "Search"})["id"]
        exercise = self.ask("POST", f"/api/courses/{course}/exercises", self.teacher, json=TWO_PLY)["id"]
        fields = {"exercise": exercise, "feedback_before": "full"}
        self.assignment = self.ask("POST", f"/api/courses/{course}/assignments", self.teacher, json=fields)["id"]
        members = {"members": [{"id": f"s{number}"} for number in range(students)]}
        added = self.ask("POST", f"/api/courses/{course}/members", self.teacher, json=members)["members"]
        self.tokens = [each["link"].rsplit("/", 1)[-1] for each in added]
        self.acknowledged: list[str] = []

    def ask(self, method: str, path: str, token: str, headers: dict[str, str] | None = None, **more: Any) -> Any:
        """Tries on until there is an answer that is not about being busy."""
        sent = {"Authorization": f"Bearer {token}", **(headers or {})}
        for _ in range(1_000):
            try:
                # Loading certificates, for which there is no use here, would take longer than all the rest.
                answer = httpx.request(method, self.url + path, headers=sent, timeout=10, verify=False, **more)
            except httpx.TransportError:
                time.sleep(0.05)
                continue
            if answer.status_code not in (429, 500, 503):
                assert answer.status_code < 300, answer.text
                return answer.json()
            time.sleep(0.05)
        pytest.fail("the service does not come back")

    def hand_in(self, number: int) -> None:
        token, random = self.tokens[number], Random(number)
        attempt = self.ask("POST", f"/api/assignments/{self.assignment}/attempts", token)["id"]
        answers = {**RIGHT, "values": {node: random.randint(-50, 50) for node in "ABCD"}}
        path, key = f"/api/attempts/{attempt}/submissions", {"Idempotency-Key": f"key of {number}"}
        self.acknowledged.append(self.ask("POST", path, token, key, json={"answers": answers})["id"])

    def all_marked(self) -> bool:
        found, after = 0, ""
        while True:
            page = self.ask("GET", f"/api/assignments/{self.assignment}/grades?limit=500{after}", self.teacher)
            found += sum(each["marks"] is not None for each in page["items"])
            if page["next"] is None:
                return found == len(self.tokens)
            after = f"&after={page['next']}"

    def wait_until_marked(self) -> None:
        for _ in range(1_200):
            if self.all_marked():
                return
            time.sleep(0.1)
        pytest.fail("not everything is marked")


@contextmanager
def handing_in(room: Class) -> Iterator[None]:
    """Everybody hands in while something happens; at the end all of them have."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        waiting = [pool.submit(room.hand_in, number) for number in range(len(room.tokens))]
        yield
        for each in waiting:
            each.result()


def stored_once(room: Class, data: Path, database: str | None = None) -> None:
    store = open_store(data, database)
    ids = store.read_now(lambda connection: connection.execute(select(submission.c.id)).scalars().all())
    attempts = select(func.count(submission.c.attempt.distinct()))
    assert sorted(ids) == sorted(room.acknowledged) and len(set(ids)) == len(room.tokens)
    assert store.read_now(lambda connection: connection.execute(attempts).scalar_one()) == len(ids)
    assert list(check(store.engine)) == []
    store.close()


def kills(data: Path, times: int, students: int) -> None:
    random, running = Random(3), start(data, "--workers", "1")
    room = Class(running, data, students)
    with handing_in(room):
        for kill in range(times):
            while len(room.acknowledged) < students * kill // (times + 1):
                time.sleep(0.01)
            time.sleep(random.random() / 5)
            running.process.kill()
            running.process.communicate()
            running = start(data, "--port", str(running.port), link=False)
    room.wait_until_marked()
    assert running.end() == 0
    running.process.communicate()
    stored_once(room, data)


def test_a_server_killed_while_students_hand_in(tmp_path: Path) -> None:
    kills(tmp_path / "data", 2, 60)


@pytest.mark.soak
def test_a_server_killed_twenty_times(tmp_path: Path) -> None:
    kills(tmp_path / "data", 20, 500)


def test_workers_killed_while_they_mark(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with served(data) as running:
        room = Class(running, data, 30)
        with handing_in(room):
            for _ in range(5):
                time.sleep(0.3)
                for pid in _workers(running.process.pid):
                    os.kill(pid, signal.SIGKILL)
        room.wait_until_marked()
        assert httpx.get(f"{running.url}/readyz").status_code == 200
    stored_once(room, data)


def _workers(pid: int) -> list[int]:
    """The processes that mark: children of the process that forks them, which is a child of the server."""
    if sys.platform != "linux":
        pytest.skip("processes are found in /proc")
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, _, rest = status.read_text().partition(" ")
            parents[int(number)] = int(rest.rpartition(")")[2].split()[1])
    children = {child for child, parent in parents.items() if parent == pid}
    return [child for child, parent in parents.items() if parent in children]


def test_what_is_left_at_the_end_is_marked_after_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with served(data) as running:
        room = Class(running, data, 40)
        with handing_in(room):
            pass
        assert running.end() == 0
    with served(data, "--port", str(running.port), link=False):
        room.wait_until_marked()
    stored_once(room, data)


def database_kills(tmp_path: Path, times: int, students: int) -> None:
    data = tmp_path / "data"
    with postgresql() as database, served(data, "--database", database.url) as running:
        room = Class(running, data, students, database.url)
        with handing_in(room):
            for kill in range(times):
                while len(room.acknowledged) < students * kill // (times + 1):
                    time.sleep(0.01)
                database.kill()
                database.start()
        room.wait_until_marked()
        assert running.end() == 0
        stored_once(room, data, database.url)


def test_a_database_killed_while_students_hand_in(tmp_path: Path) -> None:
    database_kills(tmp_path, 1, 40)


@pytest.mark.soak
def test_a_database_killed_five_times(tmp_path: Path) -> None:
    database_kills(tmp_path, 5, 400)
