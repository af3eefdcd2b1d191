"""Gambit's .efg files: samples, drawn games, and files that are wrong or meant to do harm."""

from __future__ import annotations

import importlib.util
import io
import json
import sys
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.documents.document import FORBIDDEN_CHARACTERS
from solver.interchange.efg import import_efg
from solver.interchange.game_draft import FORMATS, ImportedGame
from solver.interchange.importer_registry import import_game
from solver.kernel import DocumentError, Limits, Problem
from solver.pipeline import check_bytes, solve
from solver.render import solution_data
from tests.solver.interchange.test_interchange import loaded
from tests.support.paths import ROOT

SAMPLES = ROOT / "tests" / "interchange"
GOOD = ["centipede", "lottery", "stages", "three-players", "umbrella"]

need_pygambit = pytest.mark.skipif(
    importlib.util.find_spec("pygambit") is None, reason="pygambit is not installed: pip install pygambit"
)


def efg(text: str, depth: int | None = None, limits: Limits | None = None) -> ImportedGame:
    return import_efg(text.encode(), "game.efg", depth, limits or Limits())


def problems_of(text: str | bytes, **limits: int) -> list[str]:
    raw = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(DocumentError) as caught:
        import_efg(raw, "game.efg", None, Limits(**limits))
    assert 0 < len(caught.value.problems) <= min(caught.value.total, Limits(**limits).problems)
    return [str(problem) for problem in caught.value.problems]


# Gambit's files with solutions known by hand.


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("format", FORMATS)
def test_samples_pass_the_check(name: str, format: str) -> None:
    kind, game = check_bytes(import_game(str(SAMPLES / f"{name}.efg")).text(format).encode())
    assert kind == "game/1" and game is not None and game.title and game.source


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("centipede", (4, 1), ("take",)),
        ("three-players", (1, 2, 6), ("left", "left", "left")),
        # red: Buyer runs for 7/2; black: they share 3 each and then Seller accepts, Buyer pays nothing more.
        ("lottery", (1 + Fraction(1, 3) * 5, -1 + Fraction(1, 6) * Fraction(7, 2) + Fraction(1, 3) * 4), ("sell",)),
        ("stages", (Fraction(7, 3), Fraction(-7, 3), 0), ("a", "b")),
        ("umbrella", (Fraction(-4, 3), Fraction(1, 3)), ("take",)),
    ],
)
def test_samples_have_their_solutions(name: str, value: tuple[Fraction, ...], line: tuple[str, ...]) -> None:
    solution = solve(loaded(import_game(str(SAMPLES / f"{name}.efg"))))
    assert (solution.algorithm, solution.value) == ("maxn", value)
    assert tuple(solution_data(solution)["line"]) == line


def test_payoffs_on_the_way_count_at_every_leaf_below() -> None:
    tree = loaded(import_game(str(SAMPLES / "stages.efg"))).tree
    assert [tree.leaf[leaf] for leaf in tree.leaves] == [
        (Fraction(7, 3), Fraction(-7, 3), 0),
        (1, -1, 0),
        (-1, 0, 1),
        (Fraction(9, 4), Fraction(-7, 2), Fraction(5, 4)),
    ]
    assert tree.sum == 0


def test_labels_become_names() -> None:
    tree = loaded(import_game(str(SAMPLES / "stages.efg"))).tree
    # Numbers, turn words and nothing at all are no names of players.
    assert tree.players == ("P1", "P2", "P3")
    assert tree.ids == ("A", "same_name", "same_name_2", "L1", "same_name_3", "L2", "L3")
    assert [tree.move[child] for child in tree.children[0]] == ["a", "a_2", "a3"]
    game = loaded(import_game(str(SAMPLES / "umbrella.efg")))
    assert game.title == 'Take an "umbrella"?' and game.source == "umbrella.efg"
    assert game.tree.players == ("Walker", "Weather/man")


def test_a_constant_sum_is_claimed_only_where_it_holds() -> None:
    two = 'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 3 -1 } t "" 2 "" '
    assert loaded(efg(two + "{ 5, -3 }")).tree.sum == 2
    assert loaded(efg(two + "{ 5, -4 }")).tree.sum is None


