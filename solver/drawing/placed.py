"""What is placed in a picture. Lengths are CSS pixels, y grows downwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.drawing.boards import PRUNED, SEEN, UNSEEN, Board, BoardItem
from solver.drawing.legend import LegendEntry
from solver.drawing.rooms import LABEL_SIZE

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Beside:
    """A string beside a shape, or a box to fill in, which has no letters yet."""

    kind: str
    text: str
    size: float
    fresh: bool = False
    """Whether the last leaf changed it."""
    alternative: str = ""
    """window or interval, where a page shows one of them at a time."""
    blank: bool = False
    x: float = 0.0
    """Of its left."""
    y: float = 0.0
    """Of the line that the letters stand on, or of the middle of a box."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An item, drawn below the middle of its upper edge."""

    item: BoardItem
    x: float
    y: float
    width: float
    height: float
    inside: bool
    """Whether the value is inside."""
    in_column: bool = False
    beside: Sequence[Beside] | None = None
    """What is beside it in the narrow layout; elsewhere all have the same places."""


@dataclass(frozen=True, slots=True)
class Edge:
    """From a shape's foot to a child's head; the label and the cut mark have places of their own."""

    item: BoardItem
    """The child."""
    points: Sequence[Point]
    label: Sequence[str]
    """Its lines."""
    label_at: Point
    cut_at: Point
    cut_slope: Point
    """The edge's direction there, of length 1."""
    label_size: float = LABEL_SIZE


@dataclass(frozen=True, slots=True)
class FramedText:
    x: float
    """Of its middle."""
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What is around a picture."""

    shift: Point
    """How far the picture is moved in it."""
    title: FramedText | None
    legend: Sequence[tuple[float, float, LegendEntry]]
    """Each with its left and its middle."""


@dataclass(frozen=True, slots=True)
class Picture:
    board: Board
    width: float
    height: float
    shapes: Sequence[Shape]
    """In the order of the board's items."""
    edges: Sequence[Edge]
    rows: Sequence[tuple[float, str]]
    """Who moves, beside the rows: the y of the text and the text."""
    narrow: bool = False
    frame: Frame | None = None
    """A title and a legend, within width and height."""


STRENGTH = {UNSEEN: 0, PRUNED: 1, SEEN: 2}
"""Of two edges on one rail the stronger is seen."""


def rail_starts(items: Sequence[BoardItem]) -> list[int]:
    """Of a column from top to bottom: the place whose cell an item's rail starts at, or -1 for the parent. Where a
    stronger edge has come down already, a dashed one only goes on from there."""
    starts: list[int] = []
    for place, item in enumerate(items):
        stronger = (before for before in range(place) if STRENGTH[items[before].state] > STRENGTH[item.state])
        starts.append(max(stronger, default=-1))
    return starts
