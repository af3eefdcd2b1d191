"""The service in this process, reached over HTTP's own messages: a real store, real workers, no socket."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

from grader.service.base.ids import new_id
from grader.service.features.accounts.queries import new_link, new_person
from grader.service.features.exercises.queries import Upload, new_exercise
from grader.service.http.request_middleware import RequestMiddleware
from grader.service.http.service import Service
from grader.service.run.app import make_app
from grader.service.store.tables import assignment, version
from grader.service.store.transaction import Transaction
from grader.service.workers.task_results import ExerciseIntake, PartIntake, VariantIntake

T = TypeVar("T")
BASE = "http://plymark.test"
TWO_PLY: dict[str, Any] = {
    "plymark": "exercise/1",
    "id": "two-ply",
    "title": "Alpha-beta on the two-ply game tree",
    "game": {
        "tree": {
            "id": "A",
            "turn": "max",
            "children": [
                {"move": "a1", "id": "B", "turn": "min", "children": [3, 12, 8]},
                {"move": "a2", "id": "C", "turn": "min", "children": [2, 4, 6]},
                {"move": "a3", "id": "D", "turn": "min", "children": [14, 5, 2]},
            ],
        },
    },
    "convention": "aima3",
    "questions": [
        {"id": "values", "ask": "values", "marks": 4},
        {"id": "pruned", "ask": "pruned", "marks": 2},
        {"id": "move", "ask": "move", "marks": 1},
    ],
    "marking": {"follow_through": 1},
}
OUT_OF = 7
RIGHT: dict[str, Any] = {"values": {"A": 3, "B": 3, "C": "<= 2", "D": 2}, "pruned": ["L5", "L6"], "move": "a1"}
WRONG: dict[str, Any] = {"values": {"A": 6, "B": 12, "C": 6, "D": 14}, "pruned": "L5 L6 L8 L9", "move": "a2"}


class Loop:
    """An event loop in a thread of its own, as a server has one, so that tests need not be written around it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="loop-of-tests", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Api:
    """`api.get("/api/courses", token)`; what is sent is `json=` or `content=`, as httpx has it."""

    def __init__(self, service: Service, loop: Loop) -> None:
        self.service, self.loop = service, loop
        app = _app(service)
        app.state.service = service
        self._front = RequestMiddleware(app)

    def call(self, method: str, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        return self.loop.run(self.send(method, path, token, **more))

    async def send(self, method: str, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        """For requests that are under way at the same time."""
        headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **more.pop("headers", {})}
        transport = httpx.ASGITransport(self._front, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            return await client.request(method, path, headers=headers, **more)

    def get(self, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        return self.call("GET", path, token, **more)

    def post(self, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        return self.call("POST", path, token, **more)

    def put(self, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        return self.call("PUT", path, token, **more)

    def patch(self, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        return self.call("PATCH", path, token, **more)

    def delete(self, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        return self.call("DELETE", path, token, **more)

    def new_teacher(self, login: str) -> str:
        """The token of somebody who may make courses."""

        def write(tx: Transaction) -> str:
            return new_link(tx, new_person(tx, login.title(), teaches=True, login=login), "token")

        return self.service.store.write_now(write)


@dataclass
class Course:
    """A course with a teacher, an assistant, students and an exercise."""

    api: Api
    id: str
    teacher: str
    """A token, as those of all members are."""
    members: dict[str, str] = field(default_factory=dict)
    exercise: str = ""

    def __getitem__(self, code: str) -> str:
        """A member's token."""
        return self.members[code]

    def add(self, *codes: str, role: str = "student") -> None:
        wanted = [{"id": code, "name": f"Name of {code}", "role": role} for code in codes]
        answer = self.api.post(f"/api/courses/{self.id}/members", self.teacher, json={"members": wanted})
        assert answer.status_code == 201, answer.text
        for each in answer.json()["members"]:
            self.members[each["id"]] = each["link"].rsplit("/", 1)[-1]

    def put_exercise(self, *documents: dict[str, Any]) -> str:
        """Straight into the store, as a worker would have taken it in; several documents are variants."""
        upload = Upload(json.dumps(documents).encode(), intake_of(*documents))
        return self.api.service.store.write_now(lambda tx: new_exercise(tx, self.who(tx), self.id, upload))

    def put_assignment(self, **fields: Any) -> str:
        """Straight into the store: open, one attempt, never due, unless fields of the row say otherwise."""

        def write(tx: Transaction) -> str:
            newest = tx.execute(version.select().where(version.c.exercise == self.exercise)).all()[-1]
            usual = {
                "id": new_id(), "course": self.id, "exercise": self.exercise, "version": newest.id, "opens": tx.now,
                "due": None, "closes": None, "minutes": None, "attempts": 1, "counts": "best", "late": None,
                "variants": "same", "feedback_before": "receipt", "feedback_after": "full", "released": False,
                "secret": "secret of tests", "created": tx.now,
            }  # fmt: skip
            row = {**usual, **fields}
            tx.execute(assignment.insert(), row)
            return str(row["id"])

        return self.api.service.store.write_now(write)

    def who(self, tx: Transaction) -> str:
        """The id of the teacher."""
        return str(tx.connection.exec_driver_sql("SELECT id FROM person WHERE teaches ORDER BY created").scalar())


def make_course(api: Api, teacher: str, students: Sequence[str] = ("s1", "s2", "s3"), zone: str = "UTC") -> Course:
    answer = api.post("/api/courses", teacher, json={"title": "Search", "zone": zone})
    assert answer.status_code == 201, answer.text
    made = Course(api, answer.json()["id"], teacher)
    made.add(*students)
    made.add("ta", role="assistant")
    made.exercise = made.put_exercise(TWO_PLY)
    return made


_APPS: dict[str, FastAPI] = {}


def _app(service: Service) -> FastAPI:
    """Made once, since describing all routes takes longer than most tests; it serves one service at a time."""
    return _APPS.setdefault(service.settings.path, _APPS.get(service.settings.path) or make_app(service))


def intake_of(*documents: dict[str, Any]) -> ExerciseIntake:
    name, title = documents[0]["id"], documents[0].get("title")
    return ExerciseIntake(name, title, "en", "exercise", (PartIntake(None, tuple(map(_variant, documents))),))


def _variant(document: dict[str, Any]) -> VariantIntake:
    raw = json.dumps(document, separators=(",", ":")).encode()
    out_of = sum(each["marks"] for each in document["questions"])
    return VariantIntake(document["id"], raw, hashlib.sha256(raw).hexdigest(), str(out_of))
