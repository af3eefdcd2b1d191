"""Prunable leaves, soundness of a pruned set, the horizon: worked examples, and laws judged by brute force."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.analysis.horizon_effect import Horizon, horizon
from solver.analysis.move_ordering import leaves_evaluated
from solver.analysis.sound_pruning import Names, Soundness, soundness
from solver.analysis.tree_shape import prunable, witness
from solver.game.convention import DEFAULT, ChildOrder, Convention, CutTest, DepthUnit
from solver.game.game_tree import NodeId, Tree
from solver.kernel import Refusal
from solver.kernel.errors import UsageError
from solver.pipeline import load_bytes, load_tree, solve
from solver.search.algorithms.alpha_beta import Rules
from tests.judges import brute_force
from tests.judges.brute_force import Path, is_leaf, leaves, nodes, replaced
from tests.support.strategies import (
    FEW,
    WINDOWS,
    as_json,
    bushy_trees,
    chance_trees,
    distinct_trees,
    document,
    minimax_trees,
    nested,
)

FIGURE_5_2 = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
OPEN = ("-inf", "inf")


def built(tree: Any) -> Tree:
    return load_bytes(as_json(document(tree))).tree


def with_values(tree: Tree, values: Any) -> Tree:
    leaf = list(tree.leaf)
    for node, value in zip(tree.leaves, values, strict=True):
        leaf[node] = value
    return replace(tree, leaf=tuple(leaf))


# Prunable leaves


@cache
def shapes(count: int, unary: int) -> list[Any]:
    """Every tree of so many leaves (all worth 0) and so many unary nodes, with every choice of turns."""
    found: list[Any] = [0] if (count, unary) == (1, 0) else []
    below = [[child] for child in shapes(count, unary - 1)] if unary else []
    return found + [(turn, children) for turn in ("max", "min") for children in [*below, *forests(count, unary, 2)]]


def forests(count: int, unary: int, at_least: int) -> Iterator[list[Any]]:
    """The same for children of a node, so many of them at least."""
    if at_least == 1:
        yield from ([child] for child in shapes(count, unary))
    for first, its_unary in product(range(1, count), range(unary + 1)):
        for child in shapes(first, its_unary):
            yield from ([child, *others] for others in forests(count - first, unary - its_unary, 1))


def test_shapes_are_counted_as_they_should_be() -> None:
    """Ordered trees without unary nodes: 1, 1, 3, 11 (Schröder), each inner node with two turns."""
    assert [len(shapes(count, 0)) for count in (1, 2, 3, 4)] == [1, 2, 2 + 2 * 4, 2 + 5 * 4 + 5 * 8]
    assert len(shapes(1, 2)) == 4


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_rule_is_what_all_values_show(count: int) -> None:
    for unary in (0, 1) if count < 4 else (0,):
        for drawn in shapes(count, unary):
            tree = built(drawn)
            ever = set()
            for values in product(range(3), repeat=count):
                ever |= set(tree.ids) - set(leaves_evaluated(with_values(tree, values)))
            assert {leaf for leaf, can in prunable(tree).items() if can} == {
                tree.ids[leaf] for leaf in tree.leaves if tree.ids[leaf] in ever
            }


@given(st.data(), minimax_trees(max_leaves=7, most_children=3, values=st.just(0)) | bushy_trees(4, st.just(0), 2))
@settings(max_examples=400, deadline=None)
def test_drawn_values_prune_what_the_rule_allows(data: Any, drawn: Any) -> None:
    tree = built(drawn)
    for right_to_left in (False, True):
        can = prunable(tree, right_to_left)
        for _ in range(10):
            values = data.draw(st.lists(FEW, min_size=len(can), max_size=len(can)))
            seen = set(leaves_evaluated(with_values(tree, values), rules=Rules(right_to_left=right_to_left)))
            assert all(can[leaf] for leaf in can if leaf not in seen)


@given(minimax_trees(max_leaves=25), st.booleans(), st.booleans())
@settings(max_examples=800, deadline=None)
def test_a_witness_prunes_its_leaf(drawn: Any, past_bound: bool, right_to_left: bool) -> None:
    tree = built(drawn)
    for leaf, can in prunable(tree, right_to_left).items():
        found = witness(tree, leaf, right_to_left)
        assert (found is not None) == can
        if found is not None:
            assert list(found.values) == [tree.ids[node] for node in tree.leaves]
            valued = with_values(tree, found.values.values())
            assert leaf not in leaves_evaluated(valued, rules=Rules(past_bound=past_bound, right_to_left=right_to_left))
            assert {tree.turn[tree.index[found.upper]], tree.turn[tree.index[found.lower]]} == {"max", "min"}


def test_prunable_leaves_of_figure_5_2() -> None:
    tree = load_tree(FIGURE_5_2).tree
    assert [leaf for leaf, can in prunable(tree).items() if can] == ["L5", "L6", "L8", "L9"]
    assert [leaf for leaf, can in prunable(tree, right_to_left=True).items() if can] == ["L1", "L2", "L4", "L5"]
    found = witness(tree, NodeId("L6"))
    assert found is not None
    assert (found.upper, found.lower) == ("A", "C")
    assert [leaf for leaf, value in found.values.items() if value == 1] == ["L1", "L2", "L3"]
    with pytest.raises(UsageError, match="no leaf B"):
        witness(tree, NodeId("B"))


@pytest.mark.parametrize("values", ["x", "7"])
def test_prunable_needs_no_values(values: str) -> None:
    data = {"plymark": "game/1", "unknowns": ["x"], "tree": [[1, values], [values, 2]]}
    assert list(prunable(load_bytes(as_json(data)).tree).values()) == [False, False, False, True]


# Soundness


def judged(tree: Tree, pruned: Any, window: Any = OPEN, **keys: Any) -> Soundness:
    return soundness(tree, pruned, replace(DEFAULT, **keys), window)


@pytest.mark.parametrize(
    ("pruned", "items", "key"),
    [
        (["L5", "L6"], ["C after L4: right, sound, 2 ≤ 3 by A"], "right"),
        (["L6"], ["C after L5: late, sound, 2 ≤ 3 by A"], "late"),
        (["L5"], ["C gap L4: late, sound, 2 ≤ 3 by A"], "late"),
        (["c2", "c3"], ["C after L4: right, sound, 2 ≤ 3 by A"], "right"),
        (["L7", "L8"], ["D gap None: unjustified, unjustified, inf ≤ 3 by A"], "missed"),
        (["L8", "L9"], ["D after L7: unsound, unsound, 14 ≤ 3 by A"], "missed"),
        (["L9"], ["D after L8: unsound, unsound, 5 ≤ 3 by A"], "missed"),
        (["C"], ["A gap B: unsound, unsound, 3 ≥ inf by None"], "missed"),
        (["D"], ["A after C: unsound, unsound, 3 ≥ inf by None"], "missed"),
        (["A"], ["A gap None: unsound, unsound, -inf ≥ inf by None"], "missed"),
        ([], [], "missed"),
        (
            ["L5", "L6", "L8", "L9"],
            ["C after L4: right, sound, 2 ≤ 3 by A", "D after L7: unsound, unsound, 14 ≤ 3 by A"],
            "right",
        ),
    ],
)
def test_sets_of_figure_5_2(pruned: Any, items: list[str], key: str) -> None:
    """L7 and L8 do not matter, since D has L9 = 2; but nobody knows before L9. L8 and L9 could make D worth 14."""
    found = judged(load_tree(FIGURE_5_2).tree, pruned)
    assert [told(item) for item in found.items] == items
    assert [(each.stop.node, each.verdict) for each in found.key] == [("C", key)]
    assert found.sound == all("unj" not in item and "uns" not in item for item in items)


def told(item: Any) -> str:
    how = "after" if item.stop else "gap"
    test = item.comparison
    return (
        f"{item.node} {how} {item.after}: {item.verdict}, {item.soundness}, "
        f"{test.value} {test.sign} {test.bound} by {test.set_by}"
    )


def test_the_cut_test_and_the_order_decide() -> None:
    tree = load_tree("[[3, 12, 8], [3, 4, 6], [2, 5, 14]]").tree
    both = ["L5", "L6", "L8", "L9"]
    assert judged(tree, both).sound
    strict = judged(tree, both, cut="past-bound")
    assert [item.verdict for item in strict.items] == ["unjustified", "right"]
    assert strict.items[0].comparison and strict.items[0].comparison.sign == "<"
    assert [each.verdict for each in judged(tree, ["L8", "L9"], cut="past-bound").key] == ["right"]
    mirrored = judged(load_tree(FIGURE_5_2).tree, ["L4", "L5"], order="right-to-left")
    assert [told(item) for item in mirrored.items] == ["C after L6: unsound, unsound, 6 ≤ 2 by A"]


def test_the_smallest_deep_cut_names_who_set_the_bound() -> None:
    tree = load_tree("[5, [[[4, 7], 9], 1]]").tree
    found = judged(tree, ["L3"])
    assert [told(item) for item in found.items] == ["D after L2: right, sound, 4 ≤ 5 by A"]


def test_behind_a_stop_that_was_passed_everything_is_late() -> None:
    """C could be left after 2; whatever is skipped below it afterwards does no harm."""
    tree = load_tree("[3, [2, [7, [8, 1]]]]").tree
    found = judged(tree, ["L5"])
    assert [told(item) for item in found.items] == ["D after L4: late, sound, 2 ≤ 3 by A"]
    assert found.sound
    assert found.items[0].comparison and found.items[0].comparison.node == "B"


def test_names() -> None:
    tree = load_tree(FIGURE_5_2).tree
    names = Names(tree)
    assert [tree.ids[names.node(name)] for name in ("L4", "D", "a2", "c1")] == ["L4", "D", "C", "L4"]
    with pytest.raises(UsageError, match='no node or move "L10"; did you mean L1'):
        names.node("L10")
    with pytest.raises(UsageError, match=r'no node or move "quite else"$'):
        names.node("quite else")
    moves = {"turn": "min", "children": [{"move": "left", "value": 1}, {"move": "right", "value": 2}]}
    data = {"plymark": "game/1", "tree": {"turn": "max", "children": [{**moves, "move": "é"}, moves]}}
    twice = load_bytes(as_json(data)).tree
    assert twice.ids[Names(twice).node("e\u0301")] == "B"
    with pytest.raises(UsageError, match='the move "left" is made at B, C: name the node'):
        Names(twice).node("left")


SMALL = (minimax_trees(max_leaves=8, most_children=3) | bushy_trees(3, most_children=2) | distinct_trees(8)).filter(
    lambda drawn: len(leaves(drawn)) <= 8
)


def value_with(drawn: Any, values: dict[Path, Any]) -> Any:
    return brute_force.minimax(replaced(drawn, values))


def in_search_order(drawn: Any, order: str) -> list[Path]:
    found = leaves(drawn)
    return found if order == "left-to-right" else found[::-1]


def cannot_matter(drawn: Any, item: set[Path], seen: set[Path], window: Any) -> bool:
    """Whether, with only the leaves seen known, the root's value never depends on the item's leaves."""
    others = [path for path in leaves(drawn) if path not in seen and path not in item]
    low, high = window
    for values in product((-inf, inf), repeat=len(others)):
        rest = dict(zip(others, values, strict=True))
        ends = {
            max(low, min(high, value_with(drawn, {**rest, **dict.fromkeys(item, extreme)}))) for extreme in (-inf, inf)
        }
        if len(ends) > 1:
            return False
    return True


def crossed_out_sets(data: Any, places: list[Path]) -> list[list[Path]]:
    return [data.draw(st.lists(st.sampled_from(places), unique=True, max_size=4)) for _ in range(3)]


@given(st.data(), SMALL, st.sampled_from(["left-to-right", "right-to-left"]), st.just((-inf, inf)) | WINDOWS)
@settings(max_examples=700, deadline=None)
def test_sound_means_that_what_was_seen_before_suffices(data: Any, drawn: Any, order: str, window: Any) -> None:
    """Not by replaying: over all values of the leaves that were not seen before. Up to the first item that fails,
    since what follows it rests on it."""
    tree = built(drawn)
    names = dict(zip((path for path, _ in nodes(drawn)), tree.ids, strict=True))
    paths = {name: path for path, name in names.items()}
    sequence = in_search_order(drawn, order)
    bounds = tuple("-inf" if end == -inf else "inf" if end == inf else end for end in window)
    for crossed in crossed_out_sets(data, sequence):
        found = judged(tree, [names[path] for path in crossed], bounds, order=order)
        gathered = [paths[leaf] for item in found.items for leaf in item.leaves]
        assert sorted(gathered) == sorted(crossed)
        ends = [
            max(window[0], min(window[1], value_with(drawn, dict.fromkeys(crossed, extreme))))
            for extreme in (-inf, inf)
        ]
        assert found.survives == (ends[0] == ends[1])
        for item in found.items:
            below = {paths[leaf] for leaf in item.leaves}
            start = min(sequence.index(path) for path in below)
            seen = {path for path in sequence[:start] if path not in crossed}
            assert (item.soundness == "sound") == cannot_matter(drawn, below, seen, window)
            if item.soundness != "sound":
                assert item.soundness == ("unjustified" if found.survives else "unsound")
                break
        else:
            assert found.survives


def replayed(drawn: Any, gone: set[Path], past: bool) -> list[tuple[Path, Path | None, list[Path], bool]]:
    """The student's search in plain recursion: (node, after, skipped, whether a test had succeeded), left to right."""
    found: list[tuple[Path, Path | None, list[Path], bool]] = []

    def skipped(path: Path) -> bool:
        return all(leaf in gone for leaf in leaves(drawn) if leaf[: len(path)] == path)

    def search(node: Any, path: Path, alpha: Any, beta: Any, passed: bool) -> Any:
        if is_leaf(node):
            return node
        at_max = node[0] == "max"
        v, after, run = (-inf if at_max else inf), None, []
        for place, child in enumerate(node[1]):
            below = (*path, place)
            if skipped(below):
                run.append(below)
                continue
            if run:
                found.append((path, after, run, passed))
                run = []
            value = search(child, below, max(alpha, v) if at_max else alpha, beta if at_max else min(beta, v), passed)
            v, after = (max(v, value) if at_max else min(v, value)), below
            bound = beta if at_max else alpha
            passed = passed or (v == bound and not past) or (v > bound if at_max else v < bound)
        if run:
            found.append((path, after, run, passed))
        return v

    if skipped(()):
        return [((), None, [()], False)]
    search(drawn, (), -inf, inf, False)
    return found


