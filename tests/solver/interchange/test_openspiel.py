"""Games of OpenSpiel: every refusal with a stand-in for it, and the games themselves where it is installed."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.interchange.importer_registry import import_game
from solver.interchange.openspiel import exact_fraction
from solver.kernel import DocumentError, Limits, UsageError
from solver.pipeline import solve
from tests.solver.interchange.test_interchange import loaded, rows
from tests.support.paths import ROOT

SAMPLES = ROOT / "tests" / "interchange"

need_openspiel = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="open_spiel is not installed: pip install 'plymark[openspiel]'"
)


# A stand-in, so that every refusal is run wherever the tests are.


class FakeState:
    def __init__(self, node: Any) -> None:
        self.node = node

    def is_terminal(self) -> bool:
        return isinstance(self.node, list)

    def returns(self) -> Any:
        return self.node

    def is_chance_node(self) -> bool:
        return self.current_player() < 0

    def current_player(self) -> int:
        return int(self.node[0])

    def legal_actions(self) -> list[int]:
        return list(range(len(self.node[1])))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.node[2]))

    def action_to_string(self, _player: int, _action: int) -> str:
        return "same\nname"

    def child(self, action: int) -> FakeState:
        return FakeState(self.node[1][action])

    def apply_action(self, action: int) -> None:
        self.node = self.node[1][action]


def fake(root: Any, **says: Any) -> Any:
    """A module like pyspiel, with one game."""
    words = {"Dynamics": ["SEQUENTIAL"], "Information": ["PERFECT_INFORMATION"], "Utility": ["ZERO_SUM"]}
    words["ChanceMode"] = ["SAMPLED_STOCHASTIC"]
    enums = {name: SimpleNamespace(**{word: word for word in members}) for name, members in words.items()}
    kind = {"dynamics": "SEQUENTIAL", "information": "PERFECT_INFORMATION", "utility": "ZERO_SUM", "chance_mode": ""}
    game_type = SimpleNamespace(**kind | {"long_name": "A game", "short_name": "game"} | says)
    game = SimpleNamespace(
        get_type=lambda: game_type,
        num_players=lambda: says.get("players", 2),
        new_initial_state=lambda: FakeState(root),
        min_utility=lambda: -1.0,
        max_utility=lambda: says.get("max_utility", 2.0),
    )

    def load(name: str) -> Any:
        if "(" in name:
            raise RuntimeError("unknown parameter")
        return game

    return SimpleNamespace(
        GameType=SimpleNamespace(**enums), SpielError=RuntimeError, registered_names=lambda: ["game"], load_game=load
    )


WHEEL = (-1, [[1.0, -1.0], [0.1, -0.1], (1, [[-1.0, 1.0], [2.0, -2.0]])], [1 / 6, 1 / 3, 1 / 2])


def test_two_opposed_players_become_max_and_min(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", fake((0, [WHEEL, [0.0, 0.0]])))
    game = loaded(import_game("openspiel:game"))
    assert [game.tree.turn[node] for node in game.tree.inner] == ["max", "chance", "min"]
    assert [game.tree.probability[child] for child in game.tree.children[1]] == [
        Fraction(1, 6),
        Fraction(1, 3),
        Fraction(1, 2),
    ]
    assert game.tree.bounds == (-1, 2) and game.title == "A game"
    assert [game.tree.move[child] for child in game.tree.children[0]] == ["same name", "same name_2"]
    assert solve(game).value == 0
    assert len(loaded(import_game("openspiel:game[0,2]")).tree) == 3


def test_other_players_get_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    three = (0, [[1.0, 2.0, 6.0], (2, [[4.0, 2.0, 3.0], [0.5, 0.25, 8.25]])])
    monkeypatch.setitem(sys.modules, "pyspiel", fake(three, players=3, utility="GENERAL_SUM"))
    tree = loaded(import_game("openspiel:game")).tree
    assert tree.players == ("P0", "P1", "P2") and tree.sum == 9 and tree.bounds is None
    assert solve(loaded(import_game("openspiel:game"))).value == (1, 2, 6)


@pytest.mark.parametrize(
    ("root", "says", "expected"),
    [
        (WHEEL, {"dynamics": "SIMULTANEOUS"}, "players move at the same time"),
        (WHEEL, {"information": "IMPERFECT_INFORMATION"}, "imperfect information"),
        (WHEEL, {"chance_mode": "SAMPLED_STOCHASTIC"}, "does not say how likely"),
        (
            (-1, [[0.0, 0.0]] * 2, [0.3, 0.6]),
            {},
            "the probabilities 0.3, 0.6 are not fractions that add up to exactly 1",
        ),
        ((-1, [[0.0, 0.0]] * 2, [0.2**0.5, 1 - 0.2**0.5]), {}, "are not fractions that add up to exactly 1"),
        ([0.5**0.5, -(0.5**0.5)], {}, "are not numbers that can be recovered exactly"),
        ([float("inf"), float("-inf")], {}, "are not numbers that can be recovered exactly"),
        ([1.0, 1.0], {}, "zero-sum game do not add up to 0"),
    ],
)
def test_games_that_no_tree_can_say_are_refused(
    root: Any, says: Any, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", fake(root, **says))
    with pytest.raises(DocumentError) as caught:
        import_game("openspiel:game")
    assert caught.value.problems[0].code == "import" and expected in caught.value.problems[0].message


def test_depths_and_sizes_that_openspiel_cannot_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", fake((0, [WHEEL, [0.0, 0.0]])))
    assert import_game("openspiel:game", depth=3).text() == import_game("openspiel:game").text()
    with pytest.raises(DocumentError, match=r"depth 2 cuts off unfinished games.*\[no-estimate\]"):
        import_game("openspiel:game", depth=2)
    endless: Any = (0, [])
    endless[1].extend([endless, endless])
    monkeypatch.setitem(sys.modules, "pyspiel", fake(endless))
    with pytest.raises(DocumentError, match=r"more than 500 nodes .*\[many-nodes\]"):
        import_game("openspiel:game", limits=Limits(nodes=500))


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("openspiel:", "is written as openspiel:GAME"),
        ("openspiel:game[", "is written as openspiel:GAME"),
        ("openspiel:game[]", "is written as openspiel:GAME"),
        ("openspiel:game[x]", "is written as openspiel:GAME"),
        ("openspiel:gama", 'has no game "gama"; did you mean game'),
        ("openspiel:game(x=1)", 'cannot make "game\\(x=1\\)": unknown parameter'),
        ("openspiel:game[7]", "action 7 is not legal at the start; the legal ones are 0 \\(same\nname\\)"),
        ("openspiel:game[1,0]", r"action 0 is not legal after \[1\]; the game is over"),
    ],
)
def test_wrong_games_of_openspiel_are_explained(source: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", fake((0, [WHEEL, [0.0, 0.0]])))
    with pytest.raises(UsageError, match=says):
        import_game(source)


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match=r"pip install 'plymark\[openspiel\]'"):
        import_game("openspiel:tic_tac_toe")


@given(st.fractions(-5, 5, max_denominator=500), st.sampled_from([-1, 0, 1]))
def test_fractions_are_recovered_from_floats(number: Fraction, error: int) -> None:
    assert exact_fraction(float(number) + error * 1e-15) == number
    assert exact_fraction(float(number) + 1e-10) is None


# OpenSpiel itself.


@need_openspiel
@pytest.mark.parametrize("actions", [[4, 0, 8], [4, 0, 8, 2], [0, 4, 1, 2], [0, 1, 2, 4, 3]])
@pytest.mark.parametrize("depth", [None, 2])
def test_openspiel_and_the_built_in_expansion_agree(actions: list[int], depth: int | None) -> None:
    board = ["."] * 9
    for turn, action in enumerate(actions):
        board[action] = "XO"[turn % 2]
    theirs = loaded(import_game(f"openspiel:tic_tac_toe{str(actions).replace(' ', '')}", depth))
    ours = loaded(import_game(f"tictactoe:{rows(''.join(board))}", depth))
    for column in ("turn", "children", "leaf", "estimates", "bounds"):
        assert getattr(theirs.tree, column) == getattr(ours.tree, column), column
    assert solve(theirs, "minimax").values == solve(ours, "minimax").values


@need_openspiel
def test_openspiel_solves_its_games_as_we_do() -> None:
    import pyspiel
    from open_spiel.python.algorithms import minimax

    for name, chances in (("nim(pile_sizes=2;2;1)", False), ("pig(winscore=4,diceoutcomes=2,horizon=6)", True)):
        ours = solve(loaded(import_game(f"openspiel:{name}")))
        game = pyspiel.load_game(name)
        if chances:
            theirs, _ = minimax.expectiminimax(game.new_initial_state(), 100, lambda _state: 0, 0)
        else:
            theirs, _ = minimax.alpha_beta_search(game)
        assert ours.value == Fraction(theirs)


@need_openspiel
@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel"])
def test_openspiel_says_what_cannot_be_imported(name: str) -> None:
    with pytest.raises(DocumentError, match=r"\[import\]"):
        import_game(f"openspiel:{name}")


# OpenSpiel's own reader of .efg files.


@need_openspiel
@pytest.mark.parametrize("name", ["centipede", "three-players"])
def test_openspiel_reads_the_same_tree(name: str) -> None:
    path = SAMPLES / f"{name}.efg"
    ours, theirs = (loaded(import_game(source)) for source in (str(path), f"openspiel:efg_game(filename={path})"))
    for column in ("children", "leaf", "move", "probability"):
        assert getattr(theirs.tree, column) == getattr(ours.tree, column), column
    assert solve(ours).value == solve(theirs).value
