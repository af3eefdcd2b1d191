"""Laws that hold for every tree, judged by the brute force."""

import json
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import factorial, inf, prod
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from solver.game.convention import DEFAULT, convention_from
from solver.game.game_tree import NodeId
from solver.kernel import Refusal
from solver.pipeline import check_bytes, load_bytes, load_tree, solve
from solver.render import FORMATS
from solver.search import run_alpha_beta
from tests.judges import brute_force
from tests.judges.brute_force import Tree, is_leaf, leaves, mirrored, nodes, replaced
from tests.support.paths import ROOT
from tests.support.strategies import (
    ANY_CONVENTION,
    FEW,
    FORMS,
    WINDOWS,
    PlayersGame,
    as_json,
    as_yaml,
    bushy_trees,
    chance_trees,
    distinct_trees,
    document,
    minimax_trees,
    number,
    player_games,
)

SCHEMA = json.loads((ROOT / "schemas" / "solution.schema.json").read_text())
NAMED = st.sampled_from(["aima3", "aima4", "strict", "fail-hard"])


def printed(raw: bytes, algorithm: str, keys: dict[str, Any], form: str = "json") -> bytes:
    """The solution's text, from a document's."""
    game = load_bytes(raw)
    return FORMATS[form].write(game, solve(game, algorithm, convention_from(keys)), "", False)


def solved(tree: Tree, algorithm: str = "alpha-beta", head: Any = None, **keys: Any) -> dict[str, Any]:
    """The solution as a program reads it, numbers exact."""
    if isinstance(window := keys.get("window"), tuple):
        keys["window"] = [bound_text(bound) for bound in window]
    data: dict[str, Any] = json.loads(printed(as_json(document(tree, head=head)), algorithm, keys), parse_float=Decimal)
    return data


def bound_text(bound: Any) -> str:
    return str(bound) if isinstance(bound, float) else str(number(bound))


def value_of(text: Any) -> Any:
    """A number of a solution, exactly."""
    if isinstance(text, list):
        return [value_of(each) for each in text]
    if text in ("-inf", "inf"):
        return float(text)
    return None if text is None else Fraction(text)


def window_of(texts: Any) -> Any:
    return None if texts is None else tuple(value_of(texts))


def names(tree: Tree, data: dict[str, Any]) -> dict[Any, str]:
    """Paths to ids: a solution lists its nodes in document order."""
    return dict(zip([path for path, _ in nodes(tree)], data["nodes"], strict=True))


# What alpha-beta returns.


@settings(max_examples=150)
@given(minimax_trees(), ANY_CONVENTION, st.just((-inf, inf)) | WINDOWS)
def test_the_root_hands_up_its_minimax_value_if_the_window_contains_it(tree: Tree, keys: Any, window: Any) -> None:
    value = brute_force.minimax(tree)
    data = solved(tree, **keys, window=window)
    assert value_of(data["value"]) == value
    returned = value_of(next(iter(data["nodes"].values()))["returned"])
    if window[0] <= value <= window[1]:
        assert returned == value
    elif value < window[0]:
        assert returned <= window[0]
    else:
        assert returned >= window[1]


@settings(max_examples=100)
@given(minimax_trees(), ANY_CONVENTION)
def test_the_window_of_the_utilities_contains_the_value(tree: Tree, keys: Any) -> None:
    numbers = [node for _, node in nodes(tree) if is_leaf(node)]
    data = solved(tree, **keys, window="utilities")
    root = next(iter(data["nodes"].values()))
    assert window_of(root["entry"]) == (min(numbers), max(numbers))
    assert value_of(root["returned"]) == brute_force.minimax(tree)


@settings(max_examples=150)
@given(minimax_trees(), ANY_CONVENTION, st.just((-inf, inf)) | WINDOWS)
def test_pruned_leaves_can_have_any_value(tree: Tree, keys: Any, window: Any) -> None:
    value = brute_force.minimax(tree)
    assume(window[0] < value < window[1])
    data = solved(tree, **keys, window=window)
    pruned = [path for path, name in names(tree, data).items() if name in data["pruned"]["leaves"]]
    for anything in (-(10**9), 10**9):
        other = replaced(tree, dict.fromkeys(pruned, anything))
        assert brute_force.minimax(other) == value


# Conventions that prune alike.


