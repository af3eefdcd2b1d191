"""Formulas in v, such as `2*v + 3`, `-v`, `v^3 + 1`, `1/(v - 2)`: read by our own grammar, computed exactly.

sum      = product, then any number of  + product  or  - product
product  = signed, then any number of  * signed  or  / signed
signed   = - signed  |  + signed  |  power
power    = item  |  item ^ whole number
item     = number  |  v  |  ( sum )
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from solver.kernel.errors import UsageError
from solver.kernel.exact import RESULT_DIGITS, Number, parse_number, simplest
from solver.kernel.problems import quoted

MOST_CHARACTERS = 200
"""So nesting is bounded too, and the reader may call itself."""
MOST_POWER = 20

Compute: TypeAlias = Callable[[Number], Number]

_TOKEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|[A-Za-z_]\w*|\S)")


@dataclass(frozen=True, slots=True)
class LeafFormula:
    text: str
    compute: Compute
    """Raises ZeroDivisionError where the formula divides by 0, OverflowError where a power has too many digits."""

    def __call__(self, v: Number) -> Number:
        return simplest(self.compute(v))


def read_formula(text: str) -> LeafFormula:
    """The formula that a string means; UsageError, in words, for anything else."""
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"a formula has at most {MOST_CHARACTERS} characters")
    reader = _FormulaReader(text)
    compute = reader.sum()
    reader.must_end()
    return LeafFormula(" ".join(text.split()), compute)


class _FormulaReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text.replace("−", "-").replace("·", "*").replace("×", "*"))
        self.place = 0

    @property
    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """The next token if it is one of those wanted."""
        token = self.next
        if token and token in wanted:
            self.place += 1
            return token
        return ""

    def sum(self) -> Compute:
        value = self.product()
        while sign := self.take("+", "-"):
            value = _added(value, self.product(), -1 if sign == "-" else 1)
        return value

    def product(self) -> Compute:
        value = self.signed()
        while sign := self.take("*", "/"):
            value = _divided(value, self.signed()) if sign == "/" else _multiplied(value, self.signed())
        return value

    def signed(self) -> Compute:
        if self.take("-"):
            return _multiplied(lambda _v: -1, self.signed())
        return self.signed() if self.take("+") else self.power()

    def power(self) -> Compute:
        value = self.item()
        if not self.take("^"):
            return value
        exponent = self.next
        if not exponent.isascii() or not exponent.isdigit() or int(exponent) > MOST_POWER:
            raise self.wrong(f"an exponent is a whole number from 0 to {MOST_POWER}")
        self.place += 1
        if self.next == "^":
            raise self.wrong("write (v^2)^3 with parentheses")
        return _raised(value, int(exponent))

    def item(self) -> Compute:
        if self.take("v"):
            return lambda v: v
        if self.take("("):
            value = self.sum()
            if not self.take(")"):
                raise self.wrong("a parenthesis is not closed")
            return value
        number = parse_number(self.next)
        if number is None:
            raise self.wrong("a number, v or ( is expected")
        self.place += 1
        return lambda _v, number=number: number  # type: ignore[misc]

    def must_end(self) -> None:
        if self.next:
            missing_times = self.next in ("v", "(")
            raise self.wrong("write products with *, as in 2*v" if missing_times else "+, -, * or / is expected")

    def wrong(self, why: str) -> UsageError:
        where = f"at {quoted(self.next)}" if self.next else "at its end"
        return UsageError(
            f"the formula {quoted(self.text)} cannot be read {where}: {why}; it has numbers, v, + - * / ^ and ()"
        )


def _added(first: Compute, second: Compute, sign: int) -> Compute:
    return lambda v: first(v) + sign * second(v)


def _multiplied(first: Compute, second: Compute) -> Compute:
    return lambda v: first(v) * second(v)


def _divided(first: Compute, second: Compute) -> Compute:
    return lambda v: Fraction(first(v)) / second(v)


def _raised(base: Compute, exponent: int) -> Compute:
    def power(v: Number) -> Number:
        number = base(v)
        if exponent * (number.numerator.bit_length() + number.denominator.bit_length()) > 4 * RESULT_DIGITS:
            raise OverflowError
        return number**exponent

    return power
