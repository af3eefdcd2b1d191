"""A range of numbers as people write it: `x ≤ 3`, `3 >= x`, `(-inf, 3]`, `x ∈ ]−∞, 3]`, `x < 2 or x > 5`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from grader.answers import NumberInterval, Unreadable, intervals
from grader.delivery.systems.spelt_numbers import PERSIAN, in_digits
from solver.kernel import number_text

_NAME = re.compile(r"[^\W\d_]\w*")
_SIGNS = (("<=", ">="), ("≤", "≥"), ("=<", "=>"))
_GAPS = (" ", "")
_OR = {"en": (" or ",), "pt": (" ou ", " or "), "es": (" o ", " or "), "fa": (" یا ", " or ")}
_UNIONS = (" ∪ ", " ∨ ", " U ")
_INFINITIES = ("inf", "∞", "+inf", "+∞")
_BEFORE = ("", "{name} in ", "{name} ∈ ", "{name}∈")


def ranges(shown: str, language: str) -> Iterator[str]:
    """Nothing for a text that is no range."""
    name = _NAME.search(shown)
    if name is None:
        return
    try:
        found = intervals(shown.replace("∨", " or "), name.group())
    except Unreadable:
        return
    joints = (*_OR.get(language, _OR["en"]), *_UNIONS) if len(found.parts) > 1 else _UNIONS[:1]
    for signs, gap, turned, joint in product(_SIGNS, _GAPS, (False, True), joints):
        text = joint.join(_signed(part, name.group(), signs, gap, turned) for part in found.parts)
        yield from _in_digits(text, language)
    for infinity, before, outward, joint in product(_INFINITIES, _BEFORE, (False, True), joints):
        text = joint.join(_bracketed(part, infinity, outward) for part in found.parts)
        yield from _in_digits(before.format(name=name.group()) + text, language)


def _in_digits(text: str, language: str) -> Iterator[str]:
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