def pruned(tree: Tree, **keys: Any) -> Any:
    return solved(tree, **keys)["pruned"]


@settings(max_examples=100)
@given(distinct_trees(), st.sampled_from(["after-test", "before-test"]))
def test_both_cut_tests_agree_on_distinct_leaves(tree: Tree, update: str) -> None:
    assert pruned(tree, update=update, cut="at-bound") == pruned(tree, update=update, cut="past-bound")


@settings(max_examples=100)
@given(minimax_trees(), st.just((-inf, inf)) | WINDOWS)
def test_fail_hard_prunes_like_fail_soft(tree: Tree, window: Any) -> None:
    assert pruned(tree, window=window, returns="fail-hard") == pruned(tree, window=window, returns="fail-soft")


@settings(max_examples=100)
@given(minimax_trees(), ANY_CONVENTION, st.just((-inf, inf)) | WINDOWS)
def test_updating_first_prunes_like_testing_first(tree: Tree, keys: Any, window: Any) -> None:
    after, before = ({**keys, "window": window, "update": when} for when in ("after-test", "before-test"))
    assert pruned(tree, **after) == pruned(tree, **before)


@settings(max_examples=100)
@given(minimax_trees(), ANY_CONVENTION, st.sampled_from(["first", "last", "any"]))
def test_right_to_left_is_the_mirror_image(tree: Tree, keys: Any, ties: str) -> None:
    image = mirrored(tree)
    from_right = solved(tree, **{**keys, "order": "right-to-left"}, ties=ties)
    from_left = solved(image, **{**keys, "order": "left-to-right"}, ties=ties)
    here, there = names(tree, from_right), names(image, from_left)
    back = {there[reflected(image, path)]: here[path] for path in here}
    assert from_right["visited"] == [back[name] for name in from_left["visited"]]
    assert sorted(from_right["pruned"]["nodes"]) == sorted(back[name] for name in from_left["pruned"]["nodes"])
    for name, facts in from_left["nodes"].items():
        for key in ("value", "returned", "known", "entry", "exit", "windows", "interval"):
            assert from_right["nodes"][back[name]][key] == facts[key]
    if from_left["move"] is not None:
        assert end_of_line(from_right) == back[end_of_line(from_left)]


def reflected(image: Tree, path: Any) -> Any:
    """The path in the mirror image."""
    found: list[int] = []
    for place in path:
        found.append(len(image[1]) - 1 - place)
        image = image[1][found[-1]]
    return tuple(found)


def end_of_line(data: dict[str, Any]) -> str:
    """The node that the line leads to."""
    here: str = next(iter(data["nodes"]))
    for move in data["line"]:
        here = next(name for name, facts in data["nodes"].items() if (facts["parent"], facts["move"]) == (here, move))
    return here


# Algorithms that agree.


@settings(max_examples=80)
@given(minimax_trees(), NAMED)
def test_algorithms_agree_on_max_and_min(tree: Tree, name: str) -> None:
    minimax, alpha_beta, expecting = (
        solved(tree, algorithm, like=name) for algorithm in ("minimax", "alpha-beta", "expectiminimax")
    )
    wanted = dict(zip(minimax["nodes"], (brute_force.minimax(node) for _, node in nodes(tree)), strict=True))
    for data in (minimax, alpha_beta, expecting):
        assert {node: value_of(facts["value"]) for node, facts in data["nodes"].items()} == wanted
        assert {node: facts["best"] for node, facts in data["nodes"].items()} == {
            node: facts["best"] for node, facts in minimax["nodes"].items()
        }
        assert [data[key] for key in ("move", "moves", "line")] == [minimax[key] for key in ("move", "moves", "line")]
    assert minimax["counts"] == expecting["counts"]
    assert minimax["counts"]["fewest"] == alpha_beta["counts"]["fewest"]


@settings(max_examples=100)
@given(minimax_trees())
def test_max_n_of_two_players_with_opposite_utilities_is_minimax(tree: Tree) -> None:
    def opposed(node: Tree) -> Tree:
        return [node, -node] if is_leaf(node) else (player[node[0]], [opposed(each) for each in node[1]])

    player = {"max": "I", "min": "II"}

    data = solved(opposed(tree), "maxn", head={"players": ["I", "II"], "sum": 0})
    value = brute_force.minimax(tree)
    assert value_of(data["value"]) == [value, -value]
    assert value_of(data["vectors"]) == [[value, -value]]
    assert data["moves"] == solved(tree, "minimax")["moves"]


