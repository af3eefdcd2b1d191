"""A title above a picture, and a legend below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from solver.drawing.legend import LegendEntry
from solver.drawing.measure import text_width
from solver.drawing.placed import Frame, FramedText, Picture

TITLE_SIZE, TITLE_LINE, MARGIN = 20.0, 30.0, 16.0
LEGEND_SIZE, LEGEND_LINE, SAMPLE, GAP, APART = 13.5, 32.0, 44.0, 8.0, 22.0
LEAST_LEGEND = 420.0
"""A legend is as wide as its picture or its place, but not narrower than this."""


def framed(picture: Picture, title: str = "", entries: Sequence[LegendEntry] = (), proportion: float = 0.0) -> Picture:
    """The picture with both around it; with neither, the picture. A `proportion` is that of the place it is made for:
    where the picture is narrower, its legend is not."""
    if not title and not entries:
        return picture
    above = TITLE_LINE + MARGIN if title else 0.0
    room = max(picture.width, LEAST_LEGEND, proportion * picture.height) - 2 * MARGIN
    rows = _rows(entries, room)
    longest = max((sum(map(_width, row)) - APART for row in rows), default=0.0)
    across = max(picture.width, longest + 2 * MARGIN, text_width(title, TITLE_SIZE) + 2 * MARGIN)
    top = above + picture.height
    placed: list[tuple[float, float, LegendEntry]] = []
    for number, row in enumerate(rows):
        x = (across - sum(map(_width, row)) + APART) / 2
        for entry in row:
            placed.append((x, top + LEGEND_LINE * (number + 0.5), entry))
            x += _width(entry)
    frame = Frame(
        shift=((across - picture.width) / 2, above),
        title=FramedText(across / 2, MARGIN + TITLE_SIZE, title) if title else None,
        legend=placed,
    )
    down = top + (LEGEND_LINE * len(rows) + MARGIN if rows else 0.0)
    return replace(picture, width=across, height=down, frame=frame)


def _rows(entries: Sequence[LegendEntry], room: float) -> list[list[LegendEntry]]:
    rows: list[list[LegendEntry]] = []
    for entry in entries:
        if rows and sum(map(_width, rows[-1])) + _width(entry) - APART <= room:
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return rows


def _width(entry: LegendEntry) -> float:
    return SAMPLE + GAP + text_width(entry.text, LEGEND_SIZE) + APART
