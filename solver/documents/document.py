"""A document as it was read: plain data, and the place of every key and item.

Data is made of `dict`, `list` and `str` only: every scalar is kept as the text it was written as. A string that was
reported as a problem is replaced by `REPORTED`, so that later stages pass over it without a second complaint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

from solver.kernel.problems import WHOLE_FILE, Place

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
