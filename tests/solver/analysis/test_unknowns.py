"""Unknown leaves: worked by hand, and judged by putting numbers in."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.analysis import unknowns
from solver.analysis.piecewise import (
    EVERY,
    IDENTITY,
    NONE,
    Piecewise,
    Range,
    between,
    constant,
    largest,
    partition,
    point,
    smallest,
    weighted,
)
from solver.analysis.unknowns import (
    node_functions,
    one_unknown,
    pruned_ranges,
    several_unknowns,
    substituted,
    unknown_names,
    where_equal,
)
from solver.game.convention import CONVENTIONS, Convention, convention_from
from solver.game.game_tree import Move, NodeId, Unknown
from solver.game.game_tree import Tree as GameTree
from solver.kernel import Refusal
from solver.pipeline import load, load_bytes
from tests.judges import brute_force
from tests.judges.brute_force import Tree, is_leaf, leaves, minimax, nodes, replaced
from tests.support.paths import ROOT
from tests.support.strategies import ANY_CONVENTION, FEW, WINDOWS, as_json, chance_trees, document, minimax_trees

SPECS = ROOT / "specs"


def game(text: str, names: str = "x", **head: Any) -> GameTree:
    lines = [f"{key}: {value}\n" for key, value in head.items()]
    return load_bytes(f"plymark: game/1\nunknowns: [{names}]\n{''.join(lines)}tree: {text}\n".encode()).tree


def with_unknowns(tree: Tree, names: dict[Any, str], **columns: Any) -> GameTree:
    """The solver's tree, with unknowns at some paths."""
    loaded = load_bytes(as_json(document(tree))).tree
    leaf = list(loaded.leaf)
    for place, (path, _) in enumerate(nodes(tree)):
        if path in names:
            leaf[place] = Unknown(names[path])
    return replace(loaded, leaf=tuple(leaf), unknowns=tuple(dict.fromkeys(names.values())), **columns)


def samples(numbers: Iterable[Any]) -> list[Fraction]:
    """Every number given, points between neighbours, and some beyond both ends."""
    given = sorted({Fraction(number) for number in numbers})
    if not given:
        return [Fraction(-1), Fraction(0), Fraction(5, 3)]
    found = [given[0] - 100, given[0] - Fraction(1, 7)]
    for low, high in zip(given, [*given[1:], given[-1] + 1], strict=True):
        found += [low, low + (high - low) / 3, (low + high) / 2]
    return [*found, given[-1] + 100]


# Ranges.

ENDS = st.sampled_from([-2, -1, 0, Fraction(1, 2), 1, 3])


@st.composite
def intervals(draw: Any) -> tuple[Range, Any]:
    """An interval, and the same as a test of a number."""
    low, high = draw(ENDS | st.just("-inf")), draw(ENDS | st.just("inf"))
    low_closed, high_closed = draw(st.booleans()), draw(st.booleans())

    def holds(x: Fraction) -> bool:
        above: bool = low == "-inf" or x > low or (x == low and low_closed)
        return above and bool(high == "inf" or x < high or (x == high and high_closed))

    return between(low, high, low_closed, high_closed), holds


def combined(below: Any) -> Any:
    return (
        st.tuples(below, below).map(lambda two: (two[0][0] | two[1][0], lambda x: two[0][1](x) or two[1][1](x)))
        | st.tuples(below, below).map(lambda two: (two[0][0] & two[1][0], lambda x: two[0][1](x) and two[1][1](x)))
        | below.map(lambda one: (~one[0], lambda x: not one[1](x)))
    )


RANGES = st.recursive(intervals(), combined, max_leaves=6)
LINE = samples([-2, -1, 0, Fraction(1, 2), 1, 3])


@settings(max_examples=400)
@given(RANGES, RANGES)
def test_ranges_hold_what_their_definition_says(first: Any, second: Any) -> None:
    for one, holds in (first, second):
        assert [x in one for x in LINE] == [holds(x) for x in LINE]
        assert bool(one) == any(holds(x) for x in LINE)
        again = NONE
        for low, high, low_closed, high_closed in one.intervals:
            again |= between(low, high, low_closed, high_closed)
        assert again == one
        far = [x for x in range(-9, 10) if holds(x)]
        assert one.smallest_integer == (far[0] if far and far[0] > -9 else None)
        assert one.largest_integer == (far[-1] if far and far[-1] < 9 else None)
    # One form for each set of numbers.
    assert (first[0] == second[0]) == all(first[1](x) == second[1](x) for x in LINE)