@given(st.data(), SMALL | minimax_trees(max_leaves=20), st.sampled_from(["at-bound", "past-bound"]))
@settings(max_examples=800, deadline=None)
def test_items_are_those_of_a_plain_replay(data: Any, drawn: Any, cut: str) -> None:
    tree = built(drawn)
    names = dict(zip((path for path, _ in nodes(drawn)), tree.ids, strict=True))
    for crossed in crossed_out_sets(data, leaves(drawn)):
        found = judged(tree, [names[path] for path in crossed], cut=cut)
        expected = [
            (names[node], None if after is None else names[after], tuple(names[path] for path in run), sound)
            for node, after, run, sound in replayed(drawn, set(crossed), cut == "past-bound")
        ]
        assert [(item.node, item.after, item.skipped, item.soundness == "sound") for item in found.items] == expected


@given(
    minimax_trees(max_leaves=20) | bushy_trees(5, most_children=2),
    st.sampled_from(["at-bound", "past-bound"]),
    st.sampled_from(["left-to-right", "right-to-left"]),
    st.data(),
)
@settings(max_examples=600, deadline=None)
def test_the_key_is_right_and_any_part_of_it_late(drawn: Any, cut: CutTest, order: ChildOrder, data: Any) -> None:
    game = load_bytes(as_json(document(drawn)))
    convention = Convention(cut=cut, order=order)
    solution = solve(game, "alpha-beta", convention)
    tree = game.tree
    assert solution.search is not None
    pruned = [tree.ids[node] for node in solution.pruned if node in tree.leaves]
    found = soundness(tree, pruned, convention, OPEN)  # type: ignore[arg-type]
    assert {item.verdict for item in found.items} <= {"right"}
    assert found.sound
    assert found.survives
    scale = solution.search.scale
    assert [each.stop for each in found.key] == list(found.items)
    assert sorted(
        (item.node, item.after, item.comparison.bound, item.comparison.set_by, set(item.skipped))
        for item in found.items
        if item.comparison
    ) == sorted(
        (
            tree.ids[cut.node],
            tree.ids[cut.after],
            scale.number(cut.bound),
            None if cut.set_by is None else tree.ids[cut.set_by],
            {tree.ids[node] for node in cut.skipped},
        )
        for cut in solution.search.cuts
    )
    if pruned:
        part = data.draw(st.lists(st.sampled_from(pruned), unique=True, min_size=1))
        found = soundness(tree, part, convention, OPEN)  # type: ignore[arg-type]
        assert {item.verdict for item in found.items} <= {"right", "late"}
        assert found.sound
        touched = {each.stop.node for each in found.key if not set(each.stop.leaves).isdisjoint(part)}
        assert {each.stop.node for each in found.key if each.verdict != "missed"} == touched


