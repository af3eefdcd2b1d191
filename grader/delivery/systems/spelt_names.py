"""Names, one or several, as people write them: with other brackets and commas, with `and`, in another order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, permutations, product

ARROWS = (" → ", ", ", " -> ", " ", "→", "->", "; ", ",")
"""Between the moves of a line."""
MOST_PERMUTED = 4
"""Names whose every order is listed."""
_NOTHING = {
    "en": ("none", "nothing", "no leaves", "no leaf", "no"),
    "pt": ("nenhuma", "nenhum", "nada", "nenhuma folha"),
    "es": ("ninguna", "ninguno", "nada", "ninguna hoja"),
    "fa": ("هیچ", "هیچ‌کدام", "هیچ کدام", "هیچ برگی"),
}
_EMPTY = ("none", "∅", "[]", "{}", "()", "-", "–", "—")
AND_WORDS = {"en": (" and ", " & "), "pt": (" e ",), "es": (" y ",), "fa": (" و ",)}
_JOINTS = (", ", ",", " ", "; ", ";", " , ", "  ")
_PERSIAN_JOINTS = ("، ", "،", "؛ ", " ، ")
_BRACKETS = (("", ""), ("[", "]"), ("{", "}"), ("(", ")"))
_STOPS = ("", ".")


def named(shown: str, language: str) -> Iterator[str]:
    if shown == "none":
        for text in chain(_NOTHING.get(language, ()), _EMPTY, _NOTHING["en"]):
            yield from (text, f"{text}.")
    bare = shown.strip("()[]")
    if "," in bare and not any(sign in bare for sign in "()[]{}→:"):
        yield from _several([name.strip() for name in bare.split(",")], language)
    elif " → " in shown:
        yield from (shown.replace(" → ", arrow) for arrow in ARROWS)
    else:
        yield from (opened + shown + closed + stop for opened, closed in _BRACKETS for stop in _STOPS)


def _several(names: Sequence[str], language: str) -> Iterator[str]:
    joints = (*(_PERSIAN_JOINTS if language == "fa" else ()), *_JOINTS)
    ands = AND_WORDS.get(language, ())
    for joint, (opened, closed), stop in product(joints, _BRACKETS, _STOPS):
        yield opened + joint.join(names) + closed + stop
    yield from chain.from_iterable(_with_and(names, joint, word) for joint in joints for word in ands)
    if 1 < len(names) <= MOST_PERMUTED:
        usual = (*(_PERSIAN_JOINTS[:2] if language == "fa" else ()), *_JOINTS[:5])
        for order in list(permutations(names))[1:]:
            yield from (joint.join(order) for joint in usual)
            yield from (f"[{joint.join(order)}]" for joint in joints[:2])
            yield from chain.from_iterable(_with_and(order, joints[0], word) for word in ands)


def _with_and(names: Sequence[str], joint: str, word: str) -> Iterator[str]:
    """`L5, L6 and L7`, and `L5 and L6 and L7`."""
    yield joint.join(names[:-1]) + word + names[-1]
    yield word.join(names)
