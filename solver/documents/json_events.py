"""JSON as parser events with places: the careful path, taken when the fast one found something to complain about."""

from __future__ import annotations

import json.decoder
import re
from collections.abc import Callable, Iterator
from typing import Any

from yaml.events import (
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from solver.documents.document import Spot

_SPACE = re.compile(r"[ \t\n\r]*").match
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity").match
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"').match
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonError(Exception):
    def __init__(self, mark: Spot, message: str) -> None:
        super().__init__(message)
        self.mark = mark
        self.message = message


def json_events(text: str) -> Callable[[], Event]:
    """A function that gives the next event at each call, as PyYAML's parser does; JsonError where it is not JSON."""
    events = _Scanner(text).events()
    return lambda: next(events)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 0
        self.line_start = 0

    def events(self) -> Iterator[Event]:
        closers: list[str] = []
        expect = "value"
        while True:
            mark = self.skip_space()
            sign = self.text[self.at : self.at + 1]
            if sign in ("}", "]") and expect in ("key", "value") and self.text[: self.at].rstrip().endswith(","):
                raise JsonError(mark, "there is an extra comma before this bracket")
            if expect in ("key", "first key") and not (sign == "}" and expect == "first key"):
                yield self.string(mark, "a key in double quotes")
                mark = self.skip_space()
                if self.text[self.at : self.at + 1] != ":":
                    raise JsonError(mark, "expected : after the key")
                self.at += 1
                expect = "value"
                continue
            if expect == "comma" and sign == ",":
                self.at += 1
                expect = "key" if closers[-1] == "}" else "value"
                continue
            if closers and sign == closers[-1] and expect in ("comma", "first key", "first item"):
                self.at += 1
                closers.pop()
                yield _event(MappingEndEvent if sign == "}" else SequenceEndEvent, mark)
            elif expect == "comma":
                raise JsonError(mark, f"expected , or {closers[-1]}")
            elif sign == "{":
                self.at += 1
                closers.append("}")
                yield _event(MappingStartEvent, mark)
                expect = "first key"
                continue
            elif sign == "[":
                self.at += 1
                closers.append("]")
                yield _event(SequenceStartEvent, mark)
                expect = "first item"
                continue
            elif sign == '"':
                yield self.string(mark, "a string")
            elif found := _PLAIN(self.text, self.at):
                self.at = found.end()
                yield _scalar(found.group(), mark, None)
            else:
                raise JsonError(mark, "expected a value")
            if not closers:
                break
            expect = "comma"
        mark = self.skip_space()
        if self.at < len(self.text):
            raise JsonError(mark, "expected the end of the file")
        yield StreamEndEvent()

    def skip_space(self) -> Spot:
        found = _SPACE(self.text, self.at)
        assert found is not None
        breaks = self.text.count("\n", self.at, found.end())
        if breaks:
            self.line += breaks
            self.line_start = self.text.rfind("\n", self.at, found.end()) + 1
        self.at = found.end()
        return Spot(self.line, self.at - self.line_start)

    def string(self, mark: Spot, expected: str) -> Event:
        found = _STRING(self.text, self.at)
        if not found:
            raise JsonError(
                mark,
                f"expected {expected}"
                if self.text[self.at : self.at + 1] != '"'
                else "a string that is not closed, or has a wrong escape in it",
            )
        self.at = found.end()
        text: str = json.decoder.scanstring(self.text, found.start() + 1)[0]  # type: ignore[attr-defined]
        if _LONE_SURROGATE.search(text):
            raise JsonError(mark, "an escape gives half a surrogate pair")
        return _scalar(text, mark, '"')


def _scalar(text: str, mark: Spot, style: str | None) -> Event:
    make: Any = ScalarEvent
    return make(None, None, (True, True), text, mark, mark, style)  # type: ignore[no-any-return]


def _event(kind: type[Event], mark: Spot) -> Event:
    make: Any = kind
    if kind in (MappingStartEvent, SequenceStartEvent):
        return make(None, None, True, mark, mark)  # type: ignore[no-any-return]
    return make(mark, mark)  # type: ignore[no-any-return]
