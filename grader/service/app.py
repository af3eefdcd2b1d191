"""The app: every group of routes, and what goes wrong in words."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response

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
    in_page,
    jobs,
    regrades,
    review,
    session,
    submissions,
)
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
from grader.service.work.problems import TaskFailed, WorkProblem

ROUTERS = (
    submissions.router,
    attempts.router,
    documents.router,
    session.router,
    courses.router,
    grades.router,
    exports.router,
    audit.router,
    assignments.router,
    exercises.router,
    review.router,
    regrades.router,
    jobs.router,
    health.router,
    in_page.router,
)
"""They are asked in this order: first those that a whole class calls at once."""
VERSION = "1"
_log = logging.getLogger("plymark.app")


def make_app(service: Service) -> FastAPI:
    app = FastAPI(
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
    for router in ROUTERS:
        app.include_router(router)
    app.openapi_schema = _described(app.openapi())
    return app


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
