"""The careful parser: a stream of parser events becomes a document, and every problem is reported at its place.

PyYAML's C parser and our careful JSON scanner speak the same events, so one loop applies the reading rules to both.
It never recurses, and goes on after a problem as long as the events do. JSON takes this path when the fast one found
something to complain about.
"""

from __future__ import annotations

import json.decoder
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from solver.documents.document import (
    FORBIDDEN_CHARACTERS,
    NULLS,
    REPORTED,
    WRITTEN_KINDS,
    Data,
    Document,
    Mark,
    Marks,
    Spot,
    report_character,
)
from solver.kernel.errors import WHOLE_FILE, Limits, Place, ProblemLog, quoted

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
            elif match := _PLAIN(self.text, self.at):
                self.at = match.end()
                yield _scalar(match.group(), mark, None)
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
        match = _SPACE(self.text, self.at)
        assert match is not None
        breaks = self.text.count("\n", self.at, match.end())
        if breaks:
            self.line += breaks
            self.line_start = self.text.rfind("\n", self.at, match.end()) + 1
        self.at = match.end()
        return Spot(self.line, self.at - self.line_start)

    def string(self, mark: Spot, expected: str) -> Event:
        match = _STRING(self.text, self.at)
        if not match:
            raise JsonError(
                mark,
                f"expected {expected}"
                if self.text[self.at : self.at + 1] != '"'
                else "a string that is not closed, or has a wrong escape in it",
            )
        self.at = match.end()
        text: str = json.decoder.scanstring(self.text, match.start() + 1)[0]  # type: ignore[attr-defined]
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


ODD_KEYS = NULLS | {"<<", None}
"""None stands for a key that is not a scalar."""


class TooDeep(Exception):
    """Reading stops; the problem has been reported."""


NextEvent = Callable[[], Event | None]


def assemble(
    next_event: NextEvent, text: str, limits: Limits, problems: ProblemLog, places: bool = True
) -> Document | None:
    """The document, or None when nothing useful could be read; problems go to the log. `places`: whether to keep them,
    which takes nearly as long as all else that is done with the events.

    `text` is what the events come from: a short one without & and ! needs no watch for long strings, anchors and tags.
    """
    reader = _Assembly(limits, problems)
    longest = limits.text_length
    watch = len(text) > longest or "&" in text or "!" in text
    deepest = limits.nesting
    marks: Marks = {}
    stack: list[tuple[Any, Any, bool]] = []
    root: list[Data] = []
    here: Any = root
    here_marks: list[Mark] = []
    in_mapping = False
    event: Any
    while True:
        event = next_event()
        kind = type(event)
        if in_mapping and kind is not MappingEndEvent:
            # A key; its value comes next.
            key: Any = event.value if kind is ScalarEvent else None
            if (
                key in ODD_KEYS
                or key in here
                or not key.isascii()
                or (watch and (len(key) > longest or event.tag or event.anchor))
            ):
                key = reader.odd_key(event, next_event, here, here_marks)
                if key is None:
                    reader.pass_over(next_event(), next_event)
                    continue
            if places:
                here_marks.append(event.start_mark)
            event = next_event()
            kind = type(event)
        if kind is ScalarEvent:
            scalar = event.value
            if scalar in NULLS or (watch and (len(scalar) > longest or event.tag or event.anchor)):
                scalar = reader.odd_scalar(event)
            if in_mapping:
                here[key] = scalar
            else:
                here.append(scalar)
            if places:
                here_marks.append(event.start_mark)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if watch:
                reader.odd_properties(event)
            if len(stack) >= deepest:
                reader.too_deep(event.start_mark)
                return None
            new: Any = {} if kind is MappingStartEvent else []
            if in_mapping:
                here[key] = new
            else:
                here.append(new)
            stack.append((here, here_marks, in_mapping))
            here, in_mapping = new, kind is MappingStartEvent
            if places:
                here_marks.append(event.start_mark)
                marks[id(new)] = here_marks = [event.start_mark]
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            here, here_marks, in_mapping = stack.pop()
        elif kind is AliasEvent:
            reader.alias(event)
            if in_mapping:
                here[key] = REPORTED
            else:
                here.append(REPORTED)
            if places:
                here_marks.append(event.start_mark)
        elif kind is DocumentStartEvent:
            if not reader.may_start(event):
                break
        elif kind is StreamEndEvent:
            break
    return reader.finished(root, marks)