@settings(max_examples=150)
@given(chance_trees())
def test_expectiminimax_is_the_exact_mean(tree: Tree) -> None:
    data = solved(tree, "expectiminimax")
    for (_, node), facts in zip(nodes(tree), data["nodes"].values(), strict=True):
        assert value_of(facts["value"]) == brute_force.minimax(node)
    if not is_leaf(tree) and tree[0] == "chance":
        assert (data["move"], data["moves"], data["line"]) == (None, [], [])
        assert [value_of(facts["p"]) for facts in data["nodes"].values() if facts["depth"] == 1] == tree[2]


@settings(max_examples=150)
@given(player_games(), st.sampled_from(["first", "last", "any"]), st.booleans())
def test_max_n(game: PlayersGame, ties: str, from_right: bool) -> None:
    order = "right-to-left" if from_right else "left-to-right"
    data = solved(game.tree, "maxn", head=game.head, ties=ties, order=order)
    last = (ties == "last") != from_right
    for (_, node), facts in zip(nodes(game.tree), data["nodes"].values(), strict=True):
        assert value_of(facts["value"]) == brute_force.maxn(node, game.side_of, last)
    vectors = [tuple(value_of(vector)) for vector in data["vectors"]]
    assert len(vectors) == len(set(vectors))
    assert set(vectors) == brute_force.equilibria(game.tree, game.side_of)
    assert tuple(value_of(data["value"])) in vectors
    check_play(game.tree, data, ties, from_right, game.side_of)


# The whole annotation.


@settings(max_examples=200)
@given(minimax_trees(), ANY_CONVENTION, st.just((-inf, inf)) | WINDOWS)
def test_the_annotation_is_the_brute_forces(tree: Tree, keys: Any, window: Any) -> None:
    data = solved(tree, **keys, window=window)
    wanted = brute_force.alpha_beta(tree, **keys, window=window)
    name = names(tree, data)
    seen = set(wanted.visited)
    assert data["visited"] == [name[path] for path in wanted.visited]
    assert data["pruned"]["nodes"] == [name[path] for path in name if path not in seen]
    assert data["pruned"]["leaves"] == [name[path] for path in leaves(tree) if path not in seen]
    assert [{**cut, "value": value_of(cut["value"]), "bound": value_of(cut["bound"])} for cut in data["cuts"]] == [
        {
            **cut,
            "node": name[cut["node"]],
            "after": name[cut["after"]],
            "set_by": None if cut["set_by"] is None else name[cut["set_by"]],
            "skipped": [name[path] for path in cut["skipped"]],
        }
        for cut in wanted.cuts
    ]
    intervals = brute_force.intervals(tree, seen)
    for path, node in nodes(tree):
        facts = data["nodes"][name[path]]
        windows = wanted.windows.get(path, [])
        assert [window_of(each) for each in facts["windows"]] == windows
        assert window_of(facts["entry"]) == (windows[0] if windows else None)
        assert window_of(facts["exit"]) == (windows[-1] if windows else None)
        assert value_of(facts["returned"]) == wanted.returned.get(path)
        assert window_of(facts["interval"]) == intervals[path]
        assert facts["known"] == known(wanted.returned.get(path), intervals[path])
        assert (facts["turn"], facts["depth"]) == (None if is_leaf(node) else node[0], len(path))
        assert facts["parent"] == (name[path[:-1]] if path else None)
    assert [
        (stage["after"], {node: window_of(ends) for node, ends in stage["intervals"].items()})
        for stage in data["stages"]
    ] == [
        (name[leaf], {name[path]: ends for path, ends in changed.items()})
        for leaf, changed in brute_force.stages(tree, wanted.visited)
    ]


def known(returned: Any, interval: Any) -> str:
    if returned is None:
        return "unvisited"
    if interval == (returned, returned):
        return "exact"
    return "at-most" if interval[1] <= returned else "at-least"


@settings(max_examples=100)
@given(minimax_trees(), ANY_CONVENTION, WINDOWS)
def test_what_is_known_is_true(tree: Tree, keys: Any, window: Any) -> None:
    for facts in solved(tree, **keys, window=window)["nodes"].values():
        value, returned = value_of(facts["value"]), value_of(facts["returned"])
        low, high = window_of(facts["interval"])
        assert low <= value <= high
        match facts["known"]:
            case "exact":
                assert value == returned
            case "at-most":
                assert value <= returned
            case "at-least":
                assert value >= returned
            case other:
                assert other == "unvisited"
                assert returned is None


