"""The process of a worker, from inside and from outside: one task after another, with limits of memory and
of processor time for each, until the server says otherwise or dies.
"""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from types import FunctionType
from typing import Any

from grader.service.base.service_problems import traceback_places
from grader.service.workers.task_results import allowed
from grader.service.workers.work_problems import Refused
from solver.jobs import Handler

DONE, REFUSED, OUT_OF_MEMORY, FAILED = "done", "refused", "out of memory", "failed"


def task_handler(tasks: Sequence[str]) -> Handler:
    """What a process does with each request for a function of these packages and modules."""
    for each in tasks:
        import_module(each)
    return partial(_handle, tuple(tasks))


def _handle(tasks: Sequence[str], request: bytes) -> bytes:
    name, arguments = from_bytes(request)
    return run_task(tasks, name, arguments)


def name_of(task: Callable[..., Any]) -> str:
    """By which a worker finds it: that of its module, and its own."""
    return f"{task.__module__}.{task.__qualname__}"


def run_task(tasks: Sequence[str], name: str, arguments: bytes) -> bytes:
    """What a task makes of its arguments, or how it failed."""
    try:
        args, named_args = from_bytes(arguments)
        return to_bytes((DONE, _task(tasks, name)(*args, **named_args)))
    except Refused as refused:
        found = [dict(problem) for problem in refused.problems]
        return to_bytes((REFUSED, (refused.status, refused.code, refused.detail, found, refused.total)))
    except (MemoryError, RecursionError):
        return to_bytes((OUT_OF_MEMORY, None))
    except Exception as error:
        return to_bytes((FAILED, f"{name}: {type(error).__name__} ({', '.join(traceback_places(error))})"))


def _task(tasks: Sequence[str], name: str) -> Callable[..., Any]:
    """A public function that one of these packages and modules defines; LookupError for anything else."""
    module, _, function = name.rpartition(".")
    task = getattr(sys.modules.get(module), function, None)
    is_below = any(f"{module}.".startswith(f"{each}.") for each in tasks)
    if not is_below or function.startswith("_") or not isinstance(task, FunctionType) or task.__module__ != module:
        raise LookupError(name)
    return task


class _Messages(pickle.Unpickler):
    """Takes numbers, text, bytes, lists, tuples, mappings and what is declared as a message; no object of any other
    class."""

    def find_class(self, module: str, name: str) -> type:
        found = allowed(module, name)
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} is no message")
        return found


def to_bytes(data: Any) -> bytes:
    return pickle.dumps(data, pickle.HIGHEST_PROTOCOL)


def from_bytes(raw: bytes) -> Any:
    return _Messages(io.BytesIO(raw)).load()
