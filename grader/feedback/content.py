"""What a page of feedback holds, in words: the same for a web page and for paper."""

from __future__ import annotations

from dataclasses import dataclass

from solver.drawing import Board
from solver.languages import Language


@dataclass(frozen=True, slots=True)
class FeedbackRow:
    called: str
    given: str
    expected: str | None
    """None where it is not told; so are the sign and the verdict."""
    sign: str | None
    verdict: str | None
    kind: str
    """The verdict as report/1 has it, or nothing."""
    marks: str
    note: str


@dataclass(frozen=True, slots=True)
class FeedbackQuestion:
    number: str
    text: str
    marks: str
    rows: tuple[FeedbackRow, ...]
    remarks: tuple[str, ...]
    """What is to be said of all of it."""


@dataclass(frozen=True, slots=True)
class FeedbackFigure:
    board: Board
    title: str
    caption: str
    legend: tuple[str, ...] = ()
    """What the signs in it mean."""


@dataclass(frozen=True, slots=True)
class FeedbackPart:
    """All about one exercise."""

    title: str
    """Empty where it is the page's own."""
    marks: str
    study: tuple[str, ...]
    marking: tuple[str, ...]
    figures: tuple[FeedbackFigure, ...]
    questions: tuple[FeedbackQuestion, ...]
    steps: tuple[tuple[str, str], ...]
    """The number of each, and what happens there."""
    more: str
    """That there are more steps than are told, if so."""


@dataclass(frozen=True, slots=True)
class FeedbackPage:
    language: Language
    title: str
    tab: str
    """What a browser calls it."""
    fields: tuple[tuple[str, str], ...]
    """Who it is about, and of what."""
    marks: str
    remarks: tuple[str, ...]
    """On the whole of an exam."""
    parts: tuple[FeedbackPart, ...]
    """One without a title, or those of an exam."""
    labels: dict[str, str]
