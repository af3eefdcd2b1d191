"""Names that are generated, the three forms and how they mix, and how numbers are read and printed."""

import json
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
import yaml

from solver.game import Game
from solver.kernel import DocumentError, Refusal
from solver.pipeline import load_bytes, load_tree, solve
from solver.render import FORMATS
from tests.support.strategies import as_json, as_yaml

COMPOSED, DECOMPOSED = "é", unicodedata.normalize("NFD", "é")


def game(text: str) -> Game:
    """A game from YAML without its header."""
    return load_bytes(f"plymark: game/1\n{text}\n".encode())


def printed(found: Game, algorithm: str = "auto") -> dict[str, Any]:
    raw = FORMATS["json"].write(found, solve(found, algorithm), "", False)
    data: dict[str, Any] = json.loads(raw, parse_float=Decimal)
    return data


def ids(found: Game) -> str:
    return " ".join(found.tree.ids)


def moves(found: Game) -> str:
    return " ".join(str(move) for move in found.tree.move[1:])


def codes(text: str) -> list[str]:
    with pytest.raises(DocumentError) as caught:
        game(text)
    return [problem.code for problem in caught.value.problems]


# Generated names.


def test_inner_nodes_are_named_breadth_first_and_leaves_left_to_right() -> None:
    assert ids(load_tree("[[[1], 2], [3, [4, 5]], 6]")) == "A B D L1 L2 C L3 E L4 L5 L6"


def test_letters_go_on_after_z() -> None:
    found = game(f"tree: {[[leaf] for leaf in range(760)]}")
    inner = [found.tree.ids[node] for node in found.tree.inner]
    assert inner[:3] == ["A", "B", "C"]
    assert inner[24:30] == ["Y", "Z", "AA", "AB", "AC", "AD"]
    assert inner[50:54] == ["AY", "AZ", "BA", "BB"]
    assert inner[700:704] == ["ZY", "ZZ", "AAA", "AAB"]


def test_written_names_win_and_generated_ones_step_around_them() -> None:
    assert ids(game("tree: [[1], {id: B, turn: min, children: [2]}, [3]]")) == "A C L1 B L2 D L3"
    assert ids(game("tree: [1, {id: L1, value: 2}, {id: L3, value: 3}, 4]")) == "A L2 L1 L3 L4"
    assert ids(game("tree: [[1], {id: A, value: 2}]")) == "B C L1 A"
    assert ids(game("tree: [1, {id: L1, turn: min, children: [2]}]")) == "A L2 L1 L3"


def test_counters_advance_only_for_unnamed_nodes() -> None:
    assert ids(game("tree: [{id: x, value: 1}, 2, {id: y, value: 3}, 4]")) == "A x L1 y L2"
    assert ids(game("tree: {id: top, turn: max, children: [[1], {id: q, turn: min, children: [2]}, [3]]}")) == (
        "top A L1 q L2 B L3"
    )


def test_moves_are_named_after_the_parent_and_the_position() -> None:
    assert moves(load_tree("[[3, 12], 5]")) == "a1 b1 b2 a2"
    assert moves(game("tree: {id: Top, turn: max, children: [1, {move: go, value: 2}, 3]}")) == "top1 go top3"
    assert moves(game("tree: {id: É, turn: max, children: [1]}")) == "é1"


def test_a_taken_move_gets_a_number() -> None:
    assert moves(game("tree: [{move: a2, value: 1}, 2]")) == "a2 a2_2"
    assert moves(game("tree: [1, {move: a1, value: 2}]")) == "a1_2 a1"
    assert moves(game("tree: [1, {move: a1, value: 2}, {move: a1_2, value: 3}]")) == "a1_3 a1 a1_2"
    # Another node's moves are of no concern.
    assert moves(game("tree: [{move: b1, turn: min, children: [2]}]")) == "b1 b1"


def test_ids_are_unique_in_a_tree_and_moves_at_a_node() -> None:
    assert codes("tree: [{id: x, value: 1}, [{id: x, value: 2}]]") == ["duplicate-id"]
    assert codes("tree: [{move: m, value: 1}, {move: m, value: 2}]") == ["duplicate-move"]
    assert game("tree: [{move: m, turn: min, children: [{move: m, value: 1}]}]")