@settings(max_examples=200)
@given(st.dictionaries(st.sampled_from("abc"), RANGES, max_size=3))
def test_a_partition_says_what_holds_where(named: dict[str, Any]) -> None:
    stretches = partition({name: one for name, (one, _) in named.items()})
    for x in LINE:
        [holding] = [labels for where, labels in stretches if x in where]
        assert holding == [name for name, (_, holds) in named.items() if holds(x)]
    assert all(len(where.intervals) == 1 for where, _ in stretches)


@pytest.mark.parametrize(
    ("one", "text", "data"),
    [
        (between("-inf", 3), "x <= 3", [["-inf", 3, False, True]]),
        (between(2, 5, False), "2 < x <= 5", [[2, 5, False, True]]),
        (between("-inf", 2, True, False) | between(5, "inf", False), "x < 2 or x > 5", None),
        (point(Fraction(1, 3)), "x = 1/3", [["1/3", "1/3", True, True]]),
        (~point(3), "x < 3 or x > 3", [["-inf", 3, False, False], [3, "inf", False, False]]),
        (between(Fraction(5, 2), "inf"), "x >= 2.5", None),
        (EVERY, "every x", [["-inf", "inf", False, False]]),
        (NONE, "no x", []),
        (between(3, 2), "no x", []),
        (between(2, 2, True, False), "no x", []),
    ],
)
def test_ranges_in_words_and_as_data(one: Range, text: str, data: Any) -> None:
    assert one.text() == text
    assert data is None or one.as_data() == data


# Piecewise-linear functions.


@settings(max_examples=300)
@given(st.data())
def test_functions_are_computed_pointwise(data: Any) -> None:
    function, plain = data.draw(
        st.recursive(
            FEW.map(lambda number: (constant(number), lambda _x: number)) | st.just((IDENTITY, lambda x: x)),
            lambda below: st.tuples(
                st.sampled_from(["max", "min", "mean"]), st.lists(below, min_size=1, max_size=3)
            ).map(joined),
            max_leaves=10,
        )
    )
    for x in samples([*function.breaks, 0]):
        assert function(x) == plain(x)
    assert list(function.breaks) == sorted(set(function.breaks))
    assert all(one != two for one, two in pairwise(function.lines))


def joined(node: Any) -> tuple[Piecewise, Any]:
    kind, below = node
    functions = [function for function, _ in below]
    plains = [plain for _, plain in below]
    weights = [Fraction(2 * place + 1, len(below) ** 2) for place in range(len(below))]
    if kind == "mean":
        mean = lambda x: sum(weight * plain(x) for weight, plain in zip(weights, plains, strict=True))  # noqa: E731
        return weighted(weights, functions), mean
    best = max if kind == "max" else min
    return (largest if kind == "max" else smallest)(functions), lambda x: best(plain(x) for plain in plains)


# The worked examples.


def test_two_unknown_leaves_do_not_matter() -> None:
    found = several_unknowns(load(SPECS / "unknown-pair.yaml").tree)
    assert (found.low, found.high, found.depends, found.matters) == (3, 3, False, {"x": False, "y": False})


def test_where_the_first_leaf_of_c_cuts() -> None:
    tree = load(SPECS / "unknown-cut.yaml").tree
    for convention, text in [("aima3", "x <= 3"), ("aima4", "x <= 3"), ("fail-hard", "x <= 3"), ("strict", "x < 3")]:
        ranges = {name: where.text() for name, where in pruned_ranges(tree, CONVENTIONS[convention]).items() if where}
        assert ranges == {"L5": text, "L6": text}
    assert pruned_ranges(tree, CONVENTIONS["aima3"])[NodeId("L5")].largest_integer == 3
    assert pruned_ranges(tree, CONVENTIONS["strict"])[NodeId("L5")].largest_integer == 2
    # Above 5, D's 5 cuts its last leaf only if x is what the root has; but the root has at most min(x, 4, 6).
    assert one_unknown(tree).value_text() == "3 if x < 3, x if 3 <= x <= 4, 4 if x > 4"


def test_where_the_last_leaf_of_d_is_best() -> None:
    found = one_unknown(load(SPECS / "unknown-move.yaml").tree)
    assert found.choices_text() == "a1 if x < 3, a1 or a3 if x = 3, a3 if x > 3"
    assert {move: where.text() for move, where in found.moves.items()} == {"a1": "x <= 3", "a2": "no x", "a3": "x >= 3"}
    assert found.moves[Move("a3")].smallest_integer == 3


