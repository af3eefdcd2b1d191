"""Regrades: what would change is shown first, stays true, and is applied once; jobs can be stopped."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from grader.service.features.exercises.queries import Upload, add_version
from tests.grader.service.api.client import RIGHT, TWO_PLY, Api, Course, intake_of
from tests.grader.service.api.handing_in import DEADLINE, handed_in, until_settled

SLIP = {**RIGHT, "values": {**RIGHT["values"], "B": 4}}
ODD = {**RIGHT, "values": {**RIGHT["values"], "D": "two"}}
HARDER = {**TWO_PLY, "questions": [{**each, "marks": 2 if each["id"] == "move" else each["marks"]}
                                   for each in TWO_PLY["questions"]]}  # fmt: skip
WITHOUT = {**TWO_PLY, "questions": [each for each in TWO_PLY["questions"] if each["id"] != "move"]}


def test_a_preview_then_all_at_once(running: Api, course: Course) -> None:
    assignment = course.put_assignment()
    first = handed_in(course, assignment, "s1", RIGHT)
    handed_in(course, assignment, "s2", SLIP)
    handed_in(course, assignment, "s3", {**RIGHT, "move": "a2"})
    until_settled(running)
    before = _marks(running)
    _new_version(course, HARDER)
    path = _begin(course, assignment, version=2)
    found = _ready(course, path)
    assert (found["from"], found["to"], found["done"], found["of"]) == (1, 2, 3, 3)
    changed = [(each["member"], each["question"], each["before"], each["after"]) for each in found["changes"]]
    assert changed[:2] == [("s1", None, 7, 8), ("s1", "move", 1, 2)] and {each[0] for each in changed} == {"s1", "s2"}
    assert found["changes"][0]["submission"] == first
    assert _marks(running) == before and _versions(running) == {1}
    applied = running.post(f"{path}/apply", course.teacher, json={"exclude": ["s2"]})
    assert (applied.status_code, applied.json()["state"]) == (200, "applied")
    assert _marks(running) == {**before, "s1": "8"}
    again = running.post(f"{path}/apply", course.teacher)
    assert (again.status_code, again.json()["code"]) == (409, "applied")
    told = running.get(f"/api/submissions/{first}/report", course.teacher).json()
    assert (told["marks"], told["out_of"]) == (8, 8)
    course.add("s4")
    handed_in(course, assignment, "s4", RIGHT)
    until_settled(running)
    assert _marks(running)["s4"] == "8"


def test_nobody_has_less(running: Api, course: Course) -> None:
    assignment = course.put_assignment()
    handed_in(course, assignment, "s1", RIGHT)
    handed_in(course, assignment, "s2", {**RIGHT, "move": "a2"})
    until_settled(running)
    before = _marks(running)
    _new_version(course, WITHOUT)
    assert [each["after"] for each in _ready(course, _begin(course, assignment, version=2))["changes"]
            if each["question"] is None] == [6]  # fmt: skip
    path = _begin(course, assignment, version=2, never_lower=True)
    assert "s1" not in {each["member"] for each in _ready(course, path)["changes"]}
    assert running.post(f"{path}/apply", course.teacher).status_code == 200
    assert _marks(running) == before and _versions(running) == {1, 2}


def test_marks_by_hand_outlive_it(running: Api, course: Course) -> None:
    assignment = course.put_assignment()
    handed_in(course, assignment, "s1", ODD)
    until_settled(running)
    review = f"/api/assignments/{assignment}/review"
    item = running.get(review, course.teacher).json()["items"][0]["id"]
    running.post(f"{review}/{item}", course.teacher, json={"marks": "1/2"})
    until_settled(running)
    assert _marks(running)["s1"] == "6.5"
    _new_version(course, HARDER)
    path = _begin(course, assignment, version=2)
    assert _ready(course, path)["changes"][0]["after"] == 7.5
    assert running.post(f"{path}/apply", course.teacher).status_code == 200
    assert _marks(running)["s1"] == "7.5" and not running.get(review, course.teacher).json()["items"]


@pytest.mark.parametrize("what", ["submission", "decision", "version"])
def test_what_has_changed_since_is_not_applied(running: Api, course: Course, what: str) -> None:
    assignment = course.put_assignment()
    handed_in(course, assignment, "s1", ODD)
    until_settled(running)
    _new_version(course, HARDER)
    path, other = _begin(course, assignment, version=2), _begin(course, assignment, version=2)
    _ready(course, path)
    _ready(course, other)
    if what == "submission":
        handed_in(course, assignment, "s2", RIGHT)
    elif what == "decision":
        item = running.get(f"/api/assignments/{assignment}/review", course.teacher).json()["items"][0]["id"]
        running.post(f"/api/assignments/{assignment}/review/{item}", course.teacher, json={"marks": 1})
    else:
        assert running.post(f"{other}/apply", course.teacher).status_code == 200
    answer = running.post(f"{path}/apply", course.teacher)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")


def test_what_cannot_be(running: Api, course: Course) -> None:
    course.exercise = course.put_exercise(TWO_PLY, {**TWO_PLY, "id": "other"})
    assignment = course.put_assignment()
    path = f"/api/assignments/{assignment}/regrades"
    for code in ("s1", "s2"):
        handed_in(course, assignment, code, RIGHT)
    _new_version(course, HARDER)
    for body in ({"version": 3}, {"version": 2}, {"version": "2"}, {}, {"version": 1, "marks": 7}):
        assert running.post(path, course.teacher, json=body).status_code == 422
    assert running.post(path, course["ta"], json={"version": 1}).status_code == 403
    same = _begin(course, assignment, version=1)
    assert _ready(course, same)["changes"] == []
    unknown = running.post(f"{same}/apply", course.teacher, json={"exclude": ["nobody"]})
    assert unknown.status_code == 422


def test_a_job_that_is_stopped_and_one_that_goes_on(course: Course) -> None:
    api = course.api
    assignment = course.put_assignment()
    path = _begin(course, assignment, version=1)
    job = api.get(path, course.teacher).json()["job"]
    waiting = api.get(f"/api/jobs/{job}", course.teacher).json()
    assert set(waiting) == {"id", "kind", "state", "done", "of", "result", "error"}
    assert (waiting["kind"], waiting["state"]) == ("regrade", "waiting")
    assert api.get(f"/api/jobs/{job}", course["s1"]).status_code == 403
    assert api.delete(f"/api/jobs/{job}", course.teacher).json()["state"] == "stopped"
    other = _begin(course, assignment, version=1)
    api.loop.run(api.service.start())
    _ready(course, other)
    api.loop.run(api.service.stop())
    assert api.get(path, course.teacher).json()["state"] == "stopped"
    answer = api.post(f"{path}/apply", course.teacher)
    assert (answer.status_code, answer.json()["code"]) == (409, "not-ready")
    done = api.delete(f"/api/jobs/{api.get(other, course.teacher).json()['job']}", course.teacher).json()
    assert done["state"] == "done"


def _new_version(course: Course, *documents: dict[str, Any]) -> None:
    upload = Upload(json.dumps(documents).encode(), intake_of(*documents))
    course.api.service.store.write_now(lambda tx: add_version(tx, course.who(tx), course.id, course.exercise, upload))


def _begin(course: Course, assignment: str, **body: Any) -> str:
    path = f"/api/assignments/{assignment}/regrades"
    answer = course.api.post(path, course.teacher, json=body)
    assert answer.status_code == 201, answer.text
    return f"{path}/{answer.json()['id']}"


def _ready(course: Course, path: str) -> dict[str, Any]:
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        found: dict[str, Any] = course.api.get(path, course.teacher).json()
        if found["state"] not in ("waiting", "running"):
            break
        time.sleep(0.02)
    assert found["state"] == "ready", found
    return found


def _marks(api: Api) -> dict[str, str]:
    with api.service.store.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT code, marks FROM grade JOIN member ON member.id = grade.member")
        return {row.code: row.marks for row in rows if row.marks is not None}


def _versions(api: Api) -> set[int]:
    with api.service.store.engine.connect() as connection:
        statement = "SELECT number FROM grade JOIN version ON version.id = grade.version WHERE marks IS NOT NULL"
        return set(connection.exec_driver_sql(statement).scalars())
