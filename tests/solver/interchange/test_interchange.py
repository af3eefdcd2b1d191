"""Positions of tic-tac-toe become documents whose values are those of independent code; what is imported is checked."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game import Game
from solver.interchange.game_draft import FORMATS, ImportedGame
from solver.interchange.importer_registry import import_game
from solver.interchange.tictactoe import evaluation
from solver.kernel import DocumentError, Limits, UsageError
from solver.pipeline import load_bytes, solve
from solver.render import solution_data
from tests.support.paths import ROOT


def loaded(imported: ImportedGame, format: str | None = None) -> Game:
    game = load_bytes(imported.text(format).encode())
    assert len(game.tree) == imported.size
    return game


def outcome(game: Game) -> tuple[Any, list[str], list[str]]:
    """The value, the best moves and the line."""
    data = solution_data(solve(game))
    return data["value"], data["moves"], data["line"]


# Tic-tac-toe, judged by another way of playing it: sets of squares in a magic square, where a line adds up to 15.

MAGIC = (2, 7, 6, 9, 5, 1, 4, 3, 8)
PERFT = (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)


def has_line(squares: frozenset[int]) -> bool:
    return any(a + b + c == 15 for a in squares for b in squares if b < a for c in squares if c < b)


@cache
def magic_value(mine: frozenset[int], yours: frozenset[int], depth: int, win: int) -> int:
    """What a position is worth for the side to move, looking `depth` plies ahead."""
    if has_line(yours):
        return -win
    free = set(range(1, 10)) - mine - yours
    if not free:
        return 0
    if depth == 0:
        lines = [{a, b, c} for a in range(1, 10) for b in range(1, a) for c in range(1, b) if a + b + c == 15]
        return sum(not line & yours for line in lines) - sum(not line & mine for line in lines)
    return max(-magic_value(yours, mine | {square}, depth - 1, win) for square in free)


def sides(board: str) -> tuple[frozenset[int], frozenset[int]]:
    signs = board.replace("/", "")
    return tuple(  # type: ignore[return-value]
        frozenset(magic for magic, sign in zip(MAGIC, signs, strict=True) if sign == mark) for mark in "XO"
    )


def value_for_x(board: str, depth: int = 9, win: int = 1) -> int:
    xs, os = sides(board)
    return magic_value(xs, os, depth, win) if len(xs) == len(os) else -magic_value(os, xs, depth, win)


@cache
def reachable() -> dict[str, bool]:
    """Every position that play can lead to, and whether the game goes on there."""
    found: dict[str, bool] = {}
    level = {"." * 9}
    while level:
        below: set[str] = set()
        for board in level:
            goes_on = "." in board and not any(map(has_line, sides(board)))
            found[board] = goes_on
            if goes_on:
                mark = "XO"[(9 - board.count(".")) % 2]
                below |= {board[:at] + mark + board[at + 1 :] for at, sign in enumerate(board) if sign == "."}
        level = below
    return found


def rows(board: str) -> str:
    return "/".join((board[:3], board[3:6], board[6:]))


def positions(goes_on: bool, filled: int = 0) -> Any:
    """Drawn positions with some squares filled at least."""
    boards = [board for board, on in reachable().items() if on >= goes_on and 9 - board.count(".") >= filled]
    return st.sampled_from(sorted(boards)).map(rows)


@pytest.mark.slow
def test_tictactoe_has_as_many_nodes_as_it_should() -> None:
    imported = import_game("tictactoe:.../.../...")
    assert imported.size == sum(PERFT) == 549_946
    game = loaded(imported)
    assert Counter(game.tree.depth) == Counter(dict(enumerate(PERFT)))
    assert Counter(game.tree.leaf[leaf] for leaf in game.tree.leaves) == {1: 131_184, -1: 77_904, 0: 46_080}
    solution = solve(game, "minimax")
    assert solution.value == 0 and len(solution.moves) == 9


def test_a_large_game_is_json_and_perhaps_too_large_for_yaml() -> None:
    assert import_game("tictactoe:.../.../...").format() == "json"
    assert import_game("tictactoe:.../.X./...", depth=3).format() == "yaml"
    small = import_game("tictactoe:.../.X./...", depth=3, limits=Limits(yaml_bytes=9_000, json_bytes=9_000))
    for format in FORMATS:
        with pytest.raises(DocumentError, match=rf"401 nodes .* bytes as {format.upper()}; at most 9,000 are read"):
            small.text(format)
    with pytest.raises(UsageError, match="at most 1,000 are allowed"):
        import_game("tictactoe:.../.../...", limits=Limits(nodes=1_000))


def test_figure_5_1_cut_off_at_two_plies() -> None:
    game = loaded(import_game("tictactoe:.../.../...", depth=2))
    assert Counter(game.tree.depth) == {0: 1, 1: 9, 2: 72}
    # The centre leaves MIN a corner, 5 - 4; a corner is worth -1 and an edge -2.
    assert outcome(game) == (1, ["b2"], ["b2", "a1"])
    by_move = {game.tree.move[child]: solve(game, "minimax").values[child] for child in game.tree.children[0]}
    assert by_move == {"b2": 1} | dict.fromkeys(["a1", "c1", "a3", "c3"], -1) | dict.fromkeys(
        ["b1", "a2", "c2", "b3"], -2
    )


def test_the_spec_of_figure_5_1_is_what_import_writes() -> None:
    lines = (ROOT / "specs" / "tic-tac-toe-cut-off.yaml").read_text("utf-8").splitlines(keepends=True)
    document = "".join(line for line in lines if not line.startswith("#"))
    titled = re.sub(r"title:\n  en: (.*\n)(?:  [a-z]{2}: .*\n)+", r"title: \1", document)
    assert titled != document
    assert titled == import_game("tictactoe:.../.../...", depth=2).text("yaml")


@pytest.mark.parametrize(
    ("board", "mine", "yours"),
    [(".........", 8, 8), ("....X....", 8, 4), ("X...O....", 4, 5), ("XOX.X.O..", 3, 1), ("XOXOXOOXO", 0, 0)],
)
def test_the_evaluation_counts_open_lines(board: str, mine: int, yours: int) -> None:
    assert evaluation(board) == mine - yours


@settings(max_examples=60)
@given(positions(goes_on=False, filled=3))
def test_tictactoe_values_are_those_of_the_magic_square(board: str) -> None:
    imported = import_game(f"tictactoe:{board}")
    assert solve(loaded(imported, "json")).value == value_for_x(board)


@settings(max_examples=60)
@given(positions(goes_on=True, filled=2), st.integers(0, 4))
def test_cut_off_values_are_those_of_the_magic_square(board: str, depth: int) -> None:
    expected = value_for_x(board, depth, win=10)
    assert solve(loaded(import_game(f"tictactoe:{board}", depth))).value == expected
    # Every inner node has an estimate, so a deeper import can be cut off where one likes.
    assert solve(loaded(import_game(f"tictactoe:{board}", depth + 2)), depth=depth).value == expected


def test_a_win_at_hand_outweighs_every_estimate() -> None:
    # a3 wins at once; other moves leave more lines open than a win would be worth as 1.
    game = loaded(import_game("tictactoe:XO./X../.O.", depth=1))
    assert solve(game).move == "a3" and solve(game).value == 10
    assert max(leaf for leaf in game.tree.leaf[1:] if isinstance(leaf, int) and leaf != 10) > 1


def test_ids_are_boards_and_moves_are_squares() -> None:
    game = loaded(import_game("tictactoe:XO./.X./..."))
    assert game.tree.ids[0] == "XO.|.X.|..." and game.tree.turn[0] == "min"
    assert [game.tree.move[child] for child in game.tree.children[0]] == ["c1", "a2", "c2", "a3", "b3", "c3"]
    boards = Counter(name.split("~")[0] for node, name in enumerate(game.tree.ids) if game.tree.turn[node])
    assert max(boards.values()) > 1 and all("/" not in board and len(board) == 11 for board in boards)


def test_a_finished_game_is_a_leaf() -> None:
    for board, value in (("XXX/OO./...", 1), ("OOO/XX./X..", -1), ("XOX/XOO/OXX", 0)):
        assert loaded(import_game(f"tictactoe:{board}")).tree.leaf == (value,)
    assert loaded(import_game("tictactoe:.../.X./...", depth=0)).tree.leaf == (4,)


def test_exactly_the_positions_that_can_arise_are_accepted() -> None:
    every = ["".join(reversed(f"{number:09d}")) for number in _base_three()]
    boards = [text.translate(str.maketrans("012", ".XO")) for text in every]
    assert len(boards) == 3**9 and len(reachable()) == 5_478
    for board in boards:
        if board in reachable():
            import_game(f"tictactoe:{rows(board)}", depth=0)
        else:
            with pytest.raises(UsageError, match="is not a reachable position"):
                import_game(f"tictactoe:{rows(board)}", depth=0)


def _base_three() -> list[int]:
    numbers = [0]
    for place in range(9):
        numbers += [number + digit * 10**place for digit in (1, 2) for number in numbers[: 3**place]]
    return numbers


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("tictactoe:", "three rows"),
        ("tictactoe:XO.", "three rows"),
        ("tictactoe:XO./.X./..Z", "three rows"),
        ("tictactoe:XO./.X./..O/", "three rows"),
        ("tictactoe:XX./.../...", "2 X and 0 O"),
        ("tictactoe:XXX/OOO/...", "both have three in a row"),
        ("tictactoe:XXX/OO./O..", "O has moved after X had won"),
        ("tictactoe:OOO/XX./XX.", "X has moved after O had won"),
        ("chess:e4", "cannot import from chess:"),
    ],
)
def test_wrong_sources_are_explained(source: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        import_game(source)


def test_wrong_depths_and_formats_are_explained() -> None:
    with pytest.raises(UsageError, match="0 or more"):
        import_game("tictactoe:.../.../...", depth=-1)
    with pytest.raises(UsageError, match="unknown format 'text'; choose one of yaml, json"):
        import_game("tictactoe:.../.../...", depth=1).text("text")