@given(SMALL)
@settings(max_examples=60, deadline=None)
def test_all_sets_of_a_small_tree(drawn: Any) -> None:
    """A set of which every item is sound never loses the value, whatever the crossed-out leaves are worth."""
    tree = built(drawn)
    places = leaves(drawn)[:7]
    for chosen in product((False, True), repeat=len(places)):
        crossed = [path for path, taken in zip(places, chosen, strict=True) if taken]
        found = judged(tree, [tree.ids[leaf] for leaf, taken in zip(tree.leaves, chosen, strict=False) if taken])
        if found.sound:
            true = brute_force.minimax(drawn)
            for extreme in (-inf, inf):
                assert value_with(drawn, dict.fromkeys(crossed, extreme)) == true


def test_soundness_is_not_for_chance() -> None:
    data = {"plymark": "game/1", "levels": ["max", "chance"], "tree": [[1, 2], [3, 4]]}
    with pytest.raises(Refusal) as caught:
        judged(load_bytes(as_json(data)).tree, ["L4"])
    assert (caught.value.node, caught.value.code) == ("B", "algorithm")


@pytest.mark.slow
def test_a_deep_tree_is_judged() -> None:
    plies = 100_000
    inner: dict[str, Any] = {
        f"N{ply}": {"turn": ["max", "min"][ply % 2], "children": [f"N{ply + 1}", 5]} for ply in range(plies)
    }
    inner[f"N{plies}"] = {"value": 3}
    tree = load_bytes(as_json({"plymark": "game/1", "root": "N0", "nodes": inner})).tree
    found = judged(tree, [tree.ids[tree.children[0][1]], f"N{plies // 2}"])
    expected = [(f"N{plies // 2 - 1}", False, "unsound"), ("N0", True, "unsound")]
    assert [(item.node, item.stop, item.verdict) for item in found.items] == expected
    assert not any(prunable(tree).values())


