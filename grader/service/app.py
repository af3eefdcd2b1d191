"""The app: every group of routes, and what goes wrong in words."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from grader.service.api import (
    assignments,
    attempts,
    audit,
    courses,
    documents,
    exercises,
    exports,
    grades,
    health,
    jobs,
    regrades,
    review,
    session,
    submissions,
)
from grader.service.desk import assigning as desk_assigning
from grader.service.desk import audit as desk_audit
from grader.service.desk import courses as desk_courses
from grader.service.desk import deciding, downloads, members, names, regrading, seeing
from grader.service.desk import exercises as desk_exercises
from grader.service.hall import phone, projector
from grader.service.problems import (
    ServiceProblem,
    add_problem_handlers,
    field_problem,
    general_problem,
    problem_response,
)
from grader.service.rules.unfit import Unfit
from grader.service.service import Service
from grader.service.store.errors import StoreUnavailable
from grader.service.web import attempt, course, home, practice, static_files, submission, trying
from grader.service.web.pages import no_page
from grader.service.work.problems import TaskFailed, WorkProblem
from grader.service.writing import editor, live

PAGES = (
    static_files.router,
    home.router,
    course.router,
    attempt.router,
    submission.router,
    practice.router,
    trying.router,
    desk_courses.router,
    desk_audit.router,
    members.router,
    desk_exercises.router,
    desk_assigning.router,
    seeing.router,
    deciding.router,
    deciding.grade_router,
    deciding.attempt_router,
    regrading.router,
    downloads.router,
    downloads.grade_router,
    names.router,
    phone.router,
    projector.router,
    live.router,
    editor.router,
)
ROUTERS = (
    submissions.router,
    attempts.router,
    documents.router,
    session.router,
    courses.router,
    courses.members_router,
    grades.router,
    exports.router,
    audit.router,
    assignments.router,
    exercises.router,
    review.router,
    regrades.router,
    jobs.router,
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
    app.add_exception_handler(Unfit, _unfit)
    app.add_exception_handler(StoreUnavailable, _unavailable)
    app.add_exception_handler(WorkProblem, _not_worked)
    app.add_exception_handler(HTTPException, _no_address(app.exception_handlers[HTTPException]))
    for router in {id(each): each for each in ROUTERS}.values():
        app.router.routes.extend(router.routes)  # one list: an included router is a matching of its own
    app.openapi_schema = _described(app.openapi())
    return app


def _no_address(otherwise: Any) -> Any:
    """An address that nobody has: a page for people, a problem for programs."""

    async def answer(request: Request, found: Exception) -> Response:
        page = await no_page(request, found)
        told: Response = page if page is not None else await otherwise(request, found)
        return told

    return answer


async def _unfit(_: Request, found: Exception) -> Response:
    """A field that breaks a rule."""
    assert isinstance(found, Unfit)
    told = [field_problem(found.message, found.code, found.hint)]
    return problem_response(ServiceProblem(422, found.code, found.message, told))


async def _unavailable(_: Request, found: Exception) -> Response:
    return problem_response(ServiceProblem(503, "unavailable", str(found), headers={"Retry-After": "2"}))


async def _not_worked(_: Request, found: Exception) -> Response:
    """Why a worker has no result. What is our own fault is for the log alone."""
    assert isinstance(found, WorkProblem)
    if isinstance(found, TaskFailed):
        _log.error("a task failed: %s", found.detail)
        return problem_response(general_problem(500))
    headers = {} if found.retry_after is None else {"Retry-After": str(found.retry_after)}
    told = [{**field_problem(""), **each} for each in found.problems]
    return problem_response(ServiceProblem(found.status, found.code, found.detail, told, headers))


def _described(schema: dict[str, Any]) -> dict[str, Any]:
    """With the ways to sign in."""
    schema.setdefault("components", {})["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "A teacher's token, or that of a member's link"},
        "session": {"type": "apiKey", "in": "cookie", "name": "plymark_session"},
    }
    return schema
