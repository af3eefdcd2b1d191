"""Names that somebody wrote, looked up with words for those that are misspelt."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from solver.kernel.errors import UsageError

MOST_COMPARED = 1_000
LONGEST = 100
"""A comparison takes a time that grows with the product of the lengths."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of the names that was probably meant, however it was capitalised."""
    # Imported only here: whoever spells well does not wait for it.
    from difflib import get_close_matches

    folded = {each.casefold(): each for each in islice(names, MOST_COMPARED)}
    found = get_close_matches(name[:LONGEST].casefold(), folded, n=1)
    return folded[found[0]] if found else None


def one_of(what: str, name: str, names: Iterable[str]) -> str:
    """The same name; UsageError, with the nearest one, if it is none of these."""
    choices = list(names)
    if name not in choices:
        meant = nearest(name, choices)
        advice = "choose one of" if meant is None else f"did you mean {meant}? The choices are"
        raise UsageError(f"unknown {what} {name!r}; {advice} {', '.join(choices)}")
    return name
