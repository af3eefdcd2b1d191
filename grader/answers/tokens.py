"""Text to tokens, and a cursor that takes numbers and phrases from them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from grader.answers.refusal import Unreadable
from grader.answers.signs import folded, one_form
from grader.answers.words import ABOUT, INF, LONGEST_PHRASE, MINUS, OR, OR_LESS, OR_MORE, PERCENT, PLUS, meaning_of

Number: TypeAlias = int | Fraction
Extended: TypeAlias = Number | Literal["-inf", "inf"]

DIGITS_PER_PART = 40

NUMBER, WORD, SIGN, MARK = "number", "word", "sign", "mark"


class AnswerToken(NamedTuple):
    kind: str
    text: str
    spaced: bool
    """Whether a space is before it."""


# No alternative repeats a repetition, so the time is linear in the text.
_TOKEN = re.compile(
    r"(?P<number>[0-9]+(?:[.,'’٬_][0-9]+)*|\.[0-9]+|[¼-¾⅐-⅞])"
    r"|(?P<word>\\[A-Za-z]+|[^\W\d_][\w'’\u200c\u200d\u0300-\u036f\u064b-\u065f\u0670]*)"
    r"|(?P<sign><=|=<|>=|=>|==|!=|<>|=/=|:=|[<>=≤≥≠⩽⩾≦≧])"
    r"|(?P<mark>->|[→⟶⇒➝➔]|\.{2,3}|…|\S)"
)
_SIGNS = {
    **dict.fromkeys(("<=", "=<", "≤", "⩽", "≦"), "<="),
    **dict.fromkeys((">=", "=>", "≥", "⩾", "≧"), ">="),
    **dict.fromkeys(("=", "==", ":="), "="),
    **dict.fromkeys(("!=", "<>", "=/=", "≠"), "!="),
    "<": "<",
    ">": ">",
}
_MARKS = {**dict.fromkeys(("->", "→", "⟶", "⇒", "➝", "➔"), "→"), **dict.fromkeys(("..", "...", "…"), "..")}
_LATEX = re.compile(r"\\(?:left|right|mathbb|[,;:!])|\$")
_EXPONENT = re.compile(r"[eE][0-9]*\Z").match


def tokens_of(text: str) -> list[AnswerToken]:
    if "\\" in text or "$" in text:
        text = _LATEX.sub("", text).replace("{R}", "R")
        # Without the other brace escaped too, R\{3} is a difference of sets.
        text = text.replace("\\{", "{").replace("\\}", "}") if "\\}" in text else text
    return list(_tokens(one_form(text)))


def _tokens(text: str) -> Iterator[AnswerToken]:
    end = 0
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or MARK
        written = found.group()
        if kind == SIGN:
            written = _SIGNS[written]
        elif kind == MARK:
            written = _MARKS.get(written, written)
        yield AnswerToken(kind, written, found.start() > end)
        end = found.end()


def commas_apart(tokens: Iterable[AnswerToken]) -> Iterator[AnswerToken]:
    """The tokens where a comma separates: `2,5` are two numbers."""
    for token in tokens:
        if token.kind != NUMBER or "," not in token.text:
            yield token
            continue
        parts = token.text.split(",")
        if any(len(part) == 3 and part.startswith("0") for part in parts[1:]):
            raise Unreadable("unreadable.thousands")
        yield AnswerToken(NUMBER, parts[0], token.spaced)
        for part in parts[1:]:
            yield AnswerToken(MARK, ",", False)
            yield AnswerToken(NUMBER, part, False)


class Cursor:
    """A place among tokens. With `comma`, decimals are known to be written with a comma, so 1,024 is not a thousand;
    with `rounded`, a number may say that it is about right."""

    def __init__(
        self, tokens: Sequence[AnswerToken], comma: bool = False, name: str | None = None, rounded: bool = False
    ) -> None:
        self.tokens = tokens
        self.at = 0
        self.comma = comma
        self.rounded = rounded
        self.name = None if name is None else folded(name)

    @property
    def done(self) -> bool:
        return self.at >= len(self.tokens)

    def peek(self, ahead: int = 0) -> AnswerToken | None:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def is_mark(self, marks: str | Sequence[str], ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token is not None and token.kind == MARK and token.text in marks

    def take_mark(self, marks: str | Sequence[str]) -> str | None:
        if not self.is_mark(marks):
            return None
        self.at += 1
        return self.tokens[self.at - 1].text

    def at_name(self) -> bool:
        token = self.peek()
        return self.name is not None and token is not None and token.kind == WORD and folded(token.text) == self.name

    def meaning(self) -> tuple[str | None, int]:
        """What the longest phrase from here on means, and how many tokens it has."""
        token = self.peek()
        if token is None or token.kind == NUMBER or self.at_name():
            return None, 0
        if token.kind == SIGN:
            return token.text, 1
        words = []
        for ahead in range(LONGEST_PHRASE):
            following = self.peek(ahead)
            if following is None or following.kind not in (WORD, MARK):
                break
            words.append(following.text)
        for length in range(len(words), 0, -1):
            found = meaning_of(words[:length])
            if found is not None:
                return found, length
        return None, 0

    def take(self, *wanted: str) -> str | None:
        """The meaning of the phrase here, if it is one of those wanted."""
        found, length = self.meaning()
        if found in (OR_LESS, OR_MORE) and OR in wanted:
            found, length = OR, 1  # `or more` in `x < 2 or more than 5`.
        if found not in wanted:
            return None
        self.at += length
        return found

    def number(self) -> Number | None:
        """The number here; None if there is none."""
        found = self.extended()
        if isinstance(found, str):
            raise Unreadable("unreadable.infinity")
        return found

    def extended(self) -> Extended | None:
        """The number or infinity here; None, and the place unchanged, if there is neither."""
        start = self.at
        negative = False
        if self.take(ABOUT) and not self.rounded:
            raise Unreadable("unreadable.about")
        mark = self.take_mark("+-") or self.take(MINUS, PLUS)
        if mark:
            negative = mark in ("-", MINUS)
        token = self.peek()
        if token is not None and token.kind == NUMBER:
            self.at += 1
            size = self._magnitude(token)
            return -size if negative else size
        if self.take(INF):
            return "-inf" if negative else "inf"
        self.at = start
        return None

    def _magnitude(self, token: AnswerToken) -> Number:
        size = self._fraction(token) if self.is_mark("/") else numeral(token.text, self.comma)
        following = self.peek()
        if following is not None and following.kind == NUMBER:
            size = simplest(Fraction(size + self._broken_part(token, following)))
            following = self.peek()
        if following is None:
            return size
        if following.kind == WORD and not following.spaced:
            raise Unreadable("unreadable.exponent" if _EXPONENT(following.text) else "unreadable.number")
        if following.kind == MARK and following.text == "‰":
            raise Unreadable("unreadable.percent")
        return simplest(Fraction(size) / 100) if self.take(PERCENT) else size

    def _broken_part(self, token: AnswerToken, following: AnswerToken) -> Number:
        """The fraction of a mixed number: of `1 1/2` and `1½`."""
        whole = token.text.isdigit() and self.tokens[self.at - 1] is token
        if whole and len(following.text) == 1 and not following.text.isdigit():
            self.at += 1
            return numeral(following.text, self.comma)
        if whole and following.spaced and self.is_mark("/", 1):
            self.at += 1
            part = self._fraction(following)
            if part < 1:
                return part
        spaced_thousands = token.text.isdigit() and re.match(r"[0-9]{3}(?![0-9])", following.text)
        ratio = self.is_mark("/", 1)
        raise Unreadable("unreadable.thousands" if spaced_thousands and not ratio else "unreadable.mixed")

    def _fraction(self, token: AnswerToken) -> Number:
        self.at += 1
        below = self.peek()
        if below is None or below.kind != NUMBER or not (token.text.isdigit() and below.text.isdigit()):
            raise Unreadable("unreadable.number")
        self.at += 1
        numerator, denominator = numeral(token.text, self.comma), numeral(below.text, self.comma)
        if denominator == 0:
            raise Unreadable("unreadable.zero")
        if self.is_mark("/"):
            raise Unreadable("unreadable.number")
        return simplest(Fraction(numerator, denominator))


def numeral(text: str, comma: bool) -> Number:
    """A numeral without sign: digits, with one point or comma in them, or a sign such as ½."""
    if text.isdigit() and text.isascii():
        _check_digits(text)
        return int(text)
    if len(text) == 1:
        above, _, below = unicodedata.normalize("NFKC", text).partition("⁄")
        return Fraction(int(above), int(below))
    before, sign, after = text.partition("," if "," in text else ".")
    if not sign or not after.isdigit() or (before and not before.isdigit()):
        raise Unreadable("unreadable.thousands")
    if sign == "," and not comma and len(after) == 3 and len(before) <= 3 and not before.startswith("0"):
        # 1,024 is a thousand to some and little more than one to others.
        raise Unreadable("unreadable.thousands")
    _check_digits(before)
    _check_digits(after)
    return simplest(Fraction(int(before + after), 10 ** len(after)))


def _check_digits(part: str) -> None:
    if len(part) > DIGITS_PER_PART:
        raise Unreadable("unreadable.digits")


def simplest(number: Fraction) -> Number:
    return number.numerator if number.denominator == 1 else number
