"""A stream of parser events becomes a document.

PyYAML's C parser and our careful JSON scanner speak the same events, so one loop applies the reading rules to both.
It never recurses, and goes on after a problem as long as the events do.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
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

from solver.limits import Limits
from solver.problems import WHOLE_FILE, Place, ProblemLog, quoted
from solver.reading.characters import FORBIDDEN, report_character
from solver.reading.document import REPORTED, WRITTEN_KINDS, Data, Document, Mark

NULLS = frozenset(["", "~", "null", "Null", "NULL"])


def assemble(next_event: Callable[[], Event], limits: Limits, problems: ProblemLog) -> Document | None:
    """The document, or None when nothing useful could be read; problems go to the log."""
    reader = _Assembly(limits, problems)
    longest = limits.text_length
    deepest = limits.nesting
    marks: dict[int, tuple[Mark, Any]] = {}
    stack: list[tuple[Any, Any, bool, str | None, Mark | None]] = []
    root: list[Data] = []
    here: Any = root
    here_marks: Any = []
    in_mapping = False
    key: str | None = None
    key_mark: Mark | None = None
    event: Any
    while True:
        event = next_event()
        kind = type(event)
        if kind is ScalarEvent:
            text = event.value
            mark = event.start_mark
            if text in NULLS or len(text) > longest or event.tag is not None or event.anchor is not None:
                text = reader.odd_scalar(event, is_key=in_mapping and key is None)
            if not in_mapping:
                here.append(text)
                here_marks.append(mark)
            elif key is None:
                key, key_mark = text, mark
                if not key.isascii():
                    key = unicodedata.normalize("NFC", key)
                if key in here or key == "<<":
                    reader.odd_key(key, event, here_marks)
            else:
                here[key] = text
                here_marks[key] = (key_mark, mark)
                key = None
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            mark = event.start_mark
            if event.tag is not None or event.anchor is not None:
                reader.odd_properties(event)
            if len(stack) >= deepest:
                reader.report(mark, "nesting", f"nested deeper than {deepest} levels", "use the flat form: root and nodes")
                return None
            new: Any
            new_marks: Any
            new, new_marks = ({}, {}) if kind is MappingStartEvent else ([], [])
            marks[id(new)] = (mark, new_marks)
            stack.append((here, here_marks, in_mapping, key, key_mark))
            if not in_mapping:
                here.append(new)
                here_marks.append(mark)
            elif key is None:
                reader.report(mark, "complex-key", "a key must be a text, not a list or mapping")
            else:
                here[key] = new
                here_marks[key] = (key_mark, mark)
            here, here_marks, in_mapping, key = new, new_marks, kind is MappingStartEvent, None
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            here, here_marks, in_mapping, key, key_mark = stack.pop()
            if in_mapping:
                # A complex key stands for nothing; what follows it is its value.
                key = REPORTED if key is None else None
        elif kind is AliasEvent:
            reader.report(event.start_mark, "alias", f"alias *{event.anchor} is not allowed", "write the value out")
            if not in_mapping:
                here.append(REPORTED)
                here_marks.append(event.start_mark)
            elif key is None:
                key, key_mark = REPORTED, event.start_mark
            else:
                here[key] = REPORTED
                here_marks[key] = (key_mark, event.start_mark)
                key = None
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

    def may_start(self, event: Any) -> bool:
        self.documents += 1
        if event.version or event.tags:
            self.report(event.start_mark, "directive", "YAML directives are not allowed", "delete the line that starts with %")
        if self.documents > 1:
            self.report(event.start_mark, "many-documents", "a second document starts here", "use one file for each document")
            return False
        return True

    def odd_properties(self, event: Any) -> None:
        if event.tag is not None:
            self.report(event.start_mark, "tag", f"tag {quoted(event.tag)} is not allowed", "values are read by what they look like")
        if event.anchor is not None:
            self.report(event.start_mark, "anchor", f"anchor &{event.anchor} is not allowed", "write the value out where it is used")

    def odd_scalar(self, event: Any, is_key: bool) -> Any:
        text: str = event.value
        if event.tag is not None or event.anchor is not None:
            self.odd_properties(event)
            return text or REPORTED
        if len(text) > self.limits.text_length:
            self.report(event.start_mark, "long-text", f"a text of {len(text)} characters; at most {self.limits.text_length} are allowed")
            return text[:64] if is_key else REPORTED
        if text and event.style is not None:
            return text
        if is_key:
            self.report(event.start_mark, "null", "a key must not be empty", "write a name before the colon")
            return REPORTED
        self.nulls.append(event.start_mark)
        return None

    def odd_key(self, key: str, event: Any, marks: Any) -> None:
        if key == "<<" and event.style is None:
            self.report(event.start_mark, "merge-key", "merge keys (<<) are not allowed", "write the keys out")
        elif key in marks and key != REPORTED:
            first = marks[key][0]
            self.report(
                event.start_mark,
                "duplicate-key",
                f"key {quoted(key)} is written twice; the first is at line {first.line + 1}, column {first.column + 1}",
                "delete or rename one of them",
            )

    def finished(self, root: list[Data], marks: Any) -> Document | None:
        if not root:
            if not self.problems:
                self.problems.add(WHOLE_FILE, "empty-document", "there is no document in this file")
            return None
        document = Document(root[0], marks)
        if self.nulls and document.kind not in WRITTEN_KINDS:
            for mark in self.nulls:
                self.report(mark, "null", "a value is missing here (null, ~ and empty texts are not allowed)")
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
                if found := FORBIDDEN.search(key):
                    report_character(found.group(), document.key_place(here, key), problems)
                _look(here, key, item, document, problems, pending)
        elif isinstance(here, list):
            for index, item in enumerate(here):
                _look(here, index, item, document, problems, pending)


def _look(here: Any, key: Any, item: Any, document: Document, problems: ProblemLog, pending: list[Any]) -> None:
    if isinstance(item, str):
        if found := FORBIDDEN.search(item):
            report_character(found.group(), document.place(here, key), problems)
    elif item is not None:
        pending.append(item)
