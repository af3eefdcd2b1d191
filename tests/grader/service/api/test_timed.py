"""Attempts on the clock: used up once begun, given back by a teacher only."""

from __future__ import annotations

import re
from typing import Any

from grader.service.base.clock import MINUTE, now
from grader.service.rules.times import moment_text
from grader.service.store.tables import attempt
from tests.grader.service.api.client import RIGHT, WRONG, Api, Course
from tests.grader.service.api.handing_in import begun, hand_in, handed_in, until_marked

UNREADABLE = {"move": "???"}


def test_a_timed_attempt_is_used_up_whatever_was_handed_in(running: Api, course: Course) -> None:
    assignment = course.put_assignment(minutes=1, attempts=1)
    assert until_marked(running, handed_in(course, assignment, "s1", UNREADABLE), course.teacher)["counted"] is False
    again = running.post(f"/api/assignments/{assignment}/attempts", course["s1"])
    assert (again.status_code, again.json().get("code")) == (403, "no-attempts-left")
    about = running.get(f"/api/assignments/{assignment}", course["s1"]).json()
    assert (about["attempts_used"], about["attempts_left"], about["may_start"]) == (1, 0, False)


def test_an_attempt_says_when_it_ends_and_what_time_it_is(course: Course) -> None:
    opens, closes = now() - MINUTE, now() + 10 * MINUTE
    timed = course.put_assignment(minutes=5)
    found = begun(course, timed, "s1")
    assert found["ends"] == moment_text(_row(course, found["id"]).started + 5 * MINUTE)
    assert found["now"].endswith("Z") and moment_text(opens) < found["now"] < found["ends"]
    again = course.api.get(f"/api/attempts/{found['id']}", course["s1"]).json()
    assert again["ends"] == found["ends"] and again["now"] >= found["now"]
    sooner = course.put_assignment(minutes=60, closes=closes)
    assert begun(course, sooner, "s1")["ends"] == moment_text(closes)
    assert begun(course, course.put_assignment(closes=closes), "s1")["ends"] == moment_text(closes)
    assert begun(course, course.put_assignment(), "s1")["ends"] is None
    tried = course.api.post(f"/api/assignments/{sooner}/attempts", course.teacher).json()
    assert tried["ends"] is None, "a try that counts for nobody"
    course.api.put(f"/api/assignments/{timed}/extensions/s1", course.teacher, json={"minutes": 7})
    longer = course.api.get(f"/api/attempts/{found['id']}", course["s1"]).json()
    assert longer["ends"] == moment_text(_row(course, found["id"]).started + 7 * MINUTE)


def test_a_teacher_gives_an_attempt_back_with_its_draft(course: Course) -> None:
    assignment = course.put_assignment(minutes=1)
    found = begun(course, assignment, "s1")
    path = f"/api/attempts/{found['id']}"
    course.api.put(f"{path}/draft", course["s1"], json={"answers": {"move": "a1"}, "revision": 0})
    early = reopened(course, found["id"], status=409)
    assert early["code"] == "not-over"
    _expire(course, found["id"])
    assert course.api.get(path, course["s1"]).json()["state"] == "expired"
    told = reopened(course, found["id"], minutes=3)
    again = begun(course, assignment, "s1")
    assert (again["id"], again["state"], again["draft"]) == (found["id"], "open", {"move": "a1"})
    assert told["ends"] == again["ends"] == moment_text(_row(course, found["id"]).until)
    saved = course.api.put(f"{path}/draft", course["s1"], json={"answers": RIGHT, "revision": again["revision"]})
    assert saved.status_code == 200, saved.text
    assert hand_in(course, found["id"], "s1", RIGHT).status_code == 201
    assert course.api.post(f"/api/assignments/{assignment}/attempts", course["s1"]).status_code == 403
    entries = course.api.get(f"/api/courses/{course.id}/audit", course.teacher).json()["items"]
    (entry,) = [each for each in entries if each["what"] == "attempt.reopened"]
    assert entry["subject"] == found["id"] and entry["detail"]["minutes"] == 3
    assert "fire drill" not in str(entries), "what is never erased holds no free text"
    assert _row(course, found["id"]).reason == "fire drill"


def test_what_was_handed_in_before_stays_and_counts(running: Api, course: Course) -> None:
    for counts, expected in (("best", 7), ("last", 2)):
        assignment = course.put_assignment(minutes=1, counts=counts)
        found = begun(course, assignment, "s1")
        first = hand_in(course, found["id"], "s1", RIGHT, "first").json()
        until_marked(running, first["id"], course.teacher)
        reopened(course, found["id"])
        assert hand_in(course, found["id"], "s1", RIGHT, "first").json() == first, "the same request, the same receipt"
        assert hand_in(course, found["id"], "s1", WRONG, "first").json()["code"] == "idempotency"
        assert running.get(f"/api/attempts/{found['id']}", course["s1"]).json()["state"] == "open"
        second = hand_in(course, found["id"], "s1", {"pruned": ["L5", "L6"]}, "second")
        assert second.status_code == 201, second.text
        assert hand_in(course, found["id"], "s1", RIGHT, "third").json()["code"] == "already-submitted"
        until_marked(running, second.json()["id"], course.teacher)
        listed = running.get(f"/api/assignments/{assignment}/submissions", course.teacher).json()["items"]
        assert [each["id"] for each in listed] == [first["id"], second.json()["id"]]
        grades = running.get(f"/api/assignments/{assignment}/grades", course.teacher).json()["items"]
        assert [each["marks"] for each in grades if each["member"] == "s1"] == [expected]
        about = running.get(f"/api/assignments/{assignment}", course["s1"]).json()
        assert (about["attempts_used"], about["may_start"]) == (1, False)


