"""Several items in one text: what it says of each, and how such a text may be written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product

from grader.delivery.systems.spelt_names import AND_WORDS
from grader.delivery.systems.spelt_numbers import PERSIAN, in_digits

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
    ends = [*(found.start() for found in starts[1:]), len(text)][: len(starts)]
    return {
        spelt[found[1].casefold()]: _JOINED.sub("", text[found.end() : end] + ",")
        for found, end in zip(starts, ends, strict=True)
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
