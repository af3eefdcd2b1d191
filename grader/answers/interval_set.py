"""Sets of numbers: unions of intervals with open or closed ends, in exactly one form each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from grader.answers.tokens import Extended, Number

Place: TypeAlias = tuple[int, Number, int]
"""A place on the number line: −1 or 1 for the infinities, else 0; a number; just before it (0) or just after (1)."""

_BEGINNING: Place = (-1, 0, 0)
_END: Place = (1, 0, 0)


class NumberInterval(NamedTuple):
    low: Extended
    high: Extended
    low_closed: bool
    high_closed: bool

    @property
    def start(self) -> Place:
        return _place(self.low, not self.low_closed)

    @property
    def stop(self) -> Place:
        return _place(self.high, self.high_closed)


@dataclass(frozen=True, slots=True)
class IntervalSet:
    """Build one with `of`; two sets of the same numbers are equal."""

    parts: tuple[NumberInterval, ...] = ()
    """From left to right, none empty, no two touching; ends at infinity are open."""

    @classmethod
    def of(cls, intervals: Iterable[tuple[Extended, Extended, bool, bool]]) -> IntervalSet:
        """The union of intervals (low, high, low_closed, high_closed), in any order; empty ones are ignored."""
        return cls._joined(
            (interval.start, interval.stop) for interval in (NumberInterval(*each) for each in intervals)
        )

    @classmethod
    def _joined(cls, stretches: Iterable[tuple[Place, Place]]) -> IntervalSet:
        joined: list[tuple[Place, Place]] = []
        for start, stop in sorted(stretch for stretch in stretches if stretch[0] < stretch[1]):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
            else:
                joined.append((start, stop))
        return cls(tuple(_interval(start, stop) for start, stop in joined))

    def contains(self, number: Number | Fraction) -> bool:
        return any(part.start <= (0, number, 0) and (0, number, 1) <= part.stop for part in self.parts)

    __contains__ = contains

    def __bool__(self) -> bool:
        """Whether any number belongs to it."""
        return bool(self.parts)

    def __or__(self, other: IntervalSet) -> IntervalSet:
        return self._joined((part.start, part.stop) for part in (*self.parts, *other.parts))

    def __and__(self, other: IntervalSet) -> IntervalSet:
        return self._joined(
            (max(first.start, second.start), min(first.stop, second.stop))
            for first in self.parts
            for second in other.parts
        )

    def __invert__(self) -> IntervalSet:
        ends = [_BEGINNING, *(end for part in self.parts for end in (part.start, part.stop)), _END]
        return self._joined(zip(ends[::2], ends[1::2], strict=True))

    def text(self, name: str = "x") -> str:
        """`x <= 3`, `2 < x <= 5`, `x = 4`, `x < 2 or x > 5`, `every x`, `no x`."""
        return " or ".join(_text(part, name) for part in self.parts) or f"no {name}"


EVERY = IntervalSet((NumberInterval("-inf", "inf", False, False),))
EMPTY = IntervalSet()


def point(number: Number) -> IntervalSet:
    return IntervalSet((NumberInterval(number, number, True, True),))


def _place(end: Extended, after: bool) -> Place:
    if isinstance(end, str):
        return _BEGINNING if end == "-inf" else _END
    return (0, end, int(after))


def _interval(start: Place, stop: Place) -> NumberInterval:
    low: Extended = "-inf" if start[0] else start[1]
    high: Extended = "inf" if stop[0] else stop[1]
    return NumberInterval(low, high, not start[0] and not start[2], not stop[0] and bool(stop[2]))


def _text(part: NumberInterval, name: str) -> str:
    below, above = ("<=" if part.low_closed else "<"), ("<=" if part.high_closed else "<")
    if part.low == "-inf":
        return f"every {name}" if part.high == "inf" else f"{name} {above} {part.high}"
    if part.high == "inf":
        return f"{name} {below.replace('<', '>')} {part.low}"
    if part.low == part.high:
        return f"{name} = {part.low}"
    return f"{part.low} {below} {name} {above} {part.high}"
