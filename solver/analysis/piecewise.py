"""Exact piecewise-linear functions of one unknown: what a node is worth while a leaf's value is open.

Largest, smallest and mean of continuous functions are continuous; so a function is a row of lines with a breakpoint
between each two, and it does not matter to which side a breakpoint belongs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import NamedTuple, TypeAlias

from solver.kernel.exact import Number, fits, number_text, simplest

Line: TypeAlias = tuple[Number, Number]
"""Slope and intercept."""


class Piece(NamedTuple):
    """One line, from low to high; None stands for an infinity."""

    low: Number | None
    high: Number | None
    slope: Number
    intercept: Number


@dataclass(frozen=True, slots=True)
class Piecewise:
    breaks: tuple[Number, ...]
    """Ascending."""
    lines: tuple[Line, ...]
    """One more than breaks; neighbours differ."""

    def __call__(self, x: Number) -> Number:
        slope, intercept = self.lines[bisect_left(self.breaks, x)]
        return simplest(slope * x + intercept)

    @property
    def pieces(self) -> list[Piece]:
        ends = (None, *self.breaks, None)
        return [Piece(ends[place], ends[place + 1], *line) for place, line in enumerate(self.lines)]

    @property
    def is_constant(self) -> bool:
        return len(self.lines) == 1 and self.lines[0][0] == 0

    @property
    def fits(self) -> bool:
        """Whether each of its numbers has few enough digits to be printed."""
        return all(map(fits, self.breaks)) and all(fits(slope) and fits(intercept) for slope, intercept in self.lines)


IDENTITY = Piecewise((), ((1, 0),))


def constant(number: Number) -> Piecewise:
    return Piecewise((), ((0, number),))


def largest(functions: Sequence[Piecewise]) -> Piecewise:
    return reduce(lambda first, second: _envelope(first, second, upper=True), functions)


def smallest(functions: Sequence[Piecewise]) -> Piecewise:
    return reduce(lambda first, second: _envelope(first, second, upper=False), functions)


def weighted(weights: Sequence[Number], functions: Sequence[Piecewise]) -> Piecewise:
    """The sum of the functions, each times its weight; with probabilities it is their mean."""
    slope, intercept = Fraction(0), Fraction(0)
    turns: list[tuple[Number, Number, Number]] = []
    for weight, function in zip(weights, functions, strict=True):
        slope += weight * function.lines[0][0]
        intercept += weight * function.lines[0][1]
        for at, before, after in zip(function.breaks, function.lines, function.lines[1:], strict=False):
            turns.append((at, weight * (after[0] - before[0]), weight * (after[1] - before[1])))
    row = _Row(None, (slope, intercept))
    for at, more_slope, more_intercept in sorted(turns):
        slope, intercept = slope + more_slope, intercept + more_intercept
        row.go_on(at, (slope, intercept))
    return row.finished()


def difference(first: Piecewise, second: Piecewise) -> Piecewise:
    return weighted((1, -1), (first, second))


class _Row:
    """Lines while they are put in a row; one that only goes on is not listed twice, nor one of no length."""

    def __init__(self, start: Number | None, line: Line) -> None:
        self.starts: list[Number | None] = [start]
        self.lines = [line]

    def go_on(self, at: Number, line: Line) -> None:
        if self.starts[-1] == at:
            self.starts.pop()
            self.lines.pop()
        if not self.lines or self.lines[-1] != line:
            self.starts.append(at)
            self.lines.append(line)

    def finished(self) -> Piecewise:
        breaks = tuple(simplest(start) for start in self.starts[1:] if start is not None)
        return Piecewise(breaks, tuple((simplest(slope), simplest(intercept)) for slope, intercept in self.lines))


def _envelope(first: Piecewise, second: Piecewise, upper: bool) -> Piecewise:
    """The larger of the two everywhere, or the smaller."""
    ends = sorted({*first.breaks, *second.breaks})
    row: _Row | None = None
    for low, high in zip([None, *ends], [*ends, None], strict=True):
        one = first.lines[_line_after(first, low)]
        two = second.lines[_line_after(second, low)]
        for at, line in _winners(one, two, low, high, upper):
            if row is None:
                row = _Row(None, line)
            else:
                assert at is not None
                row.go_on(at, line)
    assert row is not None
    return row.finished()


def _line_after(function: Piecewise, low: Number | None) -> int:
    """Which line holds just after a number that is no further left than its breakpoint."""
    if low is None:
        return 0
    place = bisect_left(function.breaks, low)
    return place + 1 if place < len(function.breaks) and function.breaks[place] == low else place


def _winners(
    one: Line, two: Line, low: Number | None, high: Number | None, upper: bool
) -> Iterable[tuple[Number | None, Line]]:
    """The line that is on top (or below) between low and high, or two of them with their crossing."""
    if one[0] == two[0]:
        yield low, (max if upper else min)(one, two)
        return
    flat, steep = sorted((one, two))
    left, right = (flat, steep) if upper else (steep, flat)
    # A steeper line is below before the crossing and on top after it.
    crossing = Fraction(flat[1] - steep[1]) / (steep[0] - flat[0])
    if low is not None and crossing <= low:
        yield low, right
    elif high is not None and crossing >= high:
        yield low, left
    else:
        yield low, left
        yield crossing, right


def line_text(slope: Number, intercept: Number, name: str) -> str:
    """`3`, `x`, `2*x - 1`, `-1/3*x + 5`."""
    if slope == 0:
        return number_text(intercept)
    times = "" if slope == 1 else "-" if slope == -1 else f"{number_text(slope)}*"
    if intercept == 0:
        return f"{times}{name}"
    sign, size = ("-", -intercept) if intercept < 0 else ("+", intercept)
    return f"{times}{name} {sign} {number_text(size)}"
