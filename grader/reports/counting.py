"""Counts of a tally that were made in another process: taken there, and added here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

Counts = Mapping[str, Counter[Any]]
"""By the names of a tally's fields; those with nothing in them are left out."""


def taken(tally: object) -> Counts:
    """What was counted since this was last asked; the tally begins anew, and keeps what it knows of its exercise."""
    found = {name: counted for name, counted in vars(tally).items() if isinstance(counted, Counter) and counted}
    for name in found:
        setattr(tally, name, Counter())
    return found


def add_counts(tally: object, counts: Counts) -> None:
    for name, counted in counts.items():
        # Not `update`'s sum alone: zeros are kept, since an item that nobody has right is the hardest.
        mine = getattr(tally, name)
        for key, number in counted.items():
            mine[key] += number
