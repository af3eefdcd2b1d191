"""What a class handed in, over HTTP: listed, exported, summed up, drawn; and the log of who did what."""

from __future__ import annotations

import json
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.service.rules.assignment_dates import days_late
from grader.service.rules.times import moment_text
from tests.grader.service.api.client import RIGHT, TWO_PLY, WRONG, Api, Course
from tests.grader.service.api.handing_in import handed_in, until_settled
from tests.grader.service.api.test_assignments import HOUR, NOW, assign, at, seen
from tests.support.command import plymark_within


def test_lines_are_what_the_command_line_marks(running: Api, course: Course, tmp_path: Path) -> None:
    made = assign(course, attempts=2)
    spelt = {**RIGHT, "values": {"A": 3.0, "B": 3, "C": "<= 2", "D": 2}}
    for code, answers in (("s1", WRONG), ("s2", spelt), ("s3", {"values": {"A": 3, "B": "?"}}), ("s1", RIGHT)):
        handed_in(course, made, code, answers)
    until_settled(running)
    lines = running.get(f"/api/assignments/{made}/submissions?format=jsonl", course["ta"])
    assert lines.status_code == 200 and len(lines.text.splitlines()) == 4 and '"A":3.0' in lines.text
    path = f"/api/assignments/{made}/submissions?format=jsonl&limit=501"
    assert running.get(path, course["ta"]).status_code == 422
    (tmp_path / "answers.jsonl").write_bytes(lines.content)
    (tmp_path / "exercise.json").write_text(json.dumps(TWO_PLY))
    ran = plymark_within("grade", tmp_path / "exercise.json", tmp_path / "answers.jsonl", "--format", "json")
    assert ran.code == 0, ran.stderr
    reports = [json.loads(line) for line in ran.stdout.splitlines()]
    by_command = {each["student"]: each["marks"] for each in reports}
    items = running.get(f"/api/assignments/{made}/grades", course["ta"]).json()["items"]
    assert by_command == {each["member"]: each["marks"] for each in items}


def test_the_list_is_in_the_order_of_arrival(running: Api, course: Course) -> None:
    made = assign(course, attempts=2, due=at(-25), late={"per_day": "1/10"})
    ids = [handed_in(course, made, code, answers) for code, answers in (("s1", RIGHT), ("s2", {}), ("s1", WRONG))]
    until_settled(running)
    path = f"/api/assignments/{made}/submissions"
    listed = running.get(path, course["ta"]).json()
    assert [each["id"] for each in listed["items"]] == ids and listed["next"] is None
    assert [each["member"] for each in listed["items"]] == ["s1", "s2", "s1"]
    assert [each["number"] for each in listed["items"]] == [1, 1, 2]
    assert [each["counted"] for each in listed["items"]] == [True, False, True]
    assert [each["late"] for each in listed["items"]] == [2, 2, 2]
    assert (listed["items"][0]["marks"], listed["items"][0]["out_of"]) == (7, 7)
    first = running.get(f"{path}?limit=2", course["ta"]).json()
    rest = running.get(f"{path}?limit=2&after={first['next']}", course["ta"]).json()
    assert first["items"] + rest["items"] == listed["items"] and rest["next"] is None
    assert running.get(path, course["s1"]).status_code == 403


def test_summary_and_heat_map(running: Api, course: Course) -> None:
    made = assign(course)
    path = f"/api/assignments/{made}"
    empty = running.get(f"{path}/summary", course["ta"])
    assert (empty.status_code, empty.json()["answers"]) == (200, 0), empty.text
    for code, answers in (("s1", RIGHT), ("s2", WRONG), ("s3", RIGHT)):
        handed_in(course, made, code, answers)
    until_settled(running)
    found = running.get(f"{path}/summary", course["ta"]).json()
    assert (found["answers"], found["out_of"], found["highest"]) == (3, 7, 7)
    assert "text/html" in running.get(f"{path}/summary?format=html&language=pt", course.teacher).headers["content-type"]
    assert "s1" not in running.get(f"{path}/summary?format=csv", course.teacher).text
    assert running.get(f"{path}/summary?language=xx", course.teacher).status_code == 422
    drawn = running.get(f"{path}/heat-map", course.teacher)
    assert drawn.headers["content-type"] == "image/svg+xml" and drawn.text.startswith("<svg")
    for part in ("summary", "heat-map"):
        assert running.get(f"{path}/{part}", course["s1"]).status_code == 403


def test_what_is_decided_by_hand_is_in_the_summary(running: Api, course: Course) -> None:
    made = assign(course)
    handed_in(course, made, "s1", RIGHT)
    until_settled(running)
    of = running.get(f"/api/assignments/{made}/grades", course.teacher).json()["items"][0]["id"]
    body = {"marks": 0, "reason": "r", "question": "values"}
    running.put(f"/api/grades/{of}/override", course.teacher, json=body)
    until_settled(running)
    assert running.get(f"/api/assignments/{made}/summary", course.teacher).json()["highest"] == 3


