"""What is on a paper, in words and boxes; how it is set is left to each format.

What all formats need besides: which way text runs, and QR codes that say which variant a page is, and whose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from unicodedata import bidirectional

from solver.drawing import Board
from solver.kernel import needs_extra
from solver.languages import Language


@dataclass(frozen=True, slots=True)
class Header:
    """What the teacher may print; a line to write on where nothing is given."""

    course: str = ""
    title: str = ""
    date: str = ""
    institution: str = ""
    time: str = ""
    """How long the exam takes: minutes, or any text."""
    aids: str = ""
    """What students may use."""
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class PaperBox:
    label: str
    """Empty if it is the only one."""
    kind: str
    """What goes into it: value, window, number, names, …"""
    choices: tuple[str, ...] = ()
    """To tick, in place of writing."""
    answer: str = ""
    """Only on a key."""
    column: str = ""
    """What it is called in a sheet of typed answers, where there is one."""


@dataclass(frozen=True, slots=True)
class PaperQuestion:
    number: str
    text: str
    remarks: tuple[str, ...]
    marks: str
    boxes: tuple[PaperBox, ...]
    width: int = 0
    """Of each box, in millimetres; 0 for one that reaches across the page."""
    lines: int = 1
    """How many lines a box is high."""
    notes: tuple[str, ...] = ()
    """Only on a key: how the question is marked."""


@dataclass(frozen=True, slots=True)
class Figure:
    board: Board
    caption: str = ""
    wide: bool = False
    """Whether it needs a page on its side to be read;"""
    high: bool = False
    """whether it needs a page for itself, without what is said before it."""

    @property
    def apart(self) -> bool:
        return self.wide or self.high

    @property
    def beside(self) -> bool:
        """Whether it shares its page on its side with what is said before it."""
        return self.wide and not self.high


@dataclass(frozen=True, slots=True)
class Mistake:
    names: str
    title: str
    traces: str
    """What it makes of some answers."""


@dataclass(frozen=True, slots=True)
class PaperStory:
    """A search told step by step."""

    title: str
    opening: str
    steps: tuple[str, ...]
    closing: str


@dataclass(frozen=True, slots=True)
class PaperPart:
    """One exercise."""

    title: str
    text: str
    rules: tuple[str, ...]
    figures: tuple[Figure, ...]
    questions: tuple[PaperQuestion, ...]
    marks: str = ""
    """Only beside a title."""
    notes: tuple[str, ...] = ()
    """Only on a key, as are the mistakes."""
    mistakes: tuple[Mistake, ...] | None = None
    stories: tuple[PaperStory, ...] = ()
    """Only on a solution."""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """The index of a booklet, or the answers to all variants."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    answers: bool = False
    """Whether its cells are answers, which run from the left in every language."""


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """What one person gets: it starts on a page of its own, and its pages are counted from 1."""

    title: str
    fields: tuple[tuple[str, str], ...]
    """A label, and what is beside it; a line to write on if that is empty."""
    variant: str
    institution: str = ""
    about: tuple[tuple[str, str], ...] = ()
    """Time, aids and instructions, as far as they are given."""
    parts: tuple[PaperPart, ...] = ()
    total: str = ""
    scored: str = ""
    """What the marks are for: questions, or the exercises of an exam in parts."""
    scores: tuple[tuple[str, str], ...] = ()
    """The number of each, and its marks, to be filled in by who marks it."""
    remark: str = ""
    tables: tuple[PaperTable, ...] = ()
    is_key: bool = False
    code: str = ""
    """What a QR code on every page says; empty for none."""

    @property
    def wide(self) -> bool:
        """Whether its tables need pages on their side."""
        return any(table.answers for table in self.tables)

    @property
    def whose(self) -> str:
        """The name at the foot of every page, so that none is lost; empty where nothing is printed."""
        return "" if self.is_key or not self.fields else self.fields[0][1]


@dataclass(frozen=True, slots=True)
class Paper:
    language: Language
    title: str
    sheets: tuple[PaperSheet, ...]
    size: str = "a4"
    """Of the pages: a4 or letter."""
    duplex: bool = False
    """Whether it is printed on both sides: every sheet starts on a leaf of its own."""
    labels: dict[str, str] = field(default_factory=dict)
    """Headings that every format needs, in the language."""

    @property
    def rtl(self) -> bool:
        return bool(self.language.direction == "rtl")

    @property
    def page_text(self) -> str:
        """With {page} and {pages} still in it: only the layout knows them."""
        said: str = self.language.say("paper.page", page="{page}", pages="{pages}")
        return said


@dataclass(frozen=True, slots=True)
class PaperFile:
    """A file of a paper, and how many students and pages are in it, where that is known."""

    name: str
    content: bytes
    students: int = 0
    pages: int | None = None


ACROSS = 165
"""Millimetres between the margins, without the question's number."""

_ISOLATED = re.compile("[\u2066-\u2068][^\u2069]*\u2069")


def runs_rtl(text: str) -> bool:
    """By its first letter that has a direction, what is isolated left out."""
    letters = _ISOLATED.sub("", text)
    return next((way != "L" for sign in letters if (way := bidirectional(sign)) in ("L", "R", "AL")), False)


def qr_rows(text: str) -> list[list[bool]]:
    """The modules, row by row; True is dark. Medium correction, since paper gets stained."""
    with needs_extra("pdf"):
        # Imported only here: it belongs to an extra.
        import segno
    return [[bool(module) for module in row] for row in segno.make_qr(text, error="m", boost_error=False).matrix]


def qr_runs(text: str) -> tuple[int, Iterator[tuple[int, int, int]]]:
    """How many modules it has to a side, and where dark ones stand side by side: row, column and number."""
    rows = qr_rows(text)
    return len(rows), _runs(rows)


def qr_svg(text: str) -> str:
    """A picture of one path, a unit to a module, without the light edge around it."""
    size, runs = qr_runs(text)
    path = "".join(f"M{column} {row}h{many}v1h-{many}z" for row, column, many in runs)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}"><path d="{path}"/></svg>'


def _runs(rows: list[list[bool]]) -> Iterator[tuple[int, int, int]]:
    for place, row in enumerate(rows):
        start: int | None = None
        for column, dark in enumerate([*row, False]):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                yield place, start, column - start
                start = None
