"""Models of mistakes: judged by plain recursions of their own, and by what is claimed of them for printed trees."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import inf, log, log10, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings

from grader.mistakes.behaviour import Behaviour, key_behaviour, mistake_of
from grader.mistakes.pruning import stops_before_any_bound
from grader.mistakes.registry import DETECTED, MODELS
from grader.mistakes.searching import rules_of, searched
from solver.game import Convention, Tree
from solver.kernel.irrational import decimal_text
from solver.languages import language
from solver.pipeline import load, load_bytes, load_tree, solve
from solver.search import Solution
from tests.judges import brute_force as brute
from tests.support.paths import ROOT
from tests.support.strategies import (
    ANY_CONVENTION,
    as_json,
    bushy_trees,
    chance_trees,
    document,
    minimax_trees,
    player_games,
)

SPECS = ROOT / "specs"
TEXTBOOK = "[[3,12,8],[2,4,6],[14,5,2]]"
SHOWCASE = "[[4,[[7,5],[0,6]]],[15,[[2,8,1],[9,19]]]]"
TREES = minimax_trees(max_leaves=14) | bushy_trees(3) | bushy_trees(4)


def solved(tree: brute.Tree, **keys: Any) -> Solution:
    return solve(load_bytes(as_json(document(tree)), "game.json"), convention=Convention(**keys))


def run(name: str, solution: Solution, whole: Tree | None = None) -> Behaviour | None:
    return MODELS[name].run(whole or solution.tree, solution.convention, solution)


def ran(name: str, solution: Solution, whole: Tree | None = None) -> Behaviour:
    found = run(name, solution, whole)
    assert found is not None
    return found


def values_by_id(solution: Solution, behaviour: Behaviour) -> dict[str, Any]:
    assert behaviour.values is not None
    return {solution.tree.ids[node]: value for node, value in behaviour.values.items()}


def numbers(solution: Solution, leaves: Any) -> set[Any]:
    return {solution.tree.leaf[leaf] for leaf in leaves}


class Wrong:
    """The table's mistakes as a recursion in the mover's own eyes: `mine` is α at MAX and −β at MIN, `theirs` the other
    bound; each line below is one line of the table."""

    def __init__(self, model: str, cut: str, update: str, returns: str, order: str) -> None:
        self.model, self.strict, self.first = model, cut == "past-bound", update == "before-test"
        self.hard, self.backwards = returns == "fail-hard", order == "right-to-left"
        self.shared = (-inf, inf)
        self.visited: list[brute.Path] = []
        self.windows: dict[brute.Path, list[Any]] = {}
        self.values: dict[brute.Path, Any] = {}

    def reached(self, v: Any, bound: Any) -> bool:
        return bool(v > bound if self.strict else v >= bound)

    def clamp(self, value: Any, window: Any) -> Any:
        return max(window[0], min(window[1], value)) if self.hard else value

    def search(self, node: brute.Tree, path: brute.Path, window: Any) -> tuple[Any, bool]:
        """The value returned, and whether the node was cut."""
        if brute.is_leaf(node):
            self.visited.append(path)
            return self.clamp(node, window), False
        model, sign = self.model, 1 if node[0] == "max" else -1

        def turned(pair: Any) -> Any:
            return pair if sign == 1 else (-pair[1], -pair[0])

        mine, theirs = turned(window)
        mine_on_entry, v, searched_children, was_cut = mine, -inf, 0, False
        self.windows[path] = [window]
        places = list(range(len(node[1])))[:: -1 if self.backwards else 1]
        for place in places:
            child = node[1][place]
            worse = sign * brute.minimax(child) <= v if model == "A13" else sign * self.first_leaf(child) < v
            if searched_children and worse and (model == "A17" or (model == "A13" and not brute.is_leaf(child))):
                continue
            handed = turned((mine, theirs))
            if model == "A2":
                handed = turned((v, inf))
            elif model == "A4" or (model == "A3" and path == ()):
                handed = (-inf, inf)
            value, child_cut = self.search(child, (*path, place), handed)
            if model in ("A7", "A8"):
                mine, theirs = turned(self.shared)
            got, before = sign * value, v
            v = max(v, got)
            searched_children += 1
            new = max(mine, v), theirs
            if model == "A5" and sign == -1:
                new = min(mine, v), theirs
            elif model == "A6":
                new = mine, min(theirs, v)
            stop = self.reached(v, theirs)
            if model in ("A6", "A8"):
                stop = self.reached(*new)
            elif model == "A9":
                stop = stop or (abs(mine_on_entry) != inf and self.reached(v, mine_on_entry))
            elif model == "A10":
                stop = searched_children > 1 and got < before
            elif model == "A16":
                stop = stop and sign == -1
            elif model == "A17":
                stop = False
            if (self.first or not stop or model in ("A6", "A7", "A8")) and new != (mine, theirs):
                mine, theirs = new
                self.shared = turned(new)
                self.windows[path].append(turned(new))
            if stop or (model == "A15" and child_cut):
                was_cut = stop and place != places[-1]
                break
        self.values[path] = self.clamp(sign * v, window)
        return self.values[path], was_cut

    def first_leaf(self, node: brute.Tree) -> Any:
        while not brute.is_leaf(node):
            node = node[1][-1 if self.backwards else 0]
        return node


def bound(value: Any) -> Any:
    return {-inf: "-inf", inf: "inf"}.get(value, value)


SEARCHES = ("A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A13", "A15", "A16", "A17")


@pytest.mark.parametrize("name", SEARCHES)
@settings(max_examples=60)
@given(tree=TREES, keys=ANY_CONVENTION)
def test_searches_by_a_recursion(name: str, tree: brute.Tree, keys: dict[str, str]) -> None:
    assume(not brute.is_leaf(tree))
    judge = Wrong(name, **keys)
    judge.search(tree, (), (-inf, inf))
    found = ran(name, solved(tree, **keys))
    paths = [path for path, _ in brute.nodes(tree)]
    assert [paths[leaf] for leaf in found.visited or ()] == judge.visited
    assert {paths[leaf] for leaf in found.pruned or ()} == set(brute.leaves(tree)) - set(judge.visited)
    assert {paths[node]: value for node, value in (found.values or {}).items() if value is not None} == judge.values
    windows = {paths[node]: list(each) for node, each in (found.windows or {}).items()}
    assert windows == {path: [tuple(map(bound, each)) for each in all_] for path, all_ in judge.windows.items()}


@settings(max_examples=100)
@given(tree=TREES, keys=ANY_CONVENTION)
def test_the_right_rules_give_the_key(tree: brute.Tree, keys: dict[str, str]) -> None:
    assume(not brute.is_leaf(tree))
    solution = solved(tree, **keys)
    key, found = key_behaviour(solution), searched(solution, rules_of(solution.convention))
    assert (found.values, found.pruned, found.visited) == (key.values, key.pruned, key.visited)
    assert found.windows == key.windows
    assert found.move == key.move


@settings(max_examples=60)
@given(tree=TREES, keys=ANY_CONVENTION)
def test_the_right_rules_take_the_last_of_equals(tree: brute.Tree, keys: dict[str, str]) -> None:
    assume(not brute.is_leaf(tree))
    solution = solved(tree, **keys, ties="last")
    assert searched(solution, rules_of(solution.convention)).move == key_behaviour(solution).move


@settings(max_examples=60)
@given(tree=TREES, keys=ANY_CONVENTION)
def test_the_other_test_and_the_other_direction(tree: brute.Tree, keys: dict[str, Any]) -> None:
    assume(not brute.is_leaf(tree))
    solution = solved(tree, **keys)
    others = {"A1": ("cut", ("at-bound", "past-bound")), "A11": ("order", ("left-to-right", "right-to-left"))}
    paths = [path for path, _ in brute.nodes(tree)]
    for name, (key, choices) in others.items():
        found = run(name, solution)
        if found is None:
            assert (name, keys["returns"]) == ("A1", "fail-hard")
            continue
        record = brute.alpha_beta(tree, **{**keys, key: choices[keys[key] == choices[0]]})
        below = set(brute.leaves(tree))
        assert [paths[leaf] for leaf in found.visited or ()] == [path for path in record.visited if path in below]


@settings(max_examples=60)
@given(tree=TREES)
def test_irrelevant_leaves_by_trying(tree: brute.Tree) -> None:
    assume(not brute.is_leaf(tree))
    paths = [path for path, _ in brute.nodes(tree)]
    expected = {
        path
        for path in brute.leaves(tree)
        if brute.minimax(brute.replaced(tree, {path: -inf})) == brute.minimax(brute.replaced(tree, {path: inf}))
    }
    assert {paths[leaf] for leaf in ran("A14", solved(tree)).pruned or ()} == expected


@settings(max_examples=60)
@given(tree=TREES, keys=ANY_CONVENTION)
def test_the_leaf_that_caused_the_cut_by_the_record(tree: brute.Tree, keys: dict[str, Any]) -> None:
    assume(not brute.is_leaf(tree))
    record = brute.alpha_beta(tree, **keys)
    below = set(brute.leaves(tree))
    seen = [path for path in record.visited if path in below]
    causes = {[path for path in seen if path[: len(cut["after"])] == cut["after"]][-1] for cut in record.cuts}
    paths = [path for path, _ in brute.nodes(tree)]
    found = ran("A12", solved(tree, **keys))
    assert {paths[leaf] for leaf in found.pruned or ()} == (below - set(seen)) | causes


@settings(max_examples=60)
@given(tree=TREES)
def test_the_last_of_equals(tree: brute.Tree) -> None:
    assume(not brute.is_leaf(tree))
    record = brute.alpha_beta(tree)
    equal = [place for place in range(len(tree[1])) if record.returned.get((place,)) == record.returned[()]]
    solution = solved(tree)
    assert ran("A18", solution).move == solution.tree.children[0][equal[-1]]


@settings(max_examples=60)
@given(tree=TREES)
def test_some_mistakes_never_lose_the_value(tree: brute.Tree) -> None:
    assume(not brute.is_leaf(tree))
    solution = solved(tree)
    for name in ("A1", "A2", "A3", "A4", "A5", "A11", "A16"):
        assert (ran(name, solution).values or {})[0] == solution.value, name
    assert ran("A4", solution).pruned == frozenset()
    assert ran("A5", solution).pruned == ran("A16", solution).pruned
    assert ran("A5", solution).values == ran("A16", solution).values


def test_other_mistakes_often_prune_what_matters() -> None:
    """In 35 to 100 % of drawn trees the root's value depends on what was crossed out."""
    draw, trees, harmful = Random(7), 150, Counter[str]()
    for _ in range(trees):
        leaves = draw.sample(range(100), 18)
        low = [leaves[start : start + 2] for start in range(0, 18, 2)]
        solution = solve(load_tree(str([low[start : start + 3] for start in range(0, 9, 3)])))
        for name in ("A6", "A7", "A8", "A9", "A12", "A13", "A14", "A15"):
            pruned = ran(name, solution).pruned or ()
            harmful[name] += worth(solution.tree, pruned, -1) != worth(solution.tree, pruned, 100)
    assert len(harmful) == 8
    assert all(count >= 0.35 * trees for count in harmful.values()), harmful


