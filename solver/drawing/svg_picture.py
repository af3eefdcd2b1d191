"""A picture as SVG: one self-contained file, nothing in it but shapes, text and a style sheet.

Meaning never rests on colour: turns have shapes, pruned parts are dashed, cuts are crossed by //, the line is thick.
A screen reader finds a tree of items (WAI-ARIA), each with its description; a pointer finds the same as a tooltip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from unicodedata import bidirectional

from solver.drawing.boards import LEAF, PLAYER, REST, SEEN, BoardItem
from solver.drawing.picture_parts import (
    BLANK_NOTE_WIDTH,
    CELL_NAME_SIZE,
    GAP,
    LABEL_LINE,
    LABEL_SIZE,
    LEAF_NAME_DROP,
    LEGEND_SIZE,
    LINE,
    NOTE_LINE,
    NOTE_SIZE,
    SAMPLE,
    STRENGTH,
    TITLE_SIZE,
    VALUE_SIZE,
    Edge,
    Frame,
    LegendEntry,
    Picture,
    Point,
    Shape,
    SideText,
    note_offset,
    note_rows,
    notes_beside,
    offset,
)
from solver.drawing.picture_style import LIGHT, style_sheet, text_width
from solver.game.game_tree import AND, MAX, MIN

RLI, PDI = "\u2067", "\u2069"
"""Around what runs from right to left, whatever is around it."""
_NO_XML = dict.fromkeys((0xFFFE, 0xFFFF, *range(0xD800, 0xE000)), "\ufffd")


def markup(text: str) -> str:
    """Any text as XML shows it: nothing in it is markup."""
    return escape(text.translate(_NO_XML))


def length(number: float) -> str:
    """Rounded to a tenth of a pixel, in as few characters as possible."""
    return f"{round(number, 1) + 0.0:.1f}".removesuffix(".0")


def hook(kind: str, picture: Picture, item: BoardItem) -> str:
    """What a script finds a node or an edge by; a folded rest is neither."""
    return f' data-{kind}="{markup(str(picture.board.tree.ids[item.node]))}"' if item.node >= 0 else ""


def underline(left: float, baseline: float, width: float, alternative: str = "") -> str:
    """A stroke of its own: renderers disagree on where a text's decoration is, and may paint over it."""
    kind = f"underline of-{alternative}" if alternative else "underline"
    return f'<path class="{kind}" d="M{length(left)} {length(baseline + 2.2)}h{length(width)}"/>'


def text_at(x: float, y: float, text: str, kind: str, anchor: str, size: float, slot: str = "") -> str:
    place = f' data-slot="{slot}"' if slot else ""
    return (
        f'<text class="{kind}"{place} x="{length(x)}" y="{length(y)}" font-size="{size:g}" text-anchor="{anchor}">'
        f"{markup(_turned(text))}</text>"
    )


def _turned(text: str) -> str:
    """Words from right to left with others among them: not every renderer finds out by itself which way they run."""
    strong = [kind for kind in map(bidirectional, text) if kind in ("L", "R", "AL")]
    return f"{RLI}{text}{PDI}" if strong and strong[0] != "L" and "L" in strong else text


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


BLANK_NOTE_HEIGHT = 22

_TEXT_HEIGHT = {MAX: 0.70, MIN: 0.34}
"""How far down a shape the middle of its value is; a triangle is widest at its base."""


def svg_texts(picture: Picture, shape: Shape, to_write: bool) -> Iterator[str]:
    """Of one shape; `to_write` adds texts without letters, where students write."""
    yield from _value(shape)
    yield from _beside(picture, shape) if shape.beside is None else _narrow_beside(shape.beside)
    if to_write:
        yield from _slots(picture, shape)


def _value_line(shape: Shape) -> float:
    """The y of what is written in a shape."""
    return shape.y + shape.height * _TEXT_HEIGHT.get(shape.item.kind, 0.5) + VALUE_SIZE * 0.36