def test_the_log_of_a_course_is_its_own(running: Api, course: Course) -> None:
    bob = running.new_teacher("bob")
    running.post("/api/courses", bob, json={"title": "Elsewhere"})
    made = assign(course, due=at(1))
    running.put(f"/api/assignments/{made}/extensions/s1", course.teacher, json={"due": at(2), "reason": "very ill"})
    path = f"/api/courses/{course.id}/audit"
    found = running.get(path, course.teacher).json()["items"]
    assert [each["what"] for each in found][:2] == ["course.made", "member.added"]
    assert {"assignment.made", "extension.given"} <= {each["what"] for each in found}
    numbers = [each["number"] for each in found]
    assert numbers == sorted(numbers) and all(len(each["hash"]) == 64 for each in found)
    assert "very ill" not in str(found) and "Name of" not in str(found)
    first = running.get(f"{path}?limit=2", course.teacher).json()
    assert first["items"] == found[:2] and first["next"] == str(found[1]["number"])
    assert running.get(path, course["ta"]).status_code == 403
    assert running.get(path, bob).status_code == 404


def test_a_copy_has_exercises_and_assignments_and_no_people(running: Api, course: Course) -> None:
    made = assign(course, due=at(3), minutes=20, attempts=None, released=True, feedback_before="marks")
    copied = running.post(f"/api/courses/{course.id}/copy", course.teacher, json={"title": "Next term"})
    assert copied.status_code == 201, copied.text
    new = copied.json()["id"]
    assert [each["id"] for each in running.get(f"/api/courses/{new}/members", course.teacher).json()["items"]] == [
        "ada"
    ]
    (exercise,) = running.get(f"/api/courses/{new}/exercises", course.teacher).json()["items"]
    (found,) = running.get(f"/api/courses/{new}/assignments", course.teacher).json()["items"]
    before = seen(course, made, course.teacher)
    assert found["exercise"] == exercise["id"] != course.exercise
    differ = {name for name in before if before[name] != found[name]}
    assert differ == {"id", "url", "exercise", "released"} and found["released"] is False
    again = running.post(f"/api/courses/{course.id}/copy", course.teacher).json()["id"]
    assert running.get(f"/api/courses/{again}", course.teacher).json()["title"] == "Search"


def test_dates_of_a_copy_are_moved_by_the_clock_of_the_course(running: Api, course: Course) -> None:
    """Half a year later it is due at the same hour, though clocks have been set since."""
    running.patch(f"/api/courses/{course.id}", course.teacher, json={"zone": "Europe/Lisbon"})
    assign(course, opens="2031-01-06T08:00:00Z", due="2031-01-13T23:59:00Z")
    copy = {"title": "Next term", "weeks": 26}
    new = running.post(f"/api/courses/{course.id}/copy", course.teacher, json=copy).json()["id"]
    (found,) = running.get(f"/api/courses/{new}/assignments", course.teacher).json()["items"]
    assert (found["opens"], found["due"]) == ("2031-07-07T07:00:00Z", "2031-07-14T22:59:00Z")
    assert found["closes"] == found["due"]
    for far in (521, -521, -520 * 4, 26.5):
        assert running.post(f"/api/courses/{course.id}/copy", course.teacher, json={"weeks": far}).status_code == 422
    assign(course, due="2198-01-13T23:59:00Z")
    beyond = running.post(f"/api/courses/{course.id}/copy", course.teacher, json={"weeks": 520})
    assert (beyond.status_code, "2199" in beyond.text) == (422, True)


def test_another_zone_begins_late_days_elsewhere(running: Api, course: Course) -> None:
    """Where clocks were set since, a day ends an hour earlier or later."""
    utc, there, half = ZoneInfo("UTC"), ZoneInfo("America/New_York"), HOUR // 2
    candidates = (NOW - days * 24 * HOUR + shift for days in range(1, 366) for shift in (-half, half))
    due = next(each for each in candidates if days_late(each, NOW, utc) != days_late(each, NOW, there))
    made = assign(course, due=moment_text(due), late={"per_day": "1/1000"})
    handed_in(course, made, "s1", RIGHT)
    until_settled(running)
    path = f"/api/assignments/{made}/grades"
    before = running.get(path, course.teacher).json()["items"][0]["late"]
    assert running.patch(f"/api/courses/{course.id}", course.teacher, json={"zone": there.key}).status_code == 200
    after = running.get(path, course.teacher).json()["items"][0]["late"]
    assert (before, after) == (days_late(due, NOW, utc), days_late(due, NOW, there))
