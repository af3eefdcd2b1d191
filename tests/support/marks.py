"""Only tests marked `slow` start programs: browsers, servers, LaTeX, the command in a process of its own, …"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

_running: pytest.Item | None = None
_start = subprocess.Popen.__init__


def mostly_slow(cases: Iterable[Any], one_in: int) -> list[Any]:
    """For a test of many cases that are alike: the first of so many is tried with every run, the others are `slow`."""
    slow = pytest.mark.slow
    return [pytest.param(case, marks=slow) if place % one_in else case for place, case in enumerate(cases)]


def note_test(item: pytest.Item) -> None:
    """To be called before each test."""
    global _running  # noqa: PLW0603 - whoever starts a program does not know for which test
    _running = item


def require_slow_mark(program: str) -> None:
    """Fail where a test that is run without its mark starts a program."""
    if _running is not None and not any(map(_running.get_closest_marker, ("slow", "soak"))):
        raise AssertionError(f"{_running.nodeid} starts {program}: mark it `slow`")


def watch_programs() -> None:
    """From now on, whoever starts a program in this process needs the mark."""

    def start(process: Any, args: Any, *more: Any, **options: Any) -> None:
        first = args if isinstance(args, str | bytes | Path) else next(iter(args))
        require_slow_mark(Path(str(first)).name)
        _start(process, args, *more, **options)

    subprocess.Popen.__init__ = start  # type: ignore[method-assign,assignment]
