"""The counts of Monte Carlo tree search: the results added up, over the number of visits; never simplified."""

from __future__ import annotations

from typing import Any, NamedTuple

from grader.answers.numbers import integer, number, number_tokens
from grader.answers.refusal import Unreadable, reader
from grader.answers.tokens import MARK, NUMBER, AnswerToken, Cursor, Number
from grader.answers.windows import inside_brackets, separated
from grader.answers.words import OF_SET, TOTAL_SET, VISITS_SET, phrase

_REASON = "unreadable.counts"


class Counts(NamedTuple):
    total: Number
    visits: int


@reader
def counts(raw: Any) -> Counts:
    """`12/23`, `[12, 23]`, `12 of 23` or `{wins: 12, visits: 23}`."""
    if isinstance(raw, dict):
        return _from_mapping(raw)
    if isinstance(raw, list):
        if len(raw) != 2:
            raise Unreadable(_REASON)
        return _counts(number(raw[0]), integer(raw[1]))
    tokens = inside_brackets(number_tokens(raw), reason=_REASON)
    middle = [place for place, token in enumerate(tokens) if _divides(token)]
    if len(middle) > 1:
        raise Unreadable(_REASON)
    parts: list[Any]
    if middle:
        parts = [_part(tokens[: middle[0]]), _part(tokens[middle[0] + 1 :])]
    else:
        parts = list(separated(tokens, reason=_REASON))
    if len(parts) != 2:
        raise Unreadable(_REASON)
    return _counts(parts[0], parts[1])


def _divides(token: AnswerToken) -> bool:
    return (token.kind == MARK and token.text == "/") or (token.kind != NUMBER and phrase(token.text) in OF_SET)


def _part(tokens: Any) -> Number:
    cursor = Cursor(tokens)
    found = cursor.number()
    if found is None or not cursor.done:
        raise Unreadable(_REASON)
    return found


def _counts(total: Any, visits: Any) -> Counts:
    if isinstance(total, str) or not isinstance(visits, int) or visits < 0:
        raise Unreadable(_REASON)
    return Counts(total, visits)


def _from_mapping(raw: dict[Any, Any]) -> Counts:
    found: dict[str, Any] = {}
    for name, item in raw.items():
        word = phrase(str(name))
        which = "total" if word in TOTAL_SET else "visits" if word in VISITS_SET else None
        if which is None or which in found:
            raise Unreadable(_REASON)
        found[which] = number(item)
    if len(found) != 2:
        raise Unreadable(_REASON)
    return _counts(found["total"], found["visits"])
