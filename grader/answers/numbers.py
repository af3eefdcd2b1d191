"""Single numbers, bounds and what is written at a node: `7/3`, `−∞`, `≤ 2`, `-` where the search never came."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from grader.answers.refusal import Unreadable, reader
from grader.answers.signs import one_form, plain_word, text_of
from grader.answers.tokens import SIGN, WORD, AnswerToken, Cursor, Extended, Number, commas_apart, tokens_of
from grader.answers.words import (
    ABOUT,
    AT_LEAST,
    AT_MOST,
    COUNTED_SET,
    DENYING,
    IS,
    NUMERALS,
    OR_LESS,
    OR_MORE,
    UNVISITED_SET,
    phrase,
)

Sign: TypeAlias = Literal["=", "<=", ">=", "<", ">"]
SIGNS: tuple[Sign, ...] = ("=", "<=", ">=", "<", ">")
TURNED: dict[str, Sign] = {"=": "=", "<=": ">=", ">=": "<=", "<": ">", ">": "<"}
_DASHES = "-—―"


class Bound(NamedTuple):
    sign: Sign
    number: Number


class Unvisited(Enum):
    """What is written at a node where the search never came."""

    UNVISITED = "-"


UNVISITED: Final = Unvisited.UNVISITED


@reader
def number(raw: Any, *, alone: bool = True, comma: bool = False, rounded: bool = False) -> Number:
    """An exact number. `alone`: a decimal comma is allowed; `comma`: and no comma separates thousands (pt, es);
    `rounded`: it may be said to be about right."""
    found = _single(raw, alone, comma, rounded)
    if isinstance(found, str):
        raise Unreadable("unreadable.infinity")
    return found


@reader
def extended(raw: Any, *, alone: bool = True, comma: bool = False, rounded: bool = False) -> Extended:
    """A number, or "-inf" or "inf"."""
    return _single(raw, alone, comma, rounded)


@reader
def integer(raw: Any) -> int:
    found = number(raw)
    if not isinstance(found, int):
        raise Unreadable("unreadable.number")
    return found


@reader
def amount(raw: Any, *, comma: bool = False) -> Number:
    """A count, perhaps in a word, perhaps with what is counted behind it: `7`, `7 leaves`, `nove folhas`."""
    text = text_of(raw)
    words = text.rstrip(".").split()
    while len(words) > 1 and phrase(words[-1]) in COUNTED_SET:
        words.pop()
    spelt = NUMERALS.get(phrase(" ".join(words)))
    return spelt if spelt is not None else number(" ".join(words) if words else text, comma=comma)


def _single(raw: Any, alone: bool, comma: bool, rounded: bool) -> Extended:
    tokens = number_tokens(raw)
    if not alone and any("," in token.text for token in tokens):
        raise Unreadable("unreadable.number")
    cursor = Cursor(tokens, comma, rounded=rounded)
    if tokens[0].kind == SIGN and tokens[0].text == "=":
        cursor.at = 1
    found = cursor.extended()
    if found is None or not cursor.done:
        raise Unreadable("unreadable.number")
    return found


def number_tokens(raw: Any) -> list[AnswerToken]:
    """A scalar's tokens; the full stop of a sentence is not one of them."""
    text = text_of(raw)
    if text.endswith(".") and text[-2:-1].isalnum():
        text = text[:-1]
    tokens = tokens_of(text)
    if not tokens:
        raise Unreadable("unreadable.empty")
    return tokens


@reader
def bound(raw: Any, *, comma: bool = False, rounded: bool = False) -> Bound:
    """A sign and a number; a bare number is "=", `2 >= C` is turned round, a name before the sign does not matter, and
    `(-inf, 2]` is what it says."""
    cursor = Cursor(number_tokens(raw), comma, rounded=rounded)
    found = _half_line(cursor.tokens) if cursor.is_mark("([{]") else _bound(cursor)
    if found is None or not (cursor.done or cursor.at == 0):
        raise Unreadable("unreadable.bound")
    return found


