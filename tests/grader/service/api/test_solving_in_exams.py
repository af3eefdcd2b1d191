"""What would answer an exam's questions is refused to whoever is in a timed attempt; a teacher is told what is not."""

from __future__ import annotations

from dataclasses import replace

from grader.service.base.clock import MINUTE, now
from grader.service.http.access import Who
from grader.service.store.tables import attempt
from tests.grader.service.api.client import RIGHT, Api, Course
from tests.grader.service.api.handing_in import begun, hand_in
from tests.grader.service.routes import API_RIGHTS, PAGE_RIGHTS

SOLVING = {route for route, who in {**API_RIGHTS, **PAGE_RIGHTS}.items() if who is Who.SOLVERS}

TREE = "tree: [[3, 12, 8], [2, 4, 6]]"
DOCUMENT = f"plymark: game/1\n{TREE}\n"
KEY = "with a second account a student can read the key first"


def refused(course: Course, code: str) -> list[bool]:
    """Of everything that solves, whether it is refused for that reason."""
    found = []
    for method, path in sorted(SOLVING):
        api = path.startswith("/api/")
        sent = {"content": DOCUMENT} if api else {"data": {"tree": TREE}}
        place = path.format(recipe="minimax-easy", seed="abc")
        answer = course.api.call(method, place, course[code], **(sent if method == "POST" else {}))
        found.append(answer.status_code == 403)
        if found[-1]:
            assert (answer.json()["code"] == "attempt-open") if api else "You are in a timed attempt" in answer.text
    return found


def test_nothing_is_solved_for_whoever_is_in_a_timed_attempt(course: Course) -> None:
    timed = begun(course, course.put_assignment(minutes=30), "s1")
    assert all(refused(course, "s1")) and {("POST", "/api/solve"), ("GET", "/try"), ("GET", "/practice")} <= SOLVING
    assert course.api.post("/api/solve", content=DOCUMENT).status_code == 200, "who is not signed in"
    for allowed in (f"/api/attempts/{timed['id']}", f"/c/{course.id}", "/"):
        assert course.api.get(allowed, course["s1"]).status_code == 200
    assert course.api.post("/api/check", course["s1"], content=DOCUMENT).status_code == 200
    assert hand_in(course, timed["id"], "s1", RIGHT).status_code == 201
    assert course.api.post("/api/solve", course["s1"], content=DOCUMENT).status_code == 200
    reopened = {"minutes": 5, "reason": "fire drill"}
    assert course.api.post(f"/api/attempts/{timed['id']}/reopen", course.teacher, json=reopened).status_code == 200
    assert course.api.post("/api/solve", course["s1"], content=DOCUMENT).json()["code"] == "attempt-open"


def test_solving_begins_again_when_the_time_is_over(course: Course) -> None:
    timed = begun(course, course.put_assignment(minutes=30), "s1")["id"]
    course.api.service.store.write_now(
        lambda tx: tx.execute(attempt.update().where(attempt.c.id == timed).values(started=now() - 31 * MINUTE))
    )
    assert course.api.post("/api/solve", course["s1"], content=DOCUMENT).status_code == 200


def test_homework_and_a_teachers_try_hinder_nobody(course: Course) -> None:
    begun(course, course.put_assignment(), "s1")
    assert course.api.post("/api/solve", course["s1"], content=DOCUMENT).status_code == 200
    exam = course.put_assignment(minutes=30)
    assert course.api.post(f"/api/assignments/{exam}/attempts", course.teacher).status_code == 201
    assert course.api.post("/api/solve", course.teacher, content=DOCUMENT).status_code == 200
    begun(course, exam, "s2")
    assert course.api.post("/api/solve", course["s1"], content=DOCUMENT).status_code == 200


def test_a_teacher_who_sets_minutes_is_told_who_can_still_solve(course: Course) -> None:
    page = f"/teach/c/{course.id}/assign"
    assert "Whoever is not signed in still can" in course.api.get(page, course.teacher).text
    service = course.api.service
    closed = Api(replace(service, settings=replace(service.settings, closed=True)), course.api.loop)
    assert "Whoever is not signed in" not in closed.get(page, course.teacher).text


def test_a_teacher_is_warned_of_second_accounts(api: Api, course: Course) -> None:
    def warned(assignment: str) -> bool:
        pages = [api.get(f"/teach/a/{assignment}{page}", course.teacher).text for page in ("", "/edit")]
        assert (KEY in pages[0]) is (KEY in pages[1])
        return KEY in pages[0]

    at_once = course.put_assignment(feedback_before="full")
    assert warned(at_once)
    assert warned(course.put_assignment(released=True)), "full feedback after release"
    assert not warned(course.put_assignment(feedback_before="marks"))
    assert not warned(course.put_assignment(feedback_before="full", closes=now() - MINUTE))
    answer = api.patch(f"/api/courses/{course.id}", course.teacher, json={"join": None})
    assert answer.status_code == 200, answer.text
    assert not warned(at_once), "nobody can join"
