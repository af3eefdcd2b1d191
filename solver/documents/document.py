"""A document as it was read: plain data, and the place of every key and item.

Data is made of `dict`, `list` and `str` only: every scalar is kept as the text it was written as. A string that was
reported as a problem is replaced by `REPORTED`, so that later stages pass over it without a second complaint. Text
is UTF-8 only, and has none of the characters that hide or reorder what is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

from solver.kernel.errors import WHOLE_FILE, Place, ProblemLog

Data: TypeAlias = "str | list[Data] | dict[str, Data] | None"
Container: TypeAlias = "list[Data] | dict[str, Data]"
Key: TypeAlias = str | int

REPORTED = ""

NULLS = frozenset(["", "~", "null", "Null", "NULL"])
"""What means nothing, unless it is in quotes and not empty."""

# Kinds that Plymark writes; only they may hold null (a leaf has no turn).
WRITTEN_KINDS = ("solution/1", "report/1")


class Mark(Protocol):
    """Where the parser was, counted from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class Spot(NamedTuple):
    """A mark of our own reader of JSON."""

    line: int
    column: int


Marks: TypeAlias = dict[int, list[Mark]]
"""By the identity of a container: its own mark, then its items' in order; a mapping's keys and values alternate."""


@dataclass(slots=True)
class Document:
    """Marks are kept only if they were asked for; `reread` otherwise gives the same document with them."""

    data: Data
    marks: Marks = field(default_factory=dict, repr=False)
    reread: Callable[[], Document | None] | None = field(default=None, repr=False)
    _positions: dict[int, dict[str, int]] = field(default_factory=dict, repr=False)

    @property
    def kind(self) -> str | None:
        """What the header says, such as `game/1`."""
        header = self.data.get("plymark") if isinstance(self.data, dict) else None
        return header if isinstance(header, str) else None

    def place_of_root(self) -> Place:
        return self.place(self.data) if isinstance(self.data, dict | list) else WHOLE_FILE

    def place(self, container: Container, key: Key | None = None) -> Place:
        """Of an item's value; of the container itself without a key, or for an item that is not written."""
        if isinstance(container, dict):
            position = self._position(container, key)
            return self._place(container, 0 if position is None else 2 * position + 2)
        return self._place(container, key + 1 if isinstance(key, int) else 0)

    def key_place(self, container: Container, key: str) -> Place:
        """Of a mapping's key."""
        position = self._position(container, key) if isinstance(container, dict) else None
        return self._place(container, 0 if position is None else 2 * position + 1)

    def is_written(self, container: Container, key: str) -> bool:
        """Whether a mapping has a key by its text, and not only since it was repaired."""
        position = self._position(container, key) if isinstance(container, dict) else None
        return position is not None and 2 * position + 2 < len(self.marks.get(id(container), ()))

    def _place(self, container: Container, position: int) -> Place:
        marks = self.marks.get(id(container))
        if marks is None:
            return WHOLE_FILE
        mark = marks[position if position < len(marks) else 0]
        return Place(mark.line + 1, mark.column + 1)

    def _position(self, mapping: dict[str, Data], key: Key | None) -> int | None:
        known = self._positions.get(id(mapping))
        if known is None:
            known = self._positions[id(mapping)] = {name: position for position, name in enumerate(mapping)}
        return known.get(str(key))


# Tab, line feed and carriage return stay; U+200C and U+200D stay too, since Persian needs them.
FORBIDDEN_CHARACTERS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_HARMLESS_BYTES = b"\t\n\r" + bytes(range(0x20, 0x7F))


def decode(raw: bytes, problems: ProblemLog) -> str | None:
    """The text of a file; None, with a problem, if it is not UTF-8. Forbidden characters are reported, all of them."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8-sig")
        problems.add(
            place_at(before, len(before)),
            "encoding",
            f"byte 0x{raw[error.start]:02X} is not UTF-8",
            "save the file as UTF-8",
        )
        return None
    # Deleting every harmless ASCII byte takes a fraction of the time a search for the harmful ones would.
    if raw.translate(None, _HARMLESS_BYTES) and FORBIDDEN_CHARACTERS.search(text):
        at = line = line_start = 0
        for match in FORBIDDEN_CHARACTERS.finditer(text):
            start = match.start()
            if breaks := text.count("\n", at, start):
                line, line_start = line + breaks, text.rfind("\n", at, start) + 1
            at = start
            report_character(match.group(), Place(line + 1, start - line_start + 1), problems)
        return FORBIDDEN_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text)
    return text


def report_character(sign: str, place: Place, problems: ProblemLog) -> None:
    name = unicodedata.name(sign, "a control character")
    problems.add(place, "character", f"U+{ord(sign):04X} ({name}) is not allowed", "delete it")


def place_at(text: str, offset: int) -> Place:
    start = text.rfind("\n", 0, offset) + 1
    return Place(text.count("\n", 0, offset) + 1, offset - start + 1)
