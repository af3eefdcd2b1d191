"""Numbers as people write them: with a point or a comma, with zeros, as a fraction, in their own digits.

And ranges of them: `x ≤ 3`, `3 >= x`, `(-inf, 3]`, `x ∈ ]−∞, 3]`, `x < 2 or x > 5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product

from grader.answers import NumberInterval, Unreadable, intervals
from solver.kernel import number_text

PERSIAN = "fa"
"""The digits of Persian; a comma stands for a decimal comma, nothing for what is printed."""
MORE_DIGITS = 6
"""By which a number that may be rounded is written out."""
NUMBER = re.compile(r"(?P<minus>[−-]?)(?P<whole>\d+)(?:\.(?P<rest>\d+)|/(?P<below>\d+))?")
_SIGNS = {
    True: ("-", "−", "- ", "–", "− ", "= -", "=-", "= −", "=−", "= - ", "=- "),
    False: ("", "+", "=", "= "),
}
_USUAL_SIGNS = 4
_MULTIPLES = (2, 3, 4, 5, 6, 8, 10)
"""By which a fraction is often not yet reduced."""
_MOST_ZEROS = 6
_USUAL = 7
"""Ways to write a size that come with every sign before the rarer ones come with any."""
_ONE_SIGN = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 5): "⅕",
    Fraction(2, 5): "⅖",
    Fraction(3, 5): "⅗",
    Fraction(4, 5): "⅘",
    Fraction(1, 8): "⅛",
    Fraction(3, 8): "⅜",
    Fraction(5, 8): "⅝",
    Fraction(7, 8): "⅞",
}
_IN_PERSIAN = str.maketrans("0123456789.", "۰۱۲۳۴۵۶۷۸۹٫")


def number_spellings(number: re.Match[str], language: str) -> Iterator[str]:
    """The number with every sign; in Persian in either kind of digits."""
    plain = list(dict.fromkeys(_sizes(number)))
    signs = _SIGNS[bool(number["minus"])]
    for size, sign in chain(product(plain[:_USUAL], signs), product(plain[_USUAL:], signs[:_USUAL_SIGNS])):
        if language == PERSIAN:
            yield sign + in_digits(size, PERSIAN)
        yield sign + size
    if not number["minus"] and not int(number["whole"]) and not int(number["rest"] or 0):
        yield from (minus + plain[0] for minus in _SIGNS[True][:2])


def in_digits(text: str, kind: str) -> str:
    return text.translate(_IN_PERSIAN) if kind == PERSIAN else text.replace(".", kind) if kind else text


def roundings(number: Fraction, digits: int, language: str) -> Iterator[str]:
    """A number rounded to so many digits, then to more; and cut off there. Not the number itself."""
    for size, sign in product(_roundings(abs(number), digits), _SIGNS[number < 0]):
        for text in (size, size.replace(".", ",")):
            yield sign + text
        if language == PERSIAN:
            yield sign + in_digits(size, PERSIAN)


def _roundings(number: Fraction, digits: int) -> Iterator[str]:
    for places in range(digits, digits + MORE_DIGITS + 1):
        scaled = number * 10**places
        for whole in dict.fromkeys([int(scaled + Fraction(1, 2)), int(scaled)]):
            if whole != scaled:
                text = str(whole).rjust(places + 1, "0")
                yield f"{text[:-places]}.{text[-places:]}" if places else text


def _sizes(number: re.Match[str]) -> Iterator[str]:
    """Without the sign, the commonest first."""
    whole, rest, below = number["whole"], number["rest"], number["below"]
    if below is not None:
        yield f"{whole}/{below}"
        yield f"{whole} / {below}"
        yield from (f"{int(whole) * times}/{int(below) * times}" for times in _MULTIPLES)
        if int(below):
            yield from _mixed(Fraction(int(whole), int(below)))
        return
    for zeros in range(_MOST_ZEROS + 1):
        decimals = (rest or "") + "0" * zeros
        yield f"{whole}.{decimals}" if decimals else whole
        if decimals:
            yield f"{whole},{decimals}"
    exact = Fraction(f"{whole}.{rest or 0}")
    if rest is None:
        yield f"{whole}."
        yield f"0{whole}"
    elif whole == "0":
        yield f".{rest}"
        yield f",{rest}"
    yield from (f"{exact.numerator * times}/{exact.denominator * times}" for times in (1, *_MULTIPLES))
    yield from _mixed(exact)


def _mixed(number: Fraction) -> Iterator[str]:
    whole, rest = divmod(number, 1)
    if not rest:
        return
    before = f"{whole} " if whole else ""
    if whole:
        yield f"{before}{rest.numerator}/{rest.denominator}"
    if rest in _ONE_SIGN:
        yield f"{before}{_ONE_SIGN[rest]}"
        yield f"{before.strip()}{_ONE_SIGN[rest]}"


_NAME = re.compile(r"[^\W\d_]\w*")
_RANGE_SIGNS = (("<=", ">="), ("≤", "≥"), ("=<", "=>"))
_GAPS = (" ", "")
_OR = {"en": (" or ",), "pt": (" ou ", " or "), "es": (" o ", " or "), "fa": (" یا ", " or ")}
_UNIONS = (" ∪ ", " ∨ ", " U ")
_INFINITIES = ("inf", "∞", "+inf", "+∞")
_BEFORE = ("", "{name} in ", "{name} ∈ ", "{name}∈")


def range_spellings(shown: str, language: str) -> Iterator[str]:
    """Nothing for a text that is no range."""
    name = _NAME.search(shown)
    if name is None:
        return
    try:
        union = intervals(shown.replace("∨", " or "), name.group())
    except Unreadable:
        return
    joints = (*_OR.get(language, _OR["en"]), *_UNIONS) if len(union.parts) > 1 else _UNIONS[:1]
    for signs, gap, turned, joint in product(_RANGE_SIGNS, _GAPS, (False, True), joints):
        text = joint.join(_signed(part, name.group(), signs, gap, turned) for part in union.parts)
        yield from _range_in_digits(text, language)
    for infinity, before, outward, joint in product(_INFINITIES, _BEFORE, (False, True), joints):
        text = joint.join(_bracketed(part, infinity, outward) for part in union.parts)
        yield from _range_in_digits(before.format(name=name.group()) + text, language)


def _range_in_digits(text: str, language: str) -> Iterator[str]:
    """With either minus; in Persian in either kind of digits and with either comma."""
    for each in dict.fromkeys([text, text.replace("-", "−")]):
        yield each
        if language == PERSIAN:
            yield in_digits(each, PERSIAN)
            yield in_digits(each, PERSIAN).replace(",", "،")


def _signed(part: NumberInterval, name: str, signs: tuple[str, str], gap: str, turned: bool) -> str:
    low, high, low_closed, high_closed = part
    at_most, at_least = signs
    if low == high and not isinstance(low, str):
        return gap.join([name, "=", number_text(low)])
    if isinstance(low, str) or isinstance(high, str):
        number, closed, below = (high, high_closed, True) if isinstance(low, str) else (low, low_closed, False)
        if isinstance(number, str):
            return "R"
        less, more = (at_most, at_least) if closed else ("<", ">")
        sides = [name, less if below else more, number_text(number)]
        return gap.join([sides[2], more if below else less, sides[0]] if turned else sides)
    ends = [number_text(low), at_most if low_closed else "<", name, at_most if high_closed else "<", number_text(high)]
    if not turned:
        return gap.join(ends)
    return gap.join([ends[4], at_least if high_closed else ">", name, at_least if low_closed else ">", ends[0]])


def _bracketed(part: NumberInterval, infinity: str, outward: bool) -> str:
    low, high, low_closed, high_closed = part
    opened, closed = ("[" if low_closed else "]" if outward else "("), ("]" if high_closed else "[" if outward else ")")
    start = f"-{infinity.lstrip('+')}" if isinstance(low, str) else number_text(low)
    return f"{opened}{start}, {infinity if isinstance(high, str) else number_text(high)}{closed}"
