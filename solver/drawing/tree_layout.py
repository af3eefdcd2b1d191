"""A board with every shape and edge in its place. Lengths are CSS pixels, y grows downwards.

The wide layout is a tidy tree, level by level. The narrow one has a row for every item, its children below it and
further in, on a rail. It grows down a page instead of across: what is beside a shape goes on in a second line where
the width ends, and the labels of edges are above their rows where levels would be too far apart otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from solver.drawing.boards import LEAF, PLAYER, REST, Board, BoardItem, without_marks
from solver.drawing.picture_parts import (
    BLANK_NOTE_WIDTH,
    CELL_HEIGHT,
    LABEL_AT,
    LABEL_SIZE,
    LEAF_HEIGHT,
    SHAPE_HEIGHT,
    VALUE_SIZE,
    Arrangement,
    Edge,
    Picture,
    Point,
    Room,
    Shape,
    SideText,
    arrangement,
    cell_name_width,
    edge_label,
    fits_inside,
    rail_starts,
    rooms,
    shape_widths,
)
from solver.drawing.picture_style import text_width
from solver.drawing.tidy_tree import Blocks, tidy
from solver.game.game_tree import AND, CHANCE, MAX, MIN, OR

SMALL_SIZE = 13.5
"""Of all but values: a picture may be made a little smaller still, and is to be read then."""
NARROW_MARGIN, ROW_GAP, BESIDE_GAP, WORD_GAP = 12.0, 8.0, 6.0, 10.0
LEAF_ROW, LINE, BLANK_LINE, LABEL_LINE = 28.0, 17.0, 26.0, 18.0
RAIL, NARROW_TICK = 12.0, 16.0
"""How far a rail is within the shape it hangs from, and how far a shape is from its rail."""
SHORT_RAIL, SHORT_TICK = 8.0, 13.0
"""The same in deep trees."""
BEFORE_LABEL, AFTER_LABEL = 14.0, 5.0
"""On the way from a rail: first the strokes of a cut, then the label."""


def indented(boards: Sequence[Board], width: float) -> list[Picture]:
    """Boards of one tree, drawn alike: as wide as is asked, or as narrow as can be."""
    boards = [replace(board, rows={}) for board in boards]
    for above, rail, tick in ((False, RAIL, NARROW_TICK), (True, RAIL, NARROW_TICK), (True, SHORT_RAIL, SHORT_TICK)):
        placing = _NarrowLayout(boards, width, above, rail, tick)
        candidates = [placing.picture(board) for board in boards]
        if candidates[0].width <= width:
            break
    return candidates


@dataclass(frozen=True, slots=True)
class _SideWord:
    """A string beside a shape, or a box to fill in: how wide it is in any of the boards, and where it goes."""

    width: float
    line: float
    """How high its line is."""
    x: float = 0.0
    y: float = 0.0


class _NarrowLayout:
    def __init__(self, boards: Sequence[Board], width: float, above: bool, rail: float, tick: float) -> None:
        self.boards, self.first, self.limit, self.above, self.rail = boards, boards[0], width, above, rail
        self.widths = [max(each) for each in zip(*map(shape_widths, boards), strict=True)]
        self.labels = [" ".join(edge_label(item, square=False)) for item in self.first.items]
        self.parent = {child: place for place, below in enumerate(self.first.children) for child in below}
        self.left = self._left(tick)
        self.top, self.words, self.height = self._down()

    def _left(self, tick: float) -> list[float]:
        """Where the shapes of each depth begin."""
        board = self.first
        left = [NARROW_MARGIN]
        for depth in range(max(board.depth)):
            parents = [place for place, at in enumerate(board.depth) if at == depth and board.children[place]]
            labels = (self.labels[child] for place in parents for child in board.children[place])
            longest = 0.0 if self.above else max((text_width(label, SMALL_SIZE) for label in labels), default=0.0)
            rail = max((self._rail(place) for place in parents), default=self.rail)
            left.append(left[-1] + rail + (BEFORE_LABEL + longest + AFTER_LABEL if longest else tick))
        return left

    def _rail(self, place: int) -> float:
        """How far from the left of a shape its rail is: of a ▼ it starts halfway down, where there is room."""
        roomy = self.rail == RAIL and self.first.items[place].kind == MIN
        return self.widths[place] / 4 if roomy else self.rail

    def _down(self) -> tuple[list[float], list[list[_SideWord]], float]:
        """The upper edge of each shape, what is beside it, and the height of the picture."""
        y, tops, beside = NARROW_MARGIN, [], []
        for place in range(len(self.first.items)):
            y += LABEL_LINE if self.above and self.labels[place] else 0.0
            words, high = self._flow(place)
            shape = self._shape_height(place)
            row = max(shape, high)
            tops.append(y + (row - shape) / 2)
            beside.append([replace(word, y=y + (row - high) / 2 + word.y) for word in words])
            y += row + ROW_GAP
        return tops, beside, y - ROW_GAP + NARROW_MARGIN

    def _shape_height(self, place: int) -> float:
        return LEAF_ROW if self.first.items[place].kind in (LEAF, REST) else SHAPE_HEIGHT

    def _flow(self, place: int) -> tuple[list[_SideWord], float]:
        """Line by line, and how high all of them are."""
        start = self.left[self.first.depth[place]] + self.widths[place] + BESIDE_GAP
        lines: list[list[_SideWord]] = []
        x = start
        for word in self._all_words(place):
            if not lines or (x > start and x + word.width > self.limit - NARROW_MARGIN):
                lines.append([])
                x = start
            lines[-1].append(replace(word, x=x))
            x += word.width + (WORD_GAP if word.width else 0.0)
        placed: list[_SideWord] = []
        y = 0.0
        for line in lines:
            high = max(word.line for word in line)
            placed += [replace(word, y=y + high / 2) for word in line]
            y += high
        return placed, y

    def _all_words(self, place: int) -> Iterator[_SideWord]:
        """As much as any of the boards has there, in the order of `_written`."""
        every = [list(_written(board, board.items[place])) for board in self.boards]
        for number in range(max(map(len, every))):
            words = [each[number] for each in every if number < len(each)]
            yield _SideWord(max(map(_width, words)), max(BLANK_LINE if word.blank else LINE for word in words))

    def picture(self, board: Board) -> Picture:
        shapes = [self._shape(board, place) for place in range(len(board.items))]
        edges = [edge for place in range(len(board.items)) for edge in self._edges(board, shapes, place)]
        right = max(
            max(shape.x + shape.width / 2, *(word.x + word.width for word in self.words[place]), self._label_end(place))
            if self.words[place]
            else max(shape.x + shape.width / 2, self._label_end(place))
            for place, shape in enumerate(shapes)
        )
        return Picture(board, right + NARROW_MARGIN, self.height, shapes, edges, rows=[], narrow=True)

    def _label_end(self, place: int) -> float:
        """How far a label above its row reaches."""
        if not (self.above and self.labels[place]):
            return 0.0
        return self._label_start(place) + text_width(self.labels[place], SMALL_SIZE)

    def _label_start(self, place: int) -> float:
        parent = self.parent[place]
        return self.left[self.first.depth[parent]] + self._rail(parent) + BEFORE_LABEL - 4

    def _shape(self, board: Board, place: int) -> Shape:
        item, width, height = board.items[place], self.widths[place], self._shape_height(place)
        x = self.left[board.depth[place]] + width / 2
        beside = [
            replace(written, x=word.x, y=word.y if written.blank else word.y + written.size * 0.36)
            for written, word in zip(_written(board, item), self.words[place], strict=False)
        ]
        return Shape(item, x, self.top[place], width, height, fits_inside(item), beside=beside)

    def _edges(self, board: Board, shapes: Sequence[Shape], place: int) -> Iterator[Edge]:
        children = [shapes[child] for child in board.children[place]]
        foot = self._foot(shapes[place], place)
        joins = [_join(child) for child in children]
        starts = rail_starts([child.item for child in children])
        for child, number, (x, y), start in zip(children, board.children[place], joins, starts, strict=True):
            top = foot if start < 0 else (foot[0], joins[start][1])
            label = (self.labels[number],) if self.labels[number] else ()
            half = text_width(self.labels[number], SMALL_SIZE) / 2
            if self.above:
                at = (self._label_start(number) + half, self._row_top(number) - LABEL_LINE / 2 - 1.5)
            else:
                at = (shapes[number].x - shapes[number].width / 2 - AFTER_LABEL - half, y)
            cut = (foot[0] + SHORT_TICK / 2, y)
            yield Edge(child.item, (top, (foot[0], y), (x, y)), label, at, cut, (1.0, 0.0), SMALL_SIZE)

    def _row_top(self, place: int) -> float:
        tops = [word.y - word.line / 2 for word in self.words[place]]
        return min([self.top[place], *tops])

    def _foot(self, shape: Shape, place: int) -> Point:
        """Where the rail leaves a shape."""
        across = self._rail(place)
        half, down = shape.width / 2, shape.height / 2
        share = 1 - across / half
        match shape.item.kind:
            case kind if kind == MIN:
                fall = shape.height * across / half - down
            case kind if kind in (OR, AND):
                fall = down * (1 - share)
            case kind if kind == CHANCE:
                fall = down * (1 - share * share) ** 0.5
            case kind if kind == PLAYER and across < down:
                fall = (down * down - (down - across) ** 2) ** 0.5
            case _:
                fall = down
        return shape.x - half + across, shape.y + down + fall


def _join(shape: Shape) -> Point:
    """Where an edge comes to a shape from the left."""
    left, half = shape.x - shape.width / 2, shape.width / 2
    if shape.item.kind == MIN:
        return left + half / 4, shape.y + shape.height / 4
    return left + (half / 2 if shape.item.kind == MAX else 0.0), shape.y + shape.height / 2


def _width(word: SideText) -> float:
    return BLANK_NOTE_WIDTH if word.blank else text_width(word.text, word.size)


def _written(board: Board, item: BoardItem) -> Iterator[SideText]:
    """What is beside a shape: its name, a value that is too long for it, who moves, windows and intervals. What is not
    there yet has no letters, so that later strings keep their places."""
    if item.kind == REST:
        return
    yield SideText("name", item.name, SMALL_SIZE)
    if item.kind == LEAF:
        return
    outside = "" if fits_inside(item) else item.sign + item.value
    yield SideText("value", outside, VALUE_SIZE, fresh=item.fresh_value)
    if item.blank_note:
        yield SideText("note", "", SMALL_SIZE, blank=True)
    if item.mover:
        # Side by side, a node's name and a player's could be taken for one another.
        mover = without_marks(board.language.say("picture.player", player=item.mover))
        yield SideText("note", mover, SMALL_SIZE)
    kinds = [*["window"] * len(item.windows), "interval"] if board.alternating else [""] * len(item.notes)
    for note, fresh, kind in zip(item.notes, item.fresh_notes, kinds, strict=False):
        yield SideText("note", note, SMALL_SIZE, fresh=fresh, alternative=kind)


MARGIN, ROW_LABEL_GAP = 16.0, 24.0
LEAF_GAP, SIBLING_GAP, SUBTREE_GAP = 10.0, 20.0, 26.0
EDGE_HEIGHT, STEEPER, TALLEST_EDGE, SQUARE_EDGE = 58.0, 0.06, 150.0, 80.0
"""Edges that reach far to the side are higher, so that they do not lie flat."""
CUT_AT = 0.4
COLUMN_TICK, COLUMN_GAP = 12.0, 12.0


def picture(board: Board, width: float | None = None) -> Picture:
    return pictures([board], width)[0]


def pictures(boards: Sequence[Board], width: float | None = None) -> list[Picture]:
    """Boards of one tree, drawn so that nothing moves from one to the next: side by side below one another's parents,
    or, where that is wider than is asked, in the narrow layout."""
    needed = rooms(boards)
    candidates = [_WideLayout(board, needed).picture() for board in boards]
    return candidates if width is None or candidates[0].width <= width else indented(boards, width)


class _WideLayout:
    def __init__(self, board: Board, needed: Sequence[Room]) -> None:
        self.board, self.rooms = board, needed
        self.arranged: Arrangement = arrangement(board)
        self.kept = [place for place, stacked in enumerate(self.arranged.stacked) if not stacked]
        """All but what is in columns."""

    def picture(self) -> Picture:
        board, rooms = self.board, self.rooms
        x = self._across()
        top, height = self._down(x)
        left = min(x[place] - rooms[place].left for place in self.kept)
        right = max(x[place] + max(rooms[place].right, self._column_width(place)) for place in self.kept)
        row_labels = max((text_width(text, LABEL_SIZE) + ROW_LABEL_GAP for text in board.rows.values()), default=0.0)
        shift = MARGIN + row_labels - left
        shapes = self._shapes({place: x[place] + shift for place in self.kept}, top)
        return Picture(
            board,
            width=right + shift + MARGIN,
            height=top[-1] + height[-1] + MARGIN,
            shapes=shapes,
            edges=self._edges(shapes),
            rows=[(top[depth] + SHAPE_HEIGHT / 2 + LABEL_SIZE / 3, text) for depth, text in board.rows.items()],
        )

    def _column_width(self, place: int) -> float:
        children, items = self.board.children[place] if self.arranged.column[place] else (), self.board.items
        return max(
            (COLUMN_TICK + self.rooms[child].width + cell_name_width(items[child]) for child in children), default=0.0
        )

    def _across(self) -> dict[int, float]:
        """The middle of every shape that is not in a column; a column is one block, the only child of its parent's."""
        board, rooms = self.board, self.rooms
        number = {place: block for block, place in enumerate(self.kept)}
        children = [[number[child] for child in board.children[place] if child in number] for place in self.kept]
        left = [rooms[place].left for place in self.kept]
        right = [rooms[place].right for place in self.kept]
        gap = [LEAF_GAP if board.items[place].kind == LEAF else SIBLING_GAP for place in self.kept]
        for place in self.kept:
            if self.arranged.column[place]:
                children[number[place]] = [len(children)]
                children.append([])
                left.append(0.0)
                right.append(self._column_width(place))
                gap.append(LEAF_GAP)
        centres = tidy(Blocks(children, left, right, gap, SUBTREE_GAP))
        return {place: centres[block] for place, block in number.items()}

    def _down(self, x: dict[int, float]) -> tuple[list[float], list[float]]:
        """The upper edge and the height of every row. A column takes the row below its parent."""
        board = self.board
        rows = max(board.depth) + 1
        height, edge = [0.0] * rows, [COLUMN_GAP] * rows
        for place in self.kept:
            depth = board.depth[place]
            height[depth] = max(height[depth], self.rooms[place].height)
            if self.arranged.column[place]:
                height[depth + 1] = max(height[depth + 1], CELL_HEIGHT * len(board.children[place]))
                continue
            for child in board.children[place]:
                slanting = min(TALLEST_EDGE, EDGE_HEIGHT + STEEPER * abs(x[child] - x[place]))
                edge[depth] = max(edge[depth], SQUARE_EDGE if self.arranged.square[child] else slanting)
        top = [MARGIN]
        for depth in range(rows - 1):
            top.append(top[-1] + height[depth] + edge[depth])
        return top, height

    def _shapes(self, x: dict[int, float], top: Sequence[float]) -> list[Shape]:
        board = self.board
        shapes: dict[int, Shape] = {}
        for place, middle in x.items():
            item, y = board.items[place], top[board.depth[place]]
            height = LEAF_HEIGHT if item.kind in (LEAF, REST) else SHAPE_HEIGHT
            shapes[place] = Shape(item, middle, y, self.rooms[place].width, height, fits_inside(item))
            if self.arranged.column[place]:
                shapes.update(self._column(board.children[place], middle, top))
        return [shapes[place] for place in range(len(board.items))]

    def _column(self, below: Sequence[int], middle: float, top: Sequence[float]) -> dict[int, Shape]:
        items = self.board.items
        boxes = max(self.rooms[child].width for child in below if items[child].kind == LEAF)
        shapes: dict[int, Shape] = {}
        for row, child in enumerate(below):
            width = boxes if items[child].kind == LEAF else self.rooms[child].width
            x, y = middle + COLUMN_TICK + width / 2, top[self.board.depth[child]] + CELL_HEIGHT * row
            shapes[child] = Shape(items[child], x, y, width, CELL_HEIGHT - 4, True, in_column=True)
        return shapes

    def _edges(self, shapes: Sequence[Shape]) -> list[Edge]:
        edges: list[Edge] = []
        for place, parent in enumerate(shapes):
            foot = (parent.x, parent.y + parent.height)
            if self.arranged.column[place]:
                edges += _column_edges(foot, [shapes[child] for child in self.board.children[place]])
                continue
            for child in self.board.children[place]:
                if self.arranged.square[child]:
                    edges.append(_square_edge(foot, shapes[child]))
                else:
                    edges.append(_slanting_edge(foot, shapes[child]))
        return edges


