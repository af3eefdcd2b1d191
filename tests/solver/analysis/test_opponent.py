"""What MIN's mistakes are worth: worked by hand, and judged by a plain recursion at many p."""

import itertools
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.analysis import opponent_model
from solver.analysis.opponent_model import Mistakes, against_mistakes, opponent_mistakes, values_against
from solver.analysis.polynomials import (
    Root,
    at,
    before,
    common_divisor,
    divided,
    minus,
    plus,
    rational,
    roots,
    same,
    times,
    trimmed,
    vanishes,
)
from solver.game import Tree as SolverTree
from solver.kernel import Refusal, UsageError
from solver.pipeline import load, load_bytes, load_tree
from tests.judges.brute_force import Tree, is_leaf
from tests.support.paths import ROOT
from tests.support.strategies import FEW, as_json, bushy_trees, chance_trees, document, minimax_trees

SPECS = ROOT / "specs"
MODELS = st.sampled_from(["worst", "random"])


def play(tree: Tree, p: Fraction, model: str) -> Any:
    """The value when MIN errs with probability p."""
    if is_leaf(tree):
        return tree
    below = [play(child, p, model) for child in tree[1]]
    if tree[0] == "chance":
        return sum(Fraction(chance) * value for chance, value in zip(tree[2], below, strict=True))
    if tree[0] == "max":
        return max(below)
    slip = max(below) if model == "worst" else Fraction(sum(below)) / len(below)
    return (1 - p) * min(below) + p * slip


def best_moves(tree: Tree, p: Fraction, model: str) -> list[int]:
    if is_leaf(tree) or tree[0] != "max":
        return []
    below = [play(child, p, model) for child in tree[1]]
    return [place for place, value in enumerate(below) if value == max(below)]


def tree_of(tree: Tree) -> SolverTree:
    return load_bytes(as_json(document(tree))).tree


# The worked example: Figure 5.2.


def test_the_textbook_tree_against_the_worst_mistakes() -> None:
    """B is worth 3 + 9p, C 2 + 4p, D 2 + 12p."""
    tree = load(SPECS / "two-ply.yaml").tree
    found = against_mistakes(tree, Fraction(1, 10))
    assert (found.value, found.moves, found.minimax, found.gain) == (Fraction(39, 10), ("a1",), 3, Fraction(9, 10))
    whole = opponent_mistakes(tree)
    assert whole.text() == "a1 if p < 1/3, a1 or a3 if p = 1/3, a3 if p > 1/3"
    assert [root.exact for root in whole.thresholds] == [Fraction(1, 3)]
    assert [(piece.low.exact, piece.high.exact, piece.value) for piece in whole.pieces] == [
        (0, Fraction(1, 3), (3, 9)),
        (Fraction(1, 3), 1, (2, 12)),
    ]
    a3 = whole.range_of("a3")  # type: ignore[arg-type]
    assert a3 is not None and a3.text("p") == "1/3 <= p <= 1"


def test_the_textbook_tree_against_random_mistakes() -> None:
    """B is worth 3 + 14/3 p, C 2 + 2p, D 2 + 5p: B stays best."""
    tree = load(SPECS / "two-ply.yaml").tree
    assert opponent_mistakes(tree, "random").text() == "a1 for every p"
    assert against_mistakes(tree, Fraction(1, 10), "random").value == Fraction(52, 15)


def test_an_irrational_threshold() -> None:
    """Two MIN nodes on the way: 2p² against 1 changes at 1/√2 = 0.70710678…"""
    squared = {"turn": "min", "children": [0, {"turn": "min", "children": [0, 2]}]}
    tree = load_bytes(as_json({"plymark": "game/1", "tree": {"turn": "max", "children": [1, squared]}})).tree
    whole = opponent_mistakes(tree)
    [threshold] = whole.thresholds
    assert threshold.exact is None
    assert threshold.rounded(8) == Fraction(70710678, 10**8)
    narrow = threshold.within(20)
    assert narrow.high - narrow.low < Fraction(1, 10**20)
    assert 2 * narrow.low**2 < 1 < 2 * narrow.high**2
    assert whole.text(4) == "a1 if p < 0.7071..., a1 or a2 if p = 0.7071..., a2 if p > 0.7071..."
    assert whole.range_of("a1") is None  # type: ignore[arg-type]


def test_the_golden_ratio() -> None:
    """A chance node worth (4p² + 2 − 4(1 − p) + 0)/4 = p² + p − 1/2 crosses 1/2 at (√5 − 1)/2."""
    squared = {"turn": "min", "children": [0, {"turn": "min", "children": [0, 4]}]}
    chance = {"turn": "chance", "children": [squared, 2, {"turn": "min", "children": [0, -4]}, 0]}
    tree = load_bytes(as_json({"plymark": "game/1", "tree": {"turn": "max", "children": ["1/2", chance]}})).tree
    [threshold] = opponent_mistakes(tree).thresholds
    assert threshold.rounded(6) == Fraction(618034, 10**6)


