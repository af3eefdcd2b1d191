"""Assignments and extensions over HTTP."""

from __future__ import annotations

import time
from typing import Any

import pytest
from sqlalchemy import select

from grader.service.rules.times import moment_text
from grader.service.store.tables import audit, grade
from tests.grader.service.api.client import BASE, TWO_PLY, Api, Course, make_course

HOUR = 3_600_000_000
DEFAULTS = {
    "due": None, "closes": None, "minutes": None, "attempts": 1, "counts": "best", "late": None, "variants": "same",
    "feedback_before": "receipt", "feedback_after": "full", "released": False,
}  # fmt: skip


NOW = time.time_ns() // 10**9 * 10**6


def at(hours: float) -> str:
    """So many hours from when the tests began."""
    return moment_text(NOW + int(hours * HOUR))


def assign(course: Course, **fields: Any) -> str:
    made = course.api.post(
        f"/api/courses/{course.id}/assignments", course.teacher, json={"exercise": course.exercise, **fields}
    )
    assert made.status_code == 201, made.text
    assert made.json()["url"] == f"{BASE}/a/{made.json()['id']}"
    return str(made.json()["id"])


def seen(course: Course, assignment: str, token: str) -> Any:
    found = course.api.get(f"/api/assignments/{assignment}", token)
    assert found.status_code == 200, found.text
    return found.json()


def test_defaults(course: Course) -> None:
    found = seen(course, assign(course), course.teacher)
    assert {name: found[name] for name in DEFAULTS} == DEFAULTS
    assert (found["exercise"], found["version"], found["title"]) == (course.exercise, 1, TWO_PLY["title"])
    assert found["phase"] == "open" and found["opens"].endswith("Z")


def test_what_was_due_already_was_open_before(course: Course) -> None:
    found = seen(course, assign(course, due=at(-2), closes=at(-1)), course["s1"])
    assert (found["opens"], found["phase"], found["why_not"]) == (at(-2), "closed", "closed")


def test_times_are_in_the_course_zone_and_told_in_utc(api: Api, teacher: str) -> None:
    course = make_course(api, teacher, zone="Europe/Lisbon")
    made = assign(course, opens="2026-07-01T08:00", due="2026-07-01T18:00:00", closes="2026-12-01T18:00:00+02:00")
    found = seen(course, made, teacher)
    assert (found["opens"], found["due"], found["closes"]) == (
        "2026-07-01T07:00:00Z",
        "2026-07-01T17:00:00Z",
        "2026-12-01T16:00:00Z",
    )
    refused = api.post(
        f"/api/courses/{course.id}/assignments", teacher, json={"exercise": course.exercise, "due": "2026-10-25T01:30"}
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "ambiguous-time")


def test_it_closes_when_it_is_due_unless_it_takes_late_work(api: Api, course: Course) -> None:
    made = assign(course, due=at(2))
    assert seen(course, made, course.teacher)["closes"] == seen(course, made, course.teacher)["due"]
    path = f"/api/assignments/{made}"
    later = api.patch(path, course.teacher, json={"due": at(3)}).json()
    assert later["closes"] == later["due"]
    late = api.patch(path, course.teacher, json={"late": {"per_day": "0.1"}}).json()
    assert (late["closes"], late["late"]) == (None, {"per_day": "0.1", "at_most": "1"})
    more = api.patch(path, course.teacher, json={"late": {"at_most": "1/2"}}).json()
    assert more["late"] == {"per_day": "0.1", "at_most": "0.5"}
    assert api.patch(path, course.teacher, json={"late": None, "attempts": None}).json()["attempts"] is None


@pytest.mark.parametrize(
    "fields",
    [
        {"due": "yesterday"}, {"due": 7}, {"minutes": 0}, {"minutes": "5"}, {"attempts": 0}, {"attempts": True},
        {"counts": "worst"}, {"late": {}}, {"late": {"per_day": 2}}, {"late": {"per_day": True}},
        {"late": {"per_day": "1/10", "x": 1}},
        {"variants": "mine"}, {"feedback_before": "all"}, {"released": "yes"}, {"version": 2}, {"exercise": "none"},
        {"secret": "s"}, {"marks": 5}, {"opens": "2026-03-01T00:00Z", "due": "2026-02-01T00:00Z"},
        {"opens": "2026-03-01T00:00Z", "due": "2026-04-01T00:00Z", "closes": "2026-03-02T00:00Z"},
    ],
)  # fmt: skip
def test_fields_that_are_wrong_are_told(api: Api, course: Course, fields: dict[str, Any]) -> None:
    body = {"exercise": course.exercise, **fields}
    made = api.post(f"/api/courses/{course.id}/assignments", course.teacher, json=body)
    assert made.status_code == 422 and made.json()["problems"], made.text
    kept = assign(course)
    before = seen(course, kept, course.teacher)
    assert api.patch(f"/api/assignments/{kept}", course.teacher, json=fields).status_code == 422
    assert seen(course, kept, course.teacher) == before


