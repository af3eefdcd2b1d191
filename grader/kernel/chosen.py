"""Names that somebody chose, looked up with words for those that are misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from solver.game import CONVENTIONS
from solver.kernel import UsageError


def one_of(what: str, name: str, names: Iterable[str]) -> str:
    """The same name; UsageError, with the nearest one, if it is none of these."""
    choices = list(names)
    if name not in choices:
        nearest = get_close_matches(name, choices, n=1)
        advice = f"did you mean {nearest[0]}? There are" if nearest else "choose one of"
        raise UsageError(f"unknown {what} {name!r}; {advice} {', '.join(choices)}")
    return name


def known_convention(text: str) -> str:
    """The same text. A name is looked up at once; whatever else it is, `convention_from_text` reads."""
    return one_of("convention", text, CONVENTIONS) if re.fullmatch(r"[\w-]+", text) else text
