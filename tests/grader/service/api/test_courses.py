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
