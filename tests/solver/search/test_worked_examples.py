"""The worked examples of the textbook and the lectures, with the numbers that are printed there, written by hand."""

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from solver.game import Game
from solver.kernel import Refusal
from solver.pipeline import load, load_bytes, load_tree, solve
from solver.render import FORMATS
from tests.support.paths import ROOT

SPECS = ROOT / "specs"


def printed(game: Game, convention: str, algorithm: str) -> dict[str, Any]:
    """The solution as a program reads it."""
    raw = FORMATS["json"].write(game, solve(game, algorithm, convention), "", False)
    data: dict[str, Any] = json.loads(raw, parse_float=Decimal)
    return data


def data_of(spec: str, convention: str = "aima3", algorithm: str = "auto") -> dict[str, Any]:
    return printed(load(SPECS / spec), convention, algorithm)


def tree_data(text: str, convention: str = "aima3") -> dict[str, Any]:
    return printed(load_tree(text), convention, "alpha-beta")


def column(data: dict[str, Any], key: str, nodes: str) -> list[Any]:
    return [data["nodes"][node][key] for node in nodes.split()]


def seen(data: dict[str, Any]) -> list[Any]:
    """The values of the evaluated leaves, in search order."""
    return [data["nodes"][node]["value"] for node in data["visited"] if data["nodes"][node]["turn"] is None]


def crossed_out(data: dict[str, Any]) -> list[Any]:
    return [data["nodes"][node]["value"] for node in data["pruned"]["leaves"]]


def cuts(data: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (cut["node"], cut["after"], cut["kind"], cut["value"], cut["bound"], cut["set_by"], cut["deep"], cut["skipped"])
        for cut in data["cuts"]
    ]


# Figure 5.2 (AIMA 3e).


def test_figure_5_2_values_and_line() -> None:
    data = data_of("two-ply.yaml")
    assert (data["value"], data["move"], data["moves"], data["line"]) == (3, "a1", ["a1"], ["a1", "b1"])
    assert column(data, "value", "A B C D") == [3, 3, 2, 2]
    assert column(data, "best", "A B C D L1") == [["a1"], ["b1"], ["c1"], ["d3"], []]


def test_figure_5_2_visits_and_cut() -> None:
    data = data_of("two-ply.yaml")
    assert seen(data) == [3, 12, 8, 2, 14, 5, 2]
    assert data["visited"] == ["A", "B", "L1", "L2", "L3", "C", "L4", "D", "L7", "L8", "L9"]
    assert data["pruned"] == {"leaves": ["L5", "L6"], "nodes": ["L5", "L6"]}
    assert cuts(data) == [("C", "L4", "alpha", 2, 3, "A", False, ["L5", "L6"])]
    assert data["counts"] == {"nodes": 13, "leaves": 9, "evaluated": 7, "pruned": 2, "fewest": 5, "most": 9}


ANYTHING = ["-inf", "inf"]


@pytest.mark.parametrize("convention", ["aima3", "aima4", "strict", "fail-hard"])
def test_figure_5_2_windows_on_entry(convention: str) -> None:
    data = data_of("two-ply.yaml", convention)
    assert column(data, "entry", "A B C D") == [ANYTHING, ANYTHING, [3, "inf"], [3, "inf"]]
    assert column(data, "entry", "L1 L2 L3 L4 L7 L8") == [
        ANYTHING,
        ["-inf", 3],
        ["-inf", 3],
        [3, "inf"],
        [3, "inf"],
        [3, 14],
    ]


def test_figure_5_2_windows_on_leaving() -> None:
    third, fourth = data_of("two-ply.yaml", "aima3"), data_of("two-ply.yaml", "aima4")
    assert column(third, "exit", "A B C D") == [[3, "inf"], ["-inf", 3], [3, "inf"], [3, 5]]
    assert column(fourth, "exit", "A B C D") == [[3, "inf"], ["-inf", 3], [3, 2], [3, 2]]
    assert third["nodes"]["D"]["windows"] == [[3, "inf"], [3, 14], [3, 5]]
    assert fourth["nodes"]["D"]["windows"] == [[3, "inf"], [3, 14], [3, 5], [3, 2]]
    assert fourth["nodes"]["C"]["windows"] == [[3, "inf"], [3, 2]]
    assert column(third, "exit", "L1 L2 L5") == [ANYTHING, ["-inf", 3], None]