def worth(tree: Tree, leaves: Any, value: int) -> Any:
    """The root with another value at some leaves."""

    def of(node: int) -> Any:
        if tree.turn[node] is None:
            return value if node in leaves else tree.leaf[node]
        return (max if tree.turn[node] == "max" else min)(of(child) for child in tree.children[node])

    return of(0)


def test_the_textbook_tree_hides_some() -> None:
    solution = solve(load_tree(TEXTBOOK))
    key = key_behaviour(solution)
    hidden = {name for name in SEARCHES if ran(name, solution).pruned == key.pruned}
    assert hidden | {"A1"} == {"A1", "A2", "A5", "A9", "A16"}
    assert ran("A1", solution).pruned == key.pruned
    assert numbers(solution, ran("A12", solution).pruned) == {2, 4, 6}
    assert numbers(solution, ran("A14", solution).pruned) == {4, 6, 14, 5}


def test_the_showcase_shows_all() -> None:
    solution = solve(load_tree(SHOWCASE))
    key = key_behaviour(solution)
    assert numbers(solution, key.pruned) == {0, 6, 8, 1}
    outputs = {name: ran(name, solution).pruned for name in (f"A{number}" for number in range(2, 17))}
    assert key.pruned not in outputs.values()
    assert len({key.pruned, *outputs.values()}) == 13
    by_hand = {"A2": {0, 6}, "A3": {0, 6}, "A4": set(), "A9": {0, 6, 8, 1, 19}, "A12": {5, 0, 6, 2, 8, 1}}
    by_hand |= {"A15": {0, 6, 8, 1, 9, 19}, "A16": {6, 8, 1}, "A10": {1}}
    for name, expected in by_hand.items():
        assert numbers(solution, outputs[name]) == expected, name


