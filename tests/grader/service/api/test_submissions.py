"""Handing in: stored once and acknowledged, then marked; reports at the level that is due, and not before."""

from __future__ import annotations

import asyncio
import hashlib
import json
from fractions import Fraction
from typing import Any

import pytest

from grader.service.base.clock import DAY, HOUR, now
from grader.service.store.tables import assignment as assignments
from grader.service.store.tables import grade, marking, report, submission
from tests.grader.service.api.client import OUT_OF, RIGHT, WRONG, Api, Course
from tests.grader.service.api.handing_in import begun, hand_in, handed_in, until_marked, until_settled


def test_the_receipt_says_what_was_stored(course: Course) -> None:
    attempt = begun(course, course.put_assignment(), "s1")["id"]
    body = json.dumps({"answers": RIGHT}, indent=2).encode()
    path, headers = f"/api/attempts/{attempt}/submissions", {"Idempotency-Key": "k"}
    answer = course.api.post(path, course["s1"], content=body, headers=headers)
    assert answer.status_code == 201
    receipt = answer.json()
    assert set(receipt) == {"id", "received", "sha256"}
    assert receipt["sha256"] == hashlib.sha256(body).hexdigest()
    with course.api.service.store.engine.connect() as connection:
        row = connection.execute(submission.select()).one()
    assert (row.id, row.raw, row.sha256) == (receipt["id"], body, receipt["sha256"])


def test_the_same_key_the_same_answer(course: Course) -> None:
    assignment = course.put_assignment()
    attempt = begun(course, assignment, "s1")["id"]
    first = hand_in(course, attempt, "s1", RIGHT)
    assert hand_in(course, attempt, "s1", RIGHT).json() == first.json()
    other_bytes = hand_in(course, attempt, "s1", WRONG)
    assert (other_bytes.status_code, other_bytes.json()["code"]) == (409, "idempotency")
    other_key = hand_in(course, attempt, "s1", RIGHT, "k2")
    assert (other_key.status_code, other_key.json()["code"]) == (409, "already-submitted")
    _change(course, assignment, opens=0, closes=now() - HOUR)
    late = hand_in(course, attempt, "s1", RIGHT)
    assert (late.status_code, late.json()) == (201, first.json())


def test_fifty_at_once_are_one(course: Course) -> None:
    attempt = begun(course, course.put_assignment(), "s1")["id"]
    path = f"/api/attempts/{attempt}/submissions"

    async def all_at_once() -> list[Any]:
        headers = {"Idempotency-Key": "k"}
        send = course.api.send
        return await asyncio.gather(
            *(send("POST", path, course["s1"], json={"answers": RIGHT}, headers=headers) for _ in range(50))
        )

    answers = course.api.loop.run(all_at_once())
    assert {each.status_code for each in answers} == {201} and len({each.content for each in answers}) == 1


