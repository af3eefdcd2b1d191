"""Numbers with roots and logarithms: digits, enclosures and comparisons against the standard library's decimals."""

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.kernel.irrational import SwitchPoint, decimal_text, first_largest, root_of_log

PRECISION = 150


def high(number: Any) -> Decimal:
    """start + √(factor · ln argument) to about a hundred digits, by the standard library."""
    start, factor = Fraction(number.start), Fraction(number.factor)
    root = (Decimal(factor.numerator) / factor.denominator * Decimal(number.argument).ln()).sqrt()
    return Decimal(start.numerator) / start.denominator + root


NUMBERS = st.fractions(-3, 3, max_denominator=12)
FACTORS = st.fractions(0, 4, max_denominator=20)


@settings(max_examples=800)
@given(NUMBERS, FACTORS, st.integers(1, 10**7), st.integers(0, 40))
def test_printed_digits_are_right(start: Fraction, factor: Fraction, argument: int, digits: int) -> None:
    number = root_of_log(start, factor, argument)
    with localcontext() as context:
        context.prec = PRECISION
        rounded = high(number).quantize(Decimal(1).scaleb(-digits), "ROUND_HALF_UP")
    # Decimal knows a zero with a minus sign; we do not.
    assert decimal_text(number, digits) == f"{rounded or abs(rounded):f}"


@settings(max_examples=500)
@given(NUMBERS, FACTORS, st.integers(2, 10**7), st.integers(1, 20), st.integers(1, 20), st.integers(1, 300))
def test_enclosures_enclose(
    start: Fraction, factor: Fraction, argument: int, fewer: int, extra: int, bits: int
) -> None:
    number = root_of_log(start, factor, argument)
    switch = SwitchPoint(Fraction(1, 3), fewer, fewer + extra, argument)
    low, high_end = number.enclosure(bits)
    switch_low, switch_high = switch.enclosure(bits)
    with localcontext() as context:
        context.prec = PRECISION
        assert low <= high(number) * 2**bits <= high_end
        roots = [(Decimal(argument).ln() / visits).sqrt() for visits in (fewer, fewer + extra)]
        assert switch_low <= 2**bits / (roots[0] - roots[1]) / 3 <= switch_high
    assert high_end - low < 40


@settings(max_examples=500)
@given(st.integers(1, 10**5), st.lists(st.tuples(NUMBERS, FACTORS), min_size=1, max_size=5))
def test_largest_is_the_first_largest(argument: int, parts: list[Any]) -> None:
    parts += parts[:2]
    numbers = [root_of_log(start, factor, argument) for start, factor in parts]
    with localcontext() as context:
        context.prec = PRECISION
        values = [high(number) for number in numbers]
    most = max(values)
    assert first_largest(numbers) == next(i for i, value in enumerate(values) if most - value < Decimal(10) ** -90)


def test_roots_that_start_out_too_coarse_to_tell_apart() -> None:
    switch = SwitchPoint(Fraction(1, 3), 10**30, 10**30 + 1, 10**40)
    with localcontext() as context:
        context.prec = 200
        roots = [(Decimal(10**40).ln() / visits).sqrt() for visits in (10**30, 10**30 + 1)]
        assert decimal_text(switch, 5) == f"{(Decimal(1) / 3 / (roots[0] - roots[1])).quantize(Decimal('1e-5')):f}"


def test_rounding() -> None:
    assert decimal_text(Fraction(5, 2), 0) == "3"
    assert decimal_text(Fraction(-5, 2), 0) == "-3"
    assert decimal_text(Fraction(1, 8), 2) == "0.13"
    assert decimal_text(Fraction(-1, 1000), 2) == "0.00"
    assert decimal_text(7, 3) == "7.000"
    assert decimal_text(root_of_log(Fraction(1, 8), 0, 100), 2) == "0.13"
    assert decimal_text(root_of_log(Fraction(1, 8), 3, 1), 2) == "0.13"
    assert decimal_text(root_of_log(0, 1, 2), 10) == "0.8325546112"


def test_numbers_that_are_not_compared() -> None:
    with pytest.raises(ValueError, match="different logarithms"):
        first_largest([root_of_log(0, 1, 2), root_of_log(0, 1, 3)])
    with pytest.raises(ValueError, match="no real number"):
        root_of_log(0, -1, 3)
