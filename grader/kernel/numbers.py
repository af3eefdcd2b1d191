"""Numbers of answers and of marks: when two are the same, and how a total is rounded."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

ZERO, WHOLE = Fraction(0), Fraction(1)
"""Of marks and shares: made once, since making a fraction takes longer than most of what is done with it."""


def near(given: Any, expected: Any, digits: int | None) -> bool:
    """The same; or, where the question declares digits, no further away than rounding to them can be."""
    if isinstance(given, tuple) or isinstance(expected, tuple):
        pairs = isinstance(given, tuple) and isinstance(expected, tuple) and len(given) == len(expected)
        return pairs and all(near(one, other, digits) for one, other in zip(given, expected, strict=True))
    if digits is None or not _is_number(given) or not _is_number(expected):
        return bool(given == expected)
    return abs(Fraction(given) - Fraction(expected)) <= Fraction(1, 2 * 10**digits)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def rounded(marks: Fraction) -> Fraction:
    """To two decimals, half up."""
    return Fraction((2 * 100 * marks + 1) // 2, 100)
