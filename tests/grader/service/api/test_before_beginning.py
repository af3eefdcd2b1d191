"""What a student sees who has begun nothing yet."""

from __future__ import annotations

import pytest

from tests.grader.service.api.client import Course

pytestmark = pytest.mark.usefixtures("running")


@pytest.mark.parametrize("rules", [{}, {"minutes": 30}, {"attempts": None}])
def test_pages_of_a_course_and_an_assignment(course: Course, rules: dict[str, int | None]) -> None:
    assignment = course.put_assignment(**rules)
    for path in ("/", f"/c/{course.id}", f"/a/{assignment}"):
        assert course.api.get(path, course["s1"], headers={"accept": "text/html"}).status_code == 200
