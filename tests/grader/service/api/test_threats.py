"""What a hostile student or a stranger tries, one test each; what is tried on the edge is tested there."""

from __future__ import annotations

import ast
import asyncio
import json
import time
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from grader.service.store.tables import attempt, submission
from tests.grader.service.api.client import RIGHT, WRONG, Api, Course
from tests.support.paths import ROOT

pytestmark = pytest.mark.usefixtures("running")

PLANTED = "1500004"
"""The mean of two leaves, and nowhere in the tree."""
CHANCE: dict[str, Any] = {
    "plymark": "exercise/1",
    "id": "planted",
    "game": {
        "tree": {
            "id": "A",
            "turn": "max",
            "children": [
                {"move": "a1", "id": "B", "turn": "chance", "children": [1000003, 2000005]},
                {"move": "a2", "id": "C", "turn": "chance", "children": [7, 9]},
            ],
        }
    },
    "questions": [{"id": "values", "ask": "values", "marks": 3}, {"id": "move", "ask": "move", "marks": 1}],
}


def submit(course: Course, attempt_id: str, who: str, answers: Any, key: str = "k") -> httpx.Response:
    return course.api.post(
        f"/api/attempts/{attempt_id}/submissions", who, json={"answers": answers}, headers={"Idempotency-Key": key}
    )


def attempt_of(course: Course, assignment: str, who: str) -> Any:
    answer = course.api.post(f"/api/assignments/{assignment}/attempts", who)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def until_marked(course: Course, submission_id: str) -> None:
    for _ in range(600):
        if course.api.get(f"/api/submissions/{submission_id}", course.teacher).json()["state"] == "marked":
            return
        time.sleep(0.05)
    pytest.fail("it is not marked")


def crawl(course: Course, assignment: str, attempt_id: str, submission_id: str, who: str) -> list[httpx.Response]:
    """Every route that has something for a student, and those that should not."""
    api = course.api
    paths = [
        "/api/courses", f"/api/courses/{course.id}", f"/api/courses/{course.id}/members",
        f"/api/courses/{course.id}/exercises", f"/api/courses/{course.id}/exercises/{course.exercise}",
        f"/api/courses/{course.id}/assignments", f"/api/courses/{course.id}/audit",
        f"/api/assignments/{assignment}", f"/api/assignments/{assignment}/submissions",
        f"/api/assignments/{assignment}/summary", f"/api/assignments/{assignment}/heat-map",
        f"/api/assignments/{assignment}/grades", f"/api/assignments/{assignment}/review",
        f"/api/attempts/{attempt_id}", f"/api/submissions/{submission_id}",
        f"/api/submissions/{submission_id}/report", f"/api/submissions/{submission_id}/report?language=pt",
        f"/api/submissions/{submission_id}/report?language=fa", "/api/openapi.json", "/healthz", "/readyz",
    ]  # fmt: skip
    found = [api.get(path, who) for path in paths]
    answers = {"values": {"A": "x", "B": "12", "C": "8"}, "move": "a1", "nonsense": 1}
    found.append(api.post(f"/api/attempts/{attempt_id}/read", who, json={"answers": answers}))
    found.append(api.put(f"/api/attempts/{attempt_id}/draft", who, json={"answers": answers, "revision": 0}))
    found.append(submit(course, attempt_id, who, answers, "another"))
    return found


@pytest.mark.parametrize("level", ["receipt", "none", "marks", "hints"])
def test_no_byte_that_a_student_gets_before_release_has_the_key(course: Course, level: str) -> None:
    course.exercise = course.put_exercise(CHANCE)
    assignment = course.put_assignment(feedback_before=level, attempts=None)
    posed = attempt_of(course, assignment, course["s1"])
    before = course.api.post(
        f"/api/attempts/{posed['id']}/read", course["s1"], json={"answers": {"values": {"A": "3", "B": "zz"}}}
    )
    handed_in = submit(course, posed["id"], course["s1"], {"values": {"A": "1", "B": "2", "C": "8"}, "move": "a2"})
    until_marked(course, handed_in.json()["id"])
    again = attempt_of(course, assignment, course["s1"])
    found = crawl(course, assignment, again["id"], handed_in.json()["id"], course["s1"])
    found += crawl(course, assignment, posed["id"], handed_in.json()["id"], course["s1"])
    for answer in [before, handed_in, *found]:
        told = answer.text + json.dumps(dict(answer.headers))
        assert PLANTED not in told.replace(",", "").replace(".", ""), answer.url
    assert PLANTED not in json.dumps([posed, again])
    # It is there for those who may see it: the test would notice.
    full = course.api.get(f"/api/submissions/{handed_in.json()['id']}/report", course.teacher)
    assert PLANTED in full.text.replace(",", "").replace(".", "")


