"""The app: every group of routes, and what goes wrong in words."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette._utils import get_route_path
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import ASGIApp

from grader.service.base.service_problems import (
    GENERAL,
    MEDIA_TYPE,
    MOST_PROBLEMS,
    RuleViolation,
    ServiceProblem,
    StoreUnavailable,
    field_problem,
    general_problem,
    problem_bytes,
)
from grader.service.features.accounts import api as accounts_api
from grader.service.features.accounts import pages as accounts_pages
from grader.service.features.assignments import api as assignments_api
from grader.service.features.assignments import pages as assignments_pages
from grader.service.features.attempts import api as attempts_api
from grader.service.features.attempts import pages as attempts_pages
from grader.service.features.classes import api as classes_api
from grader.service.features.classes import pages as classes_pages
from grader.service.features.courses import api as courses_api
from grader.service.features.courses import pages as courses_pages
from grader.service.features.documents import api as documents_api
from grader.service.features.exercises import api as exercises_api
from grader.service.features.exercises import pages as exercises_pages
from grader.service.features.grades import api as grades_api
from grader.service.features.grades import pages as grades_pages
from grader.service.features.hall import pages as hall_pages
from grader.service.features.jobs import api as jobs_api
from grader.service.features.members import api as members_api
from grader.service.features.members import pages as members_pages
from grader.service.features.practice import pages as practice_pages
from grader.service.features.regrades import api as regrades_api
from grader.service.features.regrades import pages as regrades_pages
from grader.service.features.review import api as review_api
from grader.service.features.review import pages as review_pages
from grader.service.features.submissions import api as submissions_api
from grader.service.features.submissions import pages as submissions_pages
from grader.service.features.writing import pages as writing_pages
from grader.service.http import static_files
from grader.service.http.page_routes import no_page
from grader.service.http.service import Service
from grader.service.run import health
from grader.service.workers.work_problems import TaskFailed, WorkProblem
from solver.kernel import quoted


def problem_response(problem: ServiceProblem) -> Response:
    return Response(problem_bytes(problem), problem.status, problem.headers, MEDIA_TYPE)


def wrong_fields(error: RequestValidationError) -> ServiceProblem:
    """FastAPI's own checks of parameters, without the input that it would send back."""
    code, detail = GENERAL[422]
    told = [field_problem(f"{_named(each['loc'])}: {each['msg']}") for each in error.errors()[:MOST_PROBLEMS]]
    return ServiceProblem(422, code, detail, told)


def add_problem_handlers(app: FastAPI) -> None:
    """Every refusal of `app` becomes a problem. What nobody foresaw is for the front, which logs it."""

    async def refused(_: Request, problem: Exception) -> Response:
        assert isinstance(problem, ServiceProblem)
        return problem_response(problem)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return problem_response(wrong_fields(error))

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        headers = {"Allow": _allowed(request)} if error.status_code == 405 else error.headers
        return problem_response(general_problem(error.status_code, headers))

    app.add_exception_handler(ServiceProblem, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)


def _allowed(request: Request) -> str:
    """Every method that the address knows; the route that was found first knows only its own."""
    path = get_route_path(request.scope)
    known = [methods for template, methods in request.app.openapi()["paths"].items() if _pattern(template).match(path)]
    return ", ".join(sorted({method.upper() for methods in known for method in methods}))


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return compile_path(template)[0]


def _named(location: Sequence[str | int]) -> str:
    where, *names = location
    return f"{where} {quoted('.'.join(str(name) for name in names))}" if names else str(where)


PAGES = (
    static_files.router,
    accounts_pages.router,
    courses_pages.router,
    attempts_pages.router,
    submissions_pages.router,
    practice_pages.router,
    members_pages.router,
    exercises_pages.router,
    assignments_pages.router,
    classes_pages.router,
    review_pages.router,
    grades_pages.router,
    regrades_pages.router,
    hall_pages.router,
    writing_pages.router,
)
ROUTERS = (
    submissions_api.router,
    attempts_api.router,
    documents_api.router,
    accounts_api.router,
    courses_api.router,
    members_api.router,
    grades_api.router,
    classes_api.router,
    assignments_api.router,
    exercises_api.router,
    review_api.router,
    regrades_api.router,
    jobs_api.router,
    health.router,
    *PAGES,
)
"""They are asked in this order: first those that a whole class calls at once."""
VERSION = "1"
_log = logging.getLogger("plymark.app")


class _App(FastAPI):
    """With what our routes need around them, and no more: crashes are for the front, and none has dependencies."""

    def build_middleware_stack(self) -> ASGIApp:
        return ExceptionMiddleware(self.router, handlers=self.exception_handlers)


def make_app(service: Service) -> FastAPI:
    app = _App(
        title="Plymark",
        version=VERSION,
        description="Solving and marking game trees over HTTP.",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        root_path=service.settings.path,
        separate_input_output_schemas=False,
    )
    app.state.service = service
    add_problem_handlers(app)
    app.add_exception_handler(RuleViolation, _unfit)
    app.add_exception_handler(StoreUnavailable, _unavailable)
    app.add_exception_handler(WorkProblem, _not_worked)
    app.add_exception_handler(HTTPException, _no_address(app.exception_handlers[HTTPException]))
    for router in ROUTERS:
        app.router.routes.extend(router.routes)  # one list: an included router is a matching of its own
    app.openapi_schema = _described(app.openapi())
    return app


def _no_address(otherwise: Any) -> Any:
    """An address that nobody has: a page for people, a problem for programs."""

    async def answer(request: Request, error: Exception) -> Response:
        page = await no_page(request, error)
        told: Response = page if page is not None else await otherwise(request, error)
        return told

    return answer


async def _unfit(_: Request, error: Exception) -> Response:
    """A field that breaks a rule."""
    assert isinstance(error, RuleViolation)
    told = [field_problem(error.message, error.code, error.hint)]
    return problem_response(ServiceProblem(422, error.code, error.message, told))


async def _unavailable(_: Request, error: Exception) -> Response:
    return problem_response(ServiceProblem(503, "unavailable", str(error), headers={"Retry-After": "2"}))


async def _not_worked(_: Request, error: Exception) -> Response:
    """Why a worker has no result. What is our own fault is for the log alone."""
    assert isinstance(error, WorkProblem)
    if isinstance(error, TaskFailed):
        _log.error("a task failed: %s", error.detail)
        return problem_response(general_problem(500))
    headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
    told = [{**field_problem(""), **each} for each in error.problems]
    return problem_response(ServiceProblem(error.status, error.code, error.detail, told, headers))


def _described(schema: dict[str, Any]) -> dict[str, Any]:
    """With the ways to sign in."""
    schema.setdefault("components", {})["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "A teacher's token, or that of a member's link"},
        "session": {"type": "apiKey", "in": "cookie", "name": "plymark_session"},
    }
    return schema
