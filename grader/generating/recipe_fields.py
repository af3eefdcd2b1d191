"""The fields of a recipe: what other documents have, and ranges."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grader.generating.parts import Range
from grader.kernel.fields import Fields
from solver.kernel import quoted


class RecipeFields(Fields):
    def range(self, holder: dict[str, Any], key: str) -> Range | None:
        """A number alone is a range of one."""
        written = holder.get(key)
        if not isinstance(written, list):
            number = self.number(holder, key)
            return None if number is None else Range(number, number)
        ends = [self.number(written, place) for place in range(len(written))]
        if len(ends) != 2 or ends[0] is None or ends[1] is None:
            return None
        if ends[0] > ends[1]:
            self.report(holder, key, "wrong-value", "the range ends before it starts")
            return None
        return Range(ends[0], ends[1])

    def whole_range(self, holder: dict[str, Any], key: str, least: int, most: int) -> tuple[int, int]:
        found = self.range(holder, key)
        if found is None:
            return least, least
        if found.low < least or found.high > most or found.low.denominator != 1 or found.high.denominator != 1:
            message = f"{quoted(key)} must be whole numbers from {least} to {most:,}"
            self.report(holder, key, "wrong-value", message)
            return least, least
        return int(found.low), int(found.high)

    def whole_or(self, usual: int, holder: dict[str, Any], key: str, least: int, most: int) -> int:
        """The usual one where none is written."""
        if key not in holder:
            return usual
        number = self.number(holder, key, least=least, most=Fraction(most))
        if number is not None and number.denominator != 1:
            self.report(holder, key, "wrong-value", f"{quoted(key)} must be a whole number")
        return usual if number is None else int(number)


def mapping(written: Any) -> dict[str, Any]:
    return written if isinstance(written, dict) else {}


def switch(written: Any) -> bool:
    return str(written).lower() == "true"
