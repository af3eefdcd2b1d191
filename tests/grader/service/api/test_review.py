"""Review: equal answers are decided once, for those to come as well; marks by hand outlive whatever comes."""

from __future__ import annotations

from typing import Any

import pytest

from grader.service.base.ids import new_id
from grader.service.features.grades.queries import make_stale
from grader.service.store.tables import grade, override
from grader.service.store.transaction import Transaction
from tests.grader.service.api.client import OUT_OF, RIGHT, Api, Course
from tests.grader.service.api.handing_in import handed_in, until_settled

ODD = {**RIGHT, "values": {**RIGHT["values"], "D": "two"}}
OTHER = {**RIGHT, "values": {**RIGHT["values"], "D": "zwei"}}
LONG = {**RIGHT, "move": "a1 " * 300}


def test_equal_answers_are_decided_together(running: Api, course: Course) -> None:
    assignment = course.put_assignment(feedback_before="full")
    path = f"/api/assignments/{assignment}/review"
    first = handed_in(course, assignment, "s1", ODD)
    handed_in(course, assignment, "s2", {**ODD, "move": "a2"})
    handed_in(course, assignment, "s3", OTHER)
    until_settled(running)
    found = running.get(path, course["ta"]).json()["items"]
    assert sorted((each["given"], each["count"], each["question"], each["item"]) for each in found) == [
        ("two", 2, "values", "D"),
        ("zwei", 1, "values", "D"),
    ]
    assert _marks(running)["s1"] == "6"
    two = next(each for each in found if each["given"] == "two")["id"]
    decided = {"marks": "1/2", "reason": "a word is a number"}
    assert running.post(f"{path}/{two}", course["ta"], json=decided).status_code == 204
    until_settled(running)
    assert [each["given"] for each in running.get(path, course["ta"]).json()["items"]] == ["zwei"]
    assert (_marks(running)["s1"], _marks(running)["s3"]) == ("6.5", "6")
    told = running.get(f"/api/submissions/{first}/report", course["s1"]).json()
    assert told["marks"] == 6.5 and "a word is a number" in str(told)
    course.add("s4")
    handed_in(course, assignment, "s4", ODD)
    until_settled(running)
    assert _marks(running)["s4"] == "6.5"
    assert running.post(f"{path}/{two}", course.teacher, json={"marks": 1}).status_code == 204
    until_settled(running)
    assert {_marks(running)[code] for code in ("s1", "s4")} == {str(OUT_OF)}


def test_a_members_own_marks_hold(running: Api, course: Course) -> None:
    assignment = course.put_assignment()
    found = handed_in(course, assignment, "s1", ODD)
    until_settled(running)
    item = running.get(f"/api/assignments/{assignment}/review", course.teacher).json()["items"][0]["id"]
    running.post(f"/api/assignments/{assignment}/review/{item}", course.teacher, json={"marks": 1})
    _override(running, assignment, found, "0.25")
    until_settled(running)
    assert _marks(running)["s1"] == "6.25"


def test_long_answers(running: Api, course: Course) -> None:
    assignment = course.put_assignment()
    handed_in(course, assignment, "s1", LONG)
    until_settled(running)
    path = f"/api/assignments/{assignment}/review"
    (item,) = running.get(path, course.teacher).json()["items"]
    assert running.post(f"{path}/{item['id']}", course.teacher, json={"marks": 1}).status_code == 204
    until_settled(running)
    assert _marks(running)["s1"] == str(OUT_OF) and running.get(path, course.teacher).json()["items"] == []


def test_what_nobody_asked_is_not_decided_for_all(running: Api, course: Course) -> None:
    assignment = course.put_assignment()
    handed_in(course, assignment, "s1", {**RIGHT, "values": {**RIGHT["values"], "Q": 3}, "more": 1})
    until_settled(running)
    assert running.get(f"/api/assignments/{assignment}/review", course.teacher).json() == {"items": [], "next": None}


@pytest.mark.parametrize("body", [{"marks": 2}, {"marks": -1}, {"marks": "x"}, {}, {"marks": 1, "student": "s2"}])
def test_marks_that_are_wrong(running: Api, course: Course, body: dict[str, Any]) -> None:
    assignment = course.put_assignment()
    handed_in(course, assignment, "s1", ODD)
    until_settled(running)
    path = f"/api/assignments/{assignment}/review"
    item = running.get(path, course.teacher).json()["items"][0]["id"]
    assert running.post(f"{path}/{item}", course.teacher, json=body).status_code == 422
    assert running.post(f"{path}/nothing", course.teacher, json={"marks": 1}).status_code == 404
    assert running.get(path, course["s1"]).status_code == 403


def test_pages(running: Api, course: Course) -> None:
    assignment = course.put_assignment()
    handed_in(course, assignment, "s1", {**RIGHT, "values": {"A": "x", "B": "y", "C": "z", "D": "w"}})
    until_settled(running)
    path = f"/api/assignments/{assignment}/review"
    whole = running.get(path, course.teacher).json()["items"]
    seen, after = [], ""
    while True:
        found = running.get(f"{path}?limit=1{after}", course.teacher).json()
        seen += found["items"]
        if found["next"] is None:
            break
        after = f"&after={found['next']}"
    assert seen == whole and len(whole) == 4


def _marks(api: Api) -> dict[str, str]:
    with api.service.store.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT code, marks FROM grade JOIN member ON member.id = grade.member")
        return {row.code: row.marks for row in rows}


def _override(api: Api, assignment: str, of: str, marks: str) -> None:
    def write(tx: Transaction) -> None:
        member = tx.execute(grade.select().where(grade.c.submission == of)).one().member
        who = tx.connection.exec_driver_sql("SELECT id FROM person WHERE teaches").scalars().first()
        row = {"id": new_id(), "assignment": assignment, "member": member, "question": "values", "item": "D"}
        tx.execute(override.insert(), {**row, "marks": marks, "reason": "", "by": who, "created": tx.now})
        make_stale(tx, [of])

    api.service.store.write_now(write)
    api.service.marking.wake()
