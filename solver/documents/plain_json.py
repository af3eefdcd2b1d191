"""JSON without anything odd in it, read by Python's own parser, and without places."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from typing import Any

from solver.kernel.limits import Limits


class Doubtful(Exception):
    """JSON with something in it that must be read carefully."""


# Anything that the careful path would have to judge: empty strings, bare words, escapes of any characters but those
# that answers are full of: −, ∞, ≤, ≥, α and β.
_NOT_PLAIN = ('""', "true", "false", "null", "NaN", "Infinity")
_ODD_ESCAPE = re.compile(r"\\(?:[bf]|u(?!22(?:12|1[eE]|6[45])|03[bB][12]))").search


def plain_json(text: str, limits: Limits) -> Any:
    """Data in which numbers stay text, so that no float is ever made; Doubtful if it is not plain."""
    if any(odd in text for odd in _NOT_PLAIN) or _ODD_ESCAPE(text):
        raise Doubtful
    try:
        data = _decoder(text.isascii()).decode(text)
    except (ValueError, RecursionError):
        raise Doubtful from None
    # No string is longer than its text, and nothing is nested deeper than there are brackets.
    if len(text) > limits.text_length or text.count("{") + text.count("[") > limits.nesting:
        _look_at_levels(data, limits)
    return data


@cache
def _decoder(only_ascii: bool) -> json.JSONDecoder:
    mapping = _mapping if only_ascii else _normal_mapping
    return json.JSONDecoder(object_pairs_hook=mapping, parse_float=str, parse_int=str)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Doubtful
    return made


def _normal_mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return _mapping([(unicodedata.normalize("NFC", key), value) for key, value in pairs])


def _look_at_levels(data: Any, limits: Limits) -> None:
    """Doubtful if mappings and lists are nested too deep, or a string in them is too long."""
    level, here, longest = 0, [data], limits.text_length
    while here:
        level += 1
        if level > limits.nesting:
            raise Doubtful
        inside: list[Any] = []
        for each in here:
            inside += each
            if type(each) is dict:
                inside += each.values()
        if any(len(item) > longest for item in inside if type(item) is str):
            raise Doubtful
        here = [item for item in inside if type(item) is not str]
