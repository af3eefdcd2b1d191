"""Ranges of a number x: unions of intervals over the rationals, with open and closed ends.

A walk along the number line from −∞ to +∞ enters and leaves a range at switches. A switch lies just before a number
(which is then on the new side) or just after it (which is then still on the old side); so open and closed ends need no
cases, and every range has exactly one form.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, floor
from operator import and_, or_
from typing import Any, NamedTuple, TypeAlias, TypeVar

from solver.game.convention import Bound
from solver.kernel.exact import Number, number_text, plain

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
    found: list[tuple[Range, list[Label]]] = []
    for start, end in zip([None, *cuts], [*cuts, None], strict=True):
        if start is not None:
            for label, each in ranges.items():
                inside[label] ^= _switches_at(each, start)
        ends = tuple(switch for switch in (start, end) if switch is not None)
        found.append((Range(start is None, ends), [label for label, holds in inside.items() if holds]))
    return found


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