# Play: best, moves, move, line.


def check_play(tree: Tree, data: dict[str, Any], ties: str, from_right: bool, side_of: dict[str, int] | None) -> None:
    """`best` are the moves to all children worth the node's value to its mover; `ties` picks, `line` follows."""
    name = names(tree, data)
    facts = {path: data["nodes"][name[path]] for path in name}
    picked: dict[Any, Any] = {}
    for path, node in nodes(tree):
        below = [] if is_leaf(node) or node[0] == "chance" else [(*path, place) for place in range(len(node[1]))]
        worth = {each: value_of(facts[each]["value"]) for each in (path, *below)}
        if side_of and below:
            worth = {each: vector[side_of[node[0]]] for each, vector in worth.items()}
        best = [each for each in below if worth[each] == worth[path]]
        assert facts[path]["best"] == [facts[each]["move"] for each in best]
        in_search_order = best[::-1] if from_right else best
        picked[path] = (in_search_order[-1] if ties == "last" else in_search_order[0]) if best else None
    line: list[str] = []
    here = picked[()]
    while here is not None:
        line.append(facts[here]["move"])
        here = picked[here]
    assert data["moves"] == facts[()]["best"]
    assert data["line"] == line
    assert data["move"] == (line[0] if line else None)


@settings(max_examples=100)
@given(chance_trees(), st.sampled_from(["first", "last", "any"]), st.booleans())
def test_play_with_chance(tree: Tree, ties: str, from_right: bool) -> None:
    order = "right-to-left" if from_right else "left-to-right"
    check_play(tree, solved(tree, "expectiminimax", ties=ties, order=order), ties, from_right, None)


@settings(max_examples=100)
@given(minimax_trees(values=st.sampled_from([0, 1])), ANY_CONVENTION, st.sampled_from(["first", "last", "any"]))
def test_play_when_pruned(tree: Tree, keys: Any, ties: str) -> None:
    check_play(tree, solved(tree, **keys, ties=ties), ties, keys["order"] == "right-to-left", None)


# Counts.


def ways(tree: Tree) -> int:
    return prod(factorial(len(node[1])) for _, node in nodes(tree) if not is_leaf(node))


FEW_ORDERS = st.one_of(
    minimax_trees(max_leaves=9),
    bushy_trees(2, st.sampled_from([0, 1])),
    bushy_trees(3, st.integers(0, 2), most_children=2),
    bushy_trees(4, st.integers(0, 9), most_children=2),
).filter(lambda tree: ways(tree) <= 600)


@settings(max_examples=120)
@given(FEW_ORDERS)
def test_fewest_and_most_over_all_orders(tree: Tree) -> None:
    counts = solved(tree)["counts"]
    assert (counts["fewest"], counts["most"]) == brute_force.fewest_and_most(tree)


@settings(max_examples=60)
@given(minimax_trees(max_leaves=24, most_children=6), NAMED)
def test_counts_are_consistent(tree: Tree, name: str) -> None:
    data = solved(tree, like=name)
    counts, below = data["counts"], leaves(tree)
    widest = max((len(node[1]) for _, node in nodes(tree) if not is_leaf(node)), default=0)
    assert counts["nodes"] == len(data["nodes"]) == len(data["visited"]) + len(data["pruned"]["nodes"])
    assert counts["leaves"] == len(below) == counts["evaluated"] + counts["pruned"]
    assert counts["pruned"] == len(data["pruned"]["leaves"])
    assert (counts["most"] is None) == (len(below) > 16 or widest > 4)
    assert counts["fewest"] <= (counts["most"] or len(below)) <= len(below)
    if name != "strict":
        assert counts["fewest"] <= counts["evaluated"] <= (counts["most"] or len(below))


def test_the_worst_order_can_prune() -> None:
    # The showcase: no order evaluates all 11 leaves.
    tree = ("max", [("min", [4, ("max", [("min", [7, 5]), ("min", [0, 6])])])])
    other = ("min", [15, ("max", [("min", [2, 8, 1]), ("min", [9, 19])])])
    showcase: Tree = ("max", [*tree[1], other])
    counts = solved(showcase)["counts"]
    assert (counts["fewest"], counts["most"]) == brute_force.fewest_and_most(showcase) == (5, 10)