def _value(shape: Shape) -> Iterator[str]:
    item = shape.item
    text = item.sign + item.value
    if text and shape.inside:
        y = _value_line(shape)
        size = VALUE_SIZE if item.kind != REST else LABEL_SIZE
        yield text_at(shape.x, y, text, "value", "middle", size)
        if item.fresh_value:
            width = text_width(text, size)
            yield underline(shape.x - width / 2, y, width)


def _beside(picture: Picture, shape: Shape) -> Iterator[str]:
    item = shape.item
    if item.kind == LEAF:
        if item.name and shape.in_column:
            x, y = shape.x + shape.width / 2 + 5, shape.y + shape.height / 2 + CELL_NAME_SIZE * 0.36
            yield text_at(x, y, item.name, "name", "start", CELL_NAME_SIZE)
        elif item.name:
            yield text_at(shape.x, shape.y + shape.height + LEAF_NAME_DROP, item.name, "name", "middle", NOTE_SIZE)
        return
    reach, first = offset(item, shape.width), shape.y + NOTE_SIZE
    if item.name:
        yield text_at(shape.x + reach, first, item.name, "name", "start", NOTE_SIZE)
    if item.value and not shape.inside:
        right, line = shape.x + shape.width / 2 + 5, first + NOTE_LINE + 4
        yield text_at(right, line, item.sign + item.value, "value", "start", VALUE_SIZE)
        if item.fresh_value:
            yield underline(right, line, text_width(item.sign + item.value, VALUE_SIZE))
    notes = notes_beside(picture.board, item)
    reach = note_offset(item, shape.width, note_rows(notes))
    for note in notes:
        right, line = shape.x - reach, first + NOTE_LINE * note.row
        yield text_at(right, line, note.text, _note_class("note", note.fresh, note.kind), "end", NOTE_SIZE)
        if note.fresh:
            width = text_width(note.text, NOTE_SIZE)
            yield underline(right - width, line, width, note.kind)
    if item.blank_note:
        yield _blank(*_blank_note(picture, shape))


def _narrow_beside(places: Sequence[SideText]) -> Iterator[str]:
    for each in places:
        if each.blank:
            yield _blank(each.x, each.y - BLANK_NOTE_HEIGHT / 2)
        elif each.text:
            kind = _note_class(each.kind, each.fresh and each.kind == "note", each.alternative)
            yield text_at(each.x, each.y, each.text, kind, "start", each.size)
            if each.fresh:
                yield underline(each.x, each.y, text_width(each.text, each.size), each.alternative)


def _note_class(kind: str, fresh: bool, alternative: str) -> str:
    return " ".join([kind, *(["fresh"] if fresh else []), *([f"of-{alternative}"] if alternative else [])])


def _slots(picture: Picture, shape: Shape) -> Iterator[str]:
    """Where a student's value and window are written."""
    item = shape.item
    if item.blank_value and not item.value:
        yield text_at(shape.x, _value_line(shape), "", "value", "middle", VALUE_SIZE, slot="value")
    if item.blank_note:
        left, top = _blank_note(picture, shape)
        x, y = left + BLANK_NOTE_WIDTH / 2, top + BLANK_NOTE_HEIGHT / 2 + NOTE_SIZE * 0.36
        yield text_at(x, y, "", "note", "middle", NOTE_SIZE, slot="note")


def _blank_note(picture: Picture, shape: Shape) -> Point:
    """The upper left corner of the box for a window."""
    for each in shape.beside or ():
        if each.blank:
            return each.x, each.y - BLANK_NOTE_HEIGHT / 2
    reach = note_offset(shape.item, shape.width, note_rows(notes_beside(picture.board, shape.item)))
    return shape.x - reach - BLANK_NOTE_WIDTH, shape.y


def _blank(left: float, top: float) -> str:
    size = f'width="{BLANK_NOTE_WIDTH:g}" height="{BLANK_NOTE_HEIGHT}"'
    return f'<rect class="blank" x="{length(left)}" y="{length(top)}" {size}/>'


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