def test_what_was_described_before_may_be_left_out() -> None:
    shared = (
        'EFG 2 R "t" { "A" } c "" 4 "e" { "x" 0.25 "y" 3/4 } 0 c "" 4 9 "o" { 1 } t "" 9 t "" 0 c "" 4 0 t "" 9 t "" 0'
    )
    tree = loaded(efg(shared)).tree
    assert [tree.leaf[leaf] for leaf in tree.leaves] == [(2,), (1,), (1,), (0,)]
    assert [tree.probability[child] for child in tree.children[4]] == [Fraction(1, 4), Fraction(3, 4)]


def test_white_space_means_nothing() -> None:
    text = (SAMPLES / "lottery.efg").read_text("utf-8")
    assert efg(" ".join(text.split())).text() == efg(text.replace("\n", "\r\n\t")).text() == efg("\ufeff" + text).text()


def test_a_depth_only_cuts_what_is_deeper() -> None:
    text = (SAMPLES / "centipede.efg").read_text("utf-8")
    assert efg(text, depth=4).text() == efg(text).text()
    with pytest.raises(DocumentError, match=r'^8:1: .* node "A2", and an .efg file has no estimates \[no-estimate\]$'):
        efg(text, depth=2)


def test_information_sets_with_several_nodes_are_refused() -> None:
    with pytest.raises(DocumentError) as caught:
        import_game(str(SAMPLES / "matching-pennies.efg"))
    assert [str(problem) for problem in caught.value.problems] == [
        '6:1: information set 1 "in the dark" of "Odd" has 2 nodes, at lines 3, 6: '
        "only games of perfect information can be imported [import]"
    ]


