"""The spellings of an answer that systems that only compare strings are given to accept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, permutations, product
from typing import Any

MOST = 240
"""Spellings of one answer."""
MOST_PERMUTED = 4
"""Names whose every order is listed."""
_NOTHING = ("none", "∅", "nothing", "[]", "nenhum", "nenhuma", "ninguno", "ninguna", "هیچ", "هیچ‌کدام")
_UNVISITED = (
    *("-", "–", "—", "−", "--", "not visited", "unvisited", "never visited"),
    *("não visitado", "nao visitado", "no visitado", "دیده نشده"),
)
INFINITIES = {
    "en": ("inf", "∞", "infinity", "oo"),
    "pt": ("inf", "∞", "infinito", "infinity", "oo"),
    "es": ("inf", "∞", "infinito", "infinity", "oo"),
    "fa": ("inf", "∞", "بی‌نهایت", "بی نهایت", "infinity"),
}
_MINUS = ("-", "−", "- ", "–")
_BOUNDS = {
    "≤": ("<=", "<= ", "≤", "≤ ", "=<", "=< "),
    "≥": (">=", ">= ", "≥", "≥ ", "=>", "=> "),
    "<": ("<", "< "),
    ">": (">", "> "),
}
_BRACKETS = (("(", ")"), ("[", "]"), ("", ""), ("{", "}"), ("<", ">"))
_JOINTS = (", ", ",", "; ", ";", " ")
_TUPLE_JOINTS = (", ", ",", "; ", ";", " ", " , ")
_RARE_BRACKETS, _RARE_JOINTS = (0, 1, 1, 5, 8), (0, 0, 2, 3, 6, 7)
_ARROWS = (", ", " ", " -> ", "; ", "→", "->")
_MULTIPLES = (2, 3, 4, 5, 6, 8, 10)
"""By which a fraction is often not yet reduced."""
_DIGITS = {"fa": "۰۱۲۳۴۵۶۷۸۹", "ar": "٠١٢٣٤٥٦٧٨٩"}
_NUMBER = re.compile(r"(?P<minus>[−-]?)(?P<whole>\d+)(?:\.(?P<rest>\d+)|/(?P<below>\d+))?")
_BOUND = re.compile(rf"(?P<sign>[≤≥<>]) (?P<number>{_NUMBER.pattern.replace('?P<', '?P<of_')})")
_PART = re.compile(rf"[−+]?∞|{re.sub(r'[?]P<[a-z]+>', '?:', _NUMBER.pattern)}")
_LONE_NUMBER = re.compile(r"(?<!\w)\d+(\.\d+)?(?!\w)")


def spellings(shown: str, right: Callable[[str], bool], language: str = "en") -> tuple[str, ...]:
    """How an answer may be written, as printed first; only what plymark itself takes for right."""
    found: list[str] = []
    seen: set[str] = set()
    for text in islice(_candidates(shown, language), 8 * MOST):
        folded = text.casefold()
        if folded not in seen and right(text):
            found.append(text)
            if len(found) == MOST:
                break
        seen.add(folded)
    return tuple(found)


def _candidates(shown: str, language: str) -> Iterator[str]:
    yield shown
    yield shown.replace("−", "-")
    if number := _NUMBER.fullmatch(shown):
        yield from _numbers(number, language)
        if number["below"]:
            # Counts, 17 of 36, are written like fractions.
            yield from _tuples([[number["whole"], number["below"]]], language)
    elif bound := _BOUND.fullmatch(shown):
        yield from _bounds(bound["sign"], bound["number"], language)
    elif shown == "-":
        yield from _UNVISITED
    elif windows := _windows(shown):
        yield from _tuples(windows, language)
    else:
        for text in _named(shown):
            yield text
            # In Persian both kinds of digits are common, in names too.
            yield _LONE_NUMBER.sub(lambda number: _in_digits(number.group(), "fa"), text)
            yield _in_digits(text, "fa")


def _numbers(number: re.Match[str], language: str) -> Iterator[str]:
    """The number in every sign and in every kind of digits, its language's first."""
    plain = list(dict.fromkeys(_sizes(number)))
    signs = _MINUS if number["minus"] else ("", "+", "=", "= ")
    if language in _DIGITS:
        yield from (sign + _in_digits(size, language) for size in plain[:2] for sign in signs[:2])
    yield from (sign + size for sign in signs[:2] for size in plain)
    for kind in _DIGITS:
        yield from (sign + _in_digits(size, kind) for sign in signs[:2] for size in plain[:2])
    yield from (sign + size for sign in signs[2:] for size in plain[:2])
    if number["minus"]:
        yield from (f"={sign}{plain[0]}" for sign in signs[:2])
    elif not int(number["whole"]) and number["rest"] is None:
        yield from (minus + plain[0] for minus in _MINUS[:2])


