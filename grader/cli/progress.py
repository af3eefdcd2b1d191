"""How far a long command is: a bar on a terminal, lines elsewhere; always on stderr."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType

WIDTH = 20
CLEAR = "\r\x1b[K"
MANY = 50
"""With fewer, nobody waits long enough to be told."""

REDRAWN, TOLD = 0.1, 10.0
"""Seconds between two looks of the bar, and between two lines where there is no terminal."""


class Meter:
    """How many are done, how fast, and for how long it will go on."""

    def __init__(self, total: int | None, what: str, quiet: bool = False, bar: bool = True, many: int = MANY) -> None:
        """`total`: None where nobody knows before the end. `bar`: whether there may be one on a terminal; not where
        other things are printed there meanwhile. `many`: fewer where each takes long."""
        self.done = 0
        self._total, self._what, self._quiet = total, what, quiet
        self._shows = sys.stderr.isatty()
        self._silent = quiet or (total is not None and total < many) or (self._shows and not bar)
        self._begun = self._told = monotonic()
        self._drawn = False

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _where: TracebackType | None) -> None:
        self.clear()

    def at(self, done: int) -> None:
        """So many are done, of which nothing else is told."""
        self.done, now = done, monotonic()
        if self._silent or now - self._told < (REDRAWN if self._shows else TOLD):
            return
        self._told = now
        if self._shows:
            self._draw()
        else:
            sys.stderr.write(f"{self._told_far()}\n")
            sys.stderr.flush()

    def say(self, line: str, more: int = 0) -> None:
        """A line about what has just been made, by which so many more are done."""
        if self._quiet:
            return
        self.clear()
        self.done += more
        far = self._told_far() if more and not self._silent else ""
        sys.stderr.write(f"{line}; {far}\n" if far and not self._shows else f"{line}\n")
        if far and self._shows and (self._total is None or self.done < self._total):
            self._draw()
        sys.stderr.flush()

    @property
    def far(self) -> str:
        return f"{self.done:,} {'' if self._total is None else f'of {self._total:,} '}{self._what}"

    def clear(self) -> None:
        """Before anything else is printed."""
        if self._drawn:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
            self._drawn = False

    def _draw(self) -> None:
        full = 0 if self._total is None else WIDTH * self.done // self._total
        bar = "" if self._total is None else f"{'█' * full}{'░' * (WIDTH - full)} "
        sys.stderr.write(f"{CLEAR}{bar}{self._told_far()}")
        sys.stderr.flush()
        self._drawn = True

    def _told_far(self) -> str:
        seconds = monotonic() - self._begun
        pace = self.done / seconds if seconds > 0 else 0.0
        said = f"{self.far}, {pace:,.{0 if pace >= 10 else 1}f} a second"
        if self._total is None or self.done == self._total or not pace:
            return said
        return f"{said}, {left(self._total - self.done, 1 / pace)}"


def left(items: int, each: float) -> str:
    """In words, how long it will take if each takes so many seconds."""
    seconds = items * each
    return f"about {seconds:.0f} s left" if seconds < 100 else f"about {seconds / 60:,.0f} min left"
