"""What is asked of a drawing, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from solver.drawing.boards import Board
from solver.drawing.choices import LEAST_PICTURE, MOST_LEAVES, SIZES, THEMES
from solver.drawing.view import require_shown
from solver.game.convention import DEFAULT, Convention
from solver.kernel.errors import UsageError
from solver.pipeline.stages import DEFAULT_SAMPLING
from solver.search.solution import Sampling

WIDTHLESS = (".tex", ".txt")
"""Files that are set by others."""
_SLIDES = (".pdf", ".svg", ".png")


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
    fine: bool = False
    """A stage for every node entered, evaluated or finished, not for every leaf alone."""
    theme: str = "auto"
    """auto follows the reader's own setting where the format can; elsewhere it is light."""
    most_leaves: int | None = MOST_LEAVES
    """More are folded and counted; None draws everything."""
    width: int | None = None
    """CSS pixels that there are across: a tree that needs more is drawn in the narrow layout."""
    scale: float | None = None
    """PNG: pixels of the file for a pixel of the SVG; without it, 2, or less for a very large picture."""

    title: str | None = None
    """Above the picture; without it, a title is only where there is room for one anyway."""
    legend: bool = False
    """What the signs mean, below the picture."""
    size: str | None = None
    """Of pages: a4, letter or slides; without it, stages as PDF are on A4, and all else has the size of the picture."""

    def check(self) -> None:
        """UsageError for what cannot be meant."""
        if self.theme not in THEMES:
            raise UsageError(f"unknown theme {self.theme!r}; choose one of {', '.join(THEMES)}")
        for name in sorted(self.show or ()):
            require_shown(name)
        if self.most_leaves is not None and self.most_leaves < 1:
            raise UsageError(f"at least one leaf must be drawn, not {self.most_leaves:,}")
        if self.width is not None and self.width < LEAST_PICTURE:
            raise UsageError(f"a picture is at least {LEAST_PICTURE} pixels wide, not {self.width:,}")
        if self.width is not None and self.ending in WIDTHLESS:
            raise UsageError(f"a width is for pictures, not for {self.ending}: leave --width out")
        if self.size is not None and self.size not in SIZES:
            raise UsageError(f"unknown size {self.size!r}; choose one of {', '.join(SIZES)}")
        if self.size is not None and self.ending not in (_SLIDES if self.size == "slides" else (".pdf",)):
            raise UsageError(f"{self.size} is a size of {', '.join(_SLIDES if self.size == 'slides' else ('.pdf',))}")
        if self.scale is not None and not (isfinite(self.scale) and self.scale > 0):
            raise UsageError(f"a scale must be a number above 0, not {self.scale}")


@dataclass(frozen=True, slots=True)
class Stage:
    number: int
    """How many leaves have been evaluated, or fine steps taken."""
    total: int
    """Of all that there are."""
    board: Board
    caption: str
    """What happened, and why."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A file."""

    content: bytes
    number: str = ""
    """Of a stage, to be added to the file's name; empty if there is one file."""
