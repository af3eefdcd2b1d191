"""What is asked of a drawing, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass

from solver.convention import DEFAULT, Convention
from solver.drawing.board import Board
from solver.drawing.view import MOST_LEAVES
from solver.pipeline import DEFAULT_SAMPLING
from solver.solution import Sampling


@dataclass(frozen=True, slots=True)
class Request:
    ending: str = ".svg"
    """Of the file's name: what kind of picture it is to be."""
    algorithm: str = "auto"
    convention: Convention = DEFAULT
    depth: int | None = None
    sampling: Sampling = DEFAULT_SAMPLING
    language: str = "en"
    show: frozenset[str] | None = None
    """Without it, what such a picture usually shows."""
    blank: bool = False
    stages: str | None = None
    """Numbers such as 3 or 1-5,7; `all`; or None for the finished search."""
    theme: str = "auto"
    """auto follows the reader's own setting where the format can; elsewhere it is light."""
    most_leaves: int | None = MOST_LEAVES
    """More are folded and counted; None draws everything."""
    scale: float = 2.0
    """PNG: pixels of the file for a pixel of the SVG."""


@dataclass(frozen=True, slots=True)
class Stage:
    number: int
    """How many leaves have been evaluated."""
    total: int
    """Of all leaves that the search evaluates."""
    board: Board
    caption: str
    """What happened, and why."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A file."""

    content: bytes
    number: str = ""
    """Of a stage, to be added to the file's name; empty if there is one file."""