def test_names_are_compared_in_nfc() -> None:
    assert ids(game(f"tree: [{{id: {DECOMPOSED}, value: 1}}]")) == f"A {COMPOSED}"
    assert codes(f"tree: [{{id: {COMPOSED}, value: 1}}, {{id: {DECOMPOSED}, value: 2}}]") == ["duplicate-id"]
    assert codes(f"tree: [{{move: {COMPOSED}, value: 1}}, {{move: {DECOMPOSED}, value: 2}}]") == ["duplicate-move"]
    flat = {COMPOSED: {"turn": "max", "children": [f"x{DECOMPOSED}"]}, f"x{COMPOSED}": {"value": 1}}
    assert ids(game(f"root: {DECOMPOSED}\nnodes: {json.dumps(flat)}")) == f"{COMPOSED} x{COMPOSED}"
    tree = {"turn": DECOMPOSED, "children": [{"value": {DECOMPOSED: 1, "b": 2}}]}
    assert solve(game(f"players: [{COMPOSED}, b]\ntree: {json.dumps(tree)}")).value == (1, 2)
    assert game(f"unknowns: [{COMPOSED}]\ntree: [{DECOMPOSED}, 1]").tree.unknowns == (COMPOSED,)


@pytest.mark.parametrize("name", ["no", "on", "012", "1:30", "2024-01-01", "true", "1e3", "0x1F", "3.0", "-", "½"])
@pytest.mark.parametrize("write", [as_json, as_yaml])
def test_an_id_stays_what_it_looks_like(name: str, write: Any) -> None:
    tree = {"id": name, "turn": "max", "children": [{"id": "x", "move": name, "value": 1}]}
    found = load_bytes(write({"plymark": "game/1", "tree": tree}))
    assert list(printed(found)["nodes"]) == [name, "x"]
    assert printed(found)["move"] == name
    # Readers that know no more than YAML 1.1 must not take it for a boolean, a number or a date either.
    as_read = yaml.safe_load(FORMATS["yaml"].write(found, solve(found), "", False))
    assert (list(as_read["nodes"]), as_read["move"]) == ([name, "x"], name)
    if name != "-":
        assert ids(game(f"tree: {{id: {name}, turn: max, children: [1]}}")) == f"{name} L1"


# The flat form.


def test_flat_children_in_every_spelling() -> None:
    found = game(
        """
root: A
unknowns: [x]
nodes:
  A: {turn: max, children: [B, {to: C, move: castle}, 7, x, {to: -1/2, move: half}, {to: x, move: again}]}
  C: {turn: min, children: [2]}
  B: {turn: min, children: [leaf]}
  leaf: {value: 3}
"""
    )
    assert ids(found) == "A B leaf C L1 L2 L3 L4 L5"
    assert moves(found) == "a1 b1 castle c1 a3 a4 half again"
    assert [str(leaf) for leaf in found.tree.leaf if leaf is not None] == [
        "3", "2", "7", "Unknown(name='x')", "-1/2", "Unknown(name='x')",
    ]  # fmt: skip


def test_a_number_is_a_node_where_a_key_is_spelt_so() -> None:
    described = '{A: {turn: max, children: [7, 8, "07", {to: 9}]}, 7: {value: 1}, 9: {turn: min, children: [2]}}'
    found = game(f"root: A\nnodes: {described}")
    assert ids(found) == "A 7 L1 L2 9 L3"
    assert [found.tree.leaf[node] for node in found.tree.leaves] == [1, 8, 7, 2]


def test_an_unknown_is_a_node_where_a_key_is_spelt_so() -> None:
    found = game("root: A\nunknowns: [x]\nnodes: {A: {turn: max, children: [x]}, x: {value: 4}}")
    assert solve(found).value == 4


@pytest.mark.parametrize(
    ("nodes", "code"),
    [
        ("{A: {turn: max, children: [B, B]}, B: {value: 1}}", "shared-node"),
        ("{A: {turn: max, children: [1]}, B: {value: 1}}", "unreachable-node"),
        ("{A: {turn: max, children: [B]}, B: {turn: min, children: [A]}}", "cycle"),
        ("{A: {turn: max, children: [B, 1]}}", "unknown-node"),
        ("{A: {turn: max, children: [7.0]}, 7: {value: 1}}", "unreachable-node"),
    ],
)
def test_what_the_flat_form_refuses(nodes: str, code: str) -> None:
    assert codes(f"root: A\nnodes: {nodes}") == [code]


def test_flat_vectors_and_chances() -> None:
    flat = game(
        """
players: [A, B]
root: r
nodes:
  r: {turn: A, children: [{to: [1, 2]}, c]}
  c: {turn: chance, children: [{to: [0, 0], p: 1/4}, {to: v, p: 0.75}]}
  v: {value: {B: 4, A: 2}}
"""
    )
    assert solve(flat).value == (Fraction(3, 2), 3)


def test_a_flat_childs_vector_may_be_a_mapping() -> None:
    flat = game("players: [A, B]\nroot: r\nnodes: {r: {turn: A, children: [{to: {B: 2, A: 1}}]}}")
    assert solve(flat).value == (1, 2)