# The horizon

TRAP = {
    "plymark": "game/1",
    "tree": {
        "turn": "max",
        "estimate": 0,
        "children": [
            {"turn": "min", "estimate": 9, "children": [{"turn": "max", "children": [1, 2]}, 8]},
            {"turn": "min", "estimate": 4, "children": [5, 6]},
        ],
    },
}


def rows(found: Horizon) -> list[Any]:
    return [(level.depth, level.value, level.move, level.refused) for level in found.levels]


def test_the_horizon_hides_a_trap() -> None:
    """At one ply a1 looks best; two plies cannot be searched, since D has no estimate; three see the trap."""
    game = load_bytes(as_json(TRAP))
    found = horizon(game, DEFAULT)
    assert rows(found) == [(0, 0, None, None), (1, 9, "a1", None), (2, None, None, "D"), (3, 5, "a2", None)]
    assert found.changes == (3,)
    rounds = horizon(game, replace(DEFAULT, depth_unit="round"))
    assert (rounds.unit, rows(rounds)) == ("round", [(0, 0, None, None), (1, None, None, "D"), (2, 5, "a2", None)])
    assert rounds.changes == ()


def test_a_tie_is_no_change_of_mind() -> None:
    data = {"plymark": "game/1", "tree": [{"turn": "min", "estimate": 3, "children": [2]}, 2]}
    game = load_bytes(as_json(data))
    found = horizon(game, replace(DEFAULT, ties="last"))
    assert [(level.move, level.moves) for level in found.levels[1:]] == [("a1", ("a1",)), ("a2", ("a1", "a2"))]
    assert found.changes == ()


