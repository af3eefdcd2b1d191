"""Exact numbers: read from text by our own rules, printed without loss, never a float.

A number is an `int` where it is whole and a `Fraction` elsewhere; the two mix and compare exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

Number = int | Fraction
Plain = int | Decimal | str

DIGITS_PER_PART = 40
SAFE_INTEGER = 2**53 - 1
SIGNIFICANT_DIGITS = 15
RESULT_DIGITS = 4_000

_INTEGER = re.compile(r"[+-]?[0-9]{1,40}\Z").match
_DECIMAL = re.compile(r"[+-]?[0-9]{1,40}\.[0-9]{1,40}\Z").match
_RATIO = re.compile(r"[+-]?[0-9]{1,40}/[0-9]{1,40}\Z").match
_BITS_PER_DIGIT = 3.33


def parse_number(text: str) -> Number | None:
    """The number a string means, or None: `3`, `-2.5`, `+7`, `1/3`."""
    if _INTEGER(text):
        return int(text)
    if _DECIMAL(text) or (_RATIO(text) and text.rpartition("/")[2].strip("0")):
        return simplest(Fraction(text))
    return None


def simplest(number: Number) -> Number:
    """Whole fractions as int, so that ordinary trees compute with machine-fast integers."""
    return number.numerator if number.denominator == 1 else number


def number_advice(text: str) -> str:
    """What to write instead of a string that `parse_number` does not accept."""
    for shape, advice in _ADVICE:
        if re.fullmatch(shape, text, re.IGNORECASE):
            return advice
    return "write a number as 3, -2.5 or 1/3"


_ADVICE = (
    (r"[+-]?[0-9.]+e[+-]?[0-9]+", "write the number out without an exponent: 1e3 is 1000"),
    (r"[+-]?[0-9.]+(_[0-9]+)+", "write the digits without underscores: 1_000 is 1000"),
    (r"[+-]?0[xob][0-9a-f]+", "write the number in decimal digits: 0x1F is 31"),
    (r"[+-]?\.?inf(inity)?|[+-]?∞", "a value is finite; infinities belong only in windows"),
    (r"\.?nan", "a value must be a number: there is no NaN here"),
    (r"[+-]?[0-9./]+\s*%", "write a percentage as a fraction or decimal: 33% is 0.33"),
    (r"[+-]?[0-9]+,[0-9]+", "write a decimal with a point: 2,5 is 2.5"),
    (r"[+-]?\.[0-9]+", "write a digit before the point: .5 is 0.5"),
    (r"[+-]?[0-9]+\.", "write a digit after the point, or leave the point out: 3. is 3"),
    (r"[+-]?[0-9]+/0+", "a fraction cannot have the denominator 0"),
    (r"[+-]?[0-9]+/[+-][0-9]+", "write the sign in front: 1/-3 is -1/3"),
    (r"[−–][0-9./]+", "write the minus sign as an ASCII hyphen: -3"),
    (r"[+-]?[0-9]{41,}([./][0-9]+)?|[+-]?[0-9]+[./][0-9]{41,}", f"a part has at most {DIGITS_PER_PART} digits"),
    (r"[+-]?[0-9]+(,[0-9]{3}){2,}(\.[0-9]+)?", "write the digits without separators: 1,000,000 is 1000000"),
    (r"[+-]?\d+([./٫]\d+)?", "write the digits 0 to 9 and a point"),
)


def fits(number: Number) -> bool:
    """Whether a result has few enough digits (numerator and denominator together) to be printed."""
    numerator, denominator = abs(number.numerator), number.denominator
    bits = numerator.bit_length() + denominator.bit_length()
    if bits < RESULT_DIGITS * 3:
        return True
    if bits > RESULT_DIGITS * _BITS_PER_DIGIT:
        return False
    return len(str(numerator)) + len(str(denominator)) <= RESULT_DIGITS


def number_text(number: Number) -> str:
    """`3`, `-2.5`, `7/3`: a finite decimal as such, any other rational as a fraction in lowest terms."""
    if number.denominator == 1:
        return str(number.numerator)
    places = _decimal_places(number.denominator)
    scaled = (
        None if places is None or places > RESULT_DIGITS else abs(number.numerator) * 10**places // number.denominator
    )
    if places is None or scaled is None or not fits(scaled):
        return f"{number.numerator}/{number.denominator}"
    digits = str(scaled).rjust(places + 1, "0")
    sign = "-" if number.numerator < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def plain(number: Number) -> Plain:
    """A number as documents carry it: JSON's own where that is exact for every reader, else text."""
    if type(number) is int:
        return number if -SAFE_INTEGER <= number <= SAFE_INTEGER else str(number)
    text = number_text(number)
    if "/" in text or len(text.lstrip("-0.").replace(".", "")) > SIGNIFICANT_DIGITS:
        return text
    return Decimal(text)


def _decimal_places(denominator: int) -> int | None:
    """How many places the decimal expansion has, or None if it does not end."""
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def total(numbers: Iterable[Number]) -> Number:
    return simplest(sum(numbers, start=Fraction(0)))
