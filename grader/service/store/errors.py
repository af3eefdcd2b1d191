"""What goes wrong with a database, in words."""

from __future__ import annotations


class StoreRefused(Exception):
    """The database cannot be used as it is; the message says what to do."""


class StoreUnavailable(Exception):
    """The database cannot be reached or written just now: nothing was stored, and trying again is safe."""
