"""JSON without anything odd in it, read by Python's own parser, and without places."""

from __future__ import annotations

import json
import re
import unicodedata
from math import inf
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

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if not is_ascii:
            made = {unicodedata.normalize("NFC", key): value for key, value in pairs}
        if len(made) != len(pairs):
            raise Doubtful
        for key, value in pairs:
            if len(key) > longest or (type(value) is str and len(value) > longest):
                raise Doubtful
        return made

    try:
        data = json.loads(text, object_pairs_hook=mapping, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        raise Doubtful from None
    if _levels(data, longest if len(text) > longest else None) > limits.nesting:
        raise Doubtful
    return data


def _levels(data: Any, longest: int | None) -> float:
    """How deep mappings and lists are nested, found level by level; without end if a string of a list is too long."""
    levels, here = 0, [data]
    while here:
        levels += 1
        if longest is not None and any(
            len(item) > longest for items in here if type(items) is list for item in items if type(item) is str
        ):
            return inf
        inside = (container.values() if type(container) is dict else container for container in here)
        here = [item for items in inside for item in items if type(item) is not str]
    return levels
