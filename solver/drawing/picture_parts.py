"""What is placed in a picture, and how much room every item of a board takes, with all that is written at it; the title
above it and the legend below it. Lengths are CSS pixels, y grows downwards.

A legend has one entry for each sign that occurs, in the words of the boards' language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from solver.drawing.boards import (
    LEAF,
    PLAYER,
    PRUNED,
    REST,
    SEEN,
    TURNS,
    UNSEEN,
    Board,
    BoardItem,
    current_key,
    without_marks,
)
from solver.drawing.picture_style import text_width
from solver.drawing.view import LONGEST_COLUMN
from solver.game.game_tree import CHANCE, MAX, NOWHERE

LINE, BOUND, WINDOW, INTERVAL, CHANGED = "line", "bound", "window", "interval", "changed"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    text: str
    item: BoardItem | None = None
    """A shape to be drawn,"""
    sign: str = ""
    """or one of LINE, BOUND, WINDOW, INTERVAL and CHANGED: but for a line, some letters as a sample."""
    sample: str = ""

    @property
    def fresh(self) -> bool:
        """Whether the sample is marked as changed."""
        return self.sign == CHANGED


def legend(boards: Sequence[Board]) -> list[LegendEntry]:
    """Of boards of one search; the stages of one have one legend."""
    say = boards[0].language.say
    items = [item for board in boards for item in board.items]
    entries = [*_shapes(boards[0], items)]
    if any(item.cut or item.state == PRUNED for item in items):
        entries.append(LegendEntry(say("picture.pruned"), BoardItem(NOWHERE, LEAF, state=PRUNED, cut=True)))
    if any(item.state == UNSEEN for item in items):
        entries.append(LegendEntry(say("picture.unseen"), BoardItem(NOWHERE, LEAF, state=UNSEEN)))
    for item in {current_key(item): item for item in items if item.current}.values():
        kind = item.kind if current_key(item) == "picture.current-node" else LEAF
        shown = BoardItem(NOWHERE, kind, colour=item.colour, current=True)
        entries.append(LegendEntry(say(current_key(item)), shown))
    signs = {
        LINE: ("picture.legend.line", any(item.best for item in items)),
        BOUND: ("picture.legend.bound", any(item.sign for item in items)),
        WINDOW: ("picture.legend.window", any(item.windows for item in items)),
        INTERVAL: ("picture.legend.interval", any(item.interval for item in items)),
        CHANGED: ("picture.changed", any(item.changed for item in items)),
    }
    samples = {
        BOUND: "≤ ≥",
        WINDOW: without_marks(say("window", low="α", high="β")),
        INTERVAL: without_marks(say("interval", low="a", high="b")),
        CHANGED: boards[0].language.number(3),
    }
    entries += [
        LegendEntry(say(key), sign=sign, sample=samples.get(sign, ""))
        for sign, (key, occurs) in signs.items()
        if occurs
    ]
    return entries


def _shapes(board: Board, items: Sequence[BoardItem]) -> Iterator[LegendEntry]:
    say = board.language.say
    kinds = {item.kind for item in items}
    for kind, key in TURNS.items():
        if kind in kinds:
            yield LegendEntry(say(key), BoardItem(NOWHERE, kind))
    for player, colour in sorted({(item.mover, item.colour) for item in items if item.kind == PLAYER}, key=_by_colour):
        yield LegendEntry(say("picture.player", player=player), BoardItem(NOWHERE, PLAYER, mover=player, colour=colour))
    if LEAF in kinds:
        yield LegendEntry(say("picture.leaf"), BoardItem(NOWHERE, LEAF))


def _by_colour(named: tuple[str, int]) -> int:
    return named[1]


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


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SideText:
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
    beside: Sequence[SideText] | None = None
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


TITLE_SIZE, TITLE_LINE, MARGIN = 20.0, 30.0, 16.0
LEGEND_SIZE, LEGEND_LINE, SAMPLE, GAP, APART = 13.5, 32.0, 44.0, 8.0, 22.0
LEAST_LEGEND = 420.0
"""A legend is as wide as its picture or its place, but not narrower than this."""


def add_frame(
    picture: Picture, title: str = "", entries: Sequence[LegendEntry] = (), proportion: float = 0.0
) -> Picture:
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