def test_beta_never_moves_by_the_misprint() -> None:
    solution = solve(load_tree(SHOWCASE))
    assert {high for each in (ran("A5", solution).windows or {}).values() for _, high in each} == {"inf"}
    assert {high for each in (ran("A16", solution).windows or {}).values() for _, high in each} != {"inf"}


def test_a_declared_window_is_kept() -> None:
    solution = solve(load_tree(TEXTBOOK), convention=Convention(window=(4, 9)))
    assert (ran("A16", solution).windows or {})[0][0] == (4, 9)
    assert numbers(solution, ran("A1", solution).pruned) == {12, 8, 4, 6}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("M1", {"A": 6, "B": 12, "C": 6, "D": 14}),
        ("M2", {"A": 14, "B": 12, "C": 6, "D": 14}),
        ("M3", {"A": 2, "B": 3, "C": 2, "D": 2}),
        ("M4", {"A": Fraction(23, 3), "B": Fraction(23, 3), "C": 4, "D": 7}),
        ("M5", {"A": 23, "B": 23, "C": 12, "D": 21}),
        ("M6", {"A": 3, "B": 3, "C": 2, "D": 14}),
        ("M7", {"A": 3, "B": 3, "C": 2, "D": 2}),
    ],
)
def test_values_of_the_textbook_tree(name: str, expected: dict[str, Any]) -> None:
    solution = solve(load_tree(TEXTBOOK), algorithm="minimax")
    found = ran(name, solution)
    assert values_by_id(solution, found) == expected
    assert found.pruned is None


