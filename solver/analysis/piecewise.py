"""The number line in pieces: ranges of a number, and piecewise-linear functions of one unknown, all exact.

A range is a union of intervals over the rationals, with open and closed ends. A walk along the number line from −∞
to +∞ enters and leaves a range at switches. A switch lies just before a number (which is then on the new side) or
just after it (which is then still on the old side); so open and closed ends need no cases, and every range has
exactly one form.

A function says what a node is worth while a leaf's value is open. Largest, smallest and mean of continuous functions
are continuous; so a function is a row of lines with a breakpoint between each two, and it does not matter to which
side a breakpoint belongs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import ceil, floor
from operator import and_, or_
from typing import Any, NamedTuple, TypeAlias, TypeVar

from solver.game.convention import Bound
from solver.kernel.exact import Number, fits, number_text, plain, simplest

Switch: TypeAlias = tuple[Number, bool]
"""A number, and whether the switch comes after it."""
BEFORE, AFTER = False, True
Label = TypeVar("Label")


class Interval(NamedTuple):
    low: Bound
    high: Bound
    low_closed: bool
    high_closed: bool

    @property
    def is_point(self) -> bool:
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Range:
    from_below: bool = False
    """Whether numbers below all switches belong to it."""
    switches: tuple[Switch, ...] = ()
    """Ascending, no two alike."""

    def __contains__(self, number: Number) -> bool:
        return self.from_below != bool(bisect_right(self.switches, (number, BEFORE)) % 2)

    def __bool__(self) -> bool:
        """Whether any number belongs to it."""
        return self.from_below or bool(self.switches)

    def __or__(self, other: Range) -> Range:
        return _combined(self, other, or_)

    def __and__(self, other: Range) -> Range:
        return _combined(self, other, and_)

    def __invert__(self) -> Range:
        return Range(not self.from_below, self.switches)

    @property
    def intervals(self) -> list[Interval]:
        """From left to right; no two touch."""
        ends: list[Switch | None] = [*([None] if self.from_below else []), *self.switches]
        ends += [None] if len(ends) % 2 else []
        return [
            Interval(
                "-inf" if start is None else start[0],
                "inf" if end is None else end[0],
                start is not None and start[1] is BEFORE,
                end is not None and end[1] is AFTER,
            )
            for start, end in zip(ends[::2], ends[1::2], strict=True)
        ]

    @property
    def smallest_integer(self) -> int | None:
        """None if no integer belongs to it, or if there is no smallest one."""
        for low, high, low_closed, high_closed in self.intervals:
            if isinstance(low, str):
                return None
            first = ceil(low) if low_closed else floor(low) + 1
            if isinstance(high, str) or first < high or (first == high and high_closed):
                return first
        return None

    @property
    def largest_integer(self) -> int | None:
        """None if no integer belongs to it, or if there is no largest one."""
        for low, high, low_closed, high_closed in reversed(self.intervals):
            if isinstance(high, str):
                return None
            last = floor(high) if high_closed else ceil(high) - 1
            if isinstance(low, str) or last > low or (last == low and low_closed):
                return last
        return None

    def text(self, name: str = "x") -> str:
        """`x <= 3`, `2 < x <= 5`, `x = 4`, `x < 2 or x > 5`, `every x`, `no x`."""
        return " or ".join(_interval_text(interval, name) for interval in self.intervals) or f"no {name}"

    def as_data(self) -> list[list[Any]]:
        """Each interval as [low, high, whether low belongs to it, whether high does]."""
        return [[_plain(low), _plain(high), *closed] for low, high, *closed in self.intervals]


EVERY = Range(from_below=True)
NONE = Range()


def between(low: Bound, high: Bound, low_closed: bool = True, high_closed: bool = True) -> Range:
    """The numbers from low to high; an end at infinity is never closed."""
    if not isinstance(low, str) and not isinstance(high, str):
        empty = low > high or (low == high and not (low_closed and high_closed))
        return NONE if empty else Range(False, ((low, not low_closed), (high, high_closed)))
    if low == "inf" or high == "-inf":
        return NONE
    start = () if isinstance(low, str) else ((low, not low_closed),)
    end = () if isinstance(high, str) else ((high, high_closed),)
    return Range(not start, (*start, *end))


def point(number: Number) -> Range:
    return between(number, number)


def partition(ranges: Mapping[Label, Range]) -> list[tuple[Range, list[Label]]]:
    """The number line from left to right, cut wherever one of the ranges begins or ends: each stretch (an interval)
    with those that hold on it."""
    cuts = sorted({switch for each in ranges.values() for switch in each.switches})
    inside = {label: each.from_below for label, each in ranges.items()}
    parts: list[tuple[Range, list[Label]]] = []
    for start, end in zip([None, *cuts], [*cuts, None], strict=True):
        if start is not None:
            for label, each in ranges.items():
                inside[label] ^= _switches_at(each, start)
        ends = tuple(switch for switch in (start, end) if switch is not None)
        parts.append((Range(start is None, ends), [label for label, holds in inside.items() if holds]))
    return parts


def _combined(first: Range, second: Range, rule: Callable[[bool, bool], bool]) -> Range:
    in_first, in_second = first.from_below, second.from_below
    from_below = inside = rule(in_first, in_second)
    switches = []
    for switch in sorted({*first.switches, *second.switches}):
        in_first ^= _switches_at(first, switch)
        in_second ^= _switches_at(second, switch)
        if rule(in_first, in_second) != inside:
            inside = not inside
            switches.append(switch)
    return Range(from_below, tuple(switches))


def _switches_at(one: Range, switch: Switch) -> bool:
    place = bisect_right(one.switches, switch)
    return place > 0 and one.switches[place - 1] == switch


def _interval_text(interval: Interval, name: str) -> str:
    low, high, low_closed, high_closed = interval
    below, above = ("<=" if low_closed else "<"), ("<=" if high_closed else "<")
    if isinstance(low, str):
        return f"every {name}" if isinstance(high, str) else f"{name} {above} {number_text(high)}"
    if isinstance(high, str):
        return f"{name} {below.replace('<', '>')} {number_text(low)}"
    if interval.is_point:
        return f"{name} = {number_text(low)}"
    return f"{number_text(low)} {below} {name} {above} {number_text(high)}"


def _plain(bound: Bound) -> Any:
    return bound if isinstance(bound, str) else plain(bound)


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