def test_nobody_changes_what_an_assignment_opens_with_null(api: Api, course: Course) -> None:
    assert api.patch(f"/api/assignments/{assign(course)}", course.teacher, json={"opens": None}).status_code == 422


def test_a_student_sees_what_holds_for_them_and_nothing_else(api: Api, course: Course) -> None:
    made = assign(course, opens=at(-1), due=at(1), minutes=30, attempts=2)
    path = f"/api/assignments/{made}/extensions/s1"
    given = api.put(path, course.teacher, json={"due": at(5), "attempts": 3, "reason": "was ill"})
    assert given.status_code == 200, given.text
    assert given.json() == {
        "member": "s1", "due": at(5), "closes": None, "minutes": None, "attempts": 3, "reason": "was ill",
    }  # fmt: skip
    own, other = seen(course, made, course["s1"]), seen(course, made, course["s2"])
    assert (own["due"], own["closes"], own["attempts"], own["minutes"]) == (at(5), at(5), 3, 30)
    assert own["extended"] == {"due": at(1), "closes": at(1), "attempts": 2}
    assert (other["due"], other["attempts"], other["extended"]) == (at(1), 2, None)
    assert (other["attempts_used"], other["attempts_left"], other["may_start"], other["why_not"]) == (0, 2, True, None)
    for view in (own, other):
        assert not {"exercise", "version", "secret"} & set(view) and "ill" not in str(view)
    assert api.delete(path, course.teacher).status_code == 204
    assert seen(course, made, course["s1"]) == other
    assert api.delete(path, course.teacher).status_code == 204


def test_before_it_opens_a_student_sees_that_it_will(api: Api, course: Course) -> None:
    made = assign(course, opens=at(2), due=at(4))
    found = seen(course, made, course["s1"])
    assert (found["phase"], found["may_start"], found["why_not"]) == ("not-open", False, "not-open")
    listed = api.get(f"/api/courses/{course.id}/assignments", course["s1"]).json()
    assert listed == {"items": [found], "next": None}
    assert api.get(f"/api/assignments/{made}", api.new_teacher("bob")).status_code == 404


@pytest.mark.parametrize(
    "fields",
    [{"due": at(0.5)}, {"minutes": 20}, {"attempts": 1}, {"due": at(5), "closes": at(4)}, {"marks": 3}, {"by": "x"}],
)
def test_an_extension_never_takes_away(api: Api, course: Course, fields: dict[str, Any]) -> None:
    made = assign(course, due=at(1), minutes=30, attempts=2)
    assert api.put(f"/api/assignments/{made}/extensions/s1", course.teacher, json=fields).status_code == 422


def test_an_extension_is_for_a_member_and_by_a_teacher(api: Api, course: Course) -> None:
    path = f"/api/assignments/{assign(course, due=at(1))}/extensions"
    assert api.put(f"{path}/nobody", course.teacher, json={}).status_code == 404
    assert api.put(f"{path}/s1", course["ta"], json={}).status_code == 403
    assert api.put(f"{path}/s1", course["s1"], json={"due": at(9)}).status_code == 403


def test_every_student_has_a_grade_from_the_start_and_changes_are_noted(api: Api, course: Course) -> None:
    made = assign(course, due=at(1))
    api.patch(f"/api/assignments/{made}", course.teacher, json={"due": at(2)})
    api.put(f"/api/assignments/{made}/extensions/s1", course.teacher, json={"due": at(3), "reason": "a secret"})
    store = api.service.store
    rows = store.read_now(lambda found: found.execute(select(grade.c.marks).where(grade.c.assignment == made)).all())
    assert [row.marks for row in rows] == [None] * 3
    noted = store.read_now(lambda found: found.execute(select(audit.c.what, audit.c.detail)).all())
    assert {"assignment.made", "assignment.changed", "extension.given"} <= {row.what for row in noted}
    assert "a secret" not in str(noted)


def test_the_exercise_can_change_until_somebody_has_begun(api: Api, course: Course) -> None:
    made = assign(course)
    other = course.put_exercise({**TWO_PLY, "id": "other", "title": "Other"})
    path = f"/api/assignments/{made}"
    assert api.patch(path, course.teacher, json={"exercise": other}).json()["title"] == "Other"
    elsewhere = make_course(api, api.new_teacher("bob"))
    assert api.patch(path, course.teacher, json={"exercise": elsewhere.exercise}).status_code == 422
