"""Windows and vectors: numbers side by side, where a comma separates and `;` permits decimal commas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from grader.answers.numbers import extended, number
from grader.answers.refusal import Unreadable, reader
from grader.answers.signs import text_of
from grader.answers.tokens import MARK, SIGN, WORD, AnswerToken, Cursor, Extended, Number, commas_apart, tokens_of
from grader.answers.words import ALPHA_SET, BETA_SET, phrase

Window: TypeAlias = tuple[Extended, Extended]

OPENING, CLOSING = "([{]", ")]}["
BRACKETS = "()[]{}"
ARROW = "→"


@reader
def window(raw: Any) -> Window:
    """The pair (low, high): a list, a mapping of alpha and beta, or text such as `(3, ∞)` or `α=3, β=∞`."""
    if isinstance(raw, dict):
        return _from_mapping(raw)
    if isinstance(raw, list):
        if len(raw) != 2:
            raise Unreadable("unreadable.window")
        return extended(raw[0]), extended(raw[1])
    return _window(tokens_of(text_of(raw)))


@reader
def windows(raw: Any) -> list[Window]:
    """The windows that a node went through: a list of windows, `(−∞, ∞) → (3, ∞)`, or a single one."""
    if isinstance(raw, dict):
        return [window(raw)]
    if not isinstance(raw, list):
        return [_window(part) for part in _groups(tokens_of(text_of(raw)))]
    if len(raw) == 2 and all(isinstance(item, str) and _is_extended(item) for item in raw):
        return [window(raw)]
    return [window(item) for item in raw]


@reader
def vector(raw: Any) -> tuple[Number, ...]:
    """One number for each player: a list, `(1, 2, 6)` or `1; 2; 6`."""
    if isinstance(raw, list):
        found = tuple(number(item) for item in raw)
    else:
        parts = separated(inside_brackets(tokens_of(text_of(raw))))
        found = tuple(item for item in parts if not isinstance(item, str))
        if len(found) < len(parts):
            raise Unreadable("unreadable.infinity")
    if not found:
        raise Unreadable("unreadable.vector")
    return found


def separated(tokens: Sequence[AnswerToken], *, reason: str = "unreadable.vector") -> list[Extended]:
    """Numbers with one kind of separator between them."""
    semicolons = any(token.text == ";" for token in tokens)
    separator = ";" if semicolons else "،" if any(token.text == "،" for token in tokens) else ","
    if separator == "،" and any("," in token.text for token in tokens):
        raise Unreadable(reason)
    cursor = Cursor(list(tokens) if semicolons else list(commas_apart(tokens)), comma=semicolons)
    found: list[Extended] = []
    while True:
        item = cursor.extended()
        if item is None:
            raise Unreadable(reason)
        found.append(item)
        if cursor.done:
            return found
        if not cursor.take_mark(separator):
            raise Unreadable(reason)


def inside_brackets(tokens: Sequence[AnswerToken], *, reason: str = "unreadable.vector") -> Sequence[AnswerToken]:
    """The tokens without the pair of brackets around them, of whatever kind."""
    if not tokens or tokens[0].kind != MARK or tokens[0].text not in OPENING:
        return tokens
    if tokens[-1].kind != MARK or tokens[-1].text not in CLOSING or len(tokens) < 2:
        raise Unreadable(reason)
    return tokens[1:-1]


def _window(tokens: Sequence[AnswerToken]) -> Window:
    tokens = inside_brackets(_without_heading(tokens), reason="unreadable.window")
    if any(_which(token) for token in tokens):
        return _named(tokens)
    dots = [place for place, token in enumerate(tokens) if token.kind == MARK and token.text == ".."]
    if dots:
        parts = [_one(tokens[: dots[0]]), _one(tokens[dots[0] + 1 :])]
    else:
        parts = separated(tokens, reason="unreadable.window")
    if len(parts) != 2:
        raise Unreadable("unreadable.window")
    return parts[0], parts[1]


def _one(tokens: Sequence[AnswerToken]) -> Extended:
    cursor = Cursor(list(commas_apart(tokens)))
    found = cursor.extended()
    if found is None or not cursor.done:
        raise Unreadable("unreadable.window")
    return found


def _without_heading(tokens: Sequence[AnswerToken]) -> Sequence[AnswerToken]:
    """`(α, β) = (3, ∞)` without what is before the second bracket."""
    if len(tokens) > 6 and tokens[5].kind == SIGN and tokens[5].text == "=":
        low, high = _which(tokens[1]), _which(tokens[3])
        if (low, high) == ("alpha", "beta") and all(tokens[place].kind == MARK for place in (0, 2, 4)):
            return tokens[6:]
    return tokens


def _which(token: AnswerToken) -> str | None:
    if token.kind != WORD:
        return None
    name = phrase(token.text)
    return "alpha" if name in ALPHA_SET else "beta" if name in BETA_SET else None


def _named(tokens: Sequence[AnswerToken]) -> Window:
    """`α=3, β=∞`, in either order, with or without a separator."""
    semicolons = any(token.text == ";" for token in tokens)
    cursor = Cursor(list(tokens) if semicolons else list(commas_apart(tokens)), comma=semicolons)
    ends: dict[str, Extended] = {}
    while not cursor.done:
        which = _which(cursor.tokens[cursor.at])
        cursor.at += 1
        if which is None or which in ends or not (cursor.take("=") or cursor.take_mark(":")):
            raise Unreadable("unreadable.window")
        end = cursor.extended()
        if end is None:
            raise Unreadable("unreadable.window")
        ends[which] = end
        if len(ends) == 1:
            cursor.take_mark(",;،")
    if len(ends) != 2:
        raise Unreadable("unreadable.window")
    return ends["alpha"], ends["beta"]


def _from_mapping(raw: dict[Any, Any]) -> Window:
    ends: dict[str, Extended] = {}
    for name, item in raw.items():
        which = next((_which(token) for token in tokens_of(text_of(name))), None)
        if which is None or which in ends:
            raise Unreadable("unreadable.window")
        ends[which] = extended(item)
    if len(ends) != 2:
        raise Unreadable("unreadable.window")
    return ends["alpha"], ends["beta"]


def _groups(tokens: Sequence[AnswerToken]) -> list[Sequence[AnswerToken]]:
    """Each window's tokens. Between arrows a window needs no brackets; without arrows, the first bracket opens and
    the next one closes."""
    if any(token.kind == MARK and token.text == ARROW for token in tokens):
        return _split(tokens)
    brackets = [place for place, token in enumerate(tokens) if token.kind == MARK and token.text in BRACKETS]
    if len(brackets) <= 2 or _without_heading(tokens) is not tokens:
        return [tokens]
    if len(brackets) % 2 or brackets[0] != 0 or brackets[-1] != len(tokens) - 1:
        raise Unreadable("unreadable.window")
    for closing, opening in zip(brackets[1:-1:2], brackets[2:-1:2], strict=True):
        between = tokens[closing + 1 : opening]
        if len(between) > 1 or any(token.kind != MARK or token.text not in ",;،" for token in between):
            raise Unreadable("unreadable.window")
    return [tokens[start : end + 1] for start, end in zip(brackets[::2], brackets[1::2], strict=True)]


def _split(tokens: Sequence[AnswerToken]) -> list[Sequence[AnswerToken]]:
    parts: list[list[AnswerToken]] = [[]]
    for token in tokens:
        if token.kind == MARK and token.text == ARROW:
            parts.append([])
        else:
            parts[-1].append(token)
    return list(parts)


def _is_extended(text: str) -> bool:
    try:
        extended(text)
    except Unreadable:
        return False
    return True