def plain_value(name: str, tree: brute.Tree) -> Any:
    if brute.is_leaf(tree):
        return tree
    values = [plain_value(name, child) for child in tree[1]]
    if tree[0] == "chance":
        return at_chance(name, values, tree[2])
    mean = sum(values, Fraction(0)) / len(values)
    by_max, by_min = {"M4": (max(values), mean), "M5": (max(values), sum(values)), "M6": (values[0], values[0])}.get(
        name, (max(values), min(values))
    )
    maximises = {"M1": tree[0] == "min", "M2": True, "M3": False, "M7": height(tree) % 2 == 0}.get(
        name, tree[0] == "max"
    )
    return by_max if maximises else by_min


def at_chance(name: str, values: list[Any], chances: list[Any]) -> Any:
    wrong = {
        "C1": sum(values, Fraction(0)) / len(values),
        "C2": min(values),
        "C2.max": max(values),
        "C3": values[max(range(len(values)), key=lambda place: (chances[place], -place))],
    }
    right = sum((p * value for p, value in zip(chances, values, strict=True)), Fraction(0))
    return wrong.get(name, right)


def height(tree: brute.Tree) -> int:
    return 0 if brute.is_leaf(tree) else 1 + max(map(height, tree[1]))


@pytest.mark.parametrize("name", ["M1", "M2", "M3", "M4", "M5", "M6", "M7", "C1", "C2", "C2.max", "C3"])
@settings(max_examples=40)
@given(tree=chance_trees())
def test_values_by_a_recursion(name: str, tree: brute.Tree) -> None:
    solution = solve(load_bytes(as_json(document(tree)), "game.json"), algorithm="expectiminimax")
    found = run(name, solution)
    turns = {node[0] for _, node in brute.nodes(tree) if not brute.is_leaf(node)}
    if found is None:
        assert not turns or (name.startswith("C") and "chance" not in turns)
        return
    expected = {place: plain_value(name, node) for place, (_, node) in enumerate(brute.nodes(tree))}
    assert found.values == {node: expected[node] for node in solution.tree.inner}


