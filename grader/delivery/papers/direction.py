"""Which way text runs."""

from __future__ import annotations

import re
from unicodedata import bidirectional

_ISOLATED = re.compile("[\u2066-\u2068][^\u2069]*\u2069")


def runs_rtl(text: str) -> bool:
    """By its first letter that has a direction, what is isolated left out."""
    letters = _ISOLATED.sub("", text)
    return next((way != "L" for sign in letters if (way := bidirectional(sign)) in ("L", "R", "AL")), False)
