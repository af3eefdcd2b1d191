"""Tasks that do what tasks must not, for workers to survive."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.service.work.problems import Refused


def echo(data: Any) -> Any:
    return data


def pid() -> int:
    return os.getpid()


def exits() -> None:
    os._exit(3)


def is_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def is_killed_once(mark: str) -> str:
    """The first time, which leaves a mark."""
    if not Path(mark).exists():
        Path(mark).touch()
        is_killed()
    return "done"


def never_ends() -> None:
    while True:
        pass


def sleeps(seconds: float) -> str:
    """As a task does that others keep from the processor."""
    time.sleep(seconds)
    return "done"


def eats() -> int:
    return len(b"\0" * 10**10)


def fails() -> None:
    raise ValueError("words that nobody should read in a log")


def refuses() -> None:
    raise Refused(
        422, "syntax", "not YAML", [{"line": 2, "column": 1, "code": "syntax", "message": "no", "hint": ""}], 7
    )


def gives_an_object() -> Any:
    return Path("/")


def waits_for(file: str) -> str:
    while not Path(file).exists():
        time.sleep(0.005)
    return file


def writes(file: str, text: str) -> None:
    with open(file, "a", encoding="ascii") as log:
        log.write(text)


TASKS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        echo,
        pid,
        exits,
        is_killed,
        is_killed_once,
        never_ends,
        sleeps,
        eats,
        fails,
        refuses,
        gives_an_object,
        waits_for,
        writes,
    )
}
