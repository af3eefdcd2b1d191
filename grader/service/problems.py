"""What goes wrong over HTTP, told as `application/problem+json` (RFC 9457): words and a code, never a traceback."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette._utils import get_route_path
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import compile_path

from solver.kernel import Problem, quoted

MEDIA_TYPE = "application/problem+json"
MOST_PROBLEMS = 20

TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    412: "Precondition Failed",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
    507: "Insufficient Storage",
}
"""Not those of `http.HTTPStatus`, which change with Python's version."""

GENERAL = {
    400: ("request", "the request cannot be read as HTTP"),
    401: ("credential", "sign in first, or send a token that is valid"),
    403: ("role", "this is not for your role"),
    404: ("unknown", "there is nothing here that you may know of"),
    405: ("method", "this address does not know that method"),
    408: ("slow-body", "the body did not arrive in time"),
    413: ("too-large", "the body is larger than its limit"),
    422: ("field", "a field is missing, wrong or not known"),
    429: ("rate", "too many requests; wait, then go on"),
    431: ("headers", "the headers are larger or more than the limit"),
    500: ("internal", "something went wrong here, not with what you sent"),
    503: ("busy", "too much is going on; try again soon"),
}
"""A code and words for a status where nothing more exact is known."""


class ServiceProblem(Exception):
    """Ends a request with this answer, from however deep inside it is raised."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        problems: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(status, code, detail)
        self.status, self.code, self.detail = status, code, detail
        self.problems = [dict(each) for each in problems]
        self.headers = dict(headers or {})
        self.extra = dict(extra or {})
        """Further members of the body, such as the answers and the revision of a draft."""

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.status, self.code, self.detail, self.problems, self.headers, self.extra)
        return type(self), arguments


def general_problem(status: int, headers: Mapping[str, str] | None = None) -> ServiceProblem:
    code, detail = GENERAL.get(status, ("request", "this request cannot be answered"))
    return ServiceProblem(status, code, detail, headers=headers)


def problem_body(
    status: int,
    code: str,
    detail: str,
    problems: Sequence[Mapping[str, Any]] = (),
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """RFC 9457; the type is `about:blank`, since the code says what a type would."""
    body = {
        "type": "about:blank",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "detail": detail,
        "code": code,
        "problems": [dict(each) for each in problems],
    }
    return {**(extra or {}), **body}


def document_problem(problem: Problem, **further: Any) -> dict[str, Any]:
    """A problem of a document, as a member of `problems`."""
    line, column = problem.place
    told = {"line": line, "column": column, "code": problem.code, "message": problem.message, "hint": problem.hint}
    return {**told, **further}


def field_problem(message: str, code: str = "field", hint: str = "") -> dict[str, Any]:
    """A problem of a field or parameter, which has neither line nor column."""
    return {"line": None, "column": None, "code": code, "message": message, "hint": hint}


def problem_bytes(problem: ServiceProblem) -> bytes:
    body = problem_body(problem.status, problem.code, problem.detail, problem.problems, problem.extra)
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def problem_response(problem: ServiceProblem) -> Response:
    return Response(problem_bytes(problem), problem.status, problem.headers, MEDIA_TYPE)


def unexpected(request_id: str) -> ServiceProblem:
    """For what nobody foresaw: the number finds the log's line, and nothing else is told."""
    code, detail = GENERAL[500]
    return ServiceProblem(500, code, detail, extra={"request": request_id})


def wrong_fields(found: RequestValidationError) -> ServiceProblem:
    """FastAPI's own checks of parameters, without the input that it would send back."""
    code, detail = GENERAL[422]
    told = [field_problem(f"{_named(each['loc'])}: {each['msg']}") for each in found.errors()[:MOST_PROBLEMS]]
    return ServiceProblem(422, code, detail, told)


def add_problem_handlers(app: FastAPI) -> None:
    """Every refusal of `app` becomes a problem. What nobody foresaw is for the front, which logs it."""

    async def refused(_: Request, problem: Exception) -> Response:
        assert isinstance(problem, ServiceProblem)
        return problem_response(problem)

    async def invalid(_: Request, found: Exception) -> Response:
        assert isinstance(found, RequestValidationError)
        return problem_response(wrong_fields(found))

    async def plain(request: Request, found: Exception) -> Response:
        assert isinstance(found, HTTPException)
        headers = {"Allow": _allowed(request)} if found.status_code == 405 else found.headers
        return problem_response(general_problem(found.status_code, headers))

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
