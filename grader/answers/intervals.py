"""Ranges of an unknown as people write them: `x <= 3`, `2 < x ≤ 5`, `]-∞; 3]`, `x < 2 or x > 5`, `{3, 4}`.

range  = both { or both }                    or: a word, ∪ or ";", never a comma
both   = one { and one | without one }
one    = every x | none | ( range ) | [x in] interval | [x in] {numbers} | chain
chain  = x ≤ 3 | 3 ≥ x | ≤ 3 | 3 or less | 2 < x ≤ 5 | 3
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, NoReturn

from grader.answers.interval_set import EMPTY, EVERY, IntervalSet, point
from grader.answers.numbers import SIGNS, TURNED, extended, number_tokens, sign_behind
from grader.answers.refusal import Unreadable, reader
from grader.answers.signs import same_name
from grader.answers.tokens import MARK, NUMBER, SIGN, WORD, AnswerToken, Cursor, Extended
from grader.answers.windows import BRACKETS, CLOSING, OPENING, separated
from grader.answers.words import ALL, AND, AT_LEAST, AT_MOST, IN, IS, NONE, NOT_IN, OR, REALS, WITHOUT

MOST_PARTS = 100
"""Parts joined by "or" and "and"; no honest answer has that many."""
DEEPEST_BRACKETS = 10


@reader
def intervals(raw: Any, unknown: str, *, comma: bool = False) -> IntervalSet:
    """The numbers that a range of the unknown says; `comma` as for a number."""
    if isinstance(raw, list):
        return _from_list(raw)
    if isinstance(raw, dict):
        return _from_mapping(raw)
    parser = _Ranges(Cursor(number_tokens(raw), comma, unknown), unknown)
    found = parser.range(0)
    if not parser.cursor.done:
        parser.fail()
    return found


def _from_list(raw: list[Any]) -> IntervalSet:
    """A list of two is the interval that its brackets look like, ends included."""
    if not raw:
        return EMPTY
    if len(raw) != 2:
        raise Unreadable("unreadable.range")
    return _between(extended(raw[0]), extended(raw[1]), True, True)


def _from_mapping(raw: dict[Any, Any]) -> IntervalSet:
    """`{3, 4}` is YAML's way to write a mapping of nothing."""
    if any(item not in (None, "") for item in raw.values()):
        raise Unreadable("unreadable.range")
    numbers = []
    for name in raw:
        number = extended(name)
        if isinstance(number, str):
            raise Unreadable("unreadable.infinity")
        numbers.append((number, number, True, True))
    return IntervalSet.of(numbers)


def _between(low: Extended, high: Extended, low_closed: bool, high_closed: bool) -> IntervalSet:
    if low == "inf" or high == "-inf" or (not isinstance(low, str) and not isinstance(high, str) and low > high):
        raise Unreadable("unreadable.range.reversed", low=str(low), high=str(high))
    return IntervalSet.of([(low, high, low_closed, high_closed)])


def _holds(sign: str, number: Extended) -> IntervalSet:
    """How x compares with a number, by its sign."""
    if isinstance(number, str):
        # Every number lies strictly between the infinities.
        below = number == "inf"
        if sign in ("=", "!="):
            return EMPTY if sign == "=" else EVERY
        return EVERY if sign.startswith("<") == below else EMPTY
    if sign == "=":
        return point(number)
    if sign == "!=":
        return ~point(number)
    closed = sign.endswith("=")
    return IntervalSet.of([("-inf", number, False, closed) if sign[0] == "<" else (number, "inf", closed, False)])


class _TheUnknown(Enum):
    X = "x"


