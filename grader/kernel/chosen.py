"""Conventions as somebody chose them."""

from __future__ import annotations

import re

from solver.game import CONVENTIONS
from solver.kernel import one_of


def known_convention(text: str) -> str:
    """The same text. A name is looked up at once; whatever else it is, `convention_from_text` reads."""
    return one_of("convention", text, CONVENTIONS) if re.fullmatch(r"[\w-]+", text) else text