@settings(max_examples=40)
@given(tree=bushy_trees(3))
def test_swapped_turns_in_a_search_are_the_swapped_tree(tree: brute.Tree) -> None:
    def swapped(node: brute.Tree) -> brute.Tree:
        return node if brute.is_leaf(node) else ({"max": "min", "min": "max"}[node[0]], [*map(swapped, node[1])])

    found, expected = ran("M1", solved(tree)), key_behaviour(solved(swapped(tree)))
    assert (found.values, found.windows, found.pruned, found.move) == (
        expected.values, expected.windows, expected.pruned, expected.move,
    )  # fmt: skip


def test_one_min_layer_for_two_opponents() -> None:
    text = b"plymark: game/1\nlevels: [max, min, min]\ntree: [[[5, 1], [4, 7]], [[3, 2], [6, 8]]]"
    solution = solve(load_bytes(text), algorithm="minimax")
    assert solution.value == 2
    found = ran("M9", solution)
    assert values_by_id(solution, found) == {"A": 4, "B": 4, "C": 3, "D": 5, "E": 4, "F": 3, "G": 6}
    assert run("M9", solve(load_tree(TEXTBOOK))) is None


ESTIMATES = b"""plymark: game/1
tree:
  turn: max
  estimate: 1
  children:
    - {turn: min, estimate: 6, children: [{turn: max, estimate: 2, children: [9, 1]}, 5]}
    - {turn: min, estimate: 3, children: [{turn: max, estimate: 8, children: [0, 7]}, 4]}
"""


def test_estimates_in_place_of_values() -> None:
    game = load_bytes(ESTIMATES)
    solution = solve(game, algorithm="minimax")
    assert values_by_id(solution, ran("M10", solution)) == {"A": 1, "B": 6, "C": 3, "D": 2, "E": 8}
    assert run("M10", solve(load_tree(TEXTBOOK))) is None


def test_depth_limits_misread() -> None:
    game = load_bytes(ESTIMATES)
    two, one = solve(game, depth=2), solve(game, depth=1)
    assert two.value == 4
    assert (ran("M8", two, game.tree).values or {})[0] == 5
    assert (ran("M8.shallower", two, game.tree).values or {})[0] == 6
    assert ran("M8.shallower", two, game.tree).move == two.tree.index["B"]  # type: ignore[index]
    assert (ran("M8.rounds", two, game.tree).values or {})[0] == 5
    assert (ran("M8", one, game.tree).values or {})[0] == 4
    assert run("M8.shallower", one, game.tree) is None
    assert run("M8", solve(game)) is None
    rounds = solve(game, depth=1, convention=Convention(depth_unit="round"))
    assert (ran("M8.rounds", rounds, game.tree).values or {})[0] == 6


