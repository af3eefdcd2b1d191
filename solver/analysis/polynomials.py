"""Polynomials over the rationals, and their real roots: exact if rational, else enclosed as tightly as asked.

A polynomial is the tuple of its coefficients from the constant up, the last one not 0; the zero polynomial is empty.
Roots are counted by Sturm's theorem and separated by bisection; nothing is ever rounded to decide anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, zip_longest
from math import floor, gcd, lcm
from typing import TypeAlias

from solver.kernel.exact import Number, number_text, simplest

Polynomial: TypeAlias = tuple[Number, ...]
ZERO: Polynomial = ()


def trimmed(coefficients: Sequence[Number]) -> Polynomial:
    last = len(coefficients)
    while last and coefficients[last - 1] == 0:
        last -= 1
    return tuple(map(simplest, coefficients[:last]))


def plus(first: Polynomial, second: Polynomial) -> Polynomial:
    return trimmed([one + two for one, two in zip_longest(first, second, fillvalue=0)])


def minus(first: Polynomial, second: Polynomial) -> Polynomial:
    return trimmed([one - two for one, two in zip_longest(first, second, fillvalue=0)])


def scaled(polynomial: Polynomial, factor: Number) -> Polynomial:
    return trimmed([factor * each for each in polynomial])


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    product: list[Number] = [0] * (len(first) + len(second))
    for place, one in enumerate(first):
        for other, two in enumerate(second):
            product[place + other] += one * two
    return trimmed(product)


def at(polynomial: Polynomial, x: Number) -> Number:
    """Its value at x (Horner's rule)."""
    value: Number = 0
    for each in reversed(polynomial):
        value = value * x + each
    return simplest(value)


def primitive(polynomial: Polynomial) -> Polynomial:
    """The multiple with the same roots whose coefficients are whole, without a common factor, the last one positive."""
    if not polynomial:
        return ZERO
    common = lcm(*(each.denominator for each in polynomial))
    whole = [each.numerator * (common // each.denominator) for each in polynomial]
    factor = gcd(*whole) * (1 if whole[-1] > 0 else -1)
    return tuple(each // factor for each in whole)


def derivative(polynomial: Polynomial) -> Polynomial:
    return trimmed([power * each for power, each in enumerate(polynomial)][1:])


def divided(first: Polynomial, second: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Quotient and remainder."""
    rest = [Fraction(each) for each in first]
    quotient: list[Number] = [0] * max(0, len(first) - len(second) + 1)
    for place in reversed(range(len(quotient))):
        quotient[place] = rest[place + len(second) - 1] / second[-1]
        for other, each in enumerate(second):
            rest[place + other] -= quotient[place] * each
    return trimmed(quotient), trimmed(rest)


def common_divisor(first: Polynomial, second: Polynomial) -> Polynomial:
    """Euclid's algorithm."""
    first, second = primitive(first), primitive(second)
    while second:
        first, second = second, primitive(divided(first, second)[1])
    return first


def without_multiple_roots(polynomial: Polynomial) -> Polynomial:
    shared = common_divisor(polynomial, derivative(polynomial))
    return primitive(divided(polynomial, shared)[0])


@lru_cache(maxsize=1_024)
def _sturm_chain(polynomial: Polynomial) -> tuple[Polynomial, ...]:
    chain = [polynomial, derivative(polynomial)]
    while chain[-1]:
        rest = scaled(divided(chain[-2], chain[-1])[1], -1)
        # A positive factor changes no sign and keeps the numbers short.
        whole = primitive(rest)
        chain.append(whole if not rest or rest[-1] > 0 else scaled(whole, -1))
    return tuple(chain[:-1])


def roots_after(polynomial: Polynomial, low: Number, high: Number) -> int:
    """How many roots a polynomial without multiple roots has in low < x ≤ high (Sturm)."""
    return _sign_changes(polynomial, low) - _sign_changes(polynomial, high)


def _sign_changes(polynomial: Polynomial, x: Number) -> int:
    signs = [value > 0 for each in _sturm_chain(polynomial) if (value := at(each, x)) != 0]
    return sum(one != two for one, two in pairwise(signs))


@dataclass(frozen=True, slots=True)
class Root:
    """A real number: `low` itself if the two are equal, else the only root of `polynomial` in low < x < high, which
    is not rational."""

    low: Number
    high: Number
    polynomial: Polynomial = ZERO

    @property
    def exact(self) -> Number | None:
        """The number, if it is rational."""
        return self.low if self.low == self.high else None

    def narrower(self) -> Root:
        """The same number, in half the space."""
        if self.low == self.high:
            return self
        middle = simplest(Fraction(self.low + self.high) / 2)
        if roots_after(self.polynomial, self.low, middle):
            return Root(self.low, middle, self.polynomial)
        return Root(middle, self.high, self.polynomial)

    def rounded(self, digits: int) -> Number:
        """The number to this many decimals, half up; a rational one is rounded too."""
        root, unit = self, 10**digits
        while _to_unit(root.low, unit) != _to_unit(root.high, unit):
            root = root.narrower()
        return simplest(Fraction(_to_unit(root.low, unit), unit))

    def within(self, digits: int) -> Root:
        """The same number, enclosed to less than a unit of the last of this many decimals."""
        root = self
        while (root.high - root.low) * 10**digits >= 1:
            root = root.narrower()
        return root

    def text(self, digits: int) -> str:
        """`1/3`, or `0.618034...` rounded where it is irrational."""
        return f"{number_text(self.rounded(digits))}..." if self.exact is None else number_text(self.exact)


def _to_unit(number: Number, unit: int) -> int:
    return floor(number * unit + Fraction(1, 2))


def rational(number: Number) -> Root:
    return Root(number, number)


def same(first: Root, second: Root) -> bool:
    """Whether two numbers are equal: they are roots of a common divisor where their enclosures overlap."""
    if first.exact is not None or second.exact is not None:
        return first.exact == second.exact
    low, high = max(first.low, second.low), min(first.high, second.high)
    if low >= high:
        return False
    shared = common_divisor(first.polynomial, second.polynomial)
    return len(shared) > 1 and roots_after(shared, low, high) > 0


def before(first: Root, second: Root) -> bool:
    """Whether the first number is smaller."""
    if same(first, second):
        return False
    while not (first.high <= second.low or second.high <= first.low):
        first, second = first.narrower(), second.narrower()
    return first.high <= second.low


def vanishes(polynomial: Polynomial, root: Root) -> bool:
    """Whether a polynomial is 0 at a number."""
    if not polynomial:
        return True
    if root.exact is not None:
        return at(polynomial, root.exact) == 0
    shared = common_divisor(polynomial, root.polynomial)
    return len(shared) > 1 and roots_after(shared, root.low, root.high) > 0


@lru_cache(maxsize=1_024)
def roots(polynomial: Polynomial, low: Number, high: Number) -> tuple[Root, ...]:
    """The distinct roots in low < x < high, ascending, of a polynomial that is not zero."""
    polynomial = without_multiple_roots(polynomial)
    if len(polynomial) == 2:
        x = simplest(Fraction(-polynomial[0]) / polynomial[1])
        return (rational(x),) if low < x < high else ()
    real_roots: list[Root] = []
    todo = [(low, high)]
    while todo:
        start, end = todo.pop()
        count = roots_after(polynomial, start, end) - (at(polynomial, end) == 0)
        if count == 0:
            continue
        if count == 1 and at(polynomial, start) != 0 and at(polynomial, end) != 0:
            real_roots.append(_settled(Root(start, end, polynomial)))
            continue
        middle = simplest(Fraction(start + end) / 2)
        if at(polynomial, middle) == 0:
            real_roots.append(rational(middle))
        todo += [(start, middle), (middle, end)]
    return tuple(sorted(real_roots, key=lambda root: root.low))


def _settled(root: Root) -> Root:
    """A root alone in its enclosure, recognised if it is rational: its denominator divides the leading coefficient."""
    leading = root.polynomial[-1]
    while (root.high - root.low) * leading >= 1:
        middle = simplest(Fraction(root.low + root.high) / 2)
        if at(root.polynomial, middle) == 0:
            return rational(middle)
        root = root.narrower()
    for whole in (floor(root.low * leading), floor(root.low * leading) + 1):
        candidate = simplest(Fraction(whole) / leading)
        if root.low < candidate < root.high and at(root.polynomial, candidate) == 0:
            return rational(candidate)
    return root
