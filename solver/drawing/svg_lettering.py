"""What is written in and beside the shapes of an SVG picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.drawing.boards import LEAF, REST
from solver.drawing.measure import text_width
from solver.drawing.placed import Beside, Picture, Point, Shape
from solver.drawing.rooms import (
    BLANK_NOTE_WIDTH,
    CELL_NAME_SIZE,
    LABEL_SIZE,
    LEAF_NAME_DROP,
    NOTE_LINE,
    NOTE_SIZE,
    VALUE_SIZE,
    note_offset,
    note_rows,
    notes_beside,
    offset,
)
from solver.drawing.svg_text import length, text_at, underline
from solver.game.tree import MAX, MIN

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


def _narrow_beside(places: Sequence[Beside]) -> Iterator[str]:
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