def _sizes(number: re.Match[str]) -> Iterator[str]:
    """Without the sign: with a point or a comma, with more zeros, as a fraction."""
    whole, rest, below = number["whole"], number["rest"], number["below"]
    if below is not None:
        yield f"{whole}/{below}"
        yield f"{whole} / {below}"
        yield from (f"{int(whole) * times}/{int(below) * times}" for times in _MULTIPLES)
        return
    for zeros in ("", "0", "00"):
        decimals = (rest or "") + zeros
        yield f"{whole}.{decimals}" if decimals else whole
        if decimals:
            yield f"{whole},{decimals}"
    if rest is None:
        yield f"{whole}."
    elif whole == "0":
        yield f".{rest}"
    exact = Fraction(f"{whole}.{rest or 0}")
    yield from (f"{exact.numerator * times}/{exact.denominator * times}" for times in (1, *_MULTIPLES))


def _in_digits(text: str, kind: str) -> str:
    """In the digits of another script, or with a decimal comma."""
    if kind in ("", ","):
        return text.replace(".", kind) if kind else text
    return text.translate(str.maketrans("0123456789.", _DIGITS[kind] + "٫"))


def _bounds(sign: str, shown: str, language: str) -> Iterator[str]:
    number = _NUMBER.fullmatch(shown)
    assert number is not None, shown
    texts = list(_numbers(number, language))
    digits = sum(map(str.isdigit, shown))
    usual = [text for text in texts if sum(map(str.isdigit, text)) == digits and not set(text) & set("+= ")]
    yield from (written + text for text in usual for written in _BOUNDS[sign])
    # A cut node takes the number that is returned as well as its bound.
    yield from texts
    yield from (written + text for text in texts for written in _BOUNDS[sign][:4])


def _windows(shown: str) -> list[list[str]] | None:
    """The numbers of a vector or a window, or of those that a node went through; None if the text is neither."""
    found = [text[1:-1].split(", ") for text in shown.split(" → ") if text[:1] + text[-1:] == "()"]
    written = " → ".join(f"({', '.join(parts)})" for parts in found)
    return found if written == shown and all(_PART.fullmatch(part) for parts in found for part in parts) else None


def _tuples(windows: list[list[str]], language: str) -> Iterator[str]:
    """In every way to write brackets, commas, infinity, minus and digits, the same throughout; the commonest first."""
    text = "".join(part for parts in windows for part in parts)
    infinities = INFINITIES[language] if "∞" in text else ("",)
    plus = ("", "+") if "+" in text else ("",)
    minus = _MINUS[:2] if "−" in text else ("",)
    digits = ("", "fa", ",") if "." in text else ("", "fa") if any(map(str.isdigit, text)) else ("",)
    choices: list[Sequence[Any]] = [_BRACKETS, _TUPLE_JOINTS, infinities, plus, minus, digits]
    ways = (way for way in product(*(range(len(each)) for each in choices)) if _is_written(way, language))
    for way in sorted(ways, key=lambda way: (_rareness(way, language), way)):
        brackets, joint, *signs = (each[place] for each, place in zip(choices, way, strict=True))
        written = (joint.join(_in_signs(part, *signs) for part in parts) for parts in windows)
        yield " → ".join(brackets[0] + each + brackets[1] for each in written)


def _in_signs(part: str, infinity: str, plus: str, minus: str, digits: str) -> str:
    return _in_digits(part.replace("+", plus).replace("∞", infinity).replace("−", minus), digits)


def _is_written(way: Sequence[int], language: str) -> bool:
    """Another language's digits only in the commonest shapes; a decimal comma not beside other commas."""
    brackets, joint, infinity, _, _, digits = way
    if digits == 2:
        return joint in (2, 3)
    return not digits or language == "fa" or (brackets, joint // 2, infinity // 2) == (0, 0, 0)


def _rareness(way: Sequence[int], language: str) -> int:
    """What is rare in two respects is rarer still."""
    brackets, joint, infinity, plus, minus, digits = way
    foreign = 3 if language not in ((), ("fa",), ("pt", "es"))[digits] and digits else 0
    return _RARE_BRACKETS[brackets] + _RARE_JOINTS[joint] + 2 * infinity + plus + minus + foreign


def _named(shown: str) -> Iterator[str]:
    """Names and whatever else: with other brackets, commas and spaces, and in another order where they are few."""
    if shown == "none":
        yield from _NOTHING
    bare = shown.strip("()[]")
    if "," in bare and not any(sign in bare for sign in "()[]{}→"):
        names = [name.strip() for name in bare.split(",")]
        ordered = permutations(names) if len(names) <= MOST_PERMUTED else iter([tuple(names)])
        yield from (joint.join(order) for order in ordered for joint in _JOINTS)
        for opened, closed in _BRACKETS:
            yield from (opened + joint.join(names) + closed for joint in _JOINTS[:3])
    elif " → " in shown:
        yield from (shown.replace(" → ", arrow) for arrow in _ARROWS)
    for sign, ways in _BOUNDS.items():
        if f"{sign} " in shown:
            yield from (shown.replace(f"{sign} ", way) for way in ways)
            yield from (shown.replace(f" {sign} ", way) for way in ways)
    yield from (opened + shown + closed for opened, closed in _BRACKETS if shown.isalnum())
    if " " in shown:
        yield shown.replace(" ", "")
        yield shown.replace("−", "-").replace(" ", "")
