"""The text of a Gambit .efg file as tokens, each with its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, NoReturn

from solver.kernel.errors import DocumentError
from solver.kernel.problems import Place, Problem, quoted

TEXT, WORD, END = "a string in quotes", "a word", "the end of the file"

_NEXT = re.compile(r'[ \t\r\n]*(?:([{},"])|([^ \t\r\n{},"]+))')


class Token(NamedTuple):
    kind: str
    """TEXT, WORD, END, or one of the characters { } , itself."""
    text: str
    offset: int


class Tokens:
    """One token of a file after the other; white space means nothing outside quotes."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._rest = self._read()
        self.now = next(self._rest)

    def take(self) -> Token:
        """The token that the reader is at; the reader moves on."""
        token = self.now
        if token.kind != END:
            self.now = next(self._rest)
        return token

    def expect(self, kind: str, what: str) -> Token:
        if self.now.kind != kind:
            self.wrong(what)
        return self.take()

    def skip(self, kind: str) -> bool:
        """Whether the reader was at such a token, and went past it."""
        found = self.now.kind == kind
        if found:
            self.take()
        return found

    def wrong(self, what: str) -> NoReturn:
        """The token that the reader is at is not what must come there."""
        token = self.now
        found = END if token.kind == END else f"the string {quoted(token.text)}" if token.kind == TEXT else token.text
        self.fail(token.offset, f"{what} is expected here, not {found if token.kind != WORD else quoted(token.text)}")

    def fail(self, offset: int, message: str, hint: str = "", code: str = "efg") -> NoReturn:
        raise DocumentError([Problem(self.place(offset), code, message, hint)])

    def place(self, offset: int) -> Place:
        line = bisect_right(self._lines, offset)
        return Place(line, offset - self._lines[line - 1] + 1)

    @cached_property
    def _lines(self) -> list[int]:
        """Where each line starts."""
        return [0, *(found.end() for found in re.finditer("\n", self.source))]

    def _read(self) -> Iterator[Token]:
        source = self.source
        at = 0
        while found := _NEXT.match(source, at):
            sign, word = found.groups()
            at = found.end()
            if word is not None:
                yield Token(WORD, word, at - len(word))
            elif sign == '"':
                end = self._closing_quote(at)
                yield Token(TEXT, source[at:end].replace('\\"', '"'), at - 1)
                at = end + 1
            else:
                yield Token(sign, sign, at - 1)
        yield Token(END, "", len(source.rstrip()))

    def _closing_quote(self, at: int) -> int:
        """The next quote without a backslash before it, as Gambit reads it."""
        end = self.source.find('"', at)
        while end > at and self.source[end - 1] == "\\":
            end = self.source.find('"', end + 1)
        if end < 0:
            self.fail(at - 1, "the string that starts here has no closing quote")
        return end
