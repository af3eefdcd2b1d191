"""Shape, best and worst orders, the minimal tree: worked examples, and laws judged by trying every order."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.analysis import move_ordering
from solver.analysis.move_ordering import (
    MOST_STEPS,
    is_reordering,
    leaves_evaluated,
    not_a_reordering,
    order_with_fewest,
    order_with_most,
    reordered,
)
from solver.analysis.tree_shape import growth, integer_root, minimal_tree, shape, square_root
from solver.game.game_tree import NodeId, Tree
from solver.kernel import Refusal
from solver.pipeline import load_bytes, load_tree
from solver.search.algorithms.alpha_beta import Rules
from solver.search.algorithms.minimax import minimax
from solver.search.solution import MOST_CHILDREN, MOST_LEAVES, fewest_leaves, most_leaves
from solver.search.trace import scale_of
from tests.judges import brute_force
from tests.judges.brute_force import Path, is_leaf, leaves, nodes
from tests.support.strategies import (
    as_json,
    bushy_trees,
    chance_trees,
    distinct_trees,
    document,
    minimax_trees,
    player_games,
)

FIGURE_5_2 = load_tree("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]").tree
RULES = st.builds(Rules, past_bound=st.booleans(), right_to_left=st.booleans())


def built(tree: Any) -> Tree:
    return load_bytes(as_json(document(tree))).tree


def chain(plies: int) -> Tree:
    """MAX and MIN in alternation, each with one child."""
    last = {"value": 1}
    inner = {f"N{ply}": {"turn": ["max", "min"][ply % 2], "children": [f"N{ply + 1}"]} for ply in range(plies)}
    return load_bytes(as_json({"plymark": "game/1", "root": "N0", "nodes": {**inner, f"N{plies}": last}})).tree


def caterpillar(plies: int) -> Tree:
    """Two children everywhere, the second one going on."""
    inner: dict[str, Any] = {
        f"N{ply}": {"turn": ["max", "min"][ply % 2], "children": [ply % 7, f"N{ply + 1}"]} for ply in range(plies)
    }
    inner[f"N{plies}"] = {"value": 3}
    return load_bytes(as_json({"plymark": "game/1", "root": "N0", "nodes": inner})).tree


# Shape


def test_the_shape_of_figure_5_2() -> None:
    its = shape(FIGURE_5_2)
    assert (its.nodes, its.leaves, its.depth, its.uniform, its.alternating) == (13, 9, 2, True, True)
    assert its.branching is not None
    assert (its.branching.smallest, its.branching.largest, its.branching.mean) == (3, 3, 3)
    assert its.uniform_fewest == 5
    grown = growth(its, 7)
    assert grown is not None
    assert (grown.effective, grown.whole, grown.root_of_branching) == (Decimal("2.646"), Decimal(3), Decimal("1.732"))
    assert grown.against_root == 1


def test_the_shape_of_ragged_trees() -> None:
    its = shape(load_tree("[1, [2, 3, 4], [[5]]]").tree)
    assert its.branching is not None
    assert (its.branching.smallest, its.branching.largest, its.branching.mean) == (1, 3, 2)
    assert (its.depth, its.uniform, its.uniform_fewest) == (3, False, None)
    lone = shape(load_tree("7").tree)
    assert (lone.nodes, lone.depth, lone.branching, lone.uniform, lone.uniform_fewest) == (1, 0, None, True, 1)
    assert growth(lone, 1) is None


def test_the_square_root_of_chess() -> None:
    """AIMA: with the best order the effective branching factor of chess is √35, about 6."""
    assert square_root(35, 0) == 6
    assert square_root(35, 20) == Decimal("5.91607978309961604257")
    assert square_root(Fraction(9, 4), 5) == Decimal("1.5")


@pytest.mark.parametrize(("branching", "plies"), [(1, 5), (2, 1), (2, 4), (2, 5), (3, 3), (4, 2)])
def test_the_formula_of_uniform_trees(branching: int, plies: int) -> None:
    text = "1"
    for _ in range(plies):
        text = "[" + ", ".join([text] * branching) + "]"
    tree = load_tree(text).tree
    its = shape(tree)
    assert its.uniform
    assert its.leaves == branching**plies
    assert its.uniform_fewest == order_with_fewest(tree).leaves == len(minimal_tree(tree).leaves)


@given(st.integers(1, 10**12), st.integers(1, 40), st.integers(0, 30))
@settings(max_examples=1500, deadline=None)
def test_roots_are_right_to_the_last_digit(number: int, degree: int, digits: int) -> None:
    root = Fraction(integer_root(number, degree, digits))
    half = Fraction(1, 2 * 10**digits)
    assert (root - half) ** degree <= number <= (root + half) ** degree
    assert (root * 10**digits).denominator == 1


@given(st.integers(1, 10**6), st.integers(1, 10**4), st.integers(0, 30))
@settings(max_examples=500, deadline=None)
def test_square_roots_are_right_to_the_last_digit(top: int, bottom: int, digits: int) -> None:
    root, half = Fraction(square_root(Fraction(top, bottom), digits)), Fraction(1, 2 * 10**digits)
    assert max(root - half, Fraction(0)) ** 2 <= Fraction(top, bottom) <= (root + half) ** 2


@given(minimax_trees(), st.integers(1, 200))
@settings(max_examples=500, deadline=None)
def test_growth_is_compared_exactly(drawn: Any, count: int) -> None:
    its = shape(built(drawn))
    grown = growth(its, count)
    counts = [len(node[1]) for _, node in nodes(drawn) if not is_leaf(node)]
    if grown is None:
        assert not counts
        return
    assert its.branching is not None
    assert its.branching.mean == Fraction(sum(counts), len(counts))
    difference = count**2 - Fraction(its.branching.mean) ** its.depth
    assert grown.against_root == (difference > 0) - (difference < 0)


def test_growth_meets_the_root_exactly() -> None:
    its = shape(load_tree("[[[[1, 2], [3, 4]], [[1, 2], [3, 4]]], [[[1, 2], [3, 4]], [[1, 2], [3, 4]]]]").tree)
    assert [growth(its, count).against_root for count in (3, 4, 5)] == [-1, 0, 1]  # type: ignore[union-attr]


# Orders


def test_figure_5_2_has_its_minimum_with_d_turned_round() -> None:
    """The order of the slide: D as 2, 5, 14 also prunes 5 and 14."""
    best = order_with_fewest(FIGURE_5_2)
    assert best.leaves == 5
    assert best.order == {"D": ("L9", "L7", "L8")}
    assert leaves_evaluated(FIGURE_5_2, best.order) == ["L1", "L2", "L3", "L4", "L9"]
    assert len(leaves_evaluated(FIGURE_5_2, {NodeId("D"): [NodeId("L9"), NodeId("L8"), NodeId("L7")]})) == 5
    worst = order_with_most(FIGURE_5_2)
    assert worst.leaves == len(leaves_evaluated(FIGURE_5_2, worst.order)) == 9


def test_an_order_that_is_already_best_or_worst_is_left_alone() -> None:
    assert order_with_fewest(load_tree("[2, 3]").tree).order == {}
    assert order_with_most(load_tree("[[3, 12], [5, 4]]").tree).order == {}


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ({"Z": []}, "there is no node Z"),
        ({"L1": []}, "leaf L1 has no children to put in order"),
        ({"B": ["L1", "L2", "L4"]}, "L4 is not a child of min node B"),
        ({"B": ["L1", "b2", "L3"]}, "b2 is a move of min node B: name the child, L2"),
        ({"B": ["L1", "L1", "L2", "L3"]}, "L1 is listed twice among the children of min node B"),
        ({"B": ["L3", "L1"]}, "L2 is missing among the children of min node B"),
    ],
)
def test_what_is_no_reordering(order: Any, reason: str) -> None:
    assert not_a_reordering(FIGURE_5_2, order) == reason
    assert not is_reordering(FIGURE_5_2, order)
    with pytest.raises(ValueError, match=reason):
        reordered(FIGURE_5_2, order)


def named(tree: Tree, drawn: Any) -> dict[Path, NodeId]:
    return dict(zip((path for path, _ in nodes(drawn)), tree.ids, strict=True))


def arranged(drawn: Any, order: dict[Path, tuple[int, ...]], path: Path = ()) -> Any:
    """The drawn tree with the children of some nodes in another order, by their old places."""
    if is_leaf(drawn):
        return drawn
    places = order.get(path, range(len(drawn[1])))
    rest = [[drawn[2][place] for place in places]] if len(drawn) > 2 else []
    return drawn[0], [arranged(drawn[1][place], order, (*path, place)) for place in places], *rest


@given(st.data(), minimax_trees() | chance_trees())
@settings(max_examples=500, deadline=None)
def test_a_reordered_tree_is_the_tree_in_another_order(data: Any, drawn: Any) -> None:
    tree = built(drawn)
    names = named(tree, drawn)
    inner = {path: node for path, node in nodes(drawn) if not is_leaf(node)}
    places = {path: tuple(data.draw(st.permutations(range(len(node[1]))))) for path, node in inner.items()}
    order = {names[path]: [names[*path, place] for place in new] for path, new in places.items()}
    assert is_reordering(tree, order)
    tree = replace(tree, estimates={node: node for node in tree.inner})
    new = reordered(tree, order)
    expected = built(arranged(drawn, places))
    columns = ("turn", "parent", "children", "depth", "probability", "leaf")
    assert all(getattr(new, column) == getattr(expected, column) for column in columns)
    for node, name in enumerate(tree.ids):
        there = new.index[name]
        assert new.move[there] == tree.move[node]
        assert new.leaf[there] == tree.leaf[node]
        assert node in tree.leaves or (new.estimates or {})[there] == node
    back = {name: [tree.ids[child] for child in tree.children[tree.index[name]]] for name in order}
    assert reordered(new, back) == tree


def how_many_orders(drawn: Any) -> int:
    return prod(factorial(len(node[1])) for _, node in nodes(drawn) if not is_leaf(node))


def counts_of_all_orders(drawn: Any, rules: Rules) -> set[int]:
    """Leaves evaluated, by the independent search."""
    counts = set()
    for other in brute_force.orders(drawn):
        below = set(leaves(other))
        record = brute_force.alpha_beta(
            other,
            cut="past-bound" if rules.past_bound else "at-bound",
            order="right-to-left" if rules.right_to_left else "left-to-right",
        )
        counts.add(sum(path in below for path in record.visited))
    return counts


SMALL = minimax_trees(max_leaves=8, most_children=3) | bushy_trees(4, most_children=2) | distinct_trees(8)


@given(SMALL, RULES)
@settings(max_examples=1000, deadline=None)
def test_the_extremes_are_those_of_all_orders_and_are_attained(drawn: Any, rules: Rules) -> None:
    assume(how_many_orders(drawn) <= 300)
    tree = built(drawn)
    counts = counts_of_all_orders(drawn, rules)
    best = order_with_fewest(tree, rules)
    assert best.leaves == min(counts) == len(leaves_evaluated(tree, best.order, rules))
    if len(tree.leaves) <= MOST_LEAVES and max(map(len, tree.children)) <= MOST_CHILDREN:
        worst = order_with_most(tree, rules)
        assert worst.leaves == max(counts) == len(leaves_evaluated(tree, worst.order, rules))


@given(SMALL, RULES, st.data())
@settings(max_examples=600, deadline=None)
def test_the_extremes_where_some_nodes_keep_their_order(drawn: Any, rules: Rules, data: st.DataObject) -> None:
    assume(how_many_orders(drawn) <= 300)
    tree = built(drawn)
    inner = [tree.ids[node] for node in tree.inner]
    free = data.draw(st.sets(st.sampled_from(inner))) if inner else set()
    orders = product(*(permutations(tree.children[node]) for node in tree.inner if tree.ids[node] in free))
    names = [name for name in inner if name in free]
    every = [
        {name: [tree.ids[child] for child in below] for name, below in zip(names, each, strict=True)} for each in orders
    ]
    counts = [len(leaves_evaluated(tree, order, rules)) for order in every]
    for limit in (0, MOST_STEPS):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(move_ordering, "MOST_STEPS", limit)
            best, worst = (find(tree, rules, free) for find in (order_with_fewest, order_with_most))
        assert (best.leaves, worst.leaves) == (min(counts), max(counts))
        for found in (best, worst):
            assert found.order.keys() <= free
            assert len(leaves_evaluated(tree, found.order, rules)) == found.leaves


def test_few_orders_are_searched_in_a_tree_of_any_size() -> None:
    tree = load_tree(f"[{list(range(1, 30))}, {list(range(1, 20))}, {list(range(30, 60))}]").tree
    # D, worth 30, cuts B and C at their first leaves if it comes first; last, it has all its leaves evaluated beside B.
    worst, best = order_with_most(tree, of={NodeId("A")}), order_with_fewest(tree, of={NodeId("A")})
    assert (best.leaves, worst.leaves) == (30 + 1 + 1, 29 + 1 + 30)
    with pytest.raises(Refusal, match="min node B has 29 children, more than 4"):
        order_with_most(tree, of={NodeId("B")})


@given(minimax_trees(max_leaves=60, most_children=6), st.booleans())
@settings(max_examples=800, deadline=None)
def test_the_extremes_of_larger_trees_are_attained(drawn: Any, right_to_left: bool) -> None:
    tree = built(drawn)
    rules = Rules(right_to_left=right_to_left)
    scale = scale_of(tree)
    value = minimax(tree, scale.utility)
    best = order_with_fewest(tree, rules)
    assert best.leaves == fewest_leaves(tree, value) == len(leaves_evaluated(tree, best.order, rules))
    count = most_leaves(tree, value, scale.infinity)
    if count is None:
        with pytest.raises(Refusal, match="every order is tried"):
            order_with_most(tree, rules)
    else:
        worst = order_with_most(tree, rules)
        assert worst.leaves == count == len(leaves_evaluated(tree, worst.order, rules))


def test_too_large_a_tree_is_refused_by_name() -> None:
    with pytest.raises(Refusal, match="min node C has 5 children, more than 4") as caught:
        order_with_most(load_tree("[[1], [1, 2, 3, 4, 5]]").tree)
    assert (caught.value.node, caught.value.code) == ("C", "too-hard")
    with pytest.raises(Refusal, match="the tree has 17 leaves, more than 16") as caught:
        order_with_most(load_tree("[[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [[1, 2], 3, 4, 5]]").tree)
    assert (caught.value.node, caught.value.code) == ("A", "too-hard")
    tied = load_tree("[[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [[1, 2], 3, 4, 5]]").tree
    with pytest.raises(Refusal, match="goes on at equality"):
        order_with_fewest(tied, Rules(past_bound=True))


@given(chance_trees() | player_games())
@settings(max_examples=100, deadline=None)
def test_other_trees_are_refused(drawn: Any) -> None:
    tree = load_bytes(as_json(document(getattr(drawn, "tree", drawn), head=getattr(drawn, "head", None)))).tree
    assume(not tree.turns <= {"max", "min"} or not tree.only_numbers)
    for asked in (order_with_fewest, order_with_most, leaves_evaluated):
        with pytest.raises(Refusal) as caught:
            asked(tree)
        assert tree.turn[tree.index[NodeId(caught.value.node)]] not in ("max", "min")


# The minimal tree


def test_the_minimal_tree_of_figure_5_2() -> None:
    found = minimal_tree(reordered(FIGURE_5_2, order_with_fewest(FIGURE_5_2).order))
    assert found.leaves == ("L1", "L2", "L3", "L4", "L9")
    assert found.types == {"A": 1, "B": 1, "L1": 1, "L2": 2, "L3": 2, "C": 2, "L4": 3, "D": 2, "L9": 3}


def knuth_and_moore(drawn: Any, path: Path = (), kind: int = 1) -> Iterator[tuple[Path, int]]:
    """Their definition, for turns that alternate."""
    yield path, kind
    if not is_leaf(drawn):
        for place, child in enumerate(drawn[1]):
            if kind != 2 or place == 0:
                below = {1: 1 if place == 0 else 2, 2: 3, 3: 2}[kind]
                yield from knuth_and_moore(child, (*path, place), below)


@given(bushy_trees(3) | bushy_trees(4, most_children=2) | bushy_trees(5, most_children=2))
@settings(max_examples=400, deadline=None)
def test_types_where_turns_alternate_are_knuth_and_moores(drawn: Any) -> None:
    tree = built(drawn)
    names = named(tree, drawn)
    assert minimal_tree(tree).types == {names[path]: kind for path, kind in knuth_and_moore(drawn)}


@given(minimax_trees(max_leaves=40), st.booleans())
@settings(max_examples=1000, deadline=None)
def test_every_search_visits_the_minimal_tree_and_a_best_order_no_more(drawn: Any, right_to_left: bool) -> None:
    tree = built(drawn)
    rules = Rules(right_to_left=right_to_left)
    assert set(minimal_tree(tree, right_to_left).leaves) <= set(leaves_evaluated(tree, rules=rules))
    best = order_with_fewest(tree, rules)
    if best.order:
        found = minimal_tree(reordered(tree, best.order), right_to_left)
        assert set(found.leaves) == set(leaves_evaluated(tree, best.order, rules))


def test_types_of_all_small_trees_say_what_must_be_visited() -> None:
    """A node is in the minimal tree iff every assignment of 0 and 1 has it visited, turns in any order."""
    shapes = ["[[0, 0], [0, 0]]", "[0, [0, [0, 0]]]", "[[0], [[0, 0], 0]]", "[[[0, 0], [0, 0]], [0]]"]
    for text in shapes:
        shaped = load_tree(text).tree
        for turns in product(("max", "min"), repeat=len(shaped.inner)):
            tree = replace(shaped, turn=_in_place(shaped.turn, shaped.inner, turns))
            always = {tree.ids[leaf] for leaf in tree.leaves}
            for values in product((0, 1), repeat=len(tree.leaves)):
                always &= set(leaves_evaluated(replace(tree, leaf=_in_place(tree.leaf, tree.leaves, values))))
            assert set(minimal_tree(tree).leaves) == always


def _in_place(column: Any, places: Any, values: Any) -> Any:
    new = list(column)
    for place, value in zip(places, values, strict=True):
        new[place] = value
    return tuple(new)


def test_all_permutations_of_a_node_are_reorderings() -> None:
    for names in permutations([NodeId("B"), NodeId("C"), NodeId("D")]):
        assert reordered(FIGURE_5_2, {NodeId("A"): names}).ids[0] == "A"


@pytest.mark.slow
@pytest.mark.parametrize("tree", [chain(100_000), caterpillar(100_000)], ids=["chain", "caterpillar"])
def test_depth_is_no_limit(tree: Tree) -> None:
    best = order_with_fewest(tree)
    assert best.leaves == len(leaves_evaluated(tree, best.order))
    assert minimal_tree(reordered(tree, best.order)).leaves
    grown = growth(shape(tree), best.leaves, 9)
    assert grown is not None
    assert 1 <= grown.effective < Decimal("1.001")