def _slanting_edge(foot: Point, shape: Shape) -> Edge:
    across, down = shape.x - foot[0], shape.y - foot[1]
    length = (across * across + down * down) ** 0.5

    def along(share: float) -> Point:
        return foot[0] + share * across, foot[1] + share * down

    label, slope = edge_label(shape.item, square=False), (across / length, down / length)
    return Edge(shape.item, (foot, (shape.x, shape.y)), label, along(LABEL_AT), along(CUT_AT), slope)


def _square_edge(foot: Point, shape: Shape) -> Edge:
    x, y = shape.x, shape.y
    bend = foot[1] + 0.2 * (y - foot[1])
    points = (foot, (foot[0], bend), (x, bend), (x, y))
    return Edge(shape.item, points, edge_label(shape.item, square=True), (x, y - 26), (x, bend + 9), (0.0, 1.0))


def _column_edges(foot: Point, cells: Sequence[Shape]) -> Iterator[Edge]:
    """Down the rail below the parent, and across to the box."""
    middles = [cell.y + cell.height / 2 for cell in cells]
    starts = rail_starts([cell.item for cell in cells])
    for cell, middle, start in zip(cells, middles, starts, strict=True):
        top = foot if start < 0 else (foot[0], middles[start])
        at = (foot[0] + COLUMN_TICK / 2, middle)
        points = (top, (foot[0], middle), (cell.x - cell.width / 2, middle))
        yield Edge(cell.item, points, (), at, at, (1.0, 0.0))
