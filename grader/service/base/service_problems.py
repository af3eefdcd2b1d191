"""What goes wrong, as the service tells it: a problem as `application/problem+json` (RFC 9457), a field that breaks a
rule, a store that cannot be used; and for logs where an exception was raised, without its words.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from solver.kernel import PlymarkError, Problem, quoted

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


def unexpected(request_id: str) -> ServiceProblem:
    """For what nobody foresaw: the number finds the log's line, and nothing else is told."""
    code, detail = GENERAL[500]
    return ServiceProblem(500, code, detail, extra={"request": request_id})


class RuleViolation(PlymarkError):
    """The field, a stable code, what is wrong with it and what to write instead."""

    def __init__(self, field: str, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.field = field
        self.code = code
        self.message = message
        self.hint = hint


def require_one_of(allowed: Sequence[str], value: Any, field: str) -> str:
    """The value, if it is among those allowed."""
    if isinstance(value, str) and value in allowed:
        return value
    given = quoted(value) if isinstance(value, str) else "something else"
    raise RuleViolation(field, "wrong-value", f"{field} is one of {', '.join(allowed)}, not {given}")


class StoreRefused(Exception):
    """The database cannot be used as it is; the message says what to do."""


class StoreUnavailable(Exception):
    """The database cannot be reached or written just now: nothing was stored, and trying again is safe."""


MOST_FRAMES = 20


def traceback_places(crash: BaseException) -> list[str]:
    """The innermost last, without the way through libraries."""
    frames = traceback.extract_tb(crash.__traceback__)
    shown = [frame for frame in frames[:-1] if "site-packages" not in frame.filename] + frames[-1:]
    return [f"{_short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in shown[-MOST_FRAMES:]]


def _short(filename: str) -> str:
    return "/".join(PurePath(filename).parts[-3:])
