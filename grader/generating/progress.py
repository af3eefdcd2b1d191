"""Progress of the search, in one line on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

OFTEN = 0.1
"""Seconds between two updates."""
WIDTH = 20
CLEAR = "\r\x1b[K"


@contextmanager
def progress(total: int) -> Iterator[Callable[[int, int], None] | None]:
    """A function to call with the number of exercises done and of trees examined; None without a terminal.

    The progress bar of other commands would stand still: the first of several parallel exercises takes longest.
    """
    if not sys.stderr.isatty():
        yield None
        return
    started = shown = monotonic()
    first: tuple[int, float] | None = None

    def show(done: int, examined: int) -> None:
        nonlocal shown, first
        now = monotonic()
        if now - shown < OFTEN:
            return
        shown = now
        # What is looked for before the first exercise is done does not slow down the others.
        if done and first is None:
            first = done, now
        more = 0 if first is None else done - first[0]
        pace = (now - first[1]) / more if first is not None and more else None
        sys.stderr.write(CLEAR + progress_line(done, total, examined, now - started, pace))
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write(CLEAR)
        sys.stderr.flush()


def progress_line(done: int, total: int, examined: int, seconds: float, pace: float | None) -> str:
    """With the remaining time, once the pace is known (in seconds for each exercise)."""
    full = WIDTH * done // total
    line = f"{'█' * full}{'░' * (WIDTH - full)} {done:,} of {total:,}, {examined:,} trees examined"
    if pace is None:
        return f"{line}, {seconds:.0f} s"
    left = pace * (total - done)
    return f"{line}, about {left:.0f} s left" if left < 100 else f"{line}, about {left / 60:.0f} min left"
