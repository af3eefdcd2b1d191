"""The tasks by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grader.service.work.tasks.grading import grade
from grader.service.work.tasks.making import generate
from grader.service.work.tasks.solving import analyse, check, draw, explain, solve

TASKS: Mapping[str, Callable[..., Any]] = {
    task.__name__: task for task in (check, solve, analyse, explain, draw, grade, generate)
}