def test_standard_input_is_an_efg_file(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = (SAMPLES / "centipede.efg").read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
    assert import_game("-").text() == import_game(str(SAMPLES / "centipede.efg")).text()


# Drawn games, judged by backward induction on what was drawn.

PAYOFFS = st.sampled_from(["0", "1", "-1", "2", "1/2", "-2/3", "2.25"])
LABELS = st.sampled_from(["", "x", "y", "a b", 'say \\"hi\\"'])


@st.composite
def drawn_games(draw: Any, labels: Any = LABELS, players: int = 3) -> tuple[str, Any]:
    """An .efg text, and the same game as nested tuples (label, turn, moves, chances, payoffs, children)."""
    text = [f'EFG 2 R "drawn" {{ {" ".join(f"{chr(34)}P{n}{chr(34)}" for n in range(1, players + 1))} }}']
    count = 0

    def node(depth: int) -> Any:
        nonlocal count
        count += 1
        label, number = draw(labels), count
        kind = "t" if depth == 4 else draw(st.sampled_from("ppcttt" if depth > 1 else "ppc"))
        payoffs = draw(st.lists(PAYOFFS, min_size=players, max_size=players)) if draw(st.booleans()) else None
        outcome = "0" if payoffs is None else f'{number} "o{number}" {{ {", ".join(payoffs)} }}'
        gained = [Fraction(payoff) for payoff in payoffs or ["0"] * players]
        if kind == "t":
            text.append(f't "{label}" {outcome}')
            return label, None, [], [], gained, []
        moves = [f"m{position}" for position in range(draw(st.integers(1, 3)))]
        turn = draw(st.integers(1, players))
        chances = [Fraction(1)]
        if kind == "c":
            weights = draw(st.lists(st.integers(1, 4), min_size=len(moves), max_size=len(moves)))
            chances = [Fraction(weight, sum(weights)) for weight in weights]
            listed = " ".join(f'"{move}" {chance}' for move, chance in zip(moves, chances, strict=True))
            text.append(f'c "{label}" {number} "" {{ {listed} }} {outcome}')
        else:
            listed = " ".join(f'"{move}"' for move in moves)
            text.append(f'p "{label}" {turn} {number} "" {{ {listed} }} {outcome}')
        return label, turn if kind == "p" else 0, moves, chances, gained, [node(depth + 1) for _ in moves]

    game = node(0)
    return "\n".join(text), game


def induction(game: Any) -> list[Fraction]:
    """Backward induction, the first best move at ties; payoffs are collected on the way."""
    _, turn, _, chances, gained, children = game
    below = [induction(child) for child in children]
    if not below:
        return list(gained)
    if turn:
        value = max(below, key=lambda vector: vector[turn - 1])
    else:
        value = [
            sum((p * vector[n] for p, vector in zip(chances, below, strict=True)), Fraction(0))
            for n in range(len(gained))
        ]
    return [mine + more for mine, more in zip(gained, value, strict=True)]


@settings(max_examples=200)
@given(drawn_games())
def test_maxn_agrees_with_backward_induction(drawn: tuple[str, Any]) -> None:
    text, game = drawn
    solution = solve(loaded(efg(text)), "maxn")
    assert solution.value == tuple(induction(game))


@settings(max_examples=150)
@given(drawn_games(labels=st.text(max_size=80).map(lambda label: label.replace('"', "").replace("\\", ""))))
def test_any_label_becomes_a_name(drawn: tuple[str, Any]) -> None:
    text, _ = drawn
    if FORBIDDEN_CHARACTERS.search(text):
        assert all(problem.endswith("[character]") for problem in problems_of(text))
        return
    imported = efg(text)
    assert loaded(imported, "json").tree.ids == loaded(imported, "yaml").tree.ids


@pytest.mark.parametrize(
    "label",
    ["<<", "=", "~", "null", "true", "3", "-", "- a", "...", "---", "#", "?", ": ", "a/b", "a\\b", "%", "&a", "*a"],
)
def test_labels_that_mean_something_to_yaml_stay_labels(label: str) -> None:
    player = label if label not in ("3",) else "P1"
    node = f'p "{label}" 1 1 "" {{ "{label}" "{label}" }} 0 t "" 1 "{label}" {{ 1 2 }} t "{label}" 1'
    game = f'EFG 2 R "{label}" {{ "{label}" "B" }} {node}'
    trees = [loaded(efg(game), format).tree for format in FORMATS]
    assert trees[0].ids == trees[1].ids
    assert trees[0].players == trees[1].players == (player.strip(), "B")
    assert trees[0].move == trees[1].move == (None, label.strip(), f"{label.strip()}_2")


# Files that are wrong, or meant to do harm.

HEAD = 'EFG 2 R "t" { "A" "B" }\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: EFG, with which a Gambit .efg file begins, is expected here, not the end of the file [efg]"),
        ("plymark: game/1", '1:1: EFG, with which a Gambit .efg file begins, is expected here, not "plymark:" [efg]'),
        ("EFG 1 R", '1:5: the version, 2, is expected here, not "1" [efg]'),
        ('EFG 2 "R"', '1:7: R or D, the type of the numbers, is expected here, not the string "R" [efg]'),
        ("EFG 2 R {", "1:9: the title, in quotes, is expected here, not { [efg]"),
        ('EFG 2 R "t" { }', "1:13: a game needs at least one player [efg]"),
        ('EFG 2 R "t" { "A", "B" }', "1:18: a player's name, in quotes, or } is expected here, not , [efg]"),
        ('EFG 2 R "t" { "A', "1:15: the string that starts here has no closing quote [efg]"),
        (HEAD, "1:24: c, p or t, with which a node starts, is expected here, not the end of the file [efg]"),
        (HEAD + "q", '2:1: c, p or t, with which a node starts, is expected here, not "q" [efg]'),
        (HEAD + "t 0", '2:3: the node\'s label, in quotes, is expected here, not "0" [efg]'),
        (HEAD + 't "" -1', '2:6: the number of the outcome, a whole number of at most 9 digits, is expected'),
        (HEAD + 't "" 1', "2:6: outcome 1 is not known yet: its name and payoffs are expected after it [efg]"),
        (HEAD + 't "" 0 "none" { 0 0 }', "2:8: outcome 0 means none: it has no name and no payoffs [efg]"),
        (HEAD + 't "" 1 "" { 1 }', '2:15: the payoff of "B", a number, is expected here, not } [efg]'),
        (HEAD + 't "" 1 "" { 1 2 3 }', '2:17: } after 2 payoffs, one for each player, is expected here, not "3" [efg]'),
        (HEAD + 't "" 1 "" { 1 1/0 }', '2:15: the payoff of "B" must be a number, not "1/0" [number]'),
        (HEAD + 't "" 1 "" { nan 1 }', '2:13: the payoff of "A" must be a number, not "nan" [number]'),
        (HEAD + 't "" 1 "" { 1e99 1 }', '2:13: the payoff of "A" has a part of more than 40 digits [number]'),
        (HEAD + 't "" 1 "" { 1e9999999 1 }', '2:13: the payoff of "A" must be a number, not "1e9999999" [number]'),
        (
            HEAD + f't "" 1 "" {{ {"9" * 41} 1 }}',
            f'2:13: the payoff of "A" must be a number, not "{"9" * 41}" [number]',
        ),
        (HEAD + 't "" 0\nt "" 0', '3:1: the end of the file: every move has its node, and so nothing more is expected'),
        (HEAD + 'p "" 3 1', "2:6: there is no player 3; the players are 1 to 2 [efg]"),
        (HEAD + 'p "" 0 1', "2:6: there is no player 0; the players are 1 to 2 [efg]"),
        (HEAD + 'p "" 1 1 0', "2:10: the name of the information set, in quotes: its moves are not known yet; this"),
        (HEAD + 'p "" 1 1 "" { } 0', "2:13: an inner node needs at least one move [efg]"),
        (HEAD + 'p "" 1 1 "" { "l" } 0', "2:22: the file ends, but the node at line 2 lacks 1 of its 1 children [efg]"),
        (HEAD + 'c "" 1 "" { "l" } 0', "2:17: the move's probability, a number, is expected here, not } [efg]"),
        (HEAD + 'c "" 1 "" { "l" -1 "r" 2 } 0 t "" 0 t "" 0', "2:11: a probability lies between 0 and 1, not -1"),
        (HEAD + 'c "" 1 "" { "l" .33 "r" .66 } 0 t "" 0 t "" 0', "2:11: the probabilities add up to 0.99, not 1"),
        (
            HEAD + 'p "" 1 1 "" { "l" "r" } 1 "" { 1 2 }\nt "" 1 "" { 1 3 }\nt "" 0',
            "3:6: outcome 1 has different payoffs",
        ),
        (
            HEAD + 'c "" 1 "" { "l" 1 } 0 c "" 1 "" { "m" 1 } 0 t "" 0',
            "2:28: chance event 1 is described differently than before [efg]",
        ),
        (HEAD + 't "\x07" 0', "2:4: U+0007 (a control character) is not allowed [character]"),
    ],
)  # fmt: skip
def test_malformed_files_are_explained_at_their_place(text: str, expected: str) -> None:
    assert problems_of(text)[0].startswith(expected)