class _Assembly:
    """The rare cases, kept out of the loop."""

    def __init__(self, limits: Limits, problems: ProblemLog) -> None:
        self.limits = limits
        self.problems = problems
        self.documents = 0
        self.nulls: list[Mark] = []

    def report(self, mark: Mark, code: str, message: str, hint: str = "") -> None:
        self.problems.add(Place(mark.line + 1, mark.column + 1), code, message, hint)

    def too_deep(self, mark: Mark) -> None:
        message = f"nested deeper than {self.limits.nesting} levels"
        self.report(mark, "nesting", message, "use the flat form: root and nodes")

    def may_start(self, event: Any) -> bool:
        self.documents += 1
        if event.version or event.tags:
            self.report(
                event.start_mark, "directive", "YAML directives are not allowed", "delete the line that starts with %"
            )
        if self.documents > 1:
            self.report(
                event.start_mark, "many-documents", "a second document starts here", "use one file for each document"
            )
            return False
        return True

    def odd_properties(self, event: Any) -> None:
        if event.tag is not None:
            self.report(
                event.start_mark,
                "tag",
                f"tag {quoted(event.tag)} is not allowed",
                "values are read by what they look like",
            )
        if event.anchor is not None:
            self.report(
                event.start_mark,
                "anchor",
                f"anchor &{event.anchor} is not allowed",
                "write the value out where it is used",
            )

    def odd_scalar(self, event: Any) -> Any:
        """A value that is null, too long, or has a tag or anchor."""
        text: str = event.value
        if event.tag is not None or event.anchor is not None:
            self.odd_properties(event)
            return text
        if len(text) > self.limits.text_length:
            self.too_long(event)
            return REPORTED
        if text and event.style:
            return text
        self.nulls.append(event.start_mark)
        return None

    def odd_key(self, event: Any, next_event: NextEvent, here: dict[str, Data], marks: list[Mark]) -> str | None:
        """The key to file an item under that is not a plain new one; None if the item is to be passed over."""
        mark: Mark = event.start_mark
        if type(event) is AliasEvent:
            self.alias(event)
            return None
        if type(event) is not ScalarEvent:
            self.report(mark, "complex-key", "a key must be a string, not a list or mapping")
            self.pass_over(event, next_event)
            return None
        key = unicodedata.normalize("NFC", event.value)
        if event.tag is not None or event.anchor is not None:
            self.odd_properties(event)
        elif len(key) > self.limits.text_length:
            self.too_long(event)
            return None
        elif not key or (key in NULLS and not event.style):
            self.report(mark, "null", "a key must not be empty or null", "write a name before the colon")
            return None
        if key == "<<" and not event.style:
            self.report(mark, "merge-key", "merge keys (<<) are not allowed", "write the keys out")
            return None
        if key in here:
            self.repeated_key(key, mark, here, marks)
            return None
        return key or None

    def repeated_key(self, key: str, mark: Mark, here: dict[str, Data], marks: list[Mark]) -> None:
        message = f"key {quoted(key)} is written twice"
        if not self.problems.full:
            first = marks[2 * list(here).index(key) + 1]
            message += f"; the first is at line {first.line + 1}, column {first.column + 1}"
        self.report(mark, "duplicate-key", message, "delete or rename one of them")

    def pass_over(self, event: Any, next_event: NextEvent) -> None:
        """Leave out an item, with all that is in it."""
        mark: Mark = event.start_mark
        depth = int(isinstance(event, MappingStartEvent | SequenceStartEvent))
        while depth:
            if depth > self.limits.nesting:
                self.too_deep(mark)
                raise TooDeep
            event = next_event()
            depth += isinstance(event, MappingStartEvent | SequenceStartEvent)
            depth -= isinstance(event, MappingEndEvent | SequenceEndEvent)

    def too_long(self, event: Any) -> None:
        message = f"a string of {len(event.value):,} characters; at most {self.limits.text_length:,} are allowed"
        self.report(event.start_mark, "long-text", message)

    def alias(self, event: Any) -> None:
        self.report(event.start_mark, "alias", f"alias *{event.anchor} is not allowed", "write the value out")

    def finished(self, root: list[Data], marks: Any) -> Document | None:
        if not root:
            if not self.problems:
                self.problems.add(WHOLE_FILE, "empty-document", "there is no document in this file")
            return None
        document = Document(root[0], marks)
        if self.nulls and document.kind not in WRITTEN_KINDS:
            for mark in self.nulls:
                self.report(mark, "null", "a value is missing here (null, ~ and empty strings are not allowed)")
            _blank_nulls(document)
        return document


def _blank_nulls(document: Document) -> None:
    pending: list[Any] = [document.data]
    if document.data is None:
        document.data = REPORTED
    while pending:
        here = pending.pop()
        items = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        for key, item in list(items):
            if item is None:
                here[key] = REPORTED
            elif not isinstance(item, str):
                pending.append(item)


def check_escaped_characters(document: Document, problems: ProblemLog) -> None:
    """Escapes can spell forbidden characters that the raw text does not show; look at every text once more."""
    pending: list[Any] = [document.data]
    while pending:
        here = pending.pop()
        if isinstance(here, dict):
            for key, item in here.items():
                if match := FORBIDDEN_CHARACTERS.search(key):
                    report_character(match.group(), document.key_place(here, key), problems)
                _look(here, key, item, document, problems, pending)
        elif isinstance(here, list):
            for index, item in enumerate(here):
                _look(here, index, item, document, problems, pending)


def _look(here: Any, key: Any, item: Any, document: Document, problems: ProblemLog, pending: list[Any]) -> None:
    if isinstance(item, str):
        if match := FORBIDDEN_CHARACTERS.search(item):
            report_character(match.group(), document.place(here, key), problems)
    elif item is not None:
        pending.append(item)
