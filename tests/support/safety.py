"""Whether a text is safe to show."""

from __future__ import annotations

from decimal import Decimal


def is_harmless(text: str) -> bool:
    """Nothing but printable signs, line feeds and the marks that our own sentences have."""
    ours = "\n\u00a0\u200c\u200d\u200e\u200f\u2067\u2068\u2069"
    return all(sign.isprintable() or sign in ours for sign in text)


def is_number(cell: str) -> bool:
    try:
        return Decimal(cell).is_finite()
    except ArithmeticError:
        return False
