"""The spellings of an answer that systems that only compare strings are given to accept.

Names, one or several, are written with other brackets and commas, with `and`, in another order; and several items
stand in one text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, islice, permutations, product
from typing import Any

from grader.delivery.systems.numeric_spellings import NUMBER, PERSIAN, in_digits, number_spellings, range_spellings

ARROWS = (" → ", ", ", " -> ", " ", "→", "->", "; ", ",")
"""Between the moves of a line."""
MOST_PERMUTED = 4
"""Names whose every order is listed."""
_NO_NAMES = {
    "en": ("none", "nothing", "no leaves", "no leaf", "no"),
    "pt": ("nenhuma", "nenhum", "nada", "nenhuma folha"),
    "es": ("ninguna", "ninguno", "nada", "ninguna hoja"),
    "fa": ("هیچ", "هیچ‌کدام", "هیچ کدام", "هیچ برگی"),
}
_EMPTY_BRACKETS = ("none", "∅", "[]", "{}", "()", "-", "–", "—")
AND_WORDS = {"en": (" and ", " & "), "pt": (" e ",), "es": (" y ",), "fa": (" و ",)}
_NAME_JOINTS = (", ", ",", " ", "; ", ";", " , ", "  ")
_PERSIAN_NAME_JOINTS = ("، ", "،", "؛ ", " ، ")
_NAME_BRACKETS = (("", ""), ("[", "]"), ("{", "}"), ("(", ")"))
_STOPS = ("", ".")


def name_spellings(shown: str, language: str) -> Iterator[str]:
    if shown == "none":
        for text in chain(_NO_NAMES.get(language, ()), _EMPTY_BRACKETS, _NO_NAMES["en"]):
            yield from (text, f"{text}.")
    bare = shown.strip("()[]")
    if "," in bare and not any(sign in bare for sign in "()[]{}→:"):
        yield from _several([name.strip() for name in bare.split(",")], language)
    elif " → " in shown:
        yield from (shown.replace(" → ", arrow) for arrow in ARROWS)
    else:
        yield from (opened + shown + closed + stop for opened, closed in _NAME_BRACKETS for stop in _STOPS)


def _several(names: Sequence[str], language: str) -> Iterator[str]:
    joints = (*(_PERSIAN_NAME_JOINTS if language == "fa" else ()), *_NAME_JOINTS)
    ands = AND_WORDS.get(language, ())
    for joint, (opened, closed), stop in product(joints, _NAME_BRACKETS, _STOPS):
        yield opened + joint.join(names) + closed + stop
    yield from chain.from_iterable(_with_and(names, joint, word) for joint in joints for word in ands)
    if 1 < len(names) <= MOST_PERMUTED:
        usual = (*(_PERSIAN_NAME_JOINTS[:2] if language == "fa" else ()), *_NAME_JOINTS[:5])
        for order in list(permutations(names))[1:]:
            yield from (joint.join(order) for joint in usual)
            yield from (f"[{joint.join(order)}]" for joint in joints[:2])
            yield from chain.from_iterable(_with_and(order, joints[0], word) for word in ands)


def _with_and(names: Sequence[str], joint: str, word: str) -> Iterator[str]:
    """`L5, L6 and L7`, and `L5 and L6 and L7`."""
    yield joint.join(names[:-1]) + word + names[-1]
    yield word.join(names)


MOST_SPELLINGS = 240
"""Spellings of one answer, and in Persian more by so much: it has two kinds of digits and of commas."""
IN_PERSIAN = Fraction(5, 3)
SPELLINGS_TRIED = 8
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


def spellings(
    shown: str, right: Callable[[str], bool], language: str = "en", most: int = MOST_SPELLINGS
) -> tuple[str, ...]:
    """How an answer may be written, as printed first; only what plymark itself takes for right."""
    found: list[str] = []
    seen: set[str] = set()
    most = int(most * IN_PERSIAN) if language == PERSIAN else most
    if _BOUND.fullmatch(shown):
        most *= 2  # With a sign, and without.
    for text in islice(_candidates(shown, language), SPELLINGS_TRIED * most):
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
        yield from number_spellings(number, language)
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
        yield from name_spellings(shown, language)
        yield from _with_signs(shown)
        if any(sign in shown for sign in _BOUNDS):
            yield from range_spellings(shown, language)


def _bounds(sign: str, shown: str, language: str) -> Iterator[str]:
    number = NUMBER.fullmatch(shown)
    assert number is not None, shown
    texts = list(number_spellings(number, language))
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


_JOINED = re.compile(r"[\s,;،؛]+(?:(?:and|e|y|و|&)[\s,;،؛]+)?$")
"""What stands between an item and the next."""
_PAIRS = (("(", ", ", ")"), ("(", ",", ")"), ("[", ", ", "]"), ("[", ",", "]"), ("(", "; ", ")"), ("", " / ", ""))


def by_item(text: str, names: Sequence[str]) -> Mapping[str, str]:
    """What one text says of each item: `V ≥ 15, Q ≤ 5`, `X: 3/7; Y: 2/5`."""
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    starts = list(
        re.finditer(rf"(?:^|(?<=[\s,;،؛]))({known})\s*(?::\s*|=(?![<>])\s*|(?=[=<>≤≥]))", text, re.IGNORECASE)
    )
    if not starts or text[: starts[0].start()].strip():
        return {}  # What stands before the first name may turn its meaning round.
    spelt = {name.casefold(): name for name in names}
    ends = [*(match.start() for match in starts[1:]), len(text)][: len(starts)]
    return {
        spelt[match[1].casefold()]: _JOINED.sub("", text[match.end() : end] + ",")
        for match, end in zip(starts, ends, strict=True)
    }


def one_text_ways(shown: Mapping[str, str], language: str) -> Iterator[str]:
    """A key with several items as one text, all written alike; the commonest first."""
    commas = ("، ", "؛ ", "،") if language == "fa" else ()
    ands = AND_WORDS.get(language, AND_WORDS["en"])
    for value, name, joint in product(_value_ways(language), _NAMED, (*_APART[:1], *commas, *_APART[1:], *ands)):
        parts = [name(item, value(text)) for item, text in shown.items()]
        if joint in ands and len(parts) > 1:
            yield f"{', '.join(parts[:-1])}{joint}{parts[-1]}"
        else:
            yield joint.join(parts)


def _value_ways(language: str) -> Iterator[Callable[[str], str]]:
    """How the value after a name is written: the sign of a bound, the minus, counts as a pair."""
    for sign, gap in (("≤≥", " "), ("<=>=", " "), ("<=>=", ""), ("≤≥", ""), ("=<=>", " "), ("=<=>", "")):
        low, high = (sign[:1], sign[1:]) if len(sign) == 2 else (sign[:2], sign[2:])
        for minus, digits in product(("−", "-", "- "), ("", ",", PERSIAN) if language == "fa" else ("", ",")):
            yield partial(_value_written, low=low, high=high, gap=gap, minus=minus, digits=digits)
    for opened, joint, closed in (
        ("(", ", ", ")"),
        ("(", ",", ")"),
        ("[", ", ", "]"),
        ("(", "; ", ")"),
        ("", " / ", ""),
    ):
        yield partial(_pair_written, opened=opened, joint=joint, closed=closed)


def _value_written(text: str, low: str, high: str, gap: str, minus: str, digits: str) -> str:
    signed = re.sub("([≤≥]) ", lambda sign: (low if sign[1] == "≤" else high) + gap, text)
    return in_digits(signed.replace("−", minus), digits)


def _pair_written(text: str, opened: str, joint: str, closed: str) -> str:
    return f"{opened}{text.replace('/', joint)}{closed}"


def _after_name(item: str, value: str, before: str) -> str:
    """A sign follows its name; anything else is set off by a mark."""
    return f"{item}{before.strip(':=') if value[:1] in '≤≥<>=' else before}{value}"


_NAMED = tuple(partial(_after_name, before=before) for before in (": ", " = ", "=", ":", " "))
_APART = (", ", "; ", ",", ";", " ")
