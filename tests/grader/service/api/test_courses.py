"""Courses and members over HTTP."""

from __future__ import annotations

from tests.grader.service.api.client import Api, Course


def test_a_course_and_its_members(api: Api, course: Course) -> None:
    found = api.get(f"/api/courses/{course.id}", course.teacher).json()
    assert (found["title"], found["zone"], found["language"]) == ("Search", "UTC", "en")
    listed = api.get(f"/api/courses/{course.id}/members", course.teacher).json()["items"]
    assert [each["id"] for each in listed] == ["ada", "s1", "s2", "s3", "ta"]
    assert api.get(f"/api/courses/{course.id}", course["s1"]).status_code == 403
    assert api.get(f"/api/courses/{course.id}").status_code == 401
    assert api.get(f"/api/courses/{course.id}", api.new_teacher("bob")).status_code == 404


def test_no_text_holds_what_a_database_cannot(api: Api, course: Course) -> None:
    assert api.post("/api/courses", course.teacher, json={"title": "a\0b"}).status_code == 422
    members = {"members": [{"id": "x1"}, {"id": "x2", "name": "a\0b"}]}
    assert api.post(f"/api/courses/{course.id}/members", course.teacher, json=members).status_code == 422
    assert api.get("/api/courses?after=%00", course.teacher).status_code == 422
    assert api.get("/api/courses/%00", course.teacher).status_code == 404