@pytest.mark.parametrize(("leaf_count", "most"), [(16, True), (17, False)])
def test_most_is_counted_up_to_16_leaves(leaf_count: int, most: bool) -> None:
    tree: Tree = ("max", [0])
    for leaf in range(1, leaf_count):
        tree = ("min" if leaf % 2 else "max", [leaf, tree])
    assert (solved(tree)["counts"]["most"] is not None) == most
    wide: Tree = ("max", list(range(5 if not most else 4)))
    assert (solved(wide)["counts"]["most"] is not None) == most


@settings(max_examples=50)
@given(chance_trees() | player_games())
def test_other_trees_have_no_orders_to_count(game: Any) -> None:
    tree, head = (game.tree, game.head) if isinstance(game, PlayersGame) else (game, None)
    data = solved(tree, "maxn" if head else "expectiminimax", head=head)
    has_chance = any(not is_leaf(node) and node[0] == "chance" for _, node in nodes(tree))
    assert (data["counts"]["fewest"] is None) == (has_chance or head is not None)
    assert not {"cuts", "stages"} & set(data)
    assert data["pruned"] == {"leaves": [], "nodes": []}
    assert data["visited"] == list(data["nodes"])
    for facts in data["nodes"].values():
        assert not {"returned", "known", "entry", "exit", "windows", "interval"} & set(facts)


# Text.

KINDS = st.one_of(
    st.tuples(minimax_trees(), st.sampled_from(["minimax", "alpha-beta", "expectiminimax"]), st.just({})),
    st.tuples(chance_trees(), st.just("expectiminimax"), st.just({})),
    player_games().map(lambda game: (game.tree, "maxn", game.head)),
)


@cache
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(SCHEMA)
    return Draft202012Validator(SCHEMA)


@settings(max_examples=100)
@given(KINDS, ANY_CONVENTION)
def test_solutions_are_valid_documents(kind: Any, keys: Any) -> None:
    tree, algorithm, head = kind
    raw = printed(as_json(document(tree, head=head)), algorithm, keys)
    validator().validate(json.loads(raw))
    assert check_bytes(raw, "solution.json") == ("solution/1", None)
    assert check_bytes(raw) == ("solution/1", None)


@settings(max_examples=100)
@given(KINDS, ANY_CONVENTION)
def test_yaml_says_the_same_as_json(kind: Any, keys: Any) -> None:
    tree, algorithm, head = kind
    raw = as_yaml(document(tree, head=head))
    as_text = printed(raw, algorithm, keys, "yaml")
    assert check_bytes(as_text) == ("solution/1", None)
    assert _text_only(as_text, "x.yaml") == _text_only(printed(raw, algorithm, keys), "x.json")


def _text_only(raw: bytes, name: str) -> Any:
    """A document as the solver's reader sees it: every scalar a text."""
    from solver.documents.document_reader import read_raw
    from solver.kernel.errors import DEFAULT_LIMITS, ProblemLog

    found = read_raw(raw, name, DEFAULT_LIMITS, ProblemLog(20), careful=True)
    assert found is not None
    return found.data


@settings(max_examples=100)
@given(KINDS, ANY_CONVENTION)
def test_every_form_gives_the_same_bytes(kind: Any, keys: Any) -> None:
    tree, algorithm, head = kind
    texts = {
        printed(write(document(tree, form, head)), algorithm, keys) for form in FORMS for write in (as_json, as_yaml)
    }
    assert len(texts) == 1


@settings(max_examples=50)
@given(minimax_trees(), FEW, FEW)
def test_a_window_is_the_games_bounds_when_asked(tree: Tree, low: Any, high: Any) -> None:
    numbers = [node for _, node in nodes(tree) if is_leaf(node)]
    low, high = min(low, high, *numbers), max(low, high, *numbers)
    data = solved(tree, head={"bounds": [number(low), number(high)]}, window="bounds")
    root = next(iter(data["nodes"].values()))
    assert window_of(root["entry"]) == (low, high)
    assert value_of(root["returned"]) == brute_force.minimax(tree)
    with pytest.raises(Refusal):
        solved(tree, window="bounds")


# Sizes. Deep trees come in the flat form only.

