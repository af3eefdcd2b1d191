"""A task in the process of a worker: plain data comes and plain data goes."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from grader.service.crashes import places_of
from grader.service.work.problems import Refused
from solver.jobs import Handler

DONE, REFUSED, OUT_OF_MEMORY, FAILED = "done", "refused", "out of memory", "failed"
Tasks = Mapping[str, Callable[..., Any]]


def task_handler(tasks: str) -> Handler:
    """What a process does with each request. `tasks` names a module whose `TASKS` are functions by name: it is imported
    here, since the server, which names it, must not load it."""
    return partial(_handle, import_module(tasks).TASKS)


def _handle(known: Tasks, request: bytes) -> bytes:
    name, args = from_bytes(request)
    return answered(known, name, args)


def answered(known: Tasks, name: str, args: tuple[Any, ...]) -> bytes:
    """What a task makes of its arguments, or how it failed."""
    try:
        return to_bytes((DONE, known[name](*args)))
    except Refused as refused:
        found = [dict(problem) for problem in refused.problems]
        return to_bytes((REFUSED, (refused.status, refused.code, refused.detail, found, refused.total)))
    except (MemoryError, RecursionError):
        return to_bytes((OUT_OF_MEMORY, None))
    except Exception as error:
        return to_bytes((FAILED, f"{name}: {type(error).__name__} ({', '.join(places_of(error))})"))


class _PlainData(pickle.Unpickler):
    """Takes numbers, text, bytes, lists, tuples and mappings; no object of any class can be sent to the server."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is not plain data")


def to_bytes(data: Any) -> bytes:
    return pickle.dumps(data, pickle.HIGHEST_PROTOCOL)


def from_bytes(raw: bytes) -> Any:
    return _PlainData(io.BytesIO(raw)).load()