def test_curves_that_touch_are_tied_at_one_point() -> None:
    """(4p² − 4 + 4p)/2 − (−5 + 8p)/2 = (2p − 1)²/2: level at p = 1/2 only."""
    squared = {"turn": "min", "children": [0, {"turn": "min", "children": [0, 4]}]}
    upper = {"turn": "chance", "children": [squared, {"turn": "min", "children": [-4, 0]}]}
    lower = {"turn": "chance", "children": [{"turn": "min", "children": [-5, 3]}, 0]}
    tree = load_bytes(as_json({"plymark": "game/1", "tree": {"turn": "max", "children": [lower, upper]}})).tree
    whole = opponent_mistakes(tree)
    assert whole.text() == "a2 if p < 0.5, a1 or a2 if p = 0.5, a2 if p > 0.5"
    assert [root.exact for root in whole.thresholds] == [Fraction(1, 2)]


# Judged at many p.

GRID = [Fraction(place, 24) for place in range(25)]


@settings(max_examples=400)
@given(minimax_trees() | chance_trees(), st.sampled_from(GRID), MODELS)
def test_the_value_for_a_given_p(tree: Tree, p: Fraction, model: str) -> None:
    found = against_mistakes(tree_of(tree), p, model)
    assert found.value == play(tree, p, model)
    assert found.minimax == play(tree, Fraction(0), model) <= found.value
    moves = [tree_of(tree).move[child] for child in tree_of(tree).children[0]]
    assert list(found.moves) == [moves[place] for place in best_moves(tree, p, model)]


WHOLE_TREES = (
    minimax_trees(max_leaves=10) | chance_trees(max_leaves=8) | bushy_trees(4, most_children=2) | bushy_trees(5, FEW, 2)
)


@settings(max_examples=400)
@given(WHOLE_TREES, MODELS)
def test_the_whole_picture(tree: Tree, model: str) -> None:
    loaded = tree_of(tree)
    found = opponent_mistakes(loaded, model)
    assert (found.pieces[0].low.exact, found.pieces[-1].high.exact) == (0, 1)
    moves = [loaded.move[child] for child in loaded.children[0]]
    points = sorted({*GRID, *inside(found)})
    for p in points:
        value = play(tree, p, model)
        holding = [
            piece
            for piece in found.pieces
            if not before(rational(p), piece.low) and not before(piece.high, rational(p))
        ]
        assert {at(piece.value, p) for piece in holding} == {value}
        if found.stretches:
            [stretch] = [stretch for stretch in found.stretches if holds(stretch, p)]
            assert list(stretch.moves) == [moves[place] for place in best_moves(tree, p, model)]
        else:
            assert is_leaf(tree) or tree[0] != "max"
    for one, two in zip(found.stretches, found.stretches[1:], strict=False):
        assert one.moves != two.moves
        assert same(one.high, two.low) and one.high_closed != two.low_closed


def inside(found: Mistakes) -> list[Fraction]:
    """Rational points in every piece and stretch, and every rational end."""
    points = []
    ends = [(each.low, each.high) for each in found.pieces] + [(each.low, each.high) for each in found.stretches]
    for pair in ends:
        low, high = pair
        points += [Fraction(end.exact) for end in (low, high) if end.exact is not None]
        if not same(low, high):
            while low.high >= high.low:
                low, high = low.narrower(), high.narrower()
            points += [low.high + (high.low - low.high) * Fraction(part, 7) for part in (1, 3, 6)]
    return points


def holds(stretch: Any, p: Fraction) -> bool:
    above = before(stretch.low, rational(p)) or (stretch.low_closed and stretch.low.exact == p)
    return above and (before(rational(p), stretch.high) or (stretch.high_closed and stretch.high.exact == p))


# Polynomials.

COEFFICIENTS = st.lists(st.integers(-4, 4) | st.sampled_from([Fraction(1, 2), Fraction(-2, 3)]), min_size=1, max_size=5)


@settings(max_examples=300)
@given(COEFFICIENTS.map(trimmed), COEFFICIENTS.map(trimmed), st.fractions(-3, 3, max_denominator=7))
def test_arithmetic_of_polynomials(first: Any, second: Any, x: Fraction) -> None:
    assert at(plus(first, second), x) == at(first, x) + at(second, x)
    assert at(minus(first, second), x) == at(first, x) - at(second, x)
    assert at(times(first, second), x) == at(first, x) * at(second, x)
    if second:
        quotient, rest = divided(first, second)
        assert plus(times(quotient, second), rest) == first
        assert len(rest) < len(second)
    if first and second:
        shared = common_divisor(first, second)
        assert divided(first, shared)[1] == divided(second, shared)[1] == ()