def test_figure_5_2_what_is_handed_up() -> None:
    soft, hard = data_of("two-ply.yaml", "aima3"), data_of("two-ply.yaml", "fail-hard")
    assert column(soft, "returned", "A B C D L4 L5") == [3, 3, 2, 2, 2, None]
    assert column(soft, "known", "A B C D L4 L5") == ["exact", "exact", "at-most", "exact", "exact", "unvisited"]
    assert column(hard, "returned", "A B C D L4 L5") == [3, 3, 3, 3, 3, None]
    assert column(hard, "known", "A B C D L4 L5") == ["exact", "exact", "at-most", "at-most", "at-most", "unvisited"]
    assert column(hard, "value", "A B C D") == [3, 3, 2, 2]
    # D returns at most its α, and leaves with what it had before.
    assert column(hard, "exit", "C D") == [[3, "inf"], [3, 5]]


@pytest.mark.parametrize("convention", ["aima3", "aima4", "strict", "fail-hard"])
def test_figure_5_5_intervals_after_each_leaf(convention: str) -> None:
    stages = data_of("two-ply.yaml", convention)["stages"]
    assert [(stage["after"], stage["intervals"]) for stage in stages] == [
        ("L1", {"B": ["-inf", 3]}),  # (a)
        ("L2", {}),  # (b)
        ("L3", {"A": [3, "inf"], "B": [3, 3]}),  # (c)
        ("L4", {"C": ["-inf", 2]}),  # (d)
        ("L7", {"A": [3, 14], "D": ["-inf", 14]}),  # (e)
        ("L8", {"A": [3, 5], "D": ["-inf", 5]}),  # (f) shows the last two leaves at once
        ("L9", {"A": [3, 3], "D": [2, 2]}),
    ]


def test_figure_5_2_is_the_same_in_every_form() -> None:
    games = [load(SPECS / name) for name in ("two-ply.yaml", "two-ply-compact.yaml", "two-ply-flat.yaml")]
    for algorithm in ("minimax", "alpha-beta", "expectiminimax"):
        nested, compact, flat = (
            FORMATS["json"].write(game, solve(game, algorithm, "aima4"), "", False) for game in games
        )
        assert nested == compact == flat


# Unknown leaves and order (Jefferson Morais, Estratégias de Busca, Parte 5).


@pytest.mark.parametrize("x", [-100, 2, 3, 50])
@pytest.mark.parametrize("y", [-100, 2, 3, 50])
def test_the_root_is_3_whatever_x_and_y_are(x: int, y: int) -> None:
    assert tree_data(f"[[3, 12, 8], [2, {x}, {y}], [14, 5, 2]]")["value"] == 3


@pytest.mark.parametrize(("x", "at_bound", "past_bound"), [(2, True, True), (3, True, False), ("3.01", False, False)])
def test_4_and_6_are_pruned_where_the_first_leaf_of_c_is_small(x: Any, at_bound: bool, past_bound: bool) -> None:
    tree = f"[[3, 12, 8], [{x}, 4, 6], [14, 5, 2]]"
    assert ({"L5", "L6"} <= set(tree_data(tree)["pruned"]["leaves"])) == at_bound
    assert ({"L5", "L6"} <= set(tree_data(tree, "strict")["pruned"]["leaves"])) == past_bound


@pytest.mark.parametrize(("x", "moves"), [(2, ["a1"]), (3, ["a1", "a3"]), (4, ["a3"])])
def test_the_last_leaf_of_d_decides_the_move(x: int, moves: list[str]) -> None:
    assert tree_data(f"[[3, 12, 8], [2, 4, 6], [14, 5, {x}]]")["moves"] == moves


@pytest.mark.parametrize(("x", "value"), [(1, 2), (2, 2), (5, 5), (8, 8), (9, 8)])
def test_the_first_leaf_of_b_moves_the_root_between_2_and_8(x: int, value: int) -> None:
    assert tree_data(f"[[{x}, 12, 8], [2, 4, 6], [14, 5, 2]]")["value"] == value


def test_a_tree_with_unknowns_is_not_solved_as_if_they_were_numbers() -> None:
    game = load_bytes(b"plymark: game/1\nunknowns: [x, y]\ntree: [[3, 12, 8], [2, x, y], [14, 5, 2]]\n")
    with pytest.raises(Refusal, match="L5"):
        solve(game)