@pytest.mark.parametrize("level", ["none", "marks", "hints"])
def test_two_keys_with_the_same_verdicts_give_the_same_bytes(course: Course, level: str) -> None:
    """Wrong answers to two trees of one shape: nothing tells which of the keys it was."""
    reports = []
    for value in (5, 50):
        game = {
            "tree": {"id": "A", "turn": "max", "children": [{"id": "B", "turn": "min", "children": [value, 7, 8]}, 2]}
        }
        course.exercise = course.put_exercise(
            {
                "plymark": "exercise/1",
                "id": "same",
                "game": game,
                "questions": [{"id": "v", "ask": "values", "marks": 2}],
            }
        )
        assignment = course.put_assignment(feedback_before=level)
        posed = attempt_of(course, assignment, course["s1"])
        handed_in = submit(course, posed["id"], course["s1"], {"v": {"A": "1", "B": "1"}})
        until_marked(course, handed_in.json()["id"])
        report = course.api.get(f"/api/submissions/{handed_in.json()['id']}/report", course["s1"])
        assert report.status_code == 200, report.text
        told = report.json()
        told.pop("submitted", None)
        reports.append(json.dumps(told))
    assert reports[0] == reports[1]


def test_an_acknowledgement_does_not_tell_right_from_wrong(course: Course) -> None:
    assignment = course.put_assignment()
    found = []
    for who, answers in (("s1", RIGHT), ("s2", WRONG)):
        handed_in = submit(course, attempt_of(course, assignment, course[who])["id"], course[who], answers)
        assert handed_in.status_code == 201 and set(handed_in.json()) == {"id", "received", "sha256"}
        headers = {key: value for key, value in handed_in.headers.items() if key != "x-request-id"}
        found.append((headers, [len(str(value)) for value in handed_in.json().values()]))
    assert found[0] == found[1]


def test_one_key_fifty_times_at_once_is_one_submission(course: Course) -> None:
    api, assignment = course.api, course.put_assignment()
    posed = attempt_of(course, assignment, course["s1"])

    async def all_at_once() -> list[httpx.Response]:
        wanted = {"json": {"answers": RIGHT}, "headers": {"Idempotency-Key": "same"}}
        path = f"/api/attempts/{posed['id']}/submissions"
        return await asyncio.gather(*(api.send("POST", path, course["s1"], **wanted) for _ in range(50)))

    answers = api.loop.run(all_at_once())
    assert {each.status_code for each in answers} == {201} and len({each.text for each in answers}) == 1
    assert _count(api, submission) == 1
    other = submit(course, posed["id"], course["s1"], WRONG, "same")
    assert (other.status_code, submit(course, posed["id"], course["s1"], RIGHT, "new").json()["code"]) == (
        409,
        "already-submitted",
    )


def test_attempts_raced_for_are_no_more_than_there_are(course: Course) -> None:
    api, assignment = course.api, course.put_assignment(attempts=3)

    async def all_at_once(many: int) -> list[httpx.Response]:
        async def one(number: int) -> httpx.Response:
            started = await api.send("POST", f"/api/assignments/{assignment}/attempts", course["s1"])
            if started.status_code >= 400:
                return started
            path = f"/api/attempts/{started.json()['id']}/submissions"
            headers = {"Idempotency-Key": f"k{number}"}
            return await api.send("POST", path, course["s1"], json={"answers": RIGHT}, headers=headers)

        return await asyncio.gather(*(one(number) for number in range(many)))

    # One round more than there are attempts; 190 requests in all, since 200 at once is what an account may make.
    answers = [each for many in (50, 15, 15, 15) for each in api.loop.run(all_at_once(many))]
    assert sum(each.status_code == 201 for each in answers) == 3
    assert _count(api, attempt) == 3 and _count(api, submission) == 3
    assert {each.status_code for each in answers} <= {201, 403, 409}


