"""The edges of an SVG picture, with their labels, the strokes of cuts, and the arcs of AND nodes."""

from __future__ import annotations

from collections.abc import Iterator

from solver.drawing.boards import SEEN
from solver.drawing.measure import text_width
from solver.drawing.placed import STRENGTH, Edge, Picture
from solver.drawing.rooms import LABEL_LINE
from solver.drawing.svg_text import hook, length, text_at
from solver.game.tree import AND


def svg_edges(picture: Picture, to_write: bool) -> Iterator[str]:
    """Each with its marks in a group; of two on one rail the stronger is on top."""
    for edge in sorted(picture.edges, key=lambda edge: (edge.item.best, STRENGTH[edge.item.state])):
        yield f"<g{hook('edge', picture, edge.item)}>"
        yield _line(edge)
        yield from _marks(edge, to_write)
        yield "</g>"


def _line(edge: Edge) -> str:
    points = " ".join(f"{length(x)},{length(y)}" for x, y in edge.points)
    state = "best" if edge.item.best else edge.item.state
    return f'<polyline class="edge {state}" points="{points}"/>'


def _marks(edge: Edge, to_write: bool) -> Iterator[str]:
    x, y = edge.label_at
    for line, text in enumerate(edge.label):
        width = text_width(text, edge.label_size) + 4
        middle = y + LABEL_LINE * (line - (len(edge.label) - 1) / 2)
        yield (
            f'<rect class="paper" x="{length(x - width / 2)}" y="{length(middle - LABEL_LINE / 2)}" '
            f'width="{length(width)}" height="{LABEL_LINE:g}"/>'
        )
        shade = "label" if edge.item.state == SEEN else f"label {edge.item.state}"
        yield text_at(x, middle + edge.label_size * 0.36, text, shade, "middle", edge.label_size)
    if edge.item.cut or to_write:
        # Two strokes across the edge, each leaning like a slash.
        (x, y), (along_x, along_y) = edge.cut_at, edge.cut_slope
        strokes = []
        for step in (-2.4, 2.4):
            middle_x, middle_y = x + along_x * step, y + along_y * step
            lean = -2 if along_y > abs(along_x) else 2
            lean_x, lean_y = 5.6 * along_y + lean * along_x, -5.6 * along_x + lean * along_y
            strokes.append(
                f"M{length(middle_x - lean_x)} {length(middle_y - lean_y)}"
                f"L{length(middle_x + lean_x)} {length(middle_y + lean_y)}"
            )
        yield f'<path class="{"cut" if edge.item.cut else "cut to-make"}" d="{"".join(strokes)}"/>'


ARC = 16


def svg_arcs(picture: Picture) -> Iterator[str]:
    """Across the edges below an AND node: all of its outcomes count."""
    for place, shape in enumerate(picture.shapes):
        children = picture.board.children[place]
        if shape.item.kind == AND:
            foot_x, foot_y = shape.x, shape.y + shape.height
            first = picture.shapes[children[0]].item
            heads = [(picture.shapes[child].x, picture.shapes[child].y) for child in (children[0], children[-1])]
            if picture.narrow:
                (foot_x, foot_y), *_ = next(edge.points for edge in picture.edges if edge.item is first)
                heads = [(foot_x - ARC, foot_y + 2 * ARC), (foot_x + ARC, foot_y + 2 * ARC)]
            elif len(children) == 1:
                # A single edge is crossed: the arc tells ◆ from ◇ in black and white.
                (x, y), aside = heads[0], (heads[0][1] - foot_y) * 0.5
                heads = [(x - aside, y), (x + aside, y)]
            ends = []
            for x, y in heads:
                across, down = x - foot_x, y - foot_y
                share = ARC / (across * across + down * down) ** 0.5
                ends.append(f"{length(foot_x + share * across)} {length(foot_y + share * down)}")
            yield f'<path class="arc {shape.item.state}" d="M{ends[0]}A{ARC} {ARC} 0 0 0 {ends[1]}"/>'
