"""Tasks that do what tasks must not, for workers to survive."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from grader.service.workers.task_results import message
from grader.service.workers.work_problems import Refused

T = TypeVar("T")


@message
class Parcel:
    content: tuple[str, ...]
    inside: Parcel | None = None


@dataclass(frozen=True, slots=True)
class Undeclared:
    content: str


def echo(data: T) -> T:
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


def gives_undeclared() -> Undeclared:
    return Undeclared("text")


def _hidden() -> str:
    return "done"


def waits_for(file: str) -> str:
    while not Path(file).exists():
        time.sleep(0.005)
    return file


def writes(file: str, text: str) -> None:
    with open(file, "a", encoding="ascii") as log:
        log.write(text)