def test_files_beyond_a_limit_are_refused() -> None:
    assert problems_of(b"\xff" + HEAD.encode()) == ["1:1: byte 0xFF is not UTF-8 [encoding]"]
    assert problems_of(HEAD + " " * 100, yaml_bytes=50) == [
        "1:1: the file has 124 bytes; at most 50 are read [too-large]"
    ]
    chain = HEAD + 'p "" 1 1 "" { "l" "r" } 0 t "" 0 t "" 0'
    assert problems_of(chain, nodes=2) == ["2:34: more than 2 nodes [many-nodes]"]


def test_all_problems_are_counted_and_the_first_are_kept() -> None:
    node = 'p "" 1 1 "same" { "l" } 0\n'
    several = HEAD + "".join(f'c "" {n} "" {{ "l" 2 }} 0\n' for n in range(2_000)) + node * 7 + 't "" 0'
    with pytest.raises(DocumentError) as caught:
        efg(several)
    assert caught.value.total == 2_001 and len(caught.value.problems) == 20
    shared = problems_of(HEAD + node * 7 + 't "" 0')
    assert "has 7 nodes, at lines 2, 3, 4, 5, 6 and 2 more: only" in shared[0]


@pytest.mark.slow
def test_numbers_that_grow_without_end_are_refused() -> None:
    primes = [n for n in range(10_001, 12_000, 2) if all(n % d for d in range(3, 110, 2))]
    path = "".join(f'p "" 1 {n} "" {{ "m" }} {n} "" {{ 1/{n} 0 }}\n' for n in primes)
    assert problems_of(HEAD + path + 't "" 0')[0].endswith(
        "the payoffs on the way here add up to a number of more than 40 digits a part [number]"
    )
    listed = " ".join(f'"{n}" 1/{10**39 + n}' for n in range(20_000))
    wheel = f'c "" 1 "" {{ {listed} }} 0\n' + 't "" 0\n' * 20_000
    assert problems_of(HEAD + wheel)[0].endswith(
        "the probabilities add up to a number with very many digits, not 1 [probability-sum]"
    )


