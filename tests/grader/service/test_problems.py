"""Every refusal is a problem in words with a code, and holds nothing of what was sent."""

from __future__ import annotations

import asyncio
import pickle
from typing import Annotated, Any

import httpx
import pytest
from fastapi import FastAPI, Query
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.service_problems import (
    GENERAL,
    MEDIA_TYPE,
    TITLES,
    ServiceProblem,
    document_problem,
    problem_body,
)
from grader.service.run.app import add_problem_handlers
from solver.kernel import Place, Problem

SECRET = "planted-4711"
MEMBERS = {"type", "title", "status", "detail", "code", "problems"}


def demo() -> FastAPI:
    app = FastAPI()
    add_problem_handlers(app)

    @app.get("/refused")
    async def refused() -> None:
        problems = [document_problem(Problem(Place(3, 7), "number", "not a number", "write 1/2"), document="answer")]
        raise ServiceProblem(409, "stale", "saved since", problems, {"Retry-After": "3"}, {"revision": 4})

    @app.get("/checked")
    async def checked(count: Annotated[int, Query(le=10)]) -> int:
        return count

    return app


def got(path: str, method: str = "GET") -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(demo(), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.request(method, path)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/refused", 409, "stale"),
        ("GET", f"/nowhere/{SECRET}?{SECRET}", 404, "unknown"),
        ("POST", "/refused", 405, "method"),
        ("GET", "/checked", 422, "field"),
        ("GET", f"/checked?count={SECRET}", 422, "field"),
    ],
)
def test_every_refusal_is_a_problem(method: str, path: str, status: int, code: str) -> None:
    answer = got(path, method)
    body = answer.json()
    assert answer.status_code == body["status"] == status
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert body["code"] == code and body.keys() >= MEMBERS and body["title"] == TITLES[status]
    assert SECRET not in answer.text and "Traceback" not in answer.text


def test_a_problem_carries_places_headers_and_further_members() -> None:
    answer = got("/refused")
    place = {"line": 3, "column": 7, "code": "number", "message": "not a number", "hint": "write 1/2"}
    assert answer.json()["problems"] == [{**place, "document": "answer"}]
    assert answer.json()["revision"] == 4
    assert answer.headers["retry-after"] == "3"
    assert got("/refused", "POST").headers["allow"] == "GET"


def test_a_wrong_parameter_is_named() -> None:
    (problem,) = got("/checked?count=11").json()["problems"]
    assert 'query "count"' in problem["message"] and "10" in problem["message"]
    assert problem["line"] is None and problem["column"] is None


@given(st.sampled_from(sorted(TITLES)), st.dictionaries(st.sampled_from([*MEMBERS, "answers"]), st.integers()))
def test_further_members_never_hide_the_problem(status: int, extra: dict[str, Any]) -> None:
    body = problem_body(status, "code", "words", extra=extra)
    assert (body["status"], body["code"], body["detail"], body["problems"]) == (status, "code", "words", [])
    assert body.keys() == MEMBERS | extra.keys()


def test_a_problem_comes_back_from_another_process() -> None:
    sent = ServiceProblem(503, "busy", "later", [{"line": 1}], {"Retry-After": "1"}, {"depth": 3})
    back = pickle.loads(pickle.dumps(sent))
    assert vars(back) == vars(sent)


def test_general_words_have_titles() -> None:
    assert GENERAL.keys() <= TITLES.keys()
