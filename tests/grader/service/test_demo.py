"""`plymark serve --demo`: a class that has handed in."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path

import pytest

from grader.service.run.demo import STUDENTS
from grader.service.store.engine import SQLITE_FILE
from tests.grader.service.served import served
from tests.grader.service.test_serving import refused

pytestmark = pytest.mark.slow


def test_a_class_to_look_at(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with served(data, "--demo") as running:
        assert running.end() == 0
    # What was not marked then is marked now.
    with served(data) as running, running.client() as client:
        assert client.post("/api/session", json={"link": running.link}).status_code == 201
        (course,) = client.get("/api/courses").json()["items"]
        (assigned,) = client.get(f"/api/courses/{course['id']}/assignments").json()["items"]
        assert assigned["url"] == f"{running.url}/a/{assigned['id']}"
        while list((marks := marks_of(data)).values()).count(None) > 1:
            time.sleep(0.1)
        assert sorted(marks) == [each.id for each in STUDENTS]
        assert [marks[name] for name in ("s01", "s02", "s03")] == ["11", "11", "11"]
        assert marks["s10"] is None
        assert len(set(marks.values())) > 5
    said = refused("--data", str(data), "--demo", "--port", "0")
    assert said == "plymark: the store is not empty; --demo fills an empty one, so give another --data"


def marks_of(data: Path) -> dict[str, str | None]:
    statement = "SELECT member.code, grade.marks FROM grade JOIN member ON member.id = grade.member"
    with contextlib.closing(sqlite3.connect(data / SQLITE_FILE)) as connection:
        return dict(connection.execute(statement).fetchall())
