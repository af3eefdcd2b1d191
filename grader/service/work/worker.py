"""The process of a worker: one task after another, with limits of memory and of processor time for each, until the
server says otherwise or dies."""

from __future__ import annotations

import gc
import io
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FunctionType
from typing import Any

from grader.service.crashes import places_of
from grader.service.work.messages import allowed
from grader.service.work.problems import Refused

try:
    import resource
except ImportError:  # where there is no such limit, memory is not limited
    resource = None  # type: ignore[assignment]

NICE = 5
"""Storing what is handed in goes before marking it, where there are too few processors for both."""
OUT_OF_TIME: int | None = getattr(signal, "SIGPROF", None)
"""The signal that ends a process which has used up its processor time; Windows has none."""
DONE, REFUSED, OUT_OF_MEMORY, FAILED = "done", "refused", "out of memory", "failed"


def work(connection: Connection, tasks: Sequence[str], memory_bytes: int | None) -> None:
    """The life of a worker, which can be asked for the functions of these packages and modules."""
    _leave_signals_to_the_server()
    if hasattr(os, "nice"):
        os.nice(NICE)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    for each in tasks:
        import_module(each)
    # What is loaded now stays for good, and need not be walked again with every collection.
    gc.freeze()
    if memory_bytes is not None:
        _limit_memory(memory_bytes)
    while True:
        try:
            name, args, seconds = from_bytes(connection.recv_bytes())
        except (EOFError, OSError):
            return
        _limit_processor_time(seconds)
        answer = answered(tasks, name, args)
        _limit_processor_time(0)
        connection.send_bytes(answer)


def name_of(task: Callable[..., Any]) -> str:
    """By which a worker finds it: that of its module, and its own."""
    return f"{task.__module__}.{task.__qualname__}"


def answered(tasks: Sequence[str], name: str, arguments: bytes) -> bytes:
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
        return to_bytes((FAILED, f"{name}: {type(error).__name__} ({', '.join(places_of(error))})"))


def _task(tasks: Sequence[str], name: str) -> Callable[..., Any]:
    """A public function that one of these packages and modules defines; LookupError for anything else."""
    module, _, function = name.rpartition(".")
    found = getattr(sys.modules.get(module), function, None)
    is_below = any(f"{module}.".startswith(f"{each}.") for each in tasks)
    if not is_below or function.startswith("_") or not isinstance(found, FunctionType) or found.__module__ != module:
        raise LookupError(name)
    return found


def _leave_signals_to_the_server() -> None:
    """Ctrl-C and service managers signal every process of a group; the server decides what becomes of its workers."""
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, signal.SIG_IGN)


def _end_with_the_server() -> None:
    """At once, and in whatever way it dies: what it asked for is of no use to anybody."""
    server = multiprocessing.parent_process()
    assert server is not None
    wait([server.sentinel])
    os._exit(1)


def _limit_processor_time(seconds: float) -> None:
    """From now on, the system's and that of all threads; 0 is no limit. The system ends the process at the end of it,
    whatever it is at."""
    if OUT_OF_TIME is not None:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory(above: int) -> None:
    """That much more than the process has by now."""
    if resource is None:
        return
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + above
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


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
