"""The spellings of an answer that systems that only compare strings are given to accept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, product
from typing import Any

from grader.delivery.systems.spelt_names import ARROWS, named
from grader.delivery.systems.spelt_numbers import NUMBER, PERSIAN, in_digits, numbers
from grader.delivery.systems.spelt_ranges import ranges

MOST = 240
"""Spellings of one answer, and in Persian more by so much: it has two kinds of digits and of commas."""
IN_PERSIAN = Fraction(5, 3)
TRIED = 8
"""Candidates for each that is listed."""
UNVISITED: tuple[str, ...] = (
    *("–", "-", "—", "−", "--", "not visited", "unvisited", "never visited"),
    *("não visitado", "nao visitado", "no visitado", "دیده نشده"),
)
"""What says that a node is never visited; a dash is what students are told to write."""
INFINITIES = {
    "en": ("inf", "∞", "infinity", "oo"),
    "pt": ("inf", "∞", "infinito", "infinity", "oo"),
    "es": ("inf", "∞", "infinito", "infinity", "oo"),
    "fa": ("inf", "∞", "بی‌نهایت", "بی نهایت", "infinity"),
}
_BOUNDS = {
    "≤": ("<=", "<= ", "≤", "≤ ", "=<", "=< "),
    "≥": (">=", ">= ", "≥", "≥ ", "=>", "=> "),
    "<": ("<", "< "),
    ">": (">", "> "),
}
_USUAL = 24
"""Ways to write a number that come with every sign of a bound first."""
_BRACKETS = (("(", ")"), ("[", "]"), ("", ""), ("{", "}"), ("<", ">"))
_RARE_BRACKETS, _RARE_INFINITIES = (0, 1, 1, 5, 8), (0, 0, 1, 6, 8)
_JOINTS = {", ": 0, ",": 0, "; ": 1, ";": 3, " ": 6, " , ": 7}
"""Between the numbers of a window, with how rare each is."""
_PERSIAN_JOINTS = {"، ": 0, "،": 0, "؛ ": 4, " ، ": 7}
_BOUND = re.compile(rf"(?P<sign>[≤≥<>]) (?P<number>{NUMBER.pattern.replace('?P<', '?P<of_')})")
_PART = re.compile(rf"[−+]?∞|{re.sub(r'[?]P<[a-z]+>', '?:', NUMBER.pattern)}")


def spellings(shown: str, right: Callable[[str], bool], language: str = "en", most: int = MOST) -> tuple[str, ...]:
    """How an answer may be written, as printed first; only what plymark itself takes for right."""
    found: list[str] = []
    seen: set[str] = set()
    most = int(most * IN_PERSIAN) if language == PERSIAN else most
    if _BOUND.fullmatch(shown):
        most *= 2  # With a sign, and without.
    for text in islice(_candidates(shown, language), TRIED * most):
        folded = text.casefold()
        if folded not in seen and right(text):
            found.append(text)
            if len(found) == most:
                break
        seen.add(folded)
    return tuple(found)


def _candidates(shown: str, language: str) -> Iterator[str]:
    yield shown
    yield shown.replace("−", "-")
    if number := NUMBER.fullmatch(shown):
        yield from numbers(number, language)
        if number["below"]:
            # Counts, 17 of 36, are written like fractions.
            yield from _tuples([[number["whole"], number["below"]]], language)
    elif bound := _BOUND.fullmatch(shown):
        yield from _bounds(bound["sign"], bound["number"], language)
    elif shown == "-":
        yield from UNVISITED
    elif windows := _windows(shown):
        yield from _tuples(windows, language)
    else:
        yield from named(shown, language)
        yield from _with_signs(shown)
        if any(sign in shown for sign in _BOUNDS):
            yield from ranges(shown, language)


def _bounds(sign: str, shown: str, language: str) -> Iterator[str]:
    number = NUMBER.fullmatch(shown)
    assert number is not None, shown
    texts = list(numbers(number, language))
    unsigned = [text for text in texts if not set(text) & set("+=")]
    usual = int(_USUAL * IN_PERSIAN) if language == PERSIAN else _USUAL
    yield from (written + text for text in unsigned[:usual] for written in _BOUNDS[sign])
    # A cut node takes the number that is returned as well as its bound.
    yield from texts
    yield from (written + text for text in unsigned[usual:] for written in _BOUNDS[sign])


def _with_signs(shown: str) -> Iterator[str]:
    """A range: the sign in every way, with and without spaces."""
    for sign, ways in _BOUNDS.items():
        if f"{sign} " in shown:
            yield from (shown.replace(f"{sign} ", way) for way in ways)
            yield from (shown.replace(f" {sign} ", way) for way in ways)
    if " " in shown:
        yield shown.replace(" ", "")
        yield shown.replace("−", "-").replace(" ", "")


def _windows(shown: str) -> list[list[str]] | None:
    """The numbers of a vector or a window, or of those that a node went through; None if the text is neither."""
    found = [text[1:-1].split(", ") for text in shown.split(" → ") if text[:1] + text[-1:] == "()"]
    written = " → ".join(f"({', '.join(parts)})" for parts in found)
    return found if written == shown and all(_PART.fullmatch(part) for parts in found for part in parts) else None


def _tuples(windows: list[list[str]], language: str) -> Iterator[str]:
    """In every way to write brackets, commas, infinity, minus and digits, the same throughout; the commonest first."""
    text = "".join(part for parts in windows for part in parts)
    joints = {**(_PERSIAN_JOINTS if language == "fa" else {}), **_JOINTS}
    infinities = INFINITIES[language] if "∞" in text else ("",)
    plus = ("", "+") if "+" in text else ("",)
    minus = ("-", "−") if "−" in text else ("",)
    digits = (*_digits(text, language),)
    arrows = ARROWS if len(windows) > 1 else ARROWS[:1]
    choices: list[Sequence[Any]] = [_BRACKETS, list(joints.items()), infinities, plus, minus, digits, arrows]
    ways = (way for way in product(*(range(len(each)) for each in choices)) if _is_written(choices, way))
    for way in sorted(ways, key=lambda way: (_rareness(choices, way), way)):
        brackets, (joint, _), *signs, arrow = (each[place] for each, place in zip(choices, way, strict=True))
        written = (joint.join(_in_signs(part, *signs) for part in parts) for parts in windows)
        yield arrow.join(brackets[0] + each + brackets[1] for each in written)


def _digits(text: str, language: str) -> Iterator[str]:
    yield ""
    if "." in text:
        yield ","
    if language == "fa" and any(map(str.isdigit, text)):
        yield PERSIAN


def _in_signs(part: str, infinity: str, plus: str, minus: str, digits: str) -> str:
    return in_digits(part.replace("+", plus).replace("∞", infinity).replace("−", minus), digits)


def _is_written(choices: Sequence[Sequence[Any]], way: Sequence[int]) -> bool:
    """A decimal comma does not stand beside other commas."""
    joint, digits = choices[1][way[1]][0], choices[5][way[5]]
    return digits != "," or ";" in joint or "؛" in joint


def _rareness(choices: Sequence[Sequence[Any]], way: Sequence[int]) -> int:
    """What is rare in two respects is rarer still."""
    brackets, joint, infinity, plus, _, digits, arrow = way
    rare: int = choices[1][joint][1]
    return _RARE_BRACKETS[brackets] + rare + _RARE_INFINITIES[infinity] + plus + digits + 3 * arrow