def _half_line(tokens: Sequence[AnswerToken]) -> Bound | None:
    """An interval with one end at infinity, the other one closed. An open one would be a window as well."""
    semicolons = any(token.text == ";" for token in tokens)
    inside = tokens[1:-1]
    cursor = Cursor(list(inside) if semicolons else list(commas_apart(inside)), comma=semicolons)
    low = cursor.extended()
    between, high = cursor.take_mark(",;،"), cursor.extended()
    if low is None or high is None or not between or not cursor.done:
        return None
    if low == "-inf" and not isinstance(high, str) and tokens[-1].text == "]":
        return Bound("<=", high)
    if high == "inf" and not isinstance(low, str) and tokens[0].text == "[":
        return Bound(">=", low)
    return None


def _bound(cursor: Cursor) -> Bound | None:
    first = cursor.number()
    if first is not None:
        return _after_number(cursor, first)
    sign = _sign_before(cursor)
    if sign is None and take_some_name(cursor):
        sign = _sign_before(cursor) or ("=" if cursor.meaning()[0] == ABOUT else None)
    if sign is None:
        return None
    written = cursor.number()
    if written is None:
        return None
    cursor.take(IS)  # In Persian the verb comes last.
    return Bound(sign, written)


def _after_number(cursor: Cursor, number: Number) -> Bound | None:
    if cursor.done:
        return Bound("=", number)
    suffix = sign_behind(cursor)
    if suffix:
        return Bound(suffix, number)
    start = cursor.at
    verb = cursor.take(IS)
    sign = _known(cursor.take(*SIGNS), verb)
    if sign is None:
        return None
    # `2 ≥` is clear; of `2 less than` the end is missing.
    written = verb is None and cursor.at == start + 1 and cursor.tokens[start].kind == SIGN
    if not (cursor.done and written) and not take_some_name(cursor):
        return None
    return Bound(TURNED[sign], number)


def _sign_before(cursor: Cursor) -> Sign | None:
    """The sign before a number, also in words: `is at most`; `is` alone is "="."""
    verb = cursor.take(IS)
    adverb = cursor.take(AT_MOST, AT_LEAST)
    if adverb:
        return "<=" if adverb == AT_MOST else ">="
    return _known(cursor.take(*SIGNS), verb)


def sign_behind(cursor: Cursor) -> Sign | None:
    """The sign of words that follow their number: `2 or less`, `2 at most`."""
    found = cursor.take(OR_LESS, OR_MORE, AT_MOST, AT_LEAST)
    return None if found is None else "<=" if found in (OR_LESS, AT_MOST) else ">="


def _known(found: str | None, verb: str | None) -> Sign | None:
    return next((sign for sign in SIGNS if sign == found), "=" if verb else None)


def take_some_name(cursor: Cursor) -> bool:
    """Step over a name such as `C`, `v` or `v(C)`; a word that denies is none."""
    token = cursor.peek()
    if token is None or token.kind != WORD or plain_word(token.text) in DENYING:
        return False
    if cursor.meaning()[0] and len(token.text) > 1:
        return False  # A node may be called E, Y or R, but not `inf`.
    cursor.at += 1
    inside = cursor.peek(1)
    if cursor.is_mark("(") and inside is not None and inside.kind == WORD and cursor.is_mark(")", 2):
        cursor.at += 3
    return True


@reader
def value(raw: Any, *, comma: bool = False, rounded: bool = False) -> Number | Bound | Unvisited:
    """What is written at a node: a number, a bound, or UNVISITED."""
    if says_unvisited(text_of(raw)):
        return UNVISITED
    found = bound(raw, comma=comma, rounded=rounded)
    return found.number if found.sign == "=" else found


def says_unvisited(text: str) -> bool:
    """A dash, or words such as `not visited`."""
    return not one_form(text).strip(_DASHES) or phrase(text.rstrip(".")) in UNVISITED_SET
