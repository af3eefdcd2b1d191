"""JSON without anything odd in it, read by Python's own parser, and without places."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from solver.kernel.limits import Limits


class Doubtful(Exception):
    """JSON with something in it that must be read carefully."""


# Anything that the careful path would have to judge: empty strings, bare words, escapes of any characters but those
# that answers are full of: −, ∞, ≤, ≥, α and β.
_NOT_PLAIN = re.compile(r'""|true|false|null|NaN|Infinity|\\[bf]|\\u(?!22(?:12|1[eE]|6[45])|03[bB][12])').search


def plain_json(text: str, limits: Limits) -> Any:
    """Data in which numbers stay text, so that no float is ever made; Doubtful if it is not plain."""
    if _NOT_PLAIN(text):
        raise Doubtful
    is_ascii, longest = text.isascii(), limits.text_length
    # No string is longer than its text, and nothing is nested deeper than there are brackets.
    may_be_long = len(text) > longest

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if not is_ascii:
            made = {unicodedata.normalize("NFC", key): value for key, value in pairs}
        if len(made) != len(pairs) or (may_be_long and any(len(key) > longest for key, _ in pairs)):
            raise Doubtful
        return made

    try:
        data = json.loads(text, object_pairs_hook=mapping, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        raise Doubtful from None
    if may_be_long or text.count("{") + text.count("[") > limits.nesting:
        _look_at_levels(data, limits)
    return data


def _look_at_levels(data: Any, limits: Limits) -> None:
    """Doubtful if mappings and lists are nested too deep, or a string in them is too long."""
    level, here = 0, [data]
    while here:
        level += 1
        if level > limits.nesting:
            raise Doubtful
        inside = [item for each in here for item in (each.values() if type(each) is dict else each)]
        if any(len(item) > limits.text_length for item in inside if type(item) is str):
            raise Doubtful
        here = [item for item in inside if type(item) is not str]
