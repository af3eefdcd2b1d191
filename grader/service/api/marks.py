"""Marks that a person gives: numbers, or texts such as "7/2"."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grader.service.rules.unfit import Unfit
from solver.kernel import number_advice, parse_number, quoted

SCHEMA = {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}
LONGEST = 100


def read_marks(value: Any, field: str = "marks") -> Fraction:
    """Exact: of a number, what it is printed as."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Unfit(field, "wrong-type", f'{field} is a number, or text such as "7/2"')
    text = str(value)
    number = parse_number(text) if len(text) <= LONGEST else None
    if not isinstance(number, int | Fraction):
        raise Unfit(
            field, "number", f"{field}: {quoted(text[:LONGEST])} is not a number", number_advice(text[:LONGEST])
        )
    return Fraction(number)
