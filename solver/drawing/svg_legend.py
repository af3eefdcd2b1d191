"""The title and the legend of a framed SVG picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from solver.drawing.boards import PLAYER
from solver.drawing.frames import GAP, LEGEND_SIZE, SAMPLE, TITLE_SIZE
from solver.drawing.legend import LINE, LegendEntry
from solver.drawing.measure import text_width
from solver.drawing.placed import Frame, Shape
from solver.drawing.style import LIGHT
from solver.drawing.svg_text import length, text_at, underline


def svg_frame(frame: Frame, outline: Callable[[Shape, float, str], str]) -> Iterator[str]:
    if frame.title is not None:
        yield text_at(frame.title.x, frame.title.y, frame.title.text, "title", "middle", TITLE_SIZE)
    if frame.legend:
        yield '<g class="legend">'
        for x, y, entry in frame.legend:
            yield from _sample(entry, x + SAMPLE / 2, y, outline)
            yield text_at(x + SAMPLE + GAP, y + LEGEND_SIZE * 0.36, entry.text, "meaning", "start", LEGEND_SIZE)
        yield "</g>"


def _sample(entry: LegendEntry, x: float, y: float, outline: Callable[[Shape, float, str], str]) -> Iterator[str]:
    item = entry.item
    if item is None:
        yield from _sign(entry, x, y)
        return
    classes = [item.kind, item.state, *([f"player{item.colour % len(LIGHT.players)}"] if item.kind == PLAYER else [])]
    # A pruned leaf hangs on the edge that was cut.
    across = x + (12.0 if item.cut else 0.0)
    shape = Shape(item, across, y - 9, 16.0 if item.cut else 28.0, 18.0, inside=True)
    yield f'<g class="{" ".join(classes)}">{outline(shape, 0.0, "shape")}'
    if item.current:
        yield outline(shape, 3.5, "ring")
    yield "</g>"
    if item.cut:
        left, middle = x - SAMPLE / 2, length(y)
        yield f'<polyline class="edge pruned" points="{length(left)},{middle} {length(across - 8)},{middle}"/>'
        at = left + 12
        strokes = "".join(f"M{length(at + step - 2)} {length(y + 6)}l4 -12" for step in (-2.4, 2.4))
        yield f'<path class="cut" d="{strokes}"/>'


def _sign(entry: LegendEntry, x: float, y: float) -> Iterator[str]:
    if entry.sign == LINE:
        yield f'<polyline class="edge best" points="{length(x - 18)},{length(y)} {length(x + 18)},{length(y)}"/>'
        return
    line = y + LEGEND_SIZE * 0.36
    yield text_at(x, line, entry.sample, "note fresh" if entry.fresh else "note", "middle", LEGEND_SIZE)
    if entry.fresh:
        width = text_width(entry.sample, LEGEND_SIZE)
        yield underline(x - width / 2, line, width)
