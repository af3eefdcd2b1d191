"""The spellings of an answer that systems which only compare texts are told to accept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice, permutations, product

MOST = 40
"""Spellings of one answer."""
MOST_PERMUTED = 4
"""Names whose every order is listed."""
_SIGNS = {
    "−": ("-", "−"),
    "≤ ": ("<=", "<= ", "≤", "≤ ", "=<"),
    "≥ ": (">=", ">= ", "≥", "≥ ", "=>"),
    "< ": ("<", "< "),
    "> ": (">", "> "),
    "+∞": ("inf", "+inf", "∞", "+∞", "infinity"),
    "∞": ("inf", "∞", "infinity"),
}
_NOTHING = ("none", "∅", "nothing", "[]", "nenhum", "nenhuma", "ninguno", "ninguna", "هیچ", "هیچ‌کدام")
_PERSIAN = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
_LONE_NUMBER = re.compile(r"(?<!\w)\d+(\.\d+)?(?!\w)")
_PARTS = re.compile("|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True))))


def spellings(shown: str, right: Callable[[str], bool], language: str = "en") -> tuple[str, ...]:
    """How an answer may be written, as printed first; only what plymark itself takes for right."""
    found: list[str] = []
    seen: set[str] = set()
    for text in islice(_in_digits(_candidates(shown), language), 20 * MOST):
        folded = text.casefold()
        if folded not in seen and right(text):
            found.append(text)
            if len(found) == MOST:
                break
        seen.add(folded)
    return tuple(found)


def _in_digits(texts: Iterator[str], language: str) -> Iterator[str]:
    """In Persian both kinds of digits are common; names keep theirs."""
    for text in texts:
        yield text
        if language == "fa" and (local := _LONE_NUMBER.sub(_persian, text)) != text:
            yield local


def _persian(number: re.Match[str]) -> str:
    return number.group().translate(_PERSIAN).replace(".", "٫")


def _candidates(shown: str) -> Iterator[str]:
    yield shown
    yield shown.replace("−", "-")
    shapes = list(dict.fromkeys(_shapes(shown)))
    # Every shape in its plainest signs first, so that a limit does not leave out a whole shape.
    for shape in shapes:
        yield _PARTS.sub(lambda found: _SIGNS[found.group()][0], shape)
    for shape in shapes:
        parts = dict.fromkeys(_PARTS.findall(shape))
        for chosen in product(*(_SIGNS[part] for part in parts)):
            signs = dict(zip(parts, chosen, strict=True))
            yield _PARTS.sub(lambda found, signs=signs: signs[found.group()], shape)  # type: ignore[misc]


def _shapes(shown: str) -> Iterator[str]:
    yield shown
    if shown == "none":
        yield from _NOTHING
    # A cut node takes the number that is handed up as well as its bound.
    yield re.sub("^[≤≥] ", "", shown)
    if re.fullmatch(r"−?\d+\.\d+", shown):
        yield shown.rstrip("0")
        yield shown.replace(".", ",")
        yield shown.rstrip("0").replace(".", ",")
    bare = shown.strip("()[]")
    if "," in bare and not any(sign in bare for sign in "()[]{}→"):
        names = [name.strip() for name in bare.split(",")]
        ordered = permutations(names) if len(names) <= MOST_PERMUTED else iter([tuple(names)])
        for order in ordered:
            for joint in (", ", ",", " ", "; ", ";"):
                yield joint.join(order)
        for opened, closed in ("()", "[]", "{}", "<>"):
            for joint in (", ", ",", "; "):
                yield opened + joint.join(names) + closed
    elif " → " in shown:
        yield shown.replace(" → ", ", ")
        yield shown.replace(" → ", "; ")
        yield shown.replace(" → ", " -> ")
        yield shown.replace(" → ", " ")
        yield shown.replace(", ", ",").replace(" → ", " ")
    elif " " in shown:
        yield shown.replace(" ", "")