def test_a_leaf_alone_is_a_tree() -> None:
    for found in (load_tree("3"), game("tree: {value: 3}"), game("root: L1\nnodes: {L1: {value: 3}}")):
        data = printed(found)
        assert (data["value"], data["move"], data["moves"], data["line"]) == (3, None, [], [])
        assert data["visited"] == ["L1"]
        assert data["counts"] == {"nodes": 1, "leaves": 1, "evaluated": 1, "pruned": 0, "fewest": 1, "most": 1}


# The compact form.


def test_levels_give_lists_their_turns() -> None:
    found = game("levels: [max, chance, min]\ntree: [[[1, 2], 3], 4]")
    assert found.tree.turn == ("max", "chance", "min", None, None, None, None)
    assert game("levels: [min, min, max]\ntree: [[1], 2]").tree.turn[:2] == ("min", "min")
    assert load_tree("[[[[1]]]]").tree.turn == ("max", "min", "max", "min", None)


@pytest.mark.parametrize("spelt", [str.upper, str.capitalize, str.swapcase])
@pytest.mark.parametrize(
    "text",
    [
        "levels: [{max}, {chance}, {min}]\ntree: [[[1, 2], 3], 4]",
        "tree: {{turn: {min}, children: [{{turn: {chance}, children: [1, {{turn: {max}, children: [2]}}]}}]}}",
        "root: A\nnodes: {{A: {{turn: {or}, children: [B]}}, B: {{turn: {and}, children: [true]}}}}",
        "players: [A, B]\nlevels: [B, {chance}]\ntree: [[[1, 2], {{turn: {chance}, children: [[3, 5]]}}], [0, 1]]",
    ],
)
def test_turn_words_may_have_capitals(text: str, spelt: Callable[[str], str]) -> None:
    words = {word: word for word in ("max", "min", "chance", "or", "and")}
    small, other = (game(text.format(**{word: change(word) for word in words})) for change in (str.lower, spelt))
    assert other.tree == small.tree


def test_a_player_may_be_called_as_a_turn_word_with_capitals() -> None:
    turns = ("MAX", "Chance", "chance")
    compact = "levels: [MAX, Chance, CHANCE]\ntree: [[[[1, 2]]]]"
    assert game(f"players: [MAX, Chance]\n{compact}").tree.turn == (*turns, None)
    nested = "{turn: MAX, children: [{turn: Chance, children: [{turn: chance, children: [[1, 2]]}]}]}"
    assert game(f"players: [MAX, Chance]\ntree: {nested}").tree.turn == (*turns, None)
    assert codes("players: [MAX, B]\ntree: {turn: max, children: [[1, 2]]}") == ["unknown-turn"]
    assert codes("players: [A, B]\nlevels: [A, MAX]\ntree: [[[1, 2]]]") == ["unknown-turn"]


def test_too_few_levels_are_an_error() -> None:
    assert codes("levels: [max]\ntree: [[1], 2]") == ["levels"]
    assert game("levels: [max]\ntree: [1, 2]")


def test_lists_take_the_players_in_order() -> None:
    found = game("players: [A, B, C]\ntree: [[[[[1, 2, 3]]]]]")
    assert found.tree.turn == ("A", "B", "C", "A", None)
    assert found.tree.leaf[-1] == (1, 2, 3)
    again = game("players: [A, B]\nlevels: [B, chance]\ntree: [[[1, 2], [3, 5]], [0, 1]]")
    assert again.tree.turn == ("B", "chance", None, None, None)
    assert solve(again).value == (2, Fraction(7, 2))


def test_a_list_of_numbers_as_long_as_the_teams_is_a_vector() -> None:
    found = game("players: [A, B, C]\nteams: {one: [A, C], two: [B]}\ntree: [[[5, 0]], {value: {two: 4, one: 1}}]")
    assert found.tree.leaf == (None, None, (5, 0), (1, 4))


def test_a_vector_of_another_length_is_an_error() -> None:
    assert set(codes("players: [A, B, C]\ntree: [[1, 2], [1, 2, 3]]")) == {"vector"}


def test_lists_and_mappings_mix() -> None:
    found = game(
        """
unknowns: [y]
tree:
  - [1, {turn: max, id: again, children: [[2, 3], 4]}]
  - {turn: chance, children: [{p: 1/3, value: 5}, {p: 2/3, turn: max, children: [6, [7]]}]}
  - y
"""
    )
    # A list's turn goes by its depth, whatever its parent is: D is 3 moves below the root, F likewise.
    assert dict(zip(found.tree.ids, found.tree.turn, strict=True)) == {
        "A": "max", "B": "min", "L1": None, "again": "max", "E": "min", "L2": None, "L3": None, "L4": None,
        "C": "chance", "L5": None, "D": "max", "L6": None, "F": "min", "L7": None, "L8": None,
    }  # fmt: skip


