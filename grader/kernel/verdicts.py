"""What becomes of an item of an answer."""

from __future__ import annotations

RIGHT = "right"
FOLLOW_THROUGH = "follow-through"
"""Wrong by the key, but right by the student's own earlier answers."""
OTHER_CONVENTION = "other-convention"
"""Right under another convention than the declared one."""
LATE = "late"
"""A stop after more children than needed."""
UNSOUND = "unsound"
"""A stop where no bound allows it, that can change the root's value."""
UNJUSTIFIED = "unjustified"
"""A stop where no bound allows it, though the root's value survives it."""
WRONG = "wrong"
MISSING = "missing"
UNREADABLE = "unreadable"

VERDICTS = (RIGHT, FOLLOW_THROUGH, OTHER_CONVENTION, LATE, UNSOUND, UNJUSTIFIED, WRONG, MISSING, UNREADABLE)
EARNING = (RIGHT, FOLLOW_THROUGH, OTHER_CONVENTION)
