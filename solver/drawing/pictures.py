"""A board with every shape and edge in its place. Lengths are CSS pixels, y grows downwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.drawing.boards import LEAF, REST, Board
from solver.drawing.indented import indented
from solver.drawing.layout import Blocks, tidy
from solver.drawing.measure import text_width
from solver.drawing.placed import Edge, Picture, Point, Shape, rail_starts
from solver.drawing.rooms import (
    CELL_HEIGHT,
    LABEL_AT,
    LABEL_SIZE,
    LEAF_HEIGHT,
    SHAPE_HEIGHT,
    Arrangement,
    Room,
    arrangement,
    cell_name_width,
    edge_label,
    fits_inside,
    rooms,
)

MARGIN, ROW_LABEL_GAP = 16.0, 24.0
LEAF_GAP, SIBLING_GAP, SUBTREE_GAP = 10.0, 20.0, 26.0
EDGE_HEIGHT, STEEPER, TALLEST_EDGE, SQUARE_EDGE = 58.0, 0.06, 150.0, 80.0
"""Edges that reach far to the side are higher, so that they do not lie flat."""
CUT_AT = 0.4
TICK, COLUMN_GAP = 12.0, 12.0


def picture(board: Board, width: float | None = None) -> Picture:
    return pictures([board], width)[0]


def pictures(boards: Sequence[Board], width: float | None = None) -> list[Picture]:
    """Boards of one tree, drawn so that nothing moves from one to the next: side by side below one another's parents,
    or, where that is wider than is asked, in the narrow layout."""
    needed = rooms(boards)
    made = [_Placing(board, needed).picture() for board in boards]
    return made if width is None or made[0].width <= width else indented(boards, width)


class _Placing:
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
        return max((TICK + self.rooms[child].width + cell_name_width(items[child]) for child in children), default=0.0)

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
            x, y = middle + TICK + width / 2, top[self.board.depth[child]] + CELL_HEIGHT * row
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
        at = (foot[0] + TICK / 2, middle)
        points = (top, (foot[0], middle), (cell.x - cell.width / 2, middle))
        yield Edge(cell.item, points, (), at, at, (1.0, 0.0))
