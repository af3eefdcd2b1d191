"""How far a long command is: a bar on a terminal, lines elsewhere; always on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

WIDTH = 20
CLEAR = "\r\x1b[K"
MANY = 100
"""Up to this many nobody waits long enough to be told."""

REDRAWN, TOLD = 0.1, 10.0
"""Seconds between two looks of the bar, and between two lines where there is no terminal."""

Advance = Callable[[int, str], None]


@contextmanager
def progress(total: int, what: str, quiet: bool = False) -> Iterator[Advance]:
    """A function to call with how many more are done, and a line that says what was written.

    With many to come, the line ends in how far it is, how fast and for how long; on a terminal a bar says so instead.
    """
    if quiet:
        yield lambda more, line: None
        return
    started, done, shows = monotonic(), 0, sys.stderr.isatty()

    def advance(more: int, line: str) -> None:
        nonlocal done
        done += more
        far = _far(done, total, what, monotonic() - started) if total > MANY and more else ""
        if not shows:
            print(f"{line}; {far}" if far else line, file=sys.stderr, flush=True)
            return
        full = WIDTH * done // total if far else 0
        bar = f"{'█' * full}{'░' * (WIDTH - full)} {far}" if far and done < total else ""
        sys.stderr.write(f"{CLEAR}{line}\n{bar}")
        sys.stderr.flush()

    try:
        if shows and total > MANY:
            sys.stderr.write(f"{'░' * WIDTH} 0 of {total:,} {what}")
            sys.stderr.flush()
        yield advance
    finally:
        if shows:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()


class Meter:
    """How many of a known number are done, where nothing is told of each: a bar on a terminal, elsewhere a line now and
    then."""

    def __init__(self, total: int, what: str, bar: bool = True) -> None:
        """`bar`: whether there may be one on a terminal; not where other things are printed there meanwhile."""
        self._total, self._what = total, what
        self._shows = sys.stderr.isatty()
        self._silent = total <= MANY or (self._shows and not bar)
        self._begun = self._told = monotonic()
        self._drawn = False

    def at(self, done: int) -> None:
        now = monotonic()
        if self._silent or now - self._told < (REDRAWN if self._shows else TOLD):
            return
        self._told = now
        far = _far(done, self._total, self._what, now - self._begun)
        if self._shows:
            full = WIDTH * done // self._total
            sys.stderr.write(f"{CLEAR}{'█' * full}{'░' * (WIDTH - full)} {far}")
            self._drawn = True
        else:
            sys.stderr.write(f"{far}\n")
        sys.stderr.flush()

    def clear(self) -> None:
        """Before anything else is printed."""
        if self._drawn:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
            self._drawn = False


def _far(done: int, total: int, what: str, seconds: float) -> str:
    pace = done / seconds if seconds > 0 else 0.0
    said = f"{done:,} of {total:,} {what}, {pace:.0f} a second"
    if done == total or not pace:
        return said
    left = (total - done) / pace
    return f"{said}, about {left:.0f} s left" if left < 100 else f"{said}, about {left / 60:.0f} min left"
