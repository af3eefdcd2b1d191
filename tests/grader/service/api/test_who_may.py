"""Every route against everybody: what the contract grants, and nothing else."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, select

from grader.service.run.app import make_app
from grader.service.store.tables import job
from tests.grader.service.api.client import RIGHT, Api, Course, make_course
from tests.grader.service.routes import API_RIGHTS

pytestmark = pytest.mark.usefixtures("running")

GRANTS = """
POST /api/check E
POST /api/solve E
POST /api/analyse E
POST /api/explain E
POST /api/draw E
POST /api/grade any-teacher
POST /api/generate any-teacher
POST /api/session E
DELETE /api/session anyone
PUT /api/me/password anyone
POST /api/join E
GET /api/courses any-teacher
POST /api/courses any-teacher
GET /api/courses/{c} T
PATCH /api/courses/{c} T
DELETE /api/courses/{c} T
POST /api/courses/{c}/copy T
GET /api/courses/{c}/members T
POST /api/courses/{c}/members T
POST /api/courses/{c}/members/{m}/link T
DELETE /api/courses/{c}/members/{m} T
GET /api/courses/{c}/exercises T
POST /api/courses/{c}/exercises T
GET /api/courses/{c}/exercises/{e} T
POST /api/courses/{c}/exercises/{e}/versions T
GET /api/courses/{c}/assignments S A T
POST /api/courses/{c}/assignments T
GET /api/assignments/{a} S A T
PATCH /api/assignments/{a} T
PUT /api/assignments/{a}/extensions/{m} T
DELETE /api/assignments/{a}/extensions/{m} T
POST /api/assignments/{a}/attempts S T
GET /api/attempts/{t} own
PUT /api/attempts/{t}/draft own
POST /api/attempts/{t}/read own
POST /api/attempts/{t}/submissions own
POST /api/attempts/{t}/reopen T
GET /api/submissions/{s} own A T
GET /api/submissions/{s}/report own A T
GET /api/assignments/{a}/submissions A T
GET /api/assignments/{a}/summary A T
GET /api/assignments/{a}/heat-map A T
GET /api/assignments/{a}/grades A T
GET /api/assignments/{a}/review A T
POST /api/assignments/{a}/review/{id} A T
PUT /api/grades/{g}/override T
DELETE /api/grades/{g}/override T
POST /api/assignments/{a}/regrades T
GET /api/assignments/{a}/regrades/{r} T
POST /api/assignments/{a}/regrades/{r}/apply T
GET /api/courses/{c}/audit T
GET /api/jobs/{j} T
DELETE /api/jobs/{j} T
GET /healthz E
GET /readyz E
GET /api/openapi.json E
GET /metrics E
"""
"""As the contract's table has them: everybody, students, assistants, teachers, whoever owns it."""

ROUTES = [tuple(line.split(maxsplit=2)) for line in GRANTS.split("\n") if line]
NO_TABLE = {("GET", "/api/docs"), ("GET", "/in/{link}"), ("POST", "/in/{link}")}
"""Pages."""
NO_RIGHTS = {("GET", "/metrics")}
"""It has a rule of its own: loopback, or a token of its own."""


def test_the_table_of_roles_is_the_contract_and_openapi_has_no_more(api: Api) -> None:
    listed = {(method, path) for method, path, _ in ROUTES}
    assert set(API_RIGHTS) - NO_TABLE == listed - NO_RIGHTS
    served = {
        (method.upper(), path) for path, found in make_app(api.service).openapi()["paths"].items() for method in found
    }
    assert served - NO_TABLE == listed


@pytest.fixture
def room(course: Course) -> dict[str, str]:
    """An id for every parameter of a path; the attempt and the submission are those of s1."""
    api, teacher = course.api, course.teacher
    assignment = course.put_assignment()
    attempt = api.post(f"/api/assignments/{assignment}/attempts", course["s1"]).json()["id"]
    handed_in = api.post(
        f"/api/attempts/{attempt}/submissions", course["s1"], json={"answers": RIGHT}, headers={"Idempotency-Key": "k"}
    )
    assert handed_in.status_code == 201, handed_in.text
    regrade = api.post(f"/api/assignments/{assignment}/regrades", teacher, json={"version": 1}).json()
    grades = api.get(f"/api/assignments/{assignment}/grades", teacher).json()["items"]
    job = api.service.store.read_now(_a_job)
    return {
        "c": course.id, "e": course.exercise, "a": assignment, "m": "s2", "t": attempt, "s": handed_in.json()["id"],
        "g": grades[0]["id"], "r": regrade["id"], "j": job, "id": "x",
    }  # fmt: skip


def _a_job(connection: Connection) -> str:
    return str(connection.execute(select(job.c.id)).scalars().first())


def test_everybody_on_every_route(course: Course, room: dict[str, str]) -> None:
    """A parameter that no route knows is refused after the role is: 422 means that the caller was let in."""
    api = course.api
    stranger = make_course(api, api.new_teacher("grace"))
    callers = {
        "nobody": (None, ""),
        "a token that is none": ("nonsense", ""),
        "student": (course["s1"], "S own"),
        "other student": (course["s2"], "S"),
        "assistant": (course["ta"], "A"),
        "teacher": (course.teacher, "T any-teacher"),
        "student of another course": (stranger["s1"], ""),
        "assistant of another course": (stranger["ta"], ""),
        "teacher of another course": (stranger.teacher, "any-teacher"),
    }
    for method, path, grants in ROUTES:
        url = path.format(**room)
        for name, (token, is_a) in callers.items():
            answer = api.call(method, f"{url}?nonsense=1", token)
            code = answer.json().get("code") if answer.status_code >= 400 else None
            known = token is not None and name != "a token that is none"
            may = grants == "E" or (known and (grants == "anyone" or bool(set(grants.split()) & set(is_a.split()))))
            if may and name == "a token that is none":
                # Whoever shows a token means to be somebody.
                may = False
            told = f"{name}: {method} {path}: {answer.status_code} {code}"
            if path == "/metrics":
                # For whoever is on this machine, by a rule of its own.
                assert answer.status_code == 200, told
            elif may:
                assert (answer.status_code, code) == (422, "parameter"), told
            elif not known:
                assert answer.status_code == 401, told
            elif ("another course" in name and "{" in path) or (name == "other student" and "own" in grants.split()):
                assert answer.status_code == 404, told
            else:
                assert answer.status_code == 403, told
