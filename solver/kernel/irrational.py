"""Logarithms and roots without floats: real numbers that are enclosed ever more tightly until the answer is certain.

A number here is held exactly, as the rationals it is made of. Its `enclosure` at some number of bits is a pair of
integers low ≤ number · 2^bits ≤ high, with every rounding on the way outwards. Two numbers are compared, and a number
is rounded, as soon as the enclosures leave one answer only.

That this ends is a theorem: ln n is transcendental for a whole n > 1 (Lindemann), so start + √(factor · ln n) with
rational parts and factor > 0 is no rational number and never a half to be rounded; and two of them with the same n are
equal only if their parts are, since √f − √g is algebraic, and zero only for f = g.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Protocol, TypeAlias

from solver.kernel.exact import Number, simplest

FIRST_BITS = 48
"""Where comparing starts; nearly every comparison also ends there."""


@dataclass(frozen=True, slots=True)
class SquareRoot:
    """A constant such as √2, named by its square."""

    of: Number


Constant: TypeAlias = Number | SquareRoot


def squared(constant: Constant) -> Number:
    return constant.of if isinstance(constant, SquareRoot) else simplest(constant * constant)


class Enclosed(Protocol):
    """An irrational number that can be enclosed as tightly as one likes."""

    def enclosure(self, bits: int) -> tuple[int, int]: ...


@dataclass(frozen=True, slots=True)
class RootOfLog:
    """start + √(factor · ln argument); `root_of_log` makes them, so that equal numbers have equal parts."""

    start: Number
    factor: Number
    argument: int

    def enclosure(self, bits: int) -> tuple[int, int]:
        start, factor = self.start, self.factor
        ratio = (factor.numerator, factor.denominator)
        return enclose((start.numerator, start.denominator), ratio, self.argument, bits)


def enclose(start: tuple[int, int], factor: tuple[int, int], argument: int, bits: int) -> tuple[int, int]:
    """An enclosure of start + √(factor · ln argument); both ratios need not be in lowest terms."""
    low, rest = divmod(start[0] << bits, start[1])
    high = low + (rest > 0)
    if factor[0] and argument > 1:
        log_low, log_high = _log(argument, 2 * bits)
        low += isqrt(log_low * factor[0] // factor[1])
        high += isqrt(log_high * factor[0] // factor[1] + 1) + 1
    return low, high


def root_of_log(start: Number, factor: Number, argument: int) -> RootOfLog:
    """start + √(factor · ln argument), for factor ≥ 0 and a whole argument ≥ 1."""
    if factor < 0 or argument < 1:
        raise ValueError(f"no real number: the root of {factor} · ln {argument}")
    return RootOfLog(start, factor, argument) if factor and argument > 1 else RootOfLog(start, 0, 1)


@dataclass(frozen=True, slots=True)
class SwitchPoint:
    """difference / (√(ln argument / fewer) − √(ln argument / more)), for difference > 0 and fewer < more."""

    difference: Number
    fewer: int
    more: int
    argument: int

    def enclosure(self, bits: int) -> tuple[int, int]:
        steep, flat = (
            RootOfLog(0, Fraction(1, self.fewer), self.argument),
            RootOfLog(0, Fraction(1, self.more), self.argument),
        )
        (steep_low, steep_high), (flat_low, flat_high) = steep.enclosure(bits), flat.enclosure(bits)
        if steep_low <= flat_high:
            # Too coarse to tell the two roots apart; a tighter enclosure serves as well.
            low, high = self.enclosure(2 * bits)
            return low >> bits, -(-high >> bits)
        numerator, denominator = self.difference.numerator << 2 * bits, self.difference.denominator
        low = numerator // (denominator * (steep_high - flat_low))
        return low, numerator // (denominator * (steep_low - flat_high)) + 1


def first_largest(numbers: Sequence[RootOfLog]) -> int:
    """The place of the largest number, the first of equals. All logarithms must be of the same argument."""
    if len({number.argument for number in numbers if number.factor}) > 1:
        raise ValueError("roots of different logarithms are not compared")
    places = {number: place for place, number in reversed(list(enumerate(numbers)))}
    rivals, bits = list(places), FIRST_BITS
    while len(rivals) > 1:
        enclosures = [rival.enclosure(bits) for rival in rivals]
        most = max(low for low, _ in enclosures)
        rivals = [rival for rival, (_, high) in zip(rivals, enclosures, strict=True) if high >= most]
        bits *= 2
    return places[rivals[0]]


def decimal_text(number: Number | Enclosed, digits: int) -> str:
    """A number rounded to this many decimal places, all printed; a half is rounded away from zero (2.5 → 3, -2.5 → -3).

    An irrational number is never a half.
    """
    return _placed(_rounded(number, 10**digits), digits)


def _rounded(number: Number | Enclosed, scale: int) -> int:
    """The whole number nearest to number · scale."""
    if isinstance(number, RootOfLog) and not number.factor:
        number = number.start
    if isinstance(number, Number):
        size = (2 * abs(number.numerator) * scale + number.denominator) // (2 * number.denominator)
        return size if number > 0 else -size
    bits = FIRST_BITS + scale.bit_length()
    while True:
        low, high = ((2 * bound * scale + (1 << bits)) >> (bits + 1) for bound in number.enclosure(bits))
        if low == high:
            return low
        bits *= 2


def _placed(whole: int, digits: int) -> str:
    text = str(abs(whole)).rjust(digits + 1, "0")
    sign = "-" if whole < 0 else ""
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"


@lru_cache(maxsize=1 << 16)
def _log(argument: int, bits: int) -> tuple[int, int]:
    """An enclosure of ln n = k ln 2 + 2 artanh((m − 1) / (m + 1)), where n = 2^k · m and 1 ≤ m < 2."""
    k = argument.bit_length() - 1
    power = 1 << k
    two_low, two_high = _artanh(1, 3, bits)
    low, high = _artanh(argument - power, argument + power, bits)
    return 2 * (k * two_low + low), 2 * (k * two_high + high)


@lru_cache(maxsize=1 << 10)
def _artanh(top: int, bottom: int, bits: int) -> tuple[int, int]:
    """An enclosure of artanh z = z + z³/3 + z⁵/5 + …, for z = top/bottom from 0 to 1/3."""
    z_low, rest = divmod(top << bits, bottom)
    z_high = z_low + (rest > 0)
    square_low, square_high = z_low * z_low >> bits, -(-z_high * z_high >> bits)
    low, high, power_low, power_high, odd = 0, 0, z_low, z_high, 1
    while power_low:
        low += power_low // odd
        high += power_high // odd + 1
        power_low = power_low * square_low >> bits
        power_high = -(-power_high * square_high >> bits)
        odd += 2
    # The terms left out are a geometric series of ratio at most 1/9 (and a trifle) below the last power.
    return low, high + 2 * power_high
