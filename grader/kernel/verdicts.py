"""What becomes of an item of an answer."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

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