def test_the_value_for_every_first_leaf_of_b() -> None:
    tree = load(SPECS / "unknown-value.yaml").tree
    found = one_unknown(tree)
    assert found.value_text() == "2 if x < 2, x if 2 <= x <= 8, 8 if x > 8"
    assert [found.where_value_is(value).text() for value in (2, 5, 8, 9)] == ["x <= 2", "x = 5", "x >= 8", "no x"]
    # 6.4: D's own order prunes its last leaf once B is worth 5 or more.
    assert {name: where.text() for name, where in pruned_ranges(tree, CONVENTIONS["aima3"]).items() if where} == {
        "L5": "x >= 2",
        "L6": "x >= 2",
        "L9": "x >= 5",
    }
    assert {name: where.text() for name, where in pruned_ranges(tree, CONVENTIONS["strict"]).items() if where} == {
        "L5": "x > 2",
        "L6": "x > 2",
        "L9": "x > 5",
    }


def test_the_order_of_d() -> None:
    """6.4: D as [2, 5, 14] prunes 5 and 14 too; with x in front, for every x up to 3."""
    ranges = pruned_ranges(game("[[3, 12, 8], [2, 4, 6], [x, 5, 14]]"), CONVENTIONS["aima3"])
    assert {name: where.text() for name, where in ranges.items() if where} == {
        "L5": "every x",
        "L6": "every x",
        "L8": "x <= 3",
        "L9": "x <= 3",
    }


def test_chance_makes_lines_of_other_slopes() -> None:
    tree = game("[[x, 4], [1, 3]]", levels="[max, chance]")
    found = one_unknown(tree)
    assert found.value_text() == "2 if x < 0, 0.5*x + 2 if x >= 0"
    assert found.choices_text() == "a2 if x < 0, a1 or a2 if x = 0, a1 if x > 0"
    assert found.where_value_is(3) == point(2)


def test_roots_without_a_choice() -> None:
    leaf = one_unknown(game("x"))
    assert (leaf.value, dict(leaf.moves), leaf.choices) == (IDENTITY, {}, ())
    assert pruned_ranges(game("x"), CONVENTIONS["aima3"]) == {"L1": NONE}
    chance = one_unknown(game("[x, 4]", levels="[chance]"))
    assert (chance.value_text(), dict(chance.moves)) == ("0.5*x + 2", {})


# Judged by putting numbers in.


@st.composite
def open_trees(draw: Any, trees: Any) -> tuple[Tree, list[Any], GameTree]:
    """A tree, the paths of an unknown, and both together."""
    tree = draw(trees)
    places = draw(st.lists(st.sampled_from(leaves(tree)), min_size=1, max_size=3, unique=True))
    return tree, places, with_unknowns(tree, dict.fromkeys(places, "x"))


def filled(tree: Tree, places: list[Any], x: Any) -> Tree:
    return replaced(tree, dict.fromkeys(places, x))


@settings(max_examples=400)
@given(open_trees(minimax_trees() | chance_trees()))
def test_values_and_moves_for_every_x(drawn: Any) -> None:
    tree, places, with_x = drawn
    found = one_unknown(with_x)
    numbers = [number for path, number in nodes(tree) if is_leaf(number) and path not in places]
    switches = [number for where in found.moves.values() for number, _ in where.switches]
    for x in samples([*numbers, *found.value.breaks, *switches]):
        put_in = filled(tree, places, x)
        value = minimax(put_in)
        assert found.value(x) == value
        assert x in found.where_value_is(value)
        best = []
        if not is_leaf(tree) and tree[0] != "chance":
            best = [place for place, child in enumerate(put_in[1]) if minimax(child) == value]
        moves = list(found.moves.values())
        assert [place for place, where in enumerate(moves) if x in where] == best
        if found.moves:
            [choice] = [choice for choice in found.choices if x in choice.where]
            assert choice.moves == tuple(list(found.moves)[place] for place in best)
        assert substituted(with_x, {"x": x}).leaf == load_bytes(as_json(document(put_in))).tree.leaf