def test_without_minutes_it_has_as_many_as_everybody(course: Course) -> None:
    timed, free = course.put_assignment(minutes=20), course.put_assignment()
    for assignment, minutes in ((timed, 20), (free, None)):
        found = begun(course, assignment, "s1")
        hand_in(course, found["id"], "s1", UNREADABLE)
        at = now()
        told = reopened(course, found["id"], minutes=None)
        until = _row(course, found["id"]).until
        assert until is None if minutes is None else at <= until - minutes * MINUTE <= now()
        assert told["ends"] == (None if until is None else moment_text(until))


def test_an_attempt_is_not_reopened_past_the_closing_time_nor_beside_another(course: Course) -> None:
    assignment = course.put_assignment(minutes=5, attempts=2, closes=now() + 60 * MINUTE)
    first = begun(course, assignment, "s1")
    _expire(course, first["id"])
    second = begun(course, assignment, "s1")
    assert reopened(course, first["id"], status=409)["code"] == "another-open"
    hand_in(course, second["id"], "s1", RIGHT)
    told = reopened(course, first["id"], minutes=500)
    closes = course.api.get(f"/api/assignments/{assignment}", course["s1"]).json()["closes"]
    assert told["ends"] == closes, "never past the closing time"
    assert begun(course, assignment, "s1")["id"] == first["id"], "an earlier attempt is gone on with"
    hand_in(course, first["id"], "s1", RIGHT)
    over = {"closes": moment_text(now())}
    assert course.api.patch(f"/api/assignments/{assignment}", course.teacher, json=over).status_code == 200
    assert reopened(course, first["id"], status=409)["code"] == "assignment-closed"


def test_a_reason_is_wanted_and_minutes_are_some(course: Course) -> None:
    found = begun(course, course.put_assignment(), "s1")
    hand_in(course, found["id"], "s1", RIGHT)
    path = f"/api/attempts/{found['id']}/reopen"
    for body in ({}, {"reason": " "}, {"reason": "x", "minutes": 0}, {"reason": "x", "minutes": "5"}, {"reason": None}):
        assert course.api.post(path, course.teacher, json=body).status_code == 422, body
    for token, status in ((course["s1"], 403), (course["s2"], 403), (course["ta"], 403), (None, 401)):
        assert course.api.post(path, token, json={"reason": "mine"}).status_code == status
    assert _row(course, found["id"]).reopened == 0


def reopened(course: Course, attempt_id: str, status: int = 200, **fields: Any) -> dict[str, Any]:
    body = {"reason": "fire drill", **fields}
    answer = course.api.post(f"/api/attempts/{attempt_id}/reopen", course.teacher, json=body)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def _row(course: Course, attempt_id: str) -> Any:
    statement = attempt.select().where(attempt.c.id == attempt_id)
    return course.api.service.store.read_now(lambda connection: connection.execute(statement).one())


def _expire(course: Course, attempt_id: str) -> None:
    statement = attempt.update().where(attempt.c.id == attempt_id).values(started=now() - 1_000 * MINUTE)
    course.api.service.store.write_now(lambda tx: tx.execute(statement) and None)


def test_an_attempt_is_reopened_at_the_desk(running: Api, course: Course) -> None:
    assignment = course.put_assignment(minutes=1, feedback_before="marks")
    submitted = handed_in(course, assignment, "s1", UNREADABLE)
    until_marked(running, submitted, course.teacher)
    theirs = running.get(f"/s/{submitted}", course["s1"])
    assert "time limit and is used up" in theirs.text and "does not use up" not in theirs.text
    seen = running.get(f"/a/{assignment}", course["s1"]).text
    assert "All attempts are used up" in seen and "0 of 1 left" in seen
    grades = running.get(f"/api/assignments/{assignment}/grades", course.teacher).json()["items"]
    of = {each["member"]: f"/teach/g/{each['id']}" for each in grades}
    page = running.get(of["s1"], course.teacher)
    attempt_id = _value(page.text, "attempt")
    sent = {"attempt": attempt_id, "minutes": "4", "reason": "fire drill"}
    assert running.post(f"{of['s2']}/reopen", course.teacher, data=sent).status_code == 404, "not theirs"
    assert running.post(f"{of['s1']}/reopen", course.teacher, data={**sent, "reason": ""}).status_code == 422
    assert running.post(f"{of['s1']}/reopen", course.teacher, data=sent).status_code == 303
    again = running.post(f"{of['s1']}/reopen", course.teacher, data=sent)
    assert again.status_code == 409 and "This attempt is still open" in again.text
    assert "fire drill" in running.get(of["s1"], course.teacher).text
    assert begun(course, assignment, "s1")["id"] == attempt_id
    sheet = running.get(f"/a/{assignment}", course["s1"]).text
    assert f'data-attempt="{attempt_id}"' in sheet and "4 minutes left" in sheet
    assert "Attempt reopened" in running.get(f"/teach/c/{course.id}/audit", course.teacher).text


def test_an_attempt_that_ran_out_is_counted_on_its_page(course: Course) -> None:
    assignment = course.put_assignment(minutes=1)
    _expire(course, begun(course, assignment, "s1")["id"])
    seen = course.api.get(f"/a/{assignment}", course["s1"]).text
    assert "0 of 1 left" in seen and "All attempts are used up" in seen and "Begin" not in seen


def _value(html: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found is not None, html
    return found[1]
