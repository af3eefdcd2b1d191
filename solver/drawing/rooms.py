"""How much room every item of a board takes, with all that is written at it. Lengths are CSS pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from solver.drawing.boards import LEAF, PLAYER, REST, Board, BoardItem
from solver.drawing.folding import LONGEST_COLUMN
from solver.drawing.measure import text_width
from solver.game.tree import CHANCE, MAX

VALUE_SIZE, NOTE_SIZE, LABEL_SIZE, CELL_NAME_SIZE = 16.0, 12.5, 12.5, 11.0
NOTE_LINE, LABEL_LINE, LEAF_NAME_DROP = 16.0, 14.0, 17.0
SHAPE_HEIGHT, LEAF_HEIGHT, CELL_HEIGHT = 42.0, 30.0, 26.0
LEAST_WIDTH, LEAST_LEAF, BLANK_WIDTH, BLANK_NOTE_WIDTH = 48.0, 30.0, 70.0, 74.0
WIDEST_INSIDE, SHORT_LEAF = 96.0, 60.0
LABEL_AT = 0.7
"""How far down a slanting edge its label is: lower down, neighbouring edges are further apart."""
FAN = 9
"""Nodes with more children have square edges: slanting ones would lie flat and cross the labels."""
MANY_LEAVES = 40
"""With more leaves than this, or folded ones, those of one node are in a column below it."""


@dataclass(frozen=True, slots=True)
class Room:
    width: float
    """Of the shape."""
    left: float
    """How far the item reaches from the middle of its shape."""
    right: float
    height: float


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What is arranged otherwise than side by side below slanting edges, by places."""

    column: Sequence[bool]
    """Whether an item's children are in a column below it."""
    stacked: Sequence[bool]
    """Whether an item is in such a column."""
    square: Sequence[bool]
    """Whether the edge to an item is square."""


def arrangement(board: Board) -> Arrangement:
    kinds = [item.kind for item in board.items]
    many = kinds.count(LEAF) > MANY_LEAVES or REST in kinds
    column = [
        many and _is_column(kinds[place], [kinds[child] for child in children])
        for place, children in enumerate(board.children)
    ]
    stacked, square = [False] * len(kinds), [False] * len(kinds)
    for place, children in enumerate(board.children):
        for child in children:
            stacked[child] = column[place]
            # Square edges take less room too: their labels have two lines.
            wide = len(children) > FAN or (many and kinds[place] == CHANCE and len(children) > 2)
            square[child] = wide and not column[place]
    return Arrangement(column, stacked, square)


def _is_column(kind: str, kinds: Sequence[str]) -> bool:
    """Whether a node of a kind may have children of these kinds in a column; outcomes need room for probabilities."""
    return kind != CHANCE and 2 <= len(kinds) <= LONGEST_COLUMN and LEAF in kinds and set(kinds) <= {LEAF, REST}


def rooms(boards: Sequence[Board]) -> list[Room]:
    """What each item takes at most, in boards of the same tree that are to be drawn alike."""
    first = boards[0]
    square = arrangement(first).square
    width = [max(widths) for widths in zip(*(shape_widths(board) for board in boards), strict=True)]
    return [
        Room(
            width[place],
            left=max(_left(board, board.items[place], width[place], square[place]) for board in boards),
            right=max(_right(board.items[place], width[place], square[place]) for board in boards),
            height=max(_height(board, board.items[place]) for board in boards),
        )
        for place in range(len(first.items))
    ]


def fits_inside(item: BoardItem) -> bool:
    """Whether the value is in the shape; beside it otherwise."""
    return item.kind in (LEAF, PLAYER, REST) or value_width(item) <= WIDEST_INSIDE


def offset(item: BoardItem, width: float) -> float:
    """How far from the middle the strings beside a shape start: a ▲ is narrow where they are."""
    return width * 0.28 + 6 if item.kind == MAX else width / 2 + 5


def note_offset(item: BoardItem, width: float, lines: int) -> float:
    """The same for notes: further down, where the second is, a ▲ is wide."""
    return offset(item, width) if lines < 2 else width / 2 + 5


class NodeNote(NamedTuple):
    text: str
    fresh: bool
    """Whether it was just changed."""
    row: int
    kind: str = ""
    """window or interval, where a page shows one of them at a time."""