@settings(max_examples=300)
@given(
    st.lists(st.fractions(-2, 2, max_denominator=6), max_size=4),
    st.lists(st.sampled_from([2, 3, Fraction(1, 2), 5]), max_size=2),
)
def test_roots_of_known_factors(rationals: list[Fraction], squares: list[Any]) -> None:
    """(x − r)… (x² − s)…: the roots are r and ±√s, each once, whatever their multiplicity."""
    polynomial = trimmed([3])
    for root in rationals:
        polynomial = times(polynomial, trimmed([-root, 1]))
    for square in squares:
        polynomial = times(polynomial, trimmed([-square, 0, 1]))
    found = roots(polynomial, -2, 2)
    assert [root.exact for root in found if root.exact is not None] == sorted({r for r in rationals if -2 < r < 2})
    irrational = [root for root in found if root.exact is None]
    assert len(irrational) == 2 * len({s for s in squares if s < 4})
    for surd in irrational:
        tight = surd.within(9)
        assert any(min(tight.low**2, tight.high**2) < square < max(tight.low**2, tight.high**2) for square in squares)
    assert all(before(one, two) and not before(two, one) for one, two in itertools.pairwise(found))
    assert all(vanishes(polynomial, root) for root in found)
    assert not any(vanishes(trimmed([7, 0, 1]), root) for root in found)


def test_the_same_number_from_different_polynomials() -> None:
    [golden] = roots((-1, 1, 1), 0, 1)
    [again] = roots(times((-1, 1, 1), (-7, 0, 0, 3)), 0, 1)
    assert golden.exact is None and again.polynomial != golden.polynomial
    assert same(golden, again) and not before(golden, again) and not before(again, golden)
    assert not same(golden, rational(Fraction(618, 1000)))
    # √2 and √3 are roots of one polynomial, but only √3 is one of x² − 3.
    root_two, root_three = roots(times((-2, 0, 1), (-3, 0, 1)), 0, 2)
    assert [vanishes((-3, 0, 1), root) for root in (root_two, root_three)] == [False, True]
    assert not same(root_two, roots((-3, 0, 1), 0, 2)[0]) and same(root_three, roots((-3, 0, 1), 0, 2)[0])
    assert isinstance(golden, Root) and golden.rounded(5) == Fraction(61803, 10**5)


# Limits and refusals.


def test_deep_trees_have_a_value_but_no_threshold() -> None:
    nodes = [f"N{ply}: {{turn: min, children: [{ply}, N{ply + 1}]}}" for ply in range(5_000)]
    text = f"plymark: game/1\nroot: N0\nnodes: {{{', '.join([*nodes, 'N5000: {value: -1}'])}}}\n"
    tree = load_bytes(text.encode()).tree
    assert values_against(tree, 0)[0] == -1
    assert values_against(tree, 1)[0] == 4999
    with pytest.raises(Refusal, match="too high a degree") as refusal:
        opponent_mistakes(tree)
    assert refusal.value.code == "too-hard"
    with pytest.raises(Refusal) as refusal:
        values_against(tree, Fraction(1, 3))
    assert refusal.value.code == "result-size"


def test_too_many_pieces_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponent_model, "MOST_COMPARISONS", 15)
    with pytest.raises(Refusal, match="too often") as refusal:
        opponent_mistakes(load(SPECS / "two-ply.yaml").tree)
    assert refusal.value.code == "too-hard"


def test_other_calls_are_refused() -> None:
    tree = load_tree("[[1, 2], [3, 4]]").tree
    with pytest.raises(UsageError, match="between 0 and 1"):
        against_mistakes(tree, 2)
    with pytest.raises(UsageError, match="choose one of worst, random"):
        opponent_mistakes(tree, "sleepy")
    with pytest.raises(Refusal, match="the unknown x"):
        opponent_mistakes(load(SPECS / "unknown-cut.yaml").tree)
    with pytest.raises(Refusal, match="only for max, min and chance"):
        opponent_mistakes(load(SPECS / "three-players.yaml").tree)


def test_a_min_root_has_no_move_of_max() -> None:
    tree = load_bytes(b"plymark: game/1\nlevels: [min]\ntree: [1, 4]\n").tree
    assert opponent_mistakes(tree).stretches == ()
    assert [piece.value for piece in opponent_mistakes(tree).pieces] == [(1, 3)]
    assert against_mistakes(tree, Fraction(1, 2)).moves == ()
