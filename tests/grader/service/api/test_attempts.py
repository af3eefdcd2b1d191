"""Attempts: one at a time, within the dates, with a variant that stays; drafts that no window overwrites unseen."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from grader.service.base.clock import MINUTE, now
from grader.service.store.tables import attempt
from tests.grader.service.api.client import RIGHT, TWO_PLY, Api, Course
from tests.grader.service.api.handing_in import begun, hand_in, handed_in, until_marked

MEMBERS = {"id", "number", "variant", "exercise", "fields", "tree", "state", "ends", "now", "draft", "revision"}


def test_a_new_attempt_then_the_same_again(course: Course) -> None:
    assignment = course.put_assignment()
    first = course.api.post(f"/api/assignments/{assignment}/attempts", course["s1"])
    again = course.api.post(f"/api/assignments/{assignment}/attempts", course["s1"])
    assert (first.status_code, again.status_code) == (201, 200), first.text
    found = first.json()
    third = course.api.get(f"/api/attempts/{found['id']}", course["s1"])
    assert {**found, "now": ""} == {**again.json(), "now": ""} == {**third.json(), "now": ""}
    assert set(found) == MEMBERS
    assert (found["number"], found["state"], found["draft"], found["revision"]) == (1, "open", None, 0)
    assert found["exercise"]["id"] == "two-ply" and found["variant"] == "two-ply"
    assert [each["id"] for each in found["tree"]["nodes"]][:2] == ["A", "B"]
    assert "values.A" in [each["name"] for each in found["fields"]]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"opens": now() + 60 * MINUTE}, "not-open"),
        ({"opens": 0, "closes": now() - MINUTE}, "closed"),
        ({"opens": 0, "due": now() - MINUTE}, "closed"),
    ],
)
def test_outside_the_dates_there_is_none(course: Course, fields: dict[str, Any], code: str) -> None:
    assignment = course.put_assignment(**fields)
    answer = course.api.post(f"/api/assignments/{assignment}/attempts", course["s1"])
    assert (answer.status_code, answer.json()["code"]) == (403, code)
    # Those who set the exercise may always try it.
    assert course.api.post(f"/api/assignments/{assignment}/attempts", course.teacher).status_code == 201
    assert course.api.post(f"/api/assignments/{assignment}/attempts", course["ta"]).status_code == 403


def test_attempts_are_counted_and_given_back(running: Api, course: Course) -> None:
    assignment = course.put_assignment(attempts=2)
    blank = handed_in(course, assignment, "s1", {"values": {"A": "¿?"}})
    assert until_marked(running, blank, course.teacher)["counted"] is False
    assert begun(course, assignment, "s1")["number"] == 2
    handed_in(course, assignment, "s1", RIGHT)
    handed_in(course, assignment, "s1", RIGHT)
    answer = running.post(f"/api/assignments/{assignment}/attempts", course["s1"])
    assert (answer.status_code, answer.json()["code"]) == (403, "no-attempts-left")


def test_an_attempt_that_ran_out_of_time(course: Course) -> None:
    assignment = course.put_assignment(minutes=1, attempts=1)
    found = begun(course, assignment, "s1")
    _started(course, found["id"], now() - 2 * MINUTE)
    assert course.api.get(f"/api/attempts/{found['id']}", course["s1"]).json()["state"] == "expired"
    assert hand_in(course, found["id"], "s1", RIGHT).json()["code"] == "closed"
    saved = course.api.put(f"/api/attempts/{found['id']}/draft", course["s1"], json={"answers": {}, "revision": 0})
    assert (saved.status_code, saved.json()["code"]) == (403, "closed")
    answer = course.api.post(f"/api/assignments/{assignment}/attempts", course["s1"])
    assert answer.json()["code"] == "no-attempts-left"


def test_many_at_once_begin_one(course: Course) -> None:
    assignment = course.put_assignment(attempts=3)

    async def all_at_once() -> list[Any]:
        path = f"/api/assignments/{assignment}/attempts"
        return await asyncio.gather(*(course.api.send("POST", path, course["s1"]) for _ in range(20)))

    answers = course.api.loop.run(all_at_once())
    assert sorted(each.status_code for each in answers) == [200] * 19 + [201]
    assert len({each.json()["id"] for each in answers}) == 1


def test_variants_are_dealt_to_neighbours_and_stay(course: Course) -> None:
    names = [f"two-ply-{number}" for number in range(3)]
    course.exercise = course.put_exercise(*({**TWO_PLY, "id": name} for name in names))
    same, fresh = course.put_assignment(attempts=None), course.put_assignment(attempts=None, variants="fresh")
    dealt = [begun(course, same, code)["variant"] for code in ("s1", "s2", "s3")]
    assert sorted(dealt) == names
    course.api.delete(f"/api/courses/{course.id}/members/s1", course.teacher)
    assert begun(course, same, "s2")["variant"] == dealt[1]
    for assignment, expected in ((same, 1), (fresh, 3)):
        had = []
        for _ in range(3):
            found = begun(course, assignment, "s3")
            had.append(found["variant"])
            assert hand_in(course, found["id"], "s3", RIGHT).status_code == 201
        assert len(set(had)) == expected


def test_drafts(course: Course) -> None:
    path = f"/api/attempts/{begun(course, course.put_assignment(), 's1')['id']}"
    spelt = b'{"revision": 0, "answers": {"values": {"A": 2.50, "B": 1234567890123456789012345678901234567890}}}'
    assert course.api.put(f"{path}/draft", course["s1"], content=spelt).json() == {"revision": 1}
    stored = b'{"values":{"A":2.50,"B":1234567890123456789012345678901234567890}}'
    assert b'"draft":' + stored in course.api.get(path, course["s1"]).content
    stale = course.api.put(f"{path}/draft", course["s1"], json={"answers": {}, "revision": 0})
    assert stale.status_code == 409 and stale.headers["content-type"] == "application/problem+json"
    assert stale.json()["revision"] == 1 and b'"answers":' + stored in stale.content
    assert course.api.put(f"{path}/draft", course["s1"], json={"answers": {}, "revision": 1}).json() == {"revision": 2}
    ahead = course.api.put(f"{path}/draft", course["s1"], json={"answers": {}, "revision": 7})
    assert (ahead.status_code, ahead.json()["revision"]) == (409, 2)
    assert course.api.get(path, course["s1"]).json()["draft"] == {}
    assert hand_in(course, path.rsplit("/", 1)[1], "s1", RIGHT).status_code == 201
    over = course.api.put(f"{path}/draft", course["s1"], json={"answers": {}, "revision": 2})
    assert (over.status_code, over.json()["code"]) == (409, "already-submitted")


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"{", b"\xff", b'{"answers": []}', b'{"answers": {}, "marks": 7}', b'{"answers": {"a": NaN}}',
        b'{"answers": {"a": 1, "a": 2}}', b'{"answers": {"a": ' + b"[" * 127 + b"]" * 127 + b"}}",
        b'{"answers": {"a": ' + b"[" * 9000 + b"]" * 9000 + b"}}",
    ],
)  # fmt: skip
def test_answers_that_are_none(course: Course, body: bytes) -> None:
    path = f"/api/attempts/{begun(course, course.put_assignment(), 's1')['id']}"
    key = {"Idempotency-Key": "k"}
    for answer in (
        course.api.post(f"{path}/read", course["s1"], content=body),
        course.api.post(f"{path}/submissions", course["s1"], content=body, headers=key),
        course.api.put(f"{path}/draft", course["s1"], content=body[:-1] + b', "revision": 0}'),
    ):
        assert answer.status_code == 422, answer.text
    deepest = b'{"answers": {"a": ' + b"[" * 126 + b"]" * 126 + b"}}"
    assert course.api.post(f"{path}/submissions", course["s1"], content=deepest, headers=key).status_code == 201


@pytest.mark.parametrize("revision", ["0", -1, 1.5, True, None, 2**31])
def test_a_revision_is_a_number(course: Course, revision: Any) -> None:
    path = f"/api/attempts/{begun(course, course.put_assignment(), 's1')['id']}/draft"
    body = {"answers": {}, "revision": revision}
    assert course.api.put(path, course["s1"], json=body).status_code == 422


def test_how_answers_are_read(course: Course) -> None:
    path = f"/api/attempts/{begun(course, course.put_assignment(), 's1')['id']}/read"
    answers = {"values": {"A": "5/2", "B": "¿?", "Z": 1}, "move": "a2"}
    found = course.api.post(path, course["s1"], json={"answers": answers}).json()
    assert found["fields"]["values.A"] == {"read": "5/2"} and "problem" in found["fields"]["values.B"]
    assert found["ignored"]
    right = {**answers, "values": {"A": 3}}
    told = json.dumps(course.api.post(path, course["s1"], json={"answers": right}).json())
    assert not any(word in told for word in ("right", "wrong", "expected", "marks"))


def test_others_know_nothing_of_it(course: Course) -> None:
    path = f"/api/attempts/{begun(course, course.put_assignment(), 's1')['id']}"
    for token, status in ((course["s2"], 404), (course["ta"], 403), (course.teacher, 403)):
        assert course.api.get(path, token).status_code == status
        assert course.api.put(f"{path}/draft", token, json={"answers": {}, "revision": 0}).status_code == status


def _started(course: Course, attempt_id: str, moment: int) -> None:
    statement = attempt.update().where(attempt.c.id == attempt_id).values(started=moment)
    course.api.service.store.write_now(lambda tx: tx.execute(statement) and None)