def test_best_order_needs_five_leaves() -> None:
    data = data_of("best-order.yaml")
    assert seen(data) == [3, 12, 8, 2, 2]
    assert crossed_out(data) == [4, 6, 5, 14]
    assert data["counts"]["evaluated"] == data["counts"]["fewest"] == 5
    assert cuts(data)[1] == ("D", "L7", "alpha", 2, 3, "A", False, ["L8", "L9"])


# Ayudantía 6 (Toribio and Villanueva).


def test_three_plies() -> None:
    data = data_of("three-ply.yaml")
    assert column(data, "value", "D E F G") == [10, 8, 4, 6]
    assert column(data, "value", "B C A") == [8, 4, 8]
    assert (data["move"], data["line"]) == ("a1", ["a1", "b2", "e1"])
    assert crossed_out(data) == [6, -5]
    assert data["pruned"]["nodes"] == ["G", "L7", "L8"]
    assert cuts(data) == [("C", "F", "alpha", 4, 8, "A", False, ["G"])]


def test_the_two_cuts_of_the_slides() -> None:
    alpha, beta = data_of("small-alpha-cut.yaml"), data_of("small-beta-cut.json")
    assert alpha["value"] == beta["value"] == 8
    assert cuts(alpha) == [("x", "L1", "alpha", 2, 8, "s", False, ["L2", "L3"])]
    assert cuts(beta) == [("x", "L1", "beta", 10, 8, "s", False, ["L2", "L3"])]
    assert (alpha["nodes"]["x"]["known"], beta["nodes"]["x"]["known"]) == ("at-most", "at-least")
    assert (alpha["nodes"]["x"]["interval"], beta["nodes"]["x"]["interval"]) == (["-inf", 2], [10, "inf"])


# AI2002, Lectures 19-21 (Sandesh Kumar).


def test_alpha_cut_example() -> None:
    data = data_of("alpha-cut.yaml")
    assert data["value"] == -3
    assert seen(data) == [21, -3, 12, -70, -73]
    assert cuts(data) == [
        ("path2", "L4", "alpha", -70, -3, "top", False, ["L5"]),
        ("path3", "L6", "alpha", -73, -3, "top", False, ["L7", "L8"]),
    ]


def test_beta_cut_example() -> None:
    data = data_of("beta-cut.yaml")
    assert data["value"] == 21
    assert cuts(data) == [("right", "L4", "beta", 70, 21, "top", False, ["L5", "L6"])]


@pytest.mark.parametrize("convention", ["aima3", "aima4", "fail-hard"])
def test_equality_cuts_at_the_bound(convention: str) -> None:
    data = data_of("equality-cut.yaml", convention)
    assert data["value"] == 5
    assert seen(data) == [7, 6, 5, 3, 9, 5]
    assert crossed_out(data) == [8, 9, 4]
    assert [cut["node"] for cut in data["cuts"]] == ["MIN2", "MIN3"]
    assert data["nodes"]["MIN3"]["returned"] == 5
    assert data["nodes"]["MIN3"]["known"] == "at-most"


def test_equality_does_not_cut_past_the_bound() -> None:
    data = data_of("equality-cut.yaml", "strict")
    assert data["value"] == 5
    assert seen(data) == [7, 6, 5, 3, 9, 5, 4]
    assert crossed_out(data) == [8, 9]
    assert cuts(data) == [("MIN2", "L4", "alpha", 3, 5, "MAX", False, ["L5", "L6"])]
    assert data["nodes"]["MIN3"]["returned"] == 4
    assert data["nodes"]["MIN3"]["exit"] == [5, 5]


# Several players (AIMA 3e, Figure 5.4).


@pytest.mark.parametrize("spec", ["three-players.yaml", "three-players-by-name.yaml"])
def test_three_players(spec: str) -> None:
    data = data_of(spec)
    assert data["algorithm"] == "maxn"
    assert data["value"] == [1, 2, 6]
    assert data["vectors"] == [[1, 2, 6], [1, 5, 2]]
    assert (data["move"], data["moves"]) == ("a1", ["a1", "a2"])
    assert data["line"] == ["a1", "b1", "d1"]
    assert column(data, "value", "B C D E F G") == [[1, 2, 6], [1, 5, 2], [1, 2, 6], [6, 1, 2], [1, 5, 2], [5, 4, 5]]
    assert column(data, "turn", "A B C D") == ["A", "B", "B", "C"]


def test_partners_share_a_utility() -> None:
    data = data_of("two-teams.yaml")
    assert data["value"] == [2, -2]
    assert column(data, "value", "B C D E F") == [[0, 0], [2, -2], [2, -2], [2, -2], [1, -1]]


