"""Numbers, vectors and bounds as people read them: a true minus sign, and ∞."""

from __future__ import annotations

from solver.game.convention import Bound
from solver.game.tree import Vector
from solver.kernel.exact import Number, number_text


def number(value: Number) -> str:
    return number_text(value).replace("-", "−")


def value_text(value: Number | Vector | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"({', '.join(map(number, value))})" if isinstance(value, tuple) else number(value)


def bound_text(value: Bound) -> str:
    if isinstance(value, str):
        return "−∞" if value == "-inf" else "+∞"
    return number(value)