DEEP = 100_000


def chain(pairs: bool) -> dict[str, Any]:
    """n0 → n1 → … with turns in alternation; with `pairs` every node has a leaf beside the next node."""
    described = {
        f"n{ply}": {
            "turn": "min" if ply % 2 else "max",
            "children": ([ply % 10, f"n{ply + 1}"] if pairs else [f"n{ply + 1}"]) if ply < DEEP - 1 else [5],
        }
        for ply in range(DEEP)
    }
    return {"plymark": "game/1", "root": "n0", "nodes": described}


def chain_value() -> int:
    value = 5
    for ply in range(DEEP - 2, -1, -1):
        value = min(value, ply % 10) if ply % 2 else max(value, ply % 10)
    return value


@pytest.mark.parametrize(("pairs", "write"), [(False, as_json), (True, as_json), (True, as_yaml)])
def test_a_chain_of_100_000_plies_is_solved(pairs: bool, write: Any) -> None:
    game = load_bytes(write(chain(pairs)))
    assert max(game.tree.depth) == DEEP
    for algorithm in ("minimax", "alpha-beta", "expectiminimax"):
        solution = solve(game, algorithm)
        assert solution.value == (chain_value() if pairs else 5)
        assert pairs or len(solution.line) == DEEP


def test_a_chain_of_100_000_plies_is_printed() -> None:
    game = load_bytes(as_json(chain(pairs=True)))
    solution = solve(game)
    data = json.loads(FORMATS["json"].write(game, solution, "", False))
    assert data["counts"]["nodes"] == len(data["nodes"]) == 2 * DEEP
    assert data["nodes"]["n500"]["depth"] == 500
    assert FORMATS["text"].write(game, solution, "", False)


@pytest.mark.parametrize(("form", "write"), [*[(form, as_json) for form in FORMS], ("compact", as_yaml)])
def test_a_node_with_100_000_children(form: str, write: Any) -> None:
    numbers = [(place * 7919) % 100_003 for place in range(DEEP)]
    game = load_bytes(write(document(("max", numbers), form)))
    for algorithm in ("minimax", "alpha-beta", "expectiminimax"):
        solution = solve(game, algorithm)
        assert solution.value == max(numbers)
        assert solution.move == f"a{numbers.index(max(numbers)) + 1}"


def test_long_chains_of_players_and_chance() -> None:
    described = {
        f"n{ply}": {
            "turn": ["A", "B", "chance"][ply % 3],
            "children": [f"n{ply + 1}"] if ply < DEEP - 1 else [{"to": [1, 2]}],
        }
        for ply in range(DEEP)
    }
    game = load_bytes(as_json({"plymark": "game/1", "players": ["A", "B"], "root": "n0", "nodes": described}))
    solution = solve(game)
    assert solution.value == (1, 2)
    assert solution.vectors == [(1, 2)]


# Somebody's own values.


@given(minimax_trees(), ANY_CONVENTION)
def test_a_search_that_hands_up_its_own_values_is_the_same_search(tree: Any, keys: dict[str, str]) -> None:
    game, convention = load_bytes(as_json(document(tree))), convention_from(keys)
    search = run_alpha_beta(game.tree, convention)
    returned: Any = search.returned
    own = {node: search.scale.number(returned[node]) for node in search.visited if game.tree.children[node]}
    finite: Any = {node: value for node, value in own.items() if not isinstance(value, str)}
    again = run_alpha_beta(game.tree, convention, finite)
    assert [again.scale.number(each) for each in again.returned if each is not None] == [
        search.scale.number(each) for each in search.returned if each is not None
    ]
    assert (again.visited, again.cuts) == (search.visited, search.cuts)


def test_a_wrong_value_is_carried_on() -> None:
    """B = 8 on Figure 5.2: α is 8 at C and D, and D stops after its second leaf."""
    tree = load_tree("[[3,12,8],[2,4,6],[14,5,2]]").tree
    again = run_alpha_beta(tree, DEFAULT, {tree.index[NodeId("B")]: 8})
    assert [tree.ids[cut.node] for cut in again.cuts] == ["C", "D"]
    assert [again.scale.number(again.entry[tree.index[NodeId(name)]][0]) for name in "CD"] == [8, 8]  # type: ignore[index]
    assert again.returned[0] is not None
    assert again.scale.number(again.returned[0]) == 8
