"""Grades over HTTP: computed, exported, and decided by hand."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from grader.service.store.transaction import broken_at
from tests.grader.service.api.client import RIGHT, TWO_PLY, WRONG, Api, Course
from tests.grader.service.api.handing_in import handed_in, until_settled
from tests.grader.service.api.test_assignments import assign, at


def grades(course: Course, assignment: str) -> dict[str, Any]:
    found = course.api.get(f"/api/assignments/{assignment}/grades", course.teacher)
    assert found.status_code == 200, found.text
    return {each["member"]: each for each in found.json()["items"]}


def sheet(course: Course, assignment: str, format: str) -> list[list[str]]:
    found = course.api.get(f"/api/assignments/{assignment}/grades?format={format}", course.teacher)
    assert found.status_code == 200 and found.headers["content-type"].startswith("text/csv"), found.text
    return list(csv.reader(io.StringIO(found.content.decode("utf-8-sig"))))


def test_every_student_has_a_grade_those_who_come_later_too(running: Api, course: Course) -> None:
    made = assign(course)
    assert list(grades(course, made)) == ["s1", "s2", "s3"]
    course.add("s4")
    found = grades(course, made)
    assert list(found) == ["s1", "s2", "s3", "s4"]
    assert found["s4"] == {
        "id": found["s4"]["id"], "member": "s4", "marks": None, "out_of": 7, "submission": None, "late": 0,
        "override": None, "version": 1,
    }  # fmt: skip
    first = running.get(f"/api/assignments/{made}/grades?limit=3", course["ta"]).json()
    rest = running.get(f"/api/assignments/{made}/grades?after={first['next']}", course["ta"]).json()
    assert [each["member"] for each in first["items"] + rest["items"]] == ["s1", "s2", "s3", "s4"]
    assert running.get(f"/api/assignments/{made}/grades", course["s1"]).status_code == 403


def test_gradebooks(running: Api, course: Course) -> None:
    made = assign(course)
    course.add("=1+1")
    for code, answers in (("s1", RIGHT), ("s2", WRONG), ("=1+1", RIGHT)):
        handed_in(course, made, code, answers)
    until_settled(running)
    canvas = sheet(course, made, "canvas")
    assert canvas[0] == ["Student", "ID", "SIS Login ID", "Section", TWO_PLY["title"]]
    assert canvas[1][0].strip() == "Points Possible" and canvas[1][4] == "7"
    rows = {row[2]: row for row in canvas[2:]}
    assert set(rows) == {"s1", "s2", "'=1+1"}
    assert (rows["s1"][0], rows["s1"][4]) == ("Name of s1", "7")
    moodle = sheet(course, made, "moodle")
    assert moodle[0][3:] == [TWO_PLY["title"], "values", "pruned", "move"]
    assert next(row for row in moodle if row[0] == "s1")[3:] == ["7", "4", "2", "1"]
    assert sheet(course, made, "plain")[0][4:] == ["Total", "values", "pruned", "move"]
    assert running.get(f"/api/assignments/{made}/grades?format=xls", course.teacher).status_code == 422


def test_a_total_decided_by_hand_outlives_what_comes(running: Api, course: Course) -> None:
    made = assign(course, attempts=3, due=at(-1), late={"per_day": "1/2"})
    of = grades(course, made)["s1"]["id"]
    path = f"/api/grades/{of}/override"
    done = running.put(path, course.teacher, json={"marks": "7/2", "reason": "oral exam"})
    assert (done.status_code, done.json()["marks"]) == (200, 3.5), done.text
    assert done.json()["override"] == {"marks": 3.5, "reason": "oral exam", "questions": []}
    submission = handed_in(course, made, "s1", RIGHT)
    until_settled(running)
    found = grades(course, made)["s1"]
    assert (found["marks"], found["submission"], found["late"]) == (3.5, submission, 1)
    running.patch(f"/api/assignments/{made}", course.teacher, json={"late": None, "due": at(5)})
    assert grades(course, made)["s1"]["marks"] == 3.5
    assert running.delete(path, course.teacher).status_code == 204
    found = grades(course, made)["s1"]
    assert (found["marks"], found["override"], found["late"]) == (7, None, 0)
    assert running.delete(path, course.teacher).status_code == 204


def test_items_and_questions_decided_by_hand_are_marked_so(running: Api, course: Course) -> None:
    made = assign(course, attempts=3)
    handed_in(course, made, "s1", RIGHT)
    until_settled(running)
    path = f"/api/grades/{grades(course, made)['s1']['id']}/override"
    assert running.put(path, course.teacher, json={"marks": 0, "reason": "x", "question": "pruned"}).status_code == 200
    item = {"marks": "1/2", "reason": "y", "question": "values", "item": "A"}
    assert running.put(path, course.teacher, json=item).status_code == 200
    until_settled(running)
    found = grades(course, made)["s1"]
    assert found["marks"] == 4.5
    assert found["override"]["questions"] == [
        {"question": "pruned", "item": None, "marks": 0, "reason": "x"},
        {"question": "values", "item": "A", "marks": 0.5, "reason": "y"},
    ]
    handed_in(course, made, "s1", WRONG)
    until_settled(running)
    assert grades(course, made)["s1"]["marks"] == 4.5
    running.delete(f"{path}?question=pruned", course.teacher)
    until_settled(running)
    assert grades(course, made)["s1"]["marks"] == 6.5
    running.delete(path, course.teacher)
    until_settled(running)
    assert (grades(course, made)["s1"]["marks"], grades(course, made)["s1"]["override"]) == (7, None)
    assert running.service.store.read_now(broken_at) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"marks": 8}, {"marks": -1}, {"marks": "x"}, {"marks": None}, {}, {"marks": 1, "item": "A"},
        {"marks": 3, "question": "pruned"}, {"marks": 1, "question": "none"}, {"marks": 1, "by": "me"},
        {"marks": 1, "question": "values", "item": "Z"}, {"marks": 2, "question": "values", "item": "A"},
    ],
)  # fmt: skip
def test_marks_by_hand_stay_within_what_they_are_out_of(running: Api, course: Course, fields: dict[str, Any]) -> None:
    made = assign(course)
    handed_in(course, made, "s1", RIGHT)
    until_settled(running)
    of = grades(course, made)["s1"]["id"]
    refused = running.put(f"/api/grades/{of}/override", course.teacher, json=fields)
    assert refused.status_code == 422 and refused.json()["detail"], refused.text
    assert grades(course, made)["s1"]["marks"] == 7


def test_who_may_decide(running: Api, course: Course) -> None:
    made = assign(course)
    of = grades(course, made)["s1"]["id"]
    path, body = f"/api/grades/{of}/override", {"marks": 1, "reason": "r"}
    assert running.put(path, course["ta"], json=body).status_code == 403
    assert running.put(path, course["s1"], json=body).status_code == 403
    assert running.put(path, running.new_teacher("bob"), json=body).status_code == 404
    before = running.put(path, course.teacher, json={**body, "question": "values"})
    assert (before.status_code, before.json()["code"]) == (409, "not-marked")
