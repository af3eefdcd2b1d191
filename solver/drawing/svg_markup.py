"""A picture as SVG: one self-contained file, nothing in it but shapes, text and a style sheet.

Meaning never rests on colour: turns have shapes, pruned parts are dashed, cuts are crossed by //, the line is thick.
A screen reader finds a tree of items (WAI-ARIA), each with its description; a pointer finds the same as a tooltip.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from solver.drawing.boards import LEAF, PLAYER, REST, SEEN
from solver.drawing.measure import text_width
from solver.drawing.pictures import STRENGTH, Edge, Picture, Shape
from solver.drawing.rooms import (
    BLANK_NOTE_WIDTH,
    CELL_NAME_SIZE,
    LABEL_LINE,
    LABEL_SIZE,
    LEAF_NAME_DROP,
    NOTE_LINE,
    NOTE_SIZE,
    VALUE_SIZE,
    marked_notes,
    note_offset,
    offset,
)
from solver.drawing.style import LIGHT, style_sheet
from solver.game.tree import AND, MAX, MIN

_NO_XML = dict.fromkeys((0xFFFE, 0xFFFF, *range(0xD800, 0xE000)), "\ufffd")


def svg(picture: Picture, theme: str = "auto", prefix: str = "", styled: bool = True) -> str:
    """`prefix` keeps the ids of several pictures on one page apart; such a page may have the style sheet once."""
    return "\n".join(_lines(picture, theme, prefix, styled)) + "\n"


def markup(text: str) -> str:
    """Any text as XML shows it: nothing in it is markup."""
    return escape(text.translate(_NO_XML))


def length(number: float) -> str:
    """Rounded to a tenth of a pixel, in as few characters as possible."""
    return f"{round(number, 1) + 0.0:.1f}".removesuffix(".0")


def _lines(picture: Picture, theme: str, prefix: str, styled: bool) -> Iterator[str]:
    board = picture.board
    width, height = length(picture.width), length(picture.height)
    language = board.language.code
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plymark" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" lang="{language}" role="group" '
        f'aria-labelledby="{prefix}title" aria-describedby="{prefix}desc">'
    )
    yield f'<title id="{prefix}title">{markup(board.title)}</title>'
    yield f'<desc id="{prefix}desc">{markup(board.description)}</desc>'
    if styled:
        yield f"<style>{style_sheet(theme)}</style>"
    yield f'<rect class="paper" width="{width}" height="{height}"/>'
    yield '<g aria-hidden="true">'
    for y, text in picture.rows:
        yield _text(8.0, y, text, "row", "start", LABEL_SIZE)
    ordered = sorted(picture.edges, key=lambda edge: (edge.item.best, STRENGTH[edge.item.state]))
    for edge in ordered:
        yield _edge(edge)
    for edge in ordered:
        yield from _edge_marks(edge)
    yield from _arcs(picture)
    yield "</g>"
    yield f'<g role="tree" aria-labelledby="{prefix}title">'
    for place, shape in enumerate(picture.shapes):
        yield from _node(picture, place, shape)
    yield "</g>"
    yield "</svg>"


def _edge(edge: Edge) -> str:
    points = " ".join(f"{length(x)},{length(y)}" for x, y in edge.points)
    state = "best" if edge.item.best else edge.item.state
    return f'<polyline class="edge {state}" points="{points}"/>'


def _edge_marks(edge: Edge) -> Iterator[str]:
    x, y = edge.label_at
    for line, text in enumerate(edge.label):
        width = text_width(text, LABEL_SIZE) + 4
        middle = y + LABEL_LINE * (line - (len(edge.label) - 1) / 2)
        yield (
            f'<rect class="paper" x="{length(x - width / 2)}" y="{length(middle - LABEL_LINE / 2)}" '
            f'width="{length(width)}" height="{LABEL_LINE:g}"/>'
        )
        shade = "label" if edge.item.state == SEEN else f"label {edge.item.state}"
        yield _text(x, middle + LABEL_SIZE * 0.36, text, shade, "middle", LABEL_SIZE)
    if edge.item.cut:
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
        yield f'<path class="cut" d="{"".join(strokes)}"/>'


ARC = 16


def _arcs(picture: Picture) -> Iterator[str]:
    """Across the edges below an AND node: all of its outcomes count."""
    for place, shape in enumerate(picture.shapes):
        children = picture.board.children[place]
        if shape.item.kind == AND:
            foot_x, foot_y = shape.x, shape.y + shape.height
            heads = [(picture.shapes[child].x, picture.shapes[child].y) for child in (children[0], children[-1])]
            if len(children) == 1:
                # A single edge is crossed: the arc tells ◆ from ◇ in black and white.
                (x, y), aside = heads[0], (heads[0][1] - foot_y) * 0.5
                heads = [(x - aside, y), (x + aside, y)]
            ends = []
            for x, y in heads:
                across, down = x - foot_x, y - foot_y
                share = ARC / (across * across + down * down) ** 0.5
                ends.append(f"{length(foot_x + share * across)} {length(foot_y + share * down)}")
            yield f'<path class="arc {shape.item.state}" d="M{ends[0]}A{ARC} {ARC} 0 0 0 {ends[1]}"/>'


def _node(picture: Picture, place: int, shape: Shape) -> Iterator[str]:
    item = shape.item
    classes = ["node", item.kind, item.state]
    if item.kind == PLAYER:
        classes.append(f"player{item.colour % len(LIGHT.players)}")
    classes += [word for word in ("best", "current", "changed") if getattr(item, word)]
    expanded = ' aria-expanded="true"' if picture.board.children[place] else ""
    spoken = markup(item.spoken)
    yield (
        f'<g class="{" ".join(classes)}" role="treeitem" aria-level="{picture.board.depth[place] + 1}"'
        f'{expanded} aria-label="{spoken}"><title>{spoken}</title>'
    )
    if item.kind != REST:
        yield _outline(shape)
    if item.current:
        yield _outline(shape, grow=4.0, kind="ring")
    yield from _value(shape)
    yield from _beside(picture, shape)
    yield "</g>"


def _outline(shape: Shape, grow: float = 0.0, kind: str = "shape") -> str:
    x, y = shape.x, shape.y - grow
    half, height = shape.width / 2 + grow, shape.height + 2 * grow
    left, right, bottom, middle = x - half, x + half, y + height, y + height / 2
    match shape.item.kind:
        case "max":
            points = [(x, y), (right, bottom), (left, bottom)]
        case "min":
            points = [(left, y), (right, y), (x, bottom)]
        case "or" | "and":
            points = [(x, y), (right, middle), (x, bottom), (left, middle)]
        case "chance":
            return (
                f'<ellipse class="{kind}" cx="{length(x)}" cy="{length(middle)}" '
                f'rx="{length(half)}" ry="{length(height / 2)}"/>'
            )
        case _:
            rounded = f' rx="{length(height / 2)}"' if shape.item.kind == PLAYER else ""
            return (
                f'<rect class="{kind}" x="{length(left)}" y="{length(y)}" width="{length(2 * half)}" '
                f'height="{length(height)}"{rounded}/>'
            )
    return f'<polygon class="{kind}" points="{" ".join(f"{length(a)},{length(b)}" for a, b in points)}"/>'


_TEXT_HEIGHT = {MAX: 0.70, MIN: 0.34}
"""How far down a shape the middle of its value is; a triangle is widest at its base."""


def _value(shape: Shape) -> Iterator[str]:
    item = shape.item
    text = item.sign + item.value
    if text and shape.inside:
        y = shape.y + shape.height * _TEXT_HEIGHT.get(item.kind, 0.5) + VALUE_SIZE * 0.36
        size = VALUE_SIZE if item.kind != REST else LABEL_SIZE
        yield _text(shape.x, y, text, "value", "middle", size)
        if item.fresh_value:
            width = text_width(text, size)
            yield _underline(shape.x - width / 2, y, width)


def _beside(picture: Picture, shape: Shape) -> Iterator[str]:
    item = shape.item
    if item.kind == LEAF:
        if item.name and shape.in_column:
            x, y = shape.x + shape.width / 2 + 5, shape.y + shape.height / 2 + CELL_NAME_SIZE * 0.36
            yield _text(x, y, item.name, "name", "start", CELL_NAME_SIZE)
        elif item.name:
            yield _text(shape.x, shape.y + shape.height + LEAF_NAME_DROP, item.name, "name", "middle", NOTE_SIZE)
        return
    reach, first = offset(item, shape.width), shape.y + NOTE_SIZE
    if item.name:
        yield _text(shape.x + reach, first, item.name, "name", "start", NOTE_SIZE)
    if item.value and not shape.inside:
        right, line = shape.x + shape.width / 2 + 5, first + NOTE_LINE + 4
        yield _text(right, line, item.sign + item.value, "value", "start", VALUE_SIZE)
        if item.fresh_value:
            yield _underline(right, line, text_width(item.sign + item.value, VALUE_SIZE))
    notes = marked_notes(picture.board, item)
    reach = note_offset(item, shape.width, len(notes))
    for row, (note, fresh) in enumerate(notes):
        right, line = shape.x - reach, first + NOTE_LINE * row
        yield _text(right, line, note, "note fresh" if fresh else "note", "end", NOTE_SIZE)
        if fresh:
            width = text_width(note, NOTE_SIZE)
            yield _underline(right - width, line, width)
    if item.blank_note:
        left = shape.x - reach - BLANK_NOTE_WIDTH
        yield f'<rect class="blank" x="{length(left)}" y="{length(shape.y)}" width="{BLANK_NOTE_WIDTH:g}" height="22"/>'


def _underline(left: float, baseline: float, width: float) -> str:
    """A stroke of its own: renderers disagree on where a text's decoration is, and may paint over it."""
    return f'<path class="underline" d="M{length(left)} {length(baseline + 2.2)}h{length(width)}"/>'


def _text(x: float, y: float, text: str, kind: str, anchor: str, size: float) -> str:
    return (
        f'<text class="{kind}" x="{length(x)}" y="{length(y)}" font-size="{size:g}" text-anchor="{anchor}">'
        f"{markup(text)}</text>"
    )
