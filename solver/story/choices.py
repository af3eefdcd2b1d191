"""The names that options choose from, apart from what they choose, so that a command line can list them at once."""

from __future__ import annotations

DETAILS = ("brief", "full")
"""How much an explanation says."""