class _Ranges:
    def __init__(self, cursor: Cursor, unknown: str) -> None:
        self.cursor = cursor
        self.unknown = unknown
        self.parts = 0
        self.bare = False
        """Whether the last part was a number alone."""

    def fail(self) -> NoReturn:
        token = self.cursor.peek()
        following = self.cursor.peek(1)
        compared = following is not None and following.kind == SIGN
        named = token is not None and token.kind == WORD and not self.cursor.at_name()
        if token is not None and named and (compared or not self.cursor.meaning()[0]):
            raise Unreadable("unreadable.range.name", name=token.text[:40], unknown=self.unknown)
        raise Unreadable("unreadable.range")

    def range(self, depth: int) -> IntervalSet:
        found = self.both(depth)
        while self.cursor.take(OR) or self.cursor.take_mark(";"):
            found |= self.both(depth)
        return found

    def both(self, depth: int) -> IntervalSet:
        found = self.one(depth)
        while True:
            if self.cursor.take(AND):
                before = self.bare
                found &= self.one(depth)
                if before or self.bare:
                    self.fail()  # `3 and 4` may mean both, or none.
            elif self._take_without():
                found &= ~self.one(depth)
            else:
                return found

    def _take_without(self) -> bool:
        # ℝ − {3}: a minus sign before a bracket takes away.
        if self.cursor.is_mark("-") and self.cursor.is_mark("{", 1):
            return self.cursor.take_mark("-") is not None
        return self.cursor.take(WITHOUT) is not None

    def one(self, depth: int) -> IntervalSet:
        self.parts += 1
        self.bare = False
        if self.parts > MOST_PARTS or depth > DEEPEST_BRACKETS:
            raise Unreadable("unreadable.too-long")
        cursor = self.cursor
        word = cursor.take(ALL, REALS, NONE)
        # `all x < 3` is the comparison.
        following = cursor.peek(1)
        compared = word == ALL and cursor.at_name() and following is not None and following.kind == SIGN
        if word and not compared:
            return self._whole(word)
        start = cursor.at
        if cursor.at_name():
            cursor.at += 1
            relation = cursor.take(IN, NOT_IN)
            if relation:
                inside = self._collection(depth)
                return inside if relation == IN else ~inside
            if cursor.take("=", IS) and cursor.is_mark("{"):
                return self._collection(depth)
            cursor.at = start
        if cursor.is_mark(OPENING):
            return self._bracketed(depth)
        return self._chain()

    def _whole(self, word: str) -> IntervalSet:
        """`every x`, `all real numbers`, `no x`."""
        if word == ALL:
            self.cursor.take(REALS)
        if self.cursor.at_name():
            self.cursor.at += 1
            if word == ALL and self.cursor.take(IN) and not self.cursor.take(REALS):
                self.fail()
        return EMPTY if word == NONE else EVERY

    def _collection(self, depth: int) -> IntervalSet:
        word = self.cursor.take(REALS, NONE)
        if word:
            return EMPTY if word == NONE else EVERY
        if not self.cursor.is_mark(OPENING):
            self.fail()
        return self._bracketed(depth)

    def _bracketed(self, depth: int) -> IntervalSet:
        """An interval, a set, or a range in brackets; they differ in what comes before the next bracket."""
        cursor = self.cursor
        opening = cursor.tokens[cursor.at].text
        inside = self._to_next_bracket()
        closing = cursor.peek(len(inside) + 1)
        if closing is None:
            self.fail()
        if not inside and opening + closing.text in ("{}", "[]"):
            cursor.at += 2
            return EMPTY
        if any(_is_name(token, self.unknown) for token in inside) or closing.text in "({":
            return self._in_brackets(depth, opening)
        if closing.text in CLOSING and (opening == "{") == (closing.text == "}"):
            cursor.at += len(inside) + 2
            numbers = separated(inside, reason="unreadable.range")
            if opening == "{":
                return IntervalSet.of([(number, number, True, True) for number in numbers if self._finite(number)])
            if len(numbers) == 2:
                return _between(numbers[0], numbers[1], opening == "[", closing.text == "]")
        raise Unreadable("unreadable.range")

    def _finite(self, number: Extended) -> bool:
        if isinstance(number, str):
            raise Unreadable("unreadable.infinity")
        return True

    def _to_next_bracket(self) -> Sequence[AnswerToken]:
        start = self.cursor.at + 1
        for place in range(start, len(self.cursor.tokens)):
            token = self.cursor.tokens[place]
            if token.kind == MARK and token.text in BRACKETS:
                return self.cursor.tokens[start:place]
        return self.cursor.tokens[start:]

    def _in_brackets(self, depth: int, opening: str) -> IntervalSet:
        """`(x < 2 or x > 5)`, `{x | x > 3}`."""
        cursor = self.cursor
        cursor.at += 1
        if opening == "{":
            if not cursor.at_name():
                self.fail()
            cursor.at += 1
            if cursor.take(IN) and not cursor.take(REALS):
                self.fail()
            if not cursor.take_mark("|:"):
                self.fail()
        elif opening != "(":
            self.fail()
        found = self.range(depth + 1)
        if not cursor.take_mark("}" if opening == "{" else ")"):
            self.fail()
        return found

    def _chain(self) -> IntervalSet:
        """Comparisons in a row, with the unknown exactly once; where it is left out, it is before the sign."""
        left = self._operand()
        if isinstance(left, _TheUnknown) or left is None:
            return self._unknown_first(self._sign_before())
        sign = self._sign()
        if sign is None:
            self.bare = True
            return self._bare("=", left)
        if not isinstance(self._operand(), _TheUnknown):
            self.fail()
        found = _holds(TURNED.get(sign, sign), left)
        second = self._sign()
        if second is None:
            return found
        third = self._operand()
        # 2 < x > 5 and 2 = x = 3 mean nothing that one could be sure of.
        if third is None or isinstance(third, _TheUnknown) or sign[0] != second[0] or sign[0] not in "<>":
            self.fail()
        return self._ended(found & _holds(second, third))

    def _unknown_first(self, sign: str | None) -> IntervalSet:
        right = None if sign is None else self._operand()
        if sign is None or right is None or isinstance(right, _TheUnknown):
            self.fail()
        return self._bare("=", right) if sign == "=" else self._ended(_holds(sign, right))

    def _bare(self, sign: str, number: Extended) -> IntervalSet:
        """A number, perhaps with `or less` behind it."""
        if isinstance(number, str):
            self.fail()
        return self._ended(_holds(self._suffix() or sign, number))

    def _suffix(self) -> str | None:
        """`or less`, but not the beginning of `or less than 5`."""
        start = self.cursor.at
        found = sign_behind(self.cursor)
        token = self.cursor.peek()
        if found and token is not None and token.kind in (WORD, NUMBER) and not self.cursor.meaning()[0]:
            self.cursor.at = start
            return None
        return found

    def _ended(self, found: IntervalSet) -> IntervalSet:
        self.cursor.take(IS)  # In Persian the verb comes last.
        if self.cursor.meaning()[0] in (*SIGNS, "!="):
            self.fail()
        return found

    def _sign(self) -> str | None:
        verb = self.cursor.take(IS)
        return self.cursor.take(*SIGNS, "!=") or ("=" if verb else None)

    def _sign_before(self) -> str | None:
        start = self.cursor.at
        self.cursor.take(IS)
        adverb = self.cursor.take(AT_MOST, AT_LEAST)
        if adverb:
            return "<=" if adverb == AT_MOST else ">="
        self.cursor.at = start
        return self._sign()

    def _operand(self) -> Extended | _TheUnknown | None:
        if self.cursor.at_name():
            self.cursor.at += 1
            return _TheUnknown.X
        return self.cursor.extended()


def _is_name(token: AnswerToken, unknown: str) -> bool:
    return token.kind == WORD and same_name(token.text, unknown)