@settings(max_examples=400)
@given(
    open_trees(minimax_trees()),
    ANY_CONVENTION,
    st.just((-inf, inf)) | WINDOWS | st.just("utilities") | st.tuples(st.just("bounds"), WINDOWS),
)
def test_what_is_pruned_for_every_x(drawn: Any, keys: Any, window: Any) -> None:
    tree, places, with_x = drawn
    convention = convention_from(keys)
    numbers = [number for path, number in nodes(tree) if is_leaf(number) and path not in places]
    if window == "utilities":
        convention = replace(convention, window="utilities")
    elif window[0] == "bounds":
        with_x = replace(with_x, bounds=window[1])
        convention, window = replace(convention, window="bounds"), window[1]
    elif window[0] != -inf:
        convention = replace(convention, window=window)
    if window != "utilities":
        numbers += [bound for bound in window if abs(bound) < inf]
    ranges = list(pruned_ranges(with_x, convention).values())
    for x in samples(numbers):
        put_in = filled(tree, places, x)
        utilities = [put_in_leaf for _, put_in_leaf in nodes(put_in) if is_leaf(put_in_leaf)]
        start = (min(utilities), max(utilities)) if window == "utilities" else window
        visited = set(brute_force.alpha_beta(put_in, **keys, window=start).visited)
        expected = [path not in visited for path, _ in nodes(tree)]
        assert [x in where for where in ranges] == expected


@st.composite
def trees_of_many(draw: Any, trees: Any, most: int = 4) -> tuple[Tree, dict[Any, str], Any]:
    """A tree, the names at some of its leaves, perhaps with bounds."""
    tree = draw(trees)
    places = draw(st.lists(st.sampled_from(leaves(tree)), min_size=1, max_size=most, unique=True))
    names = {path: draw(st.sampled_from("xyz")) for path in places}
    return tree, names, draw(st.none() | st.just((Fraction(-3), Fraction(4))))


def assignments(names: dict[Any, str], bounds: Any, numbers: list[Any]) -> Iterator[dict[str, Any]]:
    grid = sorted({Fraction(number) for number in numbers})
    grid = [*grid, *[(low + high) / 2 for low, high in pairwise(grid)], Fraction(-50), Fraction(50)]
    grid = [x for x in grid if bounds is None or bounds[0] <= x <= bounds[1]] + list(bounds or ())
    yield from assigned(sorted(set(names.values())), grid)


def assigned(names: list[str], grid: list[Any]) -> Iterator[dict[str, Any]]:
    if not names:
        yield {}
        return
    for rest in assigned(names[1:], grid):
        for x in grid:
            yield {names[0]: x, **rest}


@settings(max_examples=250)
@given(trees_of_many(minimax_trees(max_leaves=6) | chance_trees(max_leaves=6)))
def test_several_unknowns(drawn: Any) -> None:
    tree, names, bounds = drawn
    found = several_unknowns(with_unknowns(tree, names, bounds=bounds))
    numbers = [number for path, number in nodes(tree) if is_leaf(number) and path not in names]
    values: dict[Any, Any] = {}
    for chosen in assignments(names, bounds, numbers):
        values[tuple(sorted(chosen.items()))] = minimax(
            replaced(tree, {path: chosen[name] for path, name in names.items()})
        )
    for value in values.values():
        assert found.low == "-inf" or found.low <= value
        assert found.high == "inf" or value <= found.high
    # Both bounds are attained, or left behind without end.
    assert found.low in values.values() or (found.low == "-inf" and min(values.values()) < -5)
    assert found.high in values.values() or (found.high == "inf" and max(values.values()) > 5)
    assert found.depends == (len(set(values.values())) > 1)
    for name, matters in found.matters.items():
        by_others: dict[Any, set[Any]] = {}
        for chosen, value in values.items():
            by_others.setdefault(tuple(pair for pair in chosen if pair[0] != name), set()).add(value)
        seen = any(len(each) > 1 for each in by_others.values())
        if matters is None:
            assert any(turn == "chance" for turn in turns_of(tree))
        else:
            # The grid holds every critical number without chance; with it, what is seen is certain.
            assert matters or not seen
            assert seen or not matters or "chance" in turns_of(tree)
    single = len(names) == len(set(names.values()))
    assert not (single or "chance" not in turns_of(tree)) or None not in found.matters.values()


def turns_of(tree: Tree) -> set[str]:
    return {node[0] for _, node in nodes(tree) if not is_leaf(node)}