def test_a_symbol_is_refused_where_it_is_reached() -> None:
    data = {
        "plymark": "game/1",
        "unknowns": ["x"],
        "tree": {"turn": "max", "estimate": 1, "children": [{"turn": "min", "estimate": 2, "children": ["x", 3]}]},
    }
    assert rows(horizon(load_bytes(as_json(data)), DEFAULT)) == [
        (0, 1, None, None),
        (1, 2, "a1", None),
        (2, None, None, "L1"),
    ]


def test_players_and_too_many_depths_are_refused() -> None:
    players = {"plymark": "game/1", "players": ["Ann", "Bob"], "tree": [[[1, 2], [3, 4]]]}
    with pytest.raises(Refusal) as caught:
        horizon(load_bytes(as_json(players)), DEFAULT)
    assert (caught.value.node, caught.value.code) == ("A", "algorithm")
    nodes_: dict[str, Any] = {
        f"N{ply}": {"turn": "max", "estimate": 1, "children": [f"N{ply + 1}"]} for ply in range(2000)
    }
    nodes_["N2000"] = {"value": 3}
    with pytest.raises(Refusal, match="too much work") as caught:
        horizon(load_bytes(as_json({"plymark": "game/1", "root": "N0", "nodes": nodes_})), DEFAULT)
    assert caught.value.code == "too-hard"
    bare = {name: {key: node[key] for key in node if key != "estimate"} for name, node in nodes_.items()}
    table = horizon(load_bytes(as_json({"plymark": "game/1", "root": "N0", "nodes": bare})), DEFAULT)
    assert [level.value for level in table.levels[-2:]] == [None, 3]


