"""A teacher's reach ends with the course: no link of theirs opens what an account has elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.grader.service.api.client import Api, Course

PASSWORD = "a long enough password"


@pytest.fixture
def grace(api: Api, course: Course) -> dict[str, str]:
    """A second teacher of the course, who has begun a course of her own."""
    course.add("grace", role="teacher")
    answer = api.post("/api/courses", course["grace"], json={"title": "Grace's own"})
    assert answer.status_code == 201, answer.text
    return {"token": course["grace"], "course": answer.json()["id"]}


def test_a_teacher_makes_no_link_for_another(api: Api, course: Course, grace: dict[str, str]) -> None:
    for path in (f"/api/courses/{course.id}/members/grace/link", f"/teach/c/{course.id}/members/grace/link"):
        answer = api.post(path, course.teacher)
        assert answer.status_code == 403, answer.text
        assert "/in/" not in answer.text
    assert answer.text.count("This account opens more than this course") == 1
    assert api.post(f"/api/courses/{course.id}/members/grace/link", course.teacher).json()["code"] == "reaches-further"
    assert _own_courses(api, grace["token"]) == {course.id, grace["course"]}, "her link still works"


def test_whoever_made_the_course_is_no_exception(api: Api, course: Course, grace: dict[str, str]) -> None:
    """The first teacher is a member of their own course, under the name that they sign in with."""
    answer = api.post(f"/api/courses/{course.id}/members/ada/link", grace["token"])
    assert (answer.status_code, answer.json()["code"]) == (403, "reaches-further")
    assert _own_courses(api, course.teacher) == {course.id}


@pytest.mark.parametrize("first_a_student", [False, True])
def test_removing_and_adding_again_gives_no_link(
    api: Api, course: Course, grace: dict[str, str], first_a_student: bool
) -> None:
    if first_a_student:
        _put(api, course, {"id": "grace", "role": "student"})
    api.delete(f"/api/courses/{course.id}/members/grace", course.teacher)
    for answer in (
        _put(api, course, {"id": "grace", "name": "Grace", "role": "student"}),
        _sheet(api, course, "id,name\ngrace,Grace\n"),
    ):
        assert answer.status_code == 201 and answer.json() == {"members": [{"id": "grace"}]}
        api.delete(f"/api/courses/{course.id}/members/grace", course.teacher)
    pasted = {"lines": "grace, Grace", "role": "student"}
    assert "/in/" not in api.post(f"/teach/c/{course.id}/members", course.teacher, data=pasted).text
    assert _own_courses(api, grace["token"]) >= {grace["course"]}


def test_new_links_for_all_students_leave_out_whoever_is_more(api: Api, course: Course, grace: dict[str, str]) -> None:
    _put(api, course, {"id": "grace", "role": "student"})
    for form, others in (({"as": "page"}, 3), ({"as": "csv"}, 3)):
        answer = api.post(f"/teach/c/{course.id}/links", course.teacher, data={"sure": "yes", **form})
        assert answer.status_code == 200
        assert answer.text.count("/in/") == others, "the three students"
    assert _own_courses(api, grace["token"]) == {grace["course"]}
    told = api.post(f"/teach/c/{course.id}/links", course.teacher, data={"sure": "yes", "as": "page"}).text
    assert "whose accounts open more than this course: <bdi>Name of grace</bdi>" in told


def test_an_account_with_a_password_is_its_owners(api: Api, course: Course) -> None:
    fields = {"password": PASSWORD, "name": "sam"}
    assert api.put("/api/me/password", course["s1"], json=fields).status_code == 204
    assert api.post(f"/api/courses/{course.id}/members/s1/link", course.teacher).status_code == 403
    api.delete(f"/api/courses/{course.id}/members/s1", course.teacher)
    assert _put(api, course, {"id": "s1"}).json() == {"members": [{"id": "s1"}]}
    assert api.post(f"/api/courses/{course.id}/members/s2/link", course.teacher).status_code == 201


def test_a_link_that_others_have_seen_dies_with_a_teachers_password(api: Api, grace: dict[str, str]) -> None:
    """Whoever added her had her first link in hand."""
    signed_in = api.post("/api/session", json={"link": grace["token"]})
    assert signed_in.status_code == 201
    fields = {"password": PASSWORD, "name": "grace"}
    assert api.put("/api/me/password", grace["token"], json=fields).status_code == 204
    assert api.get("/api/courses", grace["token"]).status_code == 401
    assert api.post("/api/session", json={"link": grace["token"]}).status_code == 401
    assert api.post("/api/session", json={"name": "grace", "password": PASSWORD}).status_code == 201


def test_those_of_this_course_alone_get_new_links(api: Api, course: Course) -> None:
    for code in ("s1", "ta"):
        answer = api.post(f"/api/courses/{course.id}/members/{code}/link", course.teacher)
        assert answer.status_code == 201
        assert api.get(f"/api/courses/{course.id}/assignments", course[code]).status_code == 401, "the old one is dead"
        token = answer.json()["link"].rpartition("/")[2]
        assert api.get(f"/api/courses/{course.id}/assignments", token).status_code == 200
    api.delete(f"/api/courses/{course.id}/members/s2", course.teacher)
    assert "/in/" in _put(api, course, {"id": "s2"}).json()["members"][0]["link"]


def _own_courses(api: Api, token: str) -> set[str]:
    answer = api.get("/api/courses", token)
    assert answer.status_code == 200, answer.text
    return {each["id"] for each in answer.json()["items"]}


def _put(api: Api, course: Course, member: dict[str, Any]) -> Any:
    return api.post(f"/api/courses/{course.id}/members", course.teacher, json={"members": [member]})


def _sheet(api: Api, course: Course, text: str) -> Any:
    headers = {"Content-Type": "text/csv"}
    return api.post(f"/api/courses/{course.id}/members", course.teacher, content=text.encode(), headers=headers)
