"""The names that options choose from, apart from what they choose, so that a command line can list them at once."""

from __future__ import annotations

SHOWN = ("names", "moves", "probabilities", "values", "windows", "intervals", "cuts", "line")
"""What a picture can show."""

THEMES = ("auto", "light", "dark")
"""The paper of a picture."""

MOST_LEAVES = 120
"""A picture folds more leaves than these unless told otherwise."""
