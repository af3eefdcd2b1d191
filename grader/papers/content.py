"""What stands on a paper, in words and boxes; how it is set is left to each format."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver import Board, Language


@dataclass(frozen=True, slots=True)
class Header:
    """What the teacher may print; a line to write on stands where nothing is given."""

    course: str = ""
    title: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    label: str
    """Empty if it is the only one."""
    kind: str
    """What goes into it: value, window, number, names, …"""
    choices: tuple[str, ...] = ()
    """To tick, in place of writing."""
    answer: str = ""
    """Only on a key."""


@dataclass(frozen=True, slots=True)
class Asked:
    number: str
    text: str
    remarks: tuple[str, ...]
    marks: str
    boxes: tuple[Box, ...]
    lines: int = 1
    """How many lines a single box is high."""
    notes: tuple[str, ...] = ()
    """Only on a key: how the question is marked."""


@dataclass(frozen=True, slots=True)
class Figure:
    board: Board
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    names: str
    title: str
    traces: str
    """What it makes of some answers."""


@dataclass(frozen=True, slots=True)
class Part:
    """One exercise."""

    title: str
    text: str
    rules: tuple[str, ...]
    figures: tuple[Figure, ...]
    questions: tuple[Asked, ...]
    notes: tuple[str, ...] = ()
    """Only on a key, as are the mistakes."""
    mistakes: tuple[Mistake, ...] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The index of a booklet."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one person gets: it starts on a page of its own, and its pages are counted from 1."""

    title: str
    fields: tuple[tuple[str, str], ...]
    """A label, and what stands beside it; a line to write on if that is empty."""
    variant: str
    parts: tuple[Part, ...] = ()
    total: str = ""
    remark: str = ""
    table: Table | None = None
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class Paper:
    language: Language
    title: str
    sheets: tuple[Sheet, ...]
    labels: dict[str, str] = field(default_factory=dict)
    """Headings that every format needs, in the language."""