@pytest.mark.slow
def test_deep_and_wide_files_are_read() -> None:
    deep = HEAD + "".join(f'p "" {1 + n % 2} {n} "" {{ "on" }} 0\n' for n in range(100_000)) + 't "" 1 "" { 1 2 }'
    game = loaded(efg(deep))
    assert max(game.tree.depth) == 100_000 and solve(game).value == (1, 2)
    wide = HEAD + f'p "same" 1 1 "" {{ {chr(34) * 40_000} }} 0\n' + 't "same" 0\n' * 20_000
    assert len(loaded(efg(wide)).tree) == 20_001


SIGNS = ['"', "{", "}", ",", "\\", " ", "\n", "p", "c", "t", "0", "1", "-1", "1/0", "9" * 50, "\x00", "EFG", "é"]


@settings(max_examples=400)
@given(
    st.sampled_from([*GOOD, "matching-pennies"]),
    st.lists(st.tuples(st.integers(0), st.integers(0, 9), st.sampled_from(SIGNS)), max_size=4),
)
def test_damaged_files_never_do_worse_than_a_problem(name: str, damage: list[tuple[int, int, str]]) -> None:
    text = (SAMPLES / f"{name}.efg").read_text("utf-8")
    for where, length, sign in damage:
        at = where % (len(text) + 1)
        text = text[:at] + sign + text[at + length :]
    problems: list[Problem] = []
    try:
        loaded(efg(text))
    except DocumentError as error:
        problems = error.problems
    places = [problem.place for problem in problems]
    assert all(1 <= place.line <= text.count("\n") + 1 and place.column >= 1 for place in places)


def test_json_has_a_line_for_each_node() -> None:
    text = import_game(str(SAMPLES / "centipede.efg")).text("json")
    assert len(text.splitlines()) == 7 and list(json.loads(text)["nodes"]) == ["A1", "B1", "A2", "B2", "shared"]


# Gambit itself.


def gambit_induction(game: Any, node: Any) -> list[Fraction]:
    """Backward induction over pygambit's tree, with pygambit's payoffs."""
    gained = [Fraction(node.outcome[player]) if node.outcome else Fraction(0) for player in game.players]
    below = [gambit_induction(game, child) for child in node.children]
    if not below:
        return gained
    if node.player.is_chance:
        chances = [Fraction(action.prob) for action in node.infoset.actions]
        value = [
            sum((p * vector[n] for p, vector in zip(chances, below, strict=True)), Fraction(0))
            for n in range(len(gained))
        ]
    else:
        value = max(below, key=lambda vector: vector[node.player.number])
    return [mine + more for mine, more in zip(gained, value, strict=True)]


@need_pygambit
@pytest.mark.parametrize("name", ["centipede", "lottery", "three-players"])
def test_gambit_solves_the_samples_as_we_do(name: str) -> None:
    import pygambit

    game = pygambit.read_efg(SAMPLES / f"{name}.efg")
    ours = solve(loaded(import_game(str(SAMPLES / f"{name}.efg"))))
    assert ours.value == tuple(gambit_induction(game, game.root))


@need_pygambit
@settings(max_examples=150)
@given(drawn_games(labels=st.just("")))
def test_gambit_solves_drawn_games_as_we_do(drawn: tuple[str, Any]) -> None:
    import pygambit

    game = pygambit.read_efg(io.BytesIO(drawn[0].encode()))
    assert solve(loaded(efg(drawn[0])), "maxn").value == tuple(gambit_induction(game, game.root))
