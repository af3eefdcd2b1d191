"""Tic-tac-toe positions, grown to the end of the game or cut off at a depth (AIMA 3e, Figure 5.1).

X is MAX and moves first. The evaluation of an unfinished position is the number of lines that are still open for X
minus the number still open for O.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from solver.game.game_tree import MAX, MIN
from solver.interchange.game_draft import Entry, ImportedGame
from solver.kernel.errors import Limits, UsageError

CROSS, NOUGHT, EMPTY = "X", "O", "."
SQUARES = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
"""As in a spreadsheet: columns a to c, rows 1 to 3 from the top; b2 is the centre."""
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
WIN, WIN_AMONG_ESTIMATES = 1, 10
"""What a win is worth; among estimates it must outweigh any of them, and there are eight lines."""


def import_tictactoe(text: str, depth: int | None, limits: Limits) -> ImportedGame:
    """The game from a position such as `XO./.X./..O`; UsageError if it cannot arise."""
    board = _board(text)
    deepest = len(board) if depth is None else depth
    win = WIN if depth is None else WIN_AMONG_ESTIMATES
    size = _size(board, deepest)
    if size > limits.nodes:
        raise UsageError(f"tic-tac-toe from {text} has {size:,} nodes; at most {limits.nodes:,} are allowed")
    cut_off = "" if depth is None else f", cut off at depth {depth}"
    head = {
        "title": f"Tic-tac-toe from {_rows(board, '/')}{cut_off}",
        "source": f"plymark import tictactoe:{_rows(board, '/')}" + ("" if depth is None else f" --depth {depth}"),
        "bounds": [-win, win],
        "root": _rows(board, "|"),
    }
    return ImportedGame(head, size, lambda: _entries(board, deepest, win), limits)


# The rules; each is asked for the same few thousand positions again and again.


@cache
def winner(board: str) -> str | None:
    for first, second, third in LINES:
        if board[first] != EMPTY and board[first] == board[second] == board[third]:
            return board[first]
    return None


@cache
def result(board: str) -> int | None:
    """1, 0 or -1 for X if the game is over."""
    if (won := winner(board)) is not None:
        return 1 if won == CROSS else -1
    return None if EMPTY in board else 0


@cache
def evaluation(board: str) -> int:
    """Open lines, mine minus yours: a line is open for X if no O is on it."""
    marks = [{board[square] for square in line} for line in LINES]
    return sum(NOUGHT not in line for line in marks) - sum(CROSS not in line for line in marks)


@cache
def mover(board: str) -> str:
    return CROSS if board.count(CROSS) == board.count(NOUGHT) else NOUGHT


@cache
def moves(board: str) -> tuple[tuple[str, str], ...]:
    """The name of each free square and the position after a move there, in reading order."""
    mark = mover(board)
    free = (square for square, sign in enumerate(board) if sign == EMPTY)
    return tuple((SQUARES[square], board[:square] + mark + board[square + 1 :]) for square in free)


# The tree.


def _size(board: str, depth: int) -> int:
    """How many nodes the tree will have, found position by position."""
    count, level = 1, Counter({board: 1})
    for _ in range(depth):
        below: Counter[str] = Counter()
        for position, times in level.items():
            if result(position) is None:
                for _, after in moves(position):
                    below[after] += times
        count, level = count + below.total(), below
        if not below:
            break
    return count


def _entries(board: str, depth: int, win: int) -> Iterator[Entry]:
    """Inner nodes in document order; a position that comes up again gets a number behind its id."""
    occurrences: Counter[str] = Counter({board: 1})
    if (value := _leaf(board, depth, win)) is not None:
        yield _rows(board, "|"), {"value": value}
        return
    stack = [(_rows(board, "|"), board, depth)]
    while stack:
        name, position, rest = stack.pop()
        children: list[dict[str, str | int]] = []
        inner: list[tuple[str, str, int]] = []
        for move, after in moves(position):
            to: str | int | None = _leaf(after, rest - 1, win)
            if to is None:
                occurrences[after] += 1
                to = _rows(after, "|") if occurrences[after] == 1 else f"{_rows(after, '|')}~{occurrences[after]}"
                inner.append((to, after, rest - 1))
            children.append({"move": move, "to": to})
        turn = MAX if mover(position) == CROSS else MIN
        yield name, {"turn": turn, "estimate": evaluation(position), "children": children}
        stack.extend(reversed(inner))


def _leaf(board: str, rest: int, win: int) -> int | None:
    """The value of a finished game, or the evaluation where the tree is cut off."""
    over = result(board)
    if over is not None:
        return win * over
    return evaluation(board) if rest == 0 else None


@cache
def _rows(board: str, between: str) -> str:
    return between.join((board[:3], board[3:6], board[6:]))


# The notation.


def _board(text: str) -> str:
    """Nine characters in reading order; UsageError for anything that is not a position, or not a reachable one."""
    if not re.fullmatch(r"[XOxo.]{3}/[XOxo.]{3}/[XOxo.]{3}", text):
        raise UsageError(f"a tic-tac-toe position is three rows of X, O and . such as XO./.X./..O, not {text[:60]!r}")
    board = text.upper().replace("/", "")
    xs, os = board.count(CROSS), board.count(NOUGHT)
    if xs - os not in (0, 1):
        raise UsageError(
            f"{text} is not a reachable position: X starts and they alternate, but there are {xs} X and {os} O"
        )
    won = {board[line[0]] for line in LINES if len({board[square] for square in line}) == 1} - {EMPTY}
    if len(won) == 2:
        raise UsageError(f"{text} is not a reachable position: both have three in a row, but the first ends the game")
    if won and (won == {CROSS}) != (xs > os):
        loser = NOUGHT if won == {CROSS} else CROSS
        raise UsageError(f"{text} is not a reachable position: {loser} has moved after {won.pop()} had won")
    return board