def test_features_and_weights_give_values_and_estimates() -> None:
    found = game(
        """
weights: {pawns: 1, rooks: 5, tempo: -0.5}
tree:
  turn: max
  features: {rooks: 1/5}
  children: [{features: {pawns: 3, rooks: 1, tempo: 1}}, {features: {tempo: -1}}]
"""
    )
    assert found.tree.leaf == (None, Fraction(15, 2), Fraction(1, 2))
    assert found.tree.estimates == {0: 1}
    assert solve(found).value == Fraction(15, 2)
    assert codes("weights: {pawns: 1}\ntree: [{features: {queens: 1}}]") == ["feature"]


# Numbers.

PRINTED = {
    "3": "3",
    "+7": "7",
    "007": "7",
    "-0": "0",
    "-0.0": "0",
    "0/5": "0",
    "-0/5": "0",
    "6/3": "2",
    "2/4": "0.5",
    "-5/2": "-2.5",
    "3.10": "3.1",
    "4.000": "4",
    "1/3": '"1/3"',
    "-7/3": '"-7/3"',
    "14/6": '"7/3"',
    "0.1": "0.1",
    "0.0000001": "0.0000001",
    "1/1024": "0.0009765625",
    "100000000000000000000.0": '"100000000000000000000"',
    "9007199254740991": "9007199254740991",
    "-9007199254740991": "-9007199254740991",
    "9007199254740992": '"9007199254740992"',
    "-9007199254740992": '"-9007199254740992"',
    "9" * 40: '"' + "9" * 40 + '"',
    "0.123456789012345": "0.123456789012345",
    "0.1234567890123456": '"0.1234567890123456"',
    "1234567890123.45": "1234567890123.45",
    "12345678901234.56": '"12345678901234.56"',
    "-0.00123456789012345": "-0.00123456789012345",
    "0.001234567890123456": '"0.001234567890123456"',
    "0." + "0" * 39 + "1": "0." + "0" * 39 + "1",
    "100000.00000000001": '"100000.00000000001"',
}


@pytest.mark.parametrize(("written", "shown"), PRINTED.items())
def test_numbers_are_printed_exactly(written: str, shown: str) -> None:
    for text in (written, f'"{written}"'):
        found = game(f"tree: [{text}]")
        solution = solve(found)
        assert solution.value == Fraction(written)
        assert f'"value":{shown},"move"' in FORMATS["json"].write(found, solution, "", False).decode()
        assert f"\nvalue: {shown}\n" in FORMATS["yaml"].write(found, solution, "", False).decode()


def test_numbers_of_json_are_exact_too() -> None:
    found = load_bytes(b'{"plymark": "game/1", "tree": [0.1, 0.30000000000000004, 12345678901234567890, "1/3"]}')
    assert found.tree.leaf[1:] == (
        Fraction(1, 10),
        Fraction("0.30000000000000004"),
        12345678901234567890,
        Fraction(1, 3),
    )


REFUSED = ["1e3", "1_000", "0x1F", ".inf", "nan", "33%", ".5", "3.", "1/0", "1/-3", "−3", "٣", "9" * 41]


@pytest.mark.parametrize("text", REFUSED)
def test_other_spellings_are_refused(text: str) -> None:
    assert codes(f"tree: [1, {text}]") == ["number"]
    assert codes(f'tree: [1, "{text}"]') == ["number"]


def test_a_json_number_with_an_exponent_is_refused() -> None:
    with pytest.raises(DocumentError) as caught:
        load_bytes(b'{"plymark": "game/1", "tree": [1e3]}')
    assert [problem.code for problem in caught.value.problems] == ["number"]


def thirds(plies: int) -> Game:
    """A chain of chance nodes that is worth 1/3 to the power of its length."""
    described = {
        f"n{ply}": {
            "turn": "chance",
            "children": [{"to": f"n{ply + 1}" if ply < plies - 1 else 1, "p": "1/3"}, {"to": 0, "p": "2/3"}],
        }
        for ply in range(plies)
    }
    return load_bytes(as_json({"plymark": "game/1", "root": "n0", "nodes": described}))


@pytest.mark.slow
def test_a_result_too_large_to_print_is_never_rounded() -> None:
    # 3^8381 has 3,999 digits, and 1 has one more.
    data = printed(thirds(8381))
    assert data["value"] == f"1/{3**8381}"
    with pytest.raises(Refusal, match="digits") as caught:
        solve(thirds(8382))
    assert caught.value.code == "result-size"
