"""Progress of the search, in one line on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

OFTEN, SELDOM = 0.1, 10.0
"""Seconds between two updates, on a terminal and elsewhere."""
WIDTH = 20
CLEAR = "\r\x1b[K"


@contextmanager
def progress(total: int) -> Iterator[Callable[[int, int], None]]:
    """A function to call with the number of exercises done and of trees examined.

    The progress bar of other commands would stand still: the first of several parallel exercises takes longest.
    """
    shows = sys.stderr.isatty()
    started = shown = monotonic()
    first: tuple[int, float] | None = None

    def show(done: int, examined: int) -> None:
        nonlocal shown, first
        now = monotonic()
        if now - shown < (OFTEN if shows else SELDOM):
            return
        shown = now
        # What is looked for before the first exercise is done does not slow down the others.
        if done and first is None:
            first = done, now
        more = 0 if first is None else done - first[0]
        pace = (now - first[1]) / more if first is not None and more else None
        line = progress_line(done, total, examined, now - started, pace)
        sys.stderr.write(f"{CLEAR}{bar(done, total)} {line}" if shows else f"{line}\n")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if shows:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()


def bar(done: int, total: int) -> str:
    full = WIDTH * done // total
    return f"{'█' * full}{'░' * (WIDTH - full)}"


def progress_line(done: int, total: int, examined: int, seconds: float, pace: float | None) -> str:
    """With the remaining time, once the pace is known (in seconds for each exercise)."""
    line = f"{done:,} of {total:,}, {examined:,} trees examined"
    if pace is None:
        return f"{line}, {seconds:.0f} s"
    left = pace * (total - done)
    return f"{line}, about {left:.0f} s left" if left < 100 else f"{line}, about {left / 60:.0f} min left"