@pytest.mark.parametrize("key", [None, "", "x" * 201, "a\tb", "é"])
def test_a_key_is_needed(course: Course, key: str | None) -> None:
    attempt = begun(course, course.put_assignment(), "s1")["id"]
    headers = {} if key is None else {"Idempotency-Key": key.encode("latin-1")}
    answer = course.api.post(
        f"/api/attempts/{attempt}/submissions", course["s1"], json={"answers": RIGHT}, headers=headers
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency-key")


def test_too_late(course: Course) -> None:
    assignment = course.put_assignment()
    attempt = begun(course, assignment, "s1")["id"]
    _change(course, assignment, opens=0, closes=now() - HOUR)
    answer = hand_in(course, attempt, "s1", RIGHT)
    assert (answer.status_code, answer.json()["code"]) == (403, "closed")


def test_marked_and_graded(running: Api, course: Course) -> None:
    assignment = course.put_assignment(feedback_before="full")
    right, wrong = handed_in(course, assignment, "s1", RIGHT), handed_in(course, assignment, "s2", WRONG)
    found = until_marked(running, right, course["s1"])
    assert found["answers"] == RIGHT and found["counted"] is True and found["late"] == 0
    until_marked(running, wrong, course["s2"])
    told = running.get(f"/api/submissions/{right}/report", course["s1"]).json()
    assert (told["plymark"], told["student"], told["marks"], told["out_of"]) == ("report/1", "s1", OUT_OF, OUT_OF)
    marks = {row.submission: row.marks for row in _rows(running, grade)}
    assert marks[right] == str(OUT_OF) and Fraction(marks[wrong]) < OUT_OF
    spoken = running.get(f"/api/submissions/{wrong}/report?language=pt", course["s2"]).json()
    assert spoken["language"] == "pt" and spoken["marks"] == float(Fraction(marks[wrong]))
    for unknown in ("xx", ""):
        answer = running.get(f"/api/submissions/{wrong}/report?language={unknown}", course["s2"])
        assert answer.status_code == 422
    assert running.get(f"/api/submissions/{wrong}/report", course["s1"]).status_code == 404
    assert running.get(f"/api/submissions/{wrong}/report", course["ta"]).json()["student"] == "s2"


def test_equal_answers_share_a_report(running: Api, course: Course) -> None:
    assignment = course.put_assignment()
    before = running.service.workers.counts().done["marking"]
    for code in ("s1", "s2", "s3"):
        handed_in(course, assignment, code, RIGHT)
    until_settled(running)
    # One of them posed the exercise.
    assert running.service.workers.counts().done["marking"] - before == 2
    assert len(_rows(running, report)) == 1 and {row.marks for row in _rows(running, grade)} == {str(OUT_OF)}


@pytest.mark.parametrize("level", ["receipt", "none", "marks", "hints", "full"])
def test_students_are_told_what_is_due(running: Api, course: Course, level: str) -> None:
    assignment = course.put_assignment(feedback_before=level)
    found = handed_in(course, assignment, "s1", WRONG)
    until_marked(running, found, course.teacher)
    seen = running.get(f"/api/submissions/{found}", course["s1"]).json()
    told = running.get(f"/api/submissions/{found}/report", course["s1"])
    if level == "receipt":
        assert seen["state"] == "received"
        assert (told.status_code, told.json()["code"]) == (403, "not-released")
    else:
        assert seen["state"] == "marked" and told.json()["feedback_level"] == level
    assert ('"expected"' in told.text) is (level == "full")
    assert running.get(f"/s/{found}", course["s1"]).status_code == 200
    assert ('"marks"' in told.text or '"out_of"' in told.text) is (level in ("marks", "hints", "full"))
    assert running.get(f"/api/submissions/{found}/report", course["ta"]).json()["feedback_level"] == "full"
    _change(course, assignment, released=True)
    assert running.get(f"/api/submissions/{found}/report", course["s1"]).json()["feedback_level"] == "full"


def test_before_it_is_marked_there_is_no_report(course: Course) -> None:
    assignment = course.put_assignment(feedback_before="full")
    found = handed_in(course, assignment, "s1", RIGHT)
    answer = course.api.get(f"/api/submissions/{found}/report", course["s1"])
    assert (answer.status_code, answer.json()["code"]) == (409, "not-marked") and answer.headers["retry-after"]


def test_what_no_document_may_hold_is_not_counted(running: Api, course: Course) -> None:
    assignment = course.put_assignment(feedback_before="full")
    found = handed_in(course, assignment, "s1", {"move": "a\u202e1"})
    assert until_marked(running, found, course["s1"])["counted"] is False
    assert running.get(f"/api/submissions/{found}/report", course["s1"]).json()["marks"] == 0
    assert begun(course, assignment, "s1")["number"] == 2


def test_late_days(running: Api, course: Course) -> None:
    late = json.dumps({"per_day": "1/10", "at_most": "1/2"})
    assignment = course.put_assignment(opens=0, due=now() - DAY - HOUR, late=late)
    found = handed_in(course, assignment, "s1", RIGHT)
    assert until_marked(running, found, course.teacher)["late"] == 2
    assert [row.marks for row in _rows(running, grade) if row.submission] == ["5.6"]


def test_a_teachers_try_counts_for_nobody(running: Api, course: Course) -> None:
    assignment = course.put_assignment()
    course.members["ada"] = course.teacher
    found = handed_in(course, assignment, "ada", RIGHT)
    until_marked(running, found, course.teacher)
    assert running.get(f"/api/submissions/{found}/report", course.teacher).json()["marks"] == OUT_OF
    assert not _rows(running, grade)
    assert handed_in(course, assignment, "ada", WRONG) != found


def test_what_waited_is_marked_after_a_start(course: Course) -> None:
    api = course.api
    found = [handed_in(course, course.put_assignment(), "s1", answers) for answers in (RIGHT, WRONG)]
    leased = marking.update().values(lease=now() + DAY)
    api.service.store.write_now(lambda tx: tx.execute(leased) and None)
    api.loop.run(api.service.start())
    for each in found:
        until_marked(api, each, course.teacher)
    api.loop.run(api.service.stop())


def _change(course: Course, assignment: str, **values: Any) -> None:
    statement = assignments.update().where(assignments.c.id == assignment).values(**values)
    course.api.service.store.write_now(lambda tx: tx.execute(statement) and None)


def _rows(api: Api, table: Any) -> list[Any]:
    with api.service.store.engine.connect() as connection:
        return list(connection.execute(table.select()))