def estimated(drawn: Any, given_at: dict[Path, Any], path: Path = ()) -> Any:
    """The document's tree with estimates at some inner nodes."""
    node = nested(drawn)
    if is_leaf(drawn):
        return node
    for place, child in enumerate(drawn[1]):
        chance = {key: node["children"][place][key] for key in ("p",) if key in node["children"][place]}
        node["children"][place] = {**chance, **estimated(child, given_at, (*path, place))}
    return {**node, **({"estimate": str(given_at[path])} if path in given_at else {})}


def shortened(drawn: Any, depth: int, given_at: dict[Path, Any], path: Path = ()) -> Any:
    """The tree down to a depth; a leaf that is None where an estimate is missing."""
    if is_leaf(drawn):
        return drawn
    if len(path) == depth:
        return given_at.get(path)
    children = [shortened(child, depth, given_at, (*path, place)) for place, child in enumerate(drawn[1])]
    return drawn[0], children, *drawn[2:]


@given(st.data(), minimax_trees(max_leaves=10) | chance_trees(), st.sampled_from(["ply", "round"]))
@settings(max_examples=500, deadline=None)
def test_every_depth_is_the_tree_cut_off_there(data: Any, drawn: Any, unit: DepthUnit) -> None:
    inner = [path for path, node in nodes(drawn) if not is_leaf(node)]
    given_at = {path: data.draw(FEW) for path in inner if data.draw(st.integers(0, 9)) > 0}
    game = load_bytes(as_json({"plymark": "game/1", "tree": estimated(drawn, given_at)}))
    names = dict(zip((path for path, _ in nodes(drawn)), game.tree.ids, strict=True))
    found = horizon(game, replace(DEFAULT, depth_unit=unit))
    plies = 1 if unit == "ply" else 2
    deepest = max(len(path) for path, _ in nodes(drawn))
    assert [level.depth for level in found.levels] == list(range(-(-deepest // plies) + 1))
    for level in found.levels:
        shorter = shortened(drawn, level.depth * plies, given_at)
        missing = [names[path] for path, node in nodes(shorter) if node is None]
        if missing:
            assert (level.refused, level.value, level.moves) == (missing[0], None, ())
            continue
        assert (level.refused, level.value) == (None, brute_force.minimax(shorter))
        solution = solve(game, convention=replace(DEFAULT, depth_unit=unit), depth=level.depth)
        assert (level.move, list(level.moves)) == (solution.move, solution.moves)
