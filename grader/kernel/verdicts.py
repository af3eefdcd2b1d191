"""What becomes of an item of an answer, and its numbers: when two are the same, and how marks are rounded."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias, get_args

RIGHT: Final = "right"
FOLLOW_THROUGH: Final = "follow-through"
"""Wrong by the key, but right by the student's own earlier answers."""
OTHER_CONVENTION: Final = "other-convention"
"""Right under another convention than the declared one."""
LATE: Final = "late"
"""A stop after more children than needed."""
UNSOUND: Final = "unsound"
"""A stop where no bound allows it, that can change the root's value."""
UNJUSTIFIED: Final = "unjustified"
"""A stop where no bound allows it, though the root's value survives it."""
WRONG: Final = "wrong"
MISSING: Final = "missing"
UNREADABLE: Final = "unreadable"

Verdict: TypeAlias = Literal[
    "right",
    "follow-through",
    "other-convention",
    "late",
    "unsound",
    "unjustified",
    "wrong",
    "missing",
    "unreadable",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
EARNING = (RIGHT, FOLLOW_THROUGH, OTHER_CONVENTION)
FAULTS = (LATE, UNSOUND, UNJUSTIFIED, WRONG, MISSING)
SIGNS: dict[Verdict, str] = {
    RIGHT: "✓",
    FOLLOW_THROUGH: "↪",
    OTHER_CONVENTION: "≈",
    LATE: "◐",
    UNJUSTIFIED: "◐",
    UNSOUND: "✗",
    WRONG: "✗",
    MISSING: "–",
    UNREADABLE: "?",
}
"""Beside the word, so that neither colour nor shape alone tells a verdict."""

ZERO, WHOLE = Fraction(0), Fraction(1)
"""Of marks and shares: made once, since making a fraction takes longer than most of what is done with it."""


def is_near(given: Any, expected: Any, digits: int | None) -> bool:
    """The same; or, where the question declares digits, no further away than rounding to them can be."""
    if isinstance(given, tuple) or isinstance(expected, tuple):
        pairs = isinstance(given, tuple) and isinstance(expected, tuple) and len(given) == len(expected)
        return pairs and all(is_near(one, other, digits) for one, other in zip(given, expected, strict=True))
    if digits is None or not _is_number(given) or not _is_number(expected):
        return bool(given == expected)
    return abs(Fraction(given) - Fraction(expected)) <= Fraction(1, 2 * 10**digits)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def rounded(marks: Fraction) -> Fraction:
    """To two decimals, half up."""
    return Fraction((2 * 100 * marks + 1) // 2, 100)