def test_pruning_through_chance() -> None:
    """The window (3, +∞) goes through the chance node: MIN stops at 2, so the mean is a wrong one."""
    text = b"plymark: game/1\nlevels: [max, chance, min]\ntree: [[[3, 4], [3, 5]], [[2, 1], [9, 8]]]"
    solution = solve(load_bytes(text))
    found = ran("C4", solution)
    assert numbers(solution, found.pruned) == {1}
    assert (found.values or {})[0] == 5
    assert solution.value == Fraction(9, 2)
    assert run("C4", solve(load_tree(TEXTBOOK))) is None


def plain_vector(name: str, tree: brute.Tree, side_of: dict[str, int], sides: int, root: int | None) -> Any:
    if brute.is_leaf(tree):
        return tuple(tree)
    vectors = [plain_vector(name, child, side_of, sides, root) for child in tree[1]]
    if tree[0] == "chance":
        return tuple(brute.mean(vectors, tree[2]))
    if name == "V3":
        return tuple(max(vector[side] for vector in vectors) for side in range(sides))
    own = side_of[tree[0]]
    goal = {"V1": root, "V2": 0, "V4": (own + 1) % sides, "V4.before": (own - 1) % sides}[name]
    assert goal is not None
    best = max if name != "V1" or own == root else min
    wanted = best(vector[goal] for vector in vectors)
    return next(vector for vector in vectors if vector[goal] == wanted)


@pytest.mark.parametrize("name", ["V1", "V2", "V3", "V4", "V4.before"])
@settings(max_examples=40)
@given(game=player_games())
def test_vectors_by_a_recursion(name: str, game: Any) -> None:
    solution = solve(load_bytes(as_json(document(game.tree, head=game.head)), "game.json"))
    found = run(name, solution)
    leaf = brute.is_leaf(game.tree)
    if leaf or (name == "V1" and game.tree[0] == "chance"):
        assert found is None
        return
    assert found is not None
    root = game.side_of.get(game.tree[0])
    every = [plain_vector(name, node, game.side_of, len(game.sides), root) for _, node in brute.nodes(game.tree)]
    assert found.values == {node: every[node] for node in solution.tree.inner}


def test_three_players_of_the_textbook() -> None:
    solution = solve(load(SPECS / "three-players.yaml"))
    assert (ran("V2", solution).values or {})[0] == (7, 4, 1)
    assert (ran("V3", solution).values or {})[0] == (7, 7, 6)
    assert (ran("V1", solution).values or {})[0] == (1, 2, 6)


def test_ucb1_of_the_textbook_by_floats() -> None:
    solution = solve(load(SPECS / "mcts-textbook.yaml"), algorithm="mcts")
    tree = solution.tree
    counted = {"B": (60, 79), "C": (1, 10), "D": (2, 11)}
    formulas: dict[str, Callable[[int, int], float]] = {
        "U1": lambda wins, n: wins / n + 1.4 * sqrt(log(n) / n),
        "U2": lambda wins, n: wins / n + 1.4 * sqrt(log10(100) / n),
        "U3": lambda wins, n: wins / n + 1.4 * log(100) / n,
        "U4": lambda wins, n: wins / n,
        "U5": lambda wins, n: wins / n + 1.4 * sqrt(log(100) / n),
        "U6": lambda wins, n: (n - wins) / n + 1.4 * sqrt(log(100) / n),
    }
    for name, formula in formulas.items():
        facts = ran(name, solution).facts
        expected = {child: formula(*each) for child, each in counted.items()}
        for child, value in expected.items():
            assert decimal_text(facts["ucb1"][tree.index[child]], 6) == f"{value:.6f}", (name, child)  # type: ignore[index]
        assert tree.ids[facts["selected"][0]] == max(expected, key=lambda child: expected[child]), name


