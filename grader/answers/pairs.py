"""A whole question in one text: `A=3, B=3`, `A: (-inf, inf); C: (3, inf)`, `V≥15, Q≤5`, `P: L4, U, V; Q: X, W`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from grader.answers.refusal import reader
from grader.answers.signs import text_of
from grader.answers.words import ALPHA_SET, BETA_SET, phrase

_PLAIN = r"[^\s:=<>≤≥⩽⩾≦≧≈,;،؛(){}\[\]|]+"
_SIGN = r"\s*(?:(?P<drop>:=|==|=(?![<>])|:)|(?=[<>≤≥⩽⩾≦≧≈]|=[<>]))"
_HEAD = re.compile(rf"\s*(?P<name>{_PLAIN}(?:\s+{_PLAIN}){{0,4}}?){_SIGN}")
_LATER = re.compile(rf"\s+(?P<name>{_PLAIN}){_SIGN}")
_OF_NODE = re.compile(rf"\b(?:v|value|valor|minimax)\s*\(\s*({_PLAIN})\s*\)(?=\s*[:=<>≤≥⩽⩾≦≧])", re.IGNORECASE)
_SEPARATORS = ",;،؛"
_OPENING, _CLOSING = "([{", ")]}"

Pairs = list[tuple[str, str]]


@reader
def pairs(raw: Any, known: Callable[[str], bool]) -> Pairs:
    """Names and what is written after each; none if the text is not made of such pairs, or none of them is known.

    A pair begins after a separator, or after a space where the name is known; commas may also stand in what is written.
    """
    text = _OF_NODE.sub(r"\1", text_of(raw))
    if text[0] == "{" and text[-1] == "}":
        text = text[1:-1]
    heads = _heads(text, known)
    if not heads or text[: heads[0].start()].strip() or not any(known(head["name"]) for head in heads):
        return []
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return [
        (head["name"], text[head.end() : end].strip().rstrip(_SEPARATORS).strip())
        for head, end in zip(heads, ends, strict=True)
    ]


def _heads(text: str, known: Callable[[str], bool]) -> list[re.Match[str]]:
    """Where pairs begin: never inside brackets, nor at the `β =` of a window."""
    found: list[re.Match[str]] = []
    depth = place = 0
    while place <= len(text):
        sign = text[place - 1] if place else ","
        depth += (sign in _OPENING and place > 0) - (sign in _CLOSING)
        head = None
        if depth <= 0 and sign in _SEPARATORS:
            head = _HEAD.match(text, place)
        elif depth <= 0 and found and text[place : place + 1].isspace():
            head = _LATER.match(text, place)
            head = head if head is not None and known(head["name"]) else None
        if head is not None and (known(head["name"]) or phrase(head["name"]) not in ALPHA_SET | BETA_SET):
            found.append(head)
            place = head.end()
        place += 1
    return found