@pytest.mark.parametrize("field", ["marks", "student_id", "student", "attempt", "late", "counted", "received"])
def test_fields_that_are_not_asked_for_are_refused(course: Course, field: str) -> None:
    api, assignment = course.api, course.put_assignment()
    posed = attempt_of(course, assignment, course["s1"])
    path = f"/api/attempts/{posed['id']}"
    sent = [
        api.post(f"{path}/submissions", course["s1"], json={"answers": {}, field: 1}, headers={"Idempotency-Key": "k"}),
        api.put(f"{path}/draft", course["s1"], json={"answers": {}, "revision": 0, field: 1}),
        api.post(f"{path}/read", course["s1"], json={"answers": {}, field: 1}),
        api.post(f"/api/assignments/{assignment}/attempts", course["s1"], json={field: 1}),
        api.post("/api/courses", course.teacher, json={"title": "x", field: 1}),
        api.patch(f"/api/courses/{course.id}", course.teacher, json={field: 1}),
        api.patch(f"/api/assignments/{assignment}", course.teacher, json={f"{field}_": 1}),
        api.post(f"/api/courses/{course.id}/members", course.teacher, json={"members": [{"id": "z", field: 1}]}),
    ]
    assert {each.status_code for each in sent} == {422}, [each.text for each in sent if each.status_code != 422]
    assert _count(api, submission) == 0


IN_WORKERS = ("marking", "questions", "mistakes", "reports", "generating", "delivery", "feedback", "practice")
SOLVING = ("documents", "search", "analysis", "drawing", "pipeline")


def test_the_web_process_neither_marks_nor_solves() -> None:
    """A document is read, solved and marked by workers only: modules of the server name tasks, and call none."""
    service = ROOT / "grader" / "service"
    for path in sorted(service.rglob("*.py")):
        if path.is_relative_to(service / "tasks") or path.name == "store_check.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.module is not None and not node.module.startswith(
                    (
                        *(f"grader.{room}" for room in IN_WORKERS),
                        *(f"solver.{room}" for room in SOLVING),
                        "grader.service.tasks.",
                    )
                ), f"{path}:{node.lineno}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of = node.func.value
                is_task = isinstance(of, ast.Name) and of.id == "tasks" and node.func.attr[0].islower()
                assert not is_task, f"{path}:{node.lineno} calls a task itself"


def test_formulas_in_names_are_text_in_sheets(course: Course) -> None:
    name = '=HYPERLINK("http://evil","x")'
    course.api.post(f"/api/courses/{course.id}/members", course.teacher, json={"members": [{"id": "s1", "name": name}]})
    assignment = course.put_assignment()
    for kind in ("canvas", "moodle", "plain"):
        sheet = course.api.get(f"/api/assignments/{assignment}/grades?format={kind}", course.teacher)
        assert sheet.status_code == 200, sheet.text
        cells = [cell.strip('"') for line in sheet.text.splitlines() for cell in line.split(",")]
        assert not any(cell.startswith(("=", "+", "@", "\t")) for cell in cells), sheet.text


def test_a_removed_member_is_nobody_at_once(course: Course) -> None:
    assignment = course.put_assignment()
    assert course.api.get(f"/api/assignments/{assignment}", course["s1"]).status_code == 200
    assert course.api.delete(f"/api/courses/{course.id}/members/s1", course.teacher).status_code == 204
    assert course.api.get(f"/api/assignments/{assignment}", course["s1"]).status_code in (401, 404)


def test_a_new_link_kills_the_old_one(course: Course) -> None:
    renewed = course.api.post(f"/api/courses/{course.id}/members/s1/link", course.teacher).json()["link"]
    path = f"/api/courses/{course.id}/assignments"
    assert course.api.get(path, course["s1"]).status_code == 401
    assert course.api.get(path, renewed.rsplit("/", 1)[-1]).status_code == 200


def test_joining_never_takes_over_an_id(course: Course) -> None:
    code = course.api.get(f"/api/courses/{course.id}", course.teacher).json()["join"]
    joined = [course.api.post("/api/join", json={"code": code, "name": "Name of s1"}) for _ in range(2)]
    assert {each.status_code for each in joined} == {201}
    assert "s1" not in {each.json()["id"] for each in joined} and joined[0].json()["id"] != joined[1].json()["id"]
    forged = course.api.post("/api/join", json={"code": code, "name": "x", "id": "s1"})
    assert forged.status_code == 422
    assert course.api.get(f"/api/courses/{course.id}/assignments", course["s1"]).status_code == 200


def _count(api: Api, table: Any) -> int:
    statement = select(func.count()).select_from(table)
    return int(api.service.store.read_now(lambda connection: connection.execute(statement).scalar_one()))