# Chance.


def test_backgammon_rolls() -> None:
    game = load(SPECS / "backgammon-roll.yaml")
    chances = [game.tree.probability[leaf] for leaf in game.tree.leaves]
    assert chances.count(Fraction(1, 36)) == 6
    assert chances.count(Fraction(1, 18)) == 15
    data = data_of("backgammon-roll.yaml")
    assert (data["value"], data["move"], data["moves"], data["line"]) == ("49/6", None, [], [])
    assert data["nodes"]["roll"]["best"] == []


def test_an_order_preserving_transformation_changes_the_best_move() -> None:
    before, after = data_of("order-preserving.yaml"), data_of("order-preserving-transformed.yaml")
    assert [str(value) for value in column(before, "value", "A B C")] == ["2.1", "2.1", "1.3"]
    assert [str(value) for value in column(after, "value", "A B C")] == ["40.9", "21", "40.9"]
    assert (before["move"], after["move"]) == ("a1", "a2")
    # The line stops before the chance node's outcome.
    assert (before["line"], after["line"]) == (["a1"], ["a2"])


def test_chance_without_probabilities_is_uniform() -> None:
    data = data_of("fair-coins.yaml")
    assert [str(value) for value in column(data, "value", "B C A")] == ["1.25", "13/9", "13/9"]
    assert [str(value) for value in column(data, "p", "D E F G H")] == ["0.5", "0.5", "1/3", "1/3", "1/3"]


# Evaluation (J. Razmara, Chapter 6).


def test_evaluation_is_a_weighted_sum() -> None:
    lines, chess = data_of("open-lines.yaml"), data_of("material.yaml")
    assert column(lines, "value", "L1 L2") == [3 - 1, 2 - 2]
    assert column(chess, "value", "L1 L2 L3 L4") == [1 - 3, 3 - 1, 1 + 3 - 5, 3]
    assert (chess["value"], chess["move"], chess["line"]) == (-1, "Rxe6", ["Rxe6", "fxe6"])


# What makes a good exam tree.


def test_smallest_deep_cut() -> None:
    data = data_of("smallest-deep-cut.yaml")
    assert data["value"] == 5
    assert seen(data) == [5, 4, 9, 1]
    assert cuts(data) == [("D", "L2", "alpha", 4, 5, "A", True, ["x"])]


@pytest.mark.parametrize("convention", ["aima3", "aima4", "strict", "fail-hard"])
def test_showcase(convention: str) -> None:
    data = data_of("deep-cut-showcase.yaml", convention)
    assert (data["value"], data["move"]) == (9, "a2")
    assert seen(data) == [4, 7, 5, 15, 2, 9, 19]
    assert crossed_out(data) == [0, 6, 8, 1]
    assert data["pruned"]["nodes"] == ["G", "L4", "L5", "L8", "L9"]
    found = cuts(data)
    hard = convention == "fail-hard"
    # F and L7 return what fits their windows under fail-hard: β = 4 of B, α = 4 of A.
    assert found[0] == ("D", "F", "beta", 4 if hard else 5, 4, "B", False, ["G"])
    assert found[1] == ("H", "L7", "alpha", 4 if hard else 2, 4, "A", True, ["L8", "L9"])
    assert len(found) == 2
    assert column(data, "entry", "A B C D E F H I") == [
        ANYTHING,
        ANYTHING,
        [4, "inf"],
        ["-inf", 4],
        [4, 15],
        ["-inf", 4],
        [4, 15],
        [4, 15],
    ]


# Growth: uniform trees in the best order need b^⌈m/2⌉ + b^⌊m/2⌋ − 1 leaves (Knuth & Moore).


UNIFORM = [(2, 1, 2), (2, 2, 3), (3, 2, 5), (2, 3, 5), (2, 4, 7), (3, 3, 11), (2, 9, 47)]


@pytest.mark.parametrize(("b", "m", "fewest"), UNIFORM)
def test_fewest_leaves_of_uniform_trees(b: int, m: int, fewest: int) -> None:
    numbers = iter(range(b**m))

    def grown(depth: int) -> Any:
        return (next(numbers) * 7919) % 1009 if depth == m else [grown(depth + 1) for _ in range(b)]

    assert tree_data(str(grown(0)))["counts"]["fewest"] == fewest == b ** ((m + 1) // 2) + b ** (m // 2) - 1