def test_which_of_several_unknowns_matter() -> None:
    found = several_unknowns(game("[[3, x], [5, y], [y, z, 1]]", "x, y, z"))
    assert (found.low, found.high) == ("-inf", 5)
    # min(y, z, 1) is never more than min(5, y).
    assert found.matters == {"x": True, "y": True, "z": False}
    # Only up to 3 is left for x, where 3 is certain; z is never above 1.
    found = several_unknowns(game("[[3, x], [4], [2, z]]", "x, z"))
    assert (found.low, found.high, found.matters) == (4, 4, {"x": False, "z": False})
    # max(min(x, y), min(x, 3)): the same unknown twice.
    found = several_unknowns(game("[[x, y], [x, 3], [y, 0]]", "x, y"))
    assert found.matters == {"x": True, "y": True}
    # min(x, max(x, y)) is x.
    found = several_unknowns(game("[[x, [x, y]]]", "x, y"))
    assert (found.low, found.high, found.matters) == ("-inf", "inf", {"x": True, "y": False})
    bounded = several_unknowns(game("[[3, x], [5, y]]", "x, y", bounds="[3, 9]"))
    assert (bounded.low, bounded.high, bounded.matters) == (3, 5, {"x": False, "y": True})
    # An outcome without any chance opens no way, however large.
    never = game("[5, {turn: chance, children: [{p: 1, turn: min, children: [x, 3]}, {p: 0, value: y}]}]", "x, y")
    assert several_unknowns(never).matters == {"x": False, "y": False}
    assert unknown_names(game("[[3, y], [5, x], [x, 1]]", "x, y")) == ["y", "x"]


# Limits.


def chain(plies: int) -> GameTree:
    turns = ("max", "min")
    inner = [f"N{ply}: {{turn: {turns[ply % 2]}, children: [{ply % 2}, N{ply + 1}]}}" for ply in range(plies)]
    body = ", ".join([*inner, f"N{plies}: {{value: x}}"])
    return load_bytes(f"plymark: game/1\nunknowns: [x]\nroot: N0\nnodes: {{{body}}}\n".encode()).tree


@pytest.mark.slow
def test_depth_is_no_limit() -> None:
    tree = chain(30_000)
    assert one_unknown(tree).value_text() == "0 if x < 0, x if 0 <= x <= 1, 1 if x > 1"
    assert (several_unknowns(tree).low, several_unknowns(tree).high) == (0, 1)


def test_too_many_searches_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknowns, "MOST_VISITS", 1_000)
    leaves_of_max = ", ".join(map(str, range(200)))
    with pytest.raises(Refusal) as refusal:
        pruned_ranges(game(f"[x, {leaves_of_max}]"), CONVENTIONS["aima3"])
    assert (refusal.value.code, refusal.value.node) == ("too-hard", "A")


def test_too_many_pieces_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknowns, "MOST_PIECES", 2)
    tree = game("[[x, 1], [3, 4]]", levels="[min, chance]")
    assert len(one_unknown(tree).value.lines) == 2
    with pytest.raises(Refusal, match="more than 2 pieces"):
        one_unknown(game("[[0, [x, 1]], [3, [4, 4]]]", levels="[min, max, chance]"))


@pytest.mark.parametrize(
    ("tree", "names", "node", "words"),
    [
        ("[3, 4]", "x", "A", "there is none"),
        ("[x, y]", "x, y", "L2", "there are x, y"),
        ("{turn: or, children: [{value: true}]}", "x", "A", "only for max, min and chance nodes"),
    ],
)
def test_other_trees_are_refused(tree: str, names: str, node: str, words: str) -> None:
    with pytest.raises(Refusal, match=words) as refusal:
        one_unknown(game(tree, names))
    assert (refusal.value.node, refusal.value.code) == (node, "algorithm")


def test_pruning_with_chance_has_no_ranges() -> None:
    with pytest.raises(Refusal, match="max and min") as refusal:
        pruned_ranges(game("[[x, 1], [3, 4]]", levels="[max, chance]"), CONVENTIONS["aima3"])
    assert refusal.value.node == "B"
    with pytest.raises(Refusal, match="declares none"):
        pruned_ranges(game("[[x, 1], [3, 4]]"), Convention(window="bounds"))


def test_functions_of_every_node() -> None:
    found = node_functions(load(SPECS / "unknown-value.yaml").tree)
    assert found[5] == 2
    assert isinstance(found[1], Piecewise)
    assert where_equal(found[1], IDENTITY) == between("-inf", 8)
