"""A picture as SVG: one self-contained file, nothing in it but shapes, text and a style sheet.

Meaning never rests on colour: turns have shapes, pruned parts are dashed, cuts are crossed by //, the line is thick.
A screen reader finds a tree of items (WAI-ARIA), each with its description; a pointer finds the same as a tooltip.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.drawing.boards import PLAYER, REST
from solver.drawing.placed import Picture, Shape
from solver.drawing.rooms import LABEL_SIZE
from solver.drawing.style import LIGHT, style_sheet
from solver.drawing.svg_edges import svg_arcs, svg_edges
from solver.drawing.svg_legend import svg_frame
from solver.drawing.svg_lettering import svg_texts
from solver.drawing.svg_text import hook, length, markup, text_at


def svg(
    picture: Picture,
    theme: str = "auto",
    prefix: str = "",
    styled: bool = True,
    to_write: bool = False,
    classes: Sequence[str] = (),
) -> str:
    """`prefix` keeps the ids of several pictures on one page apart; such a page may have the style sheet once.

    A node's group says in `data-node` which node it is, an edge's in `data-edge` which node it leads to. A picture
    `to_write` on has a place for all that a script may show: a text without letters in every box to fill in
    (`data-slot`), and the strokes of a cut across every edge, unseen until the edge's group is of the class is-cut.
    """
    return "\n".join(_lines(picture, theme, prefix, styled, to_write, classes)) + "\n"


def _lines(
    picture: Picture, theme: str, prefix: str, styled: bool, to_write: bool, classes: Sequence[str]
) -> Iterator[str]:
    board = picture.board
    width, height = length(picture.width), length(picture.height)
    classes = ["plymark", *(["narrow"] if picture.narrow else []), *classes]
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{" ".join(classes)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" lang="{board.language.code}" role="group" '
        f'aria-labelledby="{prefix}title" aria-describedby="{prefix}desc">'
    )
    yield f'<title id="{prefix}title">{markup(board.title)}</title>'
    yield f'<desc id="{prefix}desc">{markup(board.description)}</desc>'
    if styled:
        yield f"<style>{style_sheet(theme)}</style>"
    yield f'<rect class="paper" width="{width}" height="{height}"/>'
    frame = picture.frame
    if frame is not None:
        yield from svg_frame(frame, _outline)
        yield f'<g transform="translate({length(frame.shift[0])} {length(frame.shift[1])})">'
    yield '<g aria-hidden="true">'
    for y, text in picture.rows:
        yield text_at(8.0, y, text, "row", "start", LABEL_SIZE)
    yield from svg_edges(picture, to_write)
    yield from svg_arcs(picture)
    yield "</g>"
    yield f'<g role="tree" aria-labelledby="{prefix}title">'
    for place, shape in enumerate(picture.shapes):
        yield from _node(picture, place, shape, to_write)
    yield "</g>"
    yield from ["</g>"] if frame is not None else []
    yield "</svg>"


def _node(picture: Picture, place: int, shape: Shape, to_write: bool) -> Iterator[str]:
    item = shape.item
    classes = ["node", item.kind, item.state]
    if item.kind == PLAYER:
        classes.append(f"player{item.colour % len(LIGHT.players)}")
    classes += [word for word in ("best", "current", "changed") if getattr(item, word)]
    expanded = ' aria-expanded="true"' if picture.board.children[place] else ""
    spoken, level = markup(item.spoken), picture.board.depth[place] + 1
    yield (
        f'<g class="{" ".join(classes)}"{hook("node", picture, item)} role="treeitem" aria-level="{level}"'
        f'{expanded} aria-label="{spoken}"><title>{spoken}</title>'
    )
    if item.kind != REST:
        yield _outline(shape)
    if item.current:
        yield _outline(shape, grow=4.0, kind="ring")
    yield from svg_texts(picture, shape, to_write)
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
