"""How work ends without a result. Each says what a client is told: a status, a code and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

UNREADABLE = "report-unreadable"
"""The code of what is refused since a stored report cannot be worded."""


class WorkProblem(Exception):
    """Why a task has no result."""

    status, code, detail = 500, "failed", "something went wrong inside the service"
    retry_after: int | None = None
    """Seconds after which it may go well."""
    problems: Sequence[Mapping[str, Any]] = ()
    """Of a document, each with its line and column where it has one, code, message and hint."""

    def __init__(self, detail: str = "") -> None:
        self.detail = detail or self.detail
        super().__init__(self.detail)


class Refused(WorkProblem):
    """The task looked at what it was given, and refuses it."""

    def __init__(
        self, status: int, code: str, detail: str, problems: Sequence[Mapping[str, Any]] = (), total: int | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.problems = status, code, list(problems)
        self.total = len(self.problems) if total is None else total
        """Of all problems; those kept may be fewer."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Refused, (self.status, self.code, self.detail, self.problems, self.total)


class Busy(WorkProblem):
    status, code, detail = 503, "busy", "too many requests are waiting; try again in a moment"
    retry_after = 2


class Stopping(WorkProblem):
    """The task was not begun, or not finished, since the service stops."""

    status, code, detail = 503, "stopping", "the service is being stopped; try again in a moment"
    retry_after = 5


class WorkerDied(WorkProblem):
    """The process ended in the middle of the task, whatever the reason; another attempt may go well."""

    status, code, detail = 503, "worker-died", "the worker process crashed; try again"
    retry_after = 1


class TimedOut(WorkProblem):
    status, code, detail = 422, "too-hard", "this takes longer than the service works on one request"


class OutOfMemory(WorkProblem):
    status, code, detail = 422, "too-hard", "this takes more memory than the service has for one request"


class TaskFailed(WorkProblem):
    """A fault of ours; the detail is for the log, not for the client."""