def test_a_common_logarithm_may_give_a_fraction() -> None:
    """Ten visits, four of them: √(log₁₀ 10 / 4) is 1/2, and no enclosure would tell which way 0.5005 is rounded."""
    children = [
        {"id": "B", "turn": "min", "visits": 4, "total": "0.002", "children": [1, 0]},
        {"id": "C", "turn": "min", "visits": 6, "total": 3, "children": [0, 1]},
    ]
    tree = {"id": "A", "turn": "max", "visits": 10, "total": 3, "children": children}
    written = {"plymark": "game/1", "mcts": {"exploration": 1, "playouts": [1]}, "tree": tree}
    solution = solve(load_bytes(json.dumps(written).encode(), "game.json"), algorithm="mcts")
    values = ran("U2", solution).facts["ucb1"]
    assert decimal_text(values[solution.tree.index["B"]], 3) == "0.501"  # type: ignore[index]


def test_an_unvisited_child_counted_as_nothing() -> None:
    solution = solve(load(SPECS / "mcts-textbook.yaml"), algorithm="mcts")
    tree = solution.tree
    key, found = key_behaviour(solution).facts, ran("U5", solution).facts
    last = next(node for node in key["selected"] if tree.visits and not tree.visits.get(key["selected"][node]))
    assert key["ucb1"][tree.children[last][0]] == "inf"
    assert found["ucb1"][tree.children[last][0]] == 0


def test_back_propagation_without_alternation() -> None:
    """The figure's playout is a win for black, who is MAX: white's nodes must not gain a win."""
    solution = solve(load(SPECS / "mcts-textbook.yaml"), algorithm="mcts")
    ids = solution.tree.ids
    right = {ids[node]: count for node, count in key_behaviour(solution).facts["counts"].items()}
    wrong = {ids[node]: count for node, count in ran("U7", solution).facts["counts"].items()}
    assert (right["A"], wrong["A"]) == ((37, 101), (38, 101))
    assert (right["B"], wrong["B"]) == ((61, 80), (61, 80))
    assert (right["E"], wrong["E"]) == ((16, 54), (17, 54))


def test_plans_of_the_vacuum_world() -> None:
    solution = solve(load(SPECS / "vacuum-plan.yaml"))
    assert key_behaviour(solution).facts["strategy"] == ["Suck", {"s5": ["Right", "Suck"], "s7": []}]
    assert ran("O1", solution).facts["strategy"] == ["Suck", {"s5": ["Right", "Suck"]}]
    assert ran("O3", solution).facts["strategy"] == ["Suck", {"s5": ["Right", "Suck"]}]
    [first, branches] = ran("O2", solution).facts["strategy"]
    assert first == "Suck"
    assert branches["s5"][0] == "Suck"
    assert values_by_id(solution, ran("O2", solution))["s5-Suck"] is True
    assert run("O1", solve(load_tree(TEXTBOOK))) is None


def test_one_outcome_is_not_enough() -> None:
    text = "{turn: or, children: [{turn: and, children: [{value: true}, {value: false}]}, {value: false}]}"
    solution = solve(load_tree(text))
    assert solution.value is False
    found = ran("O1", solution)
    assert found.facts["strategy"] == ["a1", {"L1": []}]
    assert (found.values or {})[0] is True


def crossed_out(text: str, leaves: set[int], **keys: Any) -> list[tuple[str, str]]:
    solution = solve(load_tree(text), convention=Convention(**keys))
    tree = solution.tree
    pruned = [leaf for leaf in tree.leaves if tree.leaf[leaf] in leaves]
    found = stops_before_any_bound(tree, solution.convention, solution, pruned)
    return [(tree.ids[node], tree.ids[after]) for node, after in found]


def test_stops_before_any_bound() -> None:
    assert crossed_out(TEXTBOOK, {4, 6}) == []
    assert crossed_out(TEXTBOOK, {12, 8}) == [("B", "L1")]
    assert crossed_out(TEXTBOOK, {12}) == [], "a gap is no stop"
    assert crossed_out(TEXTBOOK, {14, 5, 2}) == [("A", "C")], "nothing bounds the root"
    assert crossed_out(TEXTBOOK, {12, 8}, order="right-to-left") == []
    assert crossed_out(TEXTBOOK, {12, 8}, window=(2, 5)) == []
    assert crossed_out(SHOWCASE, {5}) == [("F", "L2")]
    assert crossed_out(SHOWCASE, {0, 6}) == []
    assert crossed_out(TEXTBOOK, {3, 12, 8, 2, 4, 6, 14, 5}) == []