def notes_beside(board: Board, item: BoardItem) -> list[NodeNote]:
    """The notes, and the mover too, where the row does not say it."""
    mover = [NodeNote(item.mover, False, 0)] if item.mover and board.tree.depth[item.node] not in board.rows else []
    notes = [
        NodeNote(text, fresh, len(mover) + row)
        for row, (text, fresh) in enumerate(zip(item.notes, item.fresh_notes, strict=True))
    ]
    if board.alternating:
        windows = [note._replace(kind="window") for note in notes[: len(item.windows)]]
        notes = [*windows, *(note._replace(row=len(mover), kind="interval") for note in notes[len(item.windows) :])]
    return [*mover, *notes]


def note_rows(notes: Sequence[NodeNote]) -> int:
    return max((note.row for note in notes), default=-1) + 1


def cell_name_width(item: BoardItem) -> float:
    """What a leaf's name takes to the right of its cell in a column."""
    return text_width(item.name, CELL_NAME_SIZE) + 5 if item.kind == LEAF and item.name else 0.0


def edge_label(item: BoardItem, square: bool) -> tuple[str, ...]:
    """The lines of a move, a probability, or both; on a square edge they are one below the other."""
    if item.move and item.probability and not square:
        return (f"{item.move} ({item.probability})",)
    return tuple(filter(None, (item.move, item.probability)))


def value_width(item: BoardItem) -> float:
    """The width that a shape needs for its value."""
    text = text_width(item.sign + item.value, LABEL_SIZE if item.kind == REST else VALUE_SIZE)
    match item.kind:
        case "max" | "min":
            return text / 0.54 + 6
        case "leaf" | "player":
            return text + 18
        case "rest":
            return text + 6
    return text / (0.8 if item.kind == CHANCE else 0.6) + 8


def shape_widths(board: Board) -> list[float]:
    widths = list(map(_shape_width, board.items))
    # Short leaves of one level are equally wide: cousins look alike, and a middle child is in the middle.
    widest: dict[int, float] = {}
    short = [place for place, item in enumerate(board.items) if item.kind == LEAF and widths[place] <= SHORT_LEAF]
    for place in short:
        widest[board.depth[place]] = max(widest.get(board.depth[place], 0.0), widths[place])
    for place in short:
        widths[place] = widest[board.depth[place]]
    return widths


def _shape_width(item: BoardItem) -> float:
    least = BLANK_WIDTH if item.blank_value else LEAST_LEAF if item.kind == LEAF else LEAST_WIDTH
    return max(least, value_width(item)) if fits_inside(item) else least


def _left(board: Board, item: BoardItem, width: float, square: bool) -> float:
    beside = notes_beside(board, item)
    notes = max((text_width(note.text, NOTE_SIZE) for note in beside), default=0.0)
    notes = max(notes, BLANK_NOTE_WIDTH if item.blank_note else 0.0)
    reach = note_offset(item, width, note_rows(beside))
    return max(width / 2, reach + notes if notes else 0.0, *_above_and_below(item, square))


def _right(item: BoardItem, width: float, square: bool) -> float:
    name = 0.0 if item.kind == LEAF else text_width(item.name, NOTE_SIZE)
    value = 0.0 if fits_inside(item) else width / 2 + 5 + text_width(item.sign + item.value, VALUE_SIZE)
    return max(width / 2, offset(item, width) + name if name else 0.0, value, *_above_and_below(item, square))


def _above_and_below(item: BoardItem, square: bool) -> Iterator[float]:
    """Half of a leaf's name, and half of what an edge's label takes at the child, so that neighbouring labels do not
    touch higher up."""
    if item.kind == LEAF:
        yield text_width(item.name, NOTE_SIZE) / 2
    for line in edge_label(item, square):
        yield (text_width(line, LABEL_SIZE) / 2 + 3) / (1.0 if square else LABEL_AT)


def _height(board: Board, item: BoardItem) -> float:
    if item.kind == LEAF:
        return LEAF_HEIGHT + (LEAF_NAME_DROP + 3 if item.name else 0.0)
    rows = note_rows(notes_beside(board, item))
    return max(SHAPE_HEIGHT, NOTE_LINE * rows, 0.0 if fits_inside(item) else 3 * NOTE_LINE)
