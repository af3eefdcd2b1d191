"""A document as it was read: plain data, and the place of every key and item.

Data is made of `dict`, `list` and `str` only: every scalar is kept as the text it was written as. A text that was
reported as a problem is replaced by `REPORTED`, so that later stages pass over it without a second complaint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from solver.problems import WHOLE_FILE, Place

Data: TypeAlias = "str | list[Data] | dict[str, Data] | None"
Container: TypeAlias = "list[Data] | dict[str, Data]"
Key: TypeAlias = str | int

REPORTED = ""

# Kinds that Plymark writes; only they may hold null (a leaf has no turn).
WRITTEN_KINDS = ("solution/1", "report/1")


class Mark(Protocol):
    """Where the parser stood, counted from 0."""

    line: int
    column: int


ListMarks: TypeAlias = list[Mark]
MappingMarks: TypeAlias = dict[str, tuple[Mark, Mark]]
"""For every key: its own mark and its value's."""


@dataclass(slots=True)
class Document:
    """`marks` gives, for the identity of each container, its own mark and those of its items.

    The fast JSON path keeps no places; `reread` then gives the same document with them.
    """

    data: Data
    marks: dict[int, tuple[Mark, ListMarks | MappingMarks]] = field(default_factory=dict, repr=False)
    reread: Callable[[], Document | None] | None = field(default=None, repr=False)

    @property
    def kind(self) -> str | None:
        """What the header says, such as `game/1`."""
        header = self.data.get("plymark") if isinstance(self.data, dict) else None
        return header if isinstance(header, str) else None

    def place_of_root(self) -> Place:
        return self.place(self.data) if isinstance(self.data, dict | list) else WHOLE_FILE

    def place(self, container: Container, key: Key | None = None) -> Place:
        """Of an item's value; of the container itself without a key, or for an item that is not written."""
        if id(container) not in self.marks:
            return WHOLE_FILE
        own, marks = self.marks[id(container)]
        mark = own
        if isinstance(marks, dict):
            if key in marks:
                mark = marks[str(key)][1]
        elif isinstance(key, int) and key < len(marks):
            mark = marks[key]
        return Place(mark.line + 1, mark.column + 1)

    def key_place(self, container: Container, key: str) -> Place:
        """Of a mapping's key."""
        if id(container) not in self.marks:
            return WHOLE_FILE
        own, marks = self.marks[id(container)]
        mark = marks[key][0] if isinstance(marks, dict) and key in marks else own
        return Place(mark.line + 1, mark.column + 1)