@settings(max_examples=60)
@given(tree=TREES, keys=ANY_CONVENTION)
def test_a_right_search_never_stops_before_a_bound(tree: brute.Tree, keys: dict[str, str]) -> None:
    assume(not brute.is_leaf(tree))
    solution = solved(tree, **keys)
    assert stops_before_any_bound(solution.tree, solution.convention, solution, solution.pruned) == []


@pytest.mark.slow
def test_deep_trees_need_no_recursion() -> None:
    nodes: dict[str, dict[str, object]] = {
        f"n{depth}": {"turn": ["max", "min"][depth % 2], "children": [f"n{depth + 1}", depth % 7]}
        for depth in range(5_000)
    }
    nodes["n5000"] = {"value": 3}
    solution = solve(load_bytes(as_json({"plymark": "game/1", "root": "n0", "nodes": nodes}), "game.json"))
    for name, model in MODELS.items():
        found = model.run(solution.tree, solution.convention, solution)
        assert found is None or mistake_of(name)[0] in "MA"
    stops_before_any_bound(solution.tree, solution.convention, solution, solution.pruned)


def test_a_leaf_alone_leaves_nothing_to_mistake() -> None:
    solution = solve(load_tree("7"))
    assert all(model.run(solution.tree, solution.convention, solution) is None for model in MODELS.values())


def test_one_child_alone() -> None:
    solution = solve(load_tree("[1]"))
    for name in SEARCHES:
        assert ran(name, solution).values == {0: 1}


def test_every_model_has_its_words_in_every_language() -> None:
    mistakes = list(dict.fromkeys(map(mistake_of, MODELS)))
    assert [*mistakes, *DETECTED] == [
        *(f"M{number}" for number in range(1, 11)),
        *(f"A{number}" for number in range(1, 19)),
        *(
            f"{family}{number}"
            for family, last in (("C", 4), ("V", 4), ("U", 7), ("O", 3))
            for number in range(1, last + 1)
        ),
        "A19",
    ]
    keys = {f"mistake.{mistake}.{part}" for mistake in (*mistakes, *DETECTED) for part in PARTS}
    for code in ("en", "pt", "es", "fa"):
        said = language(code, ROOT / "grader" / "languages")
        assert {key for key in said.keys if key.startswith("mistake.")} == keys
        for key in keys:
            text = said.say(key)
            assert text.strip() == text
            assert text.endswith(".") == (not key.endswith(".title") and key.startswith("mistake.")), (code, key)


PARTS = ("title", "explanation", "remedy")


def test_persian_has_no_loose_latin_or_signs() -> None:
    """Comparisons written with signs would be read in the wrong direction."""
    said = language("fa", ROOT / "grader" / "languages")
    for key in said.keys:
        if key.startswith("mistake."):
            outside = re.sub("\u2068[^\u2069]*\u2069", "", said.say(key))
            assert not re.search("[A-Za-zα-ω0-9<>≤≥()=]", outside), key


def test_the_page_for_teachers_lists_every_mistake() -> None:
    page = (ROOT / "docs" / "mistakes.md").read_text("utf-8")
    english = language("en", ROOT / "grader" / "languages")
    for mistake in [*dict.fromkeys(map(mistake_of, MODELS)), *DETECTED]:
        title, explanation = (english.say(f"mistake.{mistake}.{part}") for part in PARTS[:2])
        assert f"| {mistake} | {title} | {explanation} |" in page


def test_a_model_does_not_depend_on_how_the_convention_writes() -> None:
    solution = solve(load_tree(SHOWCASE))
    other = replace(solution, convention=replace(solution.convention, write="exit"))
    assert run("A2", solution) == run("A2", other)
