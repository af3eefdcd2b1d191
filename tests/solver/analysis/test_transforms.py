"""Changes of the leaves: the theorem, counterexamples that hold, and denials judged by trying."""

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.analysis import leaf_transformations
from solver.analysis.leaf_transformations import (
    Invariance,
    increasing_changes,
    read_formula,
    solution,
    transform_compared,
    transformed,
)
from solver.game import Tree as SolverTree
from solver.game.convention import CONVENTIONS, Convention, convention_from
from solver.kernel import Refusal, UsageError
from solver.pipeline import load, load_bytes, load_tree
from solver.search.trace import scale_of
from tests.judges import brute_force
from tests.judges.brute_force import Tree, is_leaf, minimax, nodes, replaced
from tests.support.paths import ROOT
from tests.support.strategies import ANY_CONVENTION, as_json, chance_trees, document, minimax_trees

SPECS = ROOT / "specs"
AIMA3 = CONVENTIONS["aima3"]


def tree_of(tree: Tree) -> SolverTree:
    return load_bytes(as_json(document(tree))).tree


def best(tree: Tree) -> list[int]:
    if is_leaf(tree) or tree[0] == "chance":
        return []
    return [place for place, child in enumerate(tree[1]) if minimax(child) == minimax(tree)]


def changed(tree: Tree, change: Any) -> Tree:
    return replaced(tree, {path: change(leaf) for path, leaf in nodes(tree) if is_leaf(leaf)})


# Formulas.


@pytest.mark.parametrize(
    ("text", "at", "value"),
    [
        ("2*v + 3", 5, 13),
        ("v^2", -3, 9),
        ("-v", 4, -4),
        ("v^3 + 1", 2, 9),
        ("-v^2", 3, -9),
        ("(-v)^2", 3, 9),
        ("1 - 2 - v", 3, -4),
        ("12/v/2", 3, 2),
        ("1/3*v", 1, Fraction(1, 3)),
        ("2.5*(v - 1/2)", 1, Fraction(5, 4)),
        ("+v − 1", 1, 0),
        ("2·v×3", 1, 6),
        ("--v", 7, 7),
        ("v^0", 0, 1),
        ("((v))", 7, 7),
        ("5", 7, 5),
    ],
)
def test_formulas(text: str, at: int, value: Any) -> None:
    assert read_formula(text)(at) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2v", "write products with *"),
        ("v(v)", "write products with *"),
        ("v^2^3", "parentheses"),
        ("v^-1", "whole number from 0 to 20"),
        ("v^21", "whole number from 0 to 20"),
        ("v^v", "whole number"),
        ("(v", "not closed"),
        ("v)", "is expected"),
        ("", "at its end"),
        ("v+", "at its end"),
        ("v**2", "is expected"),
        ("x + 1", 'at "x"'),
        ("v.real", 'at "."'),
        ("__import__('os')", "__import__"),
        ("1e3", "is expected"),
        ("v" + "+v" * 200, "at most 200 characters"),
    ],
)
def test_other_texts_are_no_formulas(text: str, words: str) -> None:
    with pytest.raises(UsageError) as error:
        read_formula(text)
    assert words in str(error.value)


@settings(max_examples=300)
@given(st.data())
def test_formulas_mean_what_python_means(data: Any) -> None:
    def joined(below: Any) -> Any:
        two = st.tuples(below, st.sampled_from(["+", "-", "*", "/"]), below).map(
            lambda part: f"({part[0]} {part[1]} {part[2]})"
        )
        flat = st.tuples(below, st.sampled_from([" + ", " - ", "*"]), below).map("".join)
        return two | flat | below.map(lambda text: f"(-{text})") | below.map(lambda text: f"({text})^2")

    text = data.draw(
        st.recursive(st.sampled_from(["v", "2", "7", "1.5", "0"]), joined, max_leaves=8).filter(lambda t: len(t) < 200)
    )
    v = Fraction(data.draw(st.integers(-3, 3)), 2)
    python = text.replace("^", "**").replace("1.5", "F(3,2)").replace("2", "F(2)").replace("F(3,F(2))", "F(3,2)")
    python = python.replace("**F(2)", "**2").replace("7", "F(7)")
    try:
        expected = eval(python, {"v": v, "F": Fraction})
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            read_formula(text)(v)
    else:
        assert read_formula(text)(v) == expected


def test_towers_of_powers_are_refused() -> None:
    tree = load_tree("[[3, 12], [2, 4]]").tree
    tower = "(" * 30 + "v" + ")^20" * 30
    with pytest.raises(Refusal) as refusal:
        transformed(tree, read_formula(tower))
    assert (refusal.value.code, refusal.value.node) == ("result-size", "L1")
    with pytest.raises(Refusal, match="divides by 0 at leaf L3") as refusal:
        transformed(tree, read_formula("1/(v - 2)"))
    assert (refusal.value.code, refusal.value.node) == ("algorithm", "L3")


# A given change.


@pytest.mark.parametrize(
    ("by", "kind", "move", "pruned"),
    [
        ("2*v + 3", "positive affine", True, True),
        ("v^2", "increasing", True, True),
        ("v^3 + 1", "increasing", True, True),
        ("-v", "other", False, False),
        ("7", "other", False, False),
        ("(v - 3)^2", "other", False, False),
    ],
)
def test_changes_of_the_textbook_tree(by: str, kind: str, move: bool, pruned: bool) -> None:
    found = transform_compared(load(SPECS / "two-ply.yaml").tree, read_formula(by), AIMA3)
    assert (found.kind, found.same_move, found.same_pruned) == (kind, move, pruned)


def test_the_textbook_tree_with_chance() -> None:
    """AIMA 3e, Figure 5.12: 1, 2, 3, 4 made 1, 20, 30, 400 changes the move; a polynomial through these does it."""
    tree = load(SPECS / "order-preserving.yaml").tree
    assert transform_compared(tree, read_formula("10*v"), AIMA3).same_move
    found = transform_compared(tree, read_formula("v^5"), AIMA3)
    assert (found.kind, found.moves, found.same_pruned) == ("increasing", (("a1",), ("a2",)), None)


CHANGES = st.sampled_from(["2*v + 3", "v/3 - 1", "v^3", "v^5 + v", "-v", "v^2", "(v - 1)^2", "0*v", "1/(v + 7)"])


@settings(max_examples=400)
@given(minimax_trees() | chance_trees(), CHANGES, ANY_CONVENTION, st.booleans())
def test_a_given_change(tree: Tree, by: str, keys: Any, utilities: bool) -> None:
    formula = read_formula(by)
    after = changed(tree, formula)
    convention = convention_from({**keys, **({"window": "utilities"} if utilities else {})})
    found = transform_compared(tree_of(tree), formula, convention)
    assert found.same_move == (best(tree) == best(after))
    if any(not is_leaf(node) and node[0] == "chance" for _, node in nodes(tree)):
        assert found.pruned is None
        assert found.kind != "positive affine" or found.same_move
        return
    visited = []
    for one in (tree, after):
        numbers = [leaf for _, leaf in nodes(one) if is_leaf(leaf)]
        window: dict[str, Any] = {"window": (min(numbers), max(numbers))} if utilities else {}
        visited.append(brute_force.alpha_beta(one, **keys, **window).visited)
    assert found.same_pruned == (set(visited[0]) == set(visited[1]))
    if found.kind != "other":
        assert found.same_move and found.same_pruned
        assert increasing_changes(tree_of(tree), convention) == Invariance(
            "keeps", "without chance only the order of the leaves counts, and an increasing change keeps it", True
        )


# Any increasing change.


def test_a_counterexample_for_the_textbook_tree() -> None:
    found = increasing_changes(load(SPECS / "order-preserving.yaml").tree, AIMA3)
    assert found.increasing == "changes"
    assert found.counterexample is not None
    assert found.counterexample.values == ((1, 0), (2, 1), (3, 2), (4, 12))
    assert found.counterexample.moves == (("a1",), ("a2",))


def test_dominance_excludes_a_counterexample() -> None:
    """a1's outcomes are better one by one, whatever they are worth."""
    tree = load_bytes(b"plymark: game/1\nlevels: [max, chance]\ntree: [[3, 7], [2, 6]]\n").tree
    found = increasing_changes(tree, AIMA3)
    assert (found.increasing, found.reason) == ("keeps", "no increasing change can alter the best move here")


def test_a_window_of_numbers_does_not_move_along() -> None:
    tree = load(SPECS / "two-ply.yaml").tree
    found = increasing_changes(tree, Convention(window=(1, 4)))
    assert (found.increasing, found.pruned_kept) == ("keeps", None)


def test_no_choice_no_change() -> None:
    for text in ("[[1, 2], [4]]", "[[[1, 2]]]"):
        tree = load_bytes(f"plymark: game/1\nlevels: [chance, max, chance]\ntree: {text}\n".encode()).tree
        assert increasing_changes(tree, AIMA3).reason == "there is no choice at the root"


@settings(max_examples=500)
@given(st.data())
def test_verdicts_on_increasing_changes(data: Any) -> None:
    tree = data.draw(chance_trees(max_leaves=9))
    if data.draw(st.booleans()):
        tree = ("max", [tree, data.draw(chance_trees(max_leaves=6))])
    found = increasing_changes(tree_of(tree), AIMA3)
    numbers = sorted({leaf for _, leaf in nodes(tree) if is_leaf(leaf)})
    if found.counterexample is not None:
        assert found.increasing == "changes"
        old, new = zip(*found.counterexample.values, strict=True)
        assert list(old) == numbers and all(one < two for one, two in pairwise(new))
        assert best(changed(tree, dict(found.counterexample.values).__getitem__)) != best(tree)
        return
    assert found.increasing == "keeps"
    for gaps in some_gaps(len(numbers) - 1):
        values = [Fraction(0)]
        for gap in gaps:
            values.append(values[-1] + gap)
        assert best(changed(tree, dict(zip(numbers, values, strict=True)).__getitem__)) == best(tree)


def some_gaps(count: int) -> list[list[int]]:
    """One or two wide gaps at every place, of several widths."""
    found = [[1] * count]
    for wide in (2, 5, 60, 10_000):
        for places in [*combinations(range(count), 1), *combinations(range(count), 2)]:
            found.append([wide if place in places else 1 for place in range(count)])
            found.append([wide if place == places[0] else 3 if place == places[-1] else 1 for place in range(count)])
    return found


@settings(max_examples=300)
@given(chance_trees(max_leaves=8))
def test_the_inequalities_find_what_one_jump_finds(tree: Tree) -> None:
    """Two ways to the same verdict: trying and deciding."""
    loaded = tree_of(tree)
    if is_leaf(tree) or tree[0] == "chance" or len(tree[1]) == 1 or "chance" not in loaded.turns:
        return
    scale = scale_of(loaded)
    jump = leaf_transformations._one_jump(loaded, scale)
    verdict, gaps = leaf_transformations._decide(loaded, scale)
    assert verdict != "undecided"
    if jump is not None:
        assert gaps is not None
    if gaps is not None:
        example = leaf_transformations._counterexample(loaded, scale, gaps)
        assert example.moves[0] != example.moves[1]


def test_too_many_choices_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = load_bytes(b"plymark: game/1\nlevels: [max, chance, min]\ntree: [[[3, 4], [7, 9]], [[2, 5], [6, 8]]]\n").tree
    assert increasing_changes(tree, AIMA3).increasing == "keeps"
    monkeypatch.setattr(leaf_transformations, "MOST_WORK", 0)
    assert increasing_changes(tree, AIMA3).increasing == "undecided"


# Linear inequalities.


@settings(max_examples=400)
@given(st.lists(st.lists(st.integers(-3, 3), min_size=4, max_size=4), max_size=5))
def test_a_solution_solves_and_a_denial_is_right(rows: Any) -> None:
    found = solution(rows)
    if found is not None:
        assert len(found) == (3 if rows else 0)
        assert all(x >= 0 for x in found)
        assert all(row[0] + sum(c * x for c, x in zip(row[1:], found, strict=True)) >= 0 for row in rows)
    else:
        grid = [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(2), Fraction(7)]
        for x in grid:
            for y in grid:
                for z in grid:
                    assert not all(row[0] + row[1] * x + row[2] * y + row[3] * z >= 0 for row in rows)


def test_the_corner_of_a_known_polytope() -> None:
    # x + y ≤ 4, x ≥ 1, y ≥ 3: only (1, 3). And with y > 3 demanded, nothing.
    assert solution([[4, -1, -1], [-1, 1, 0], [-3, 0, 1]]) == [Fraction(1), Fraction(3)]
    assert solution([[4, -1, -1], [-1, 1, 0], [Fraction(-31, 10), 0, 1]]) is None


def test_leaves_that_are_no_numbers() -> None:
    with pytest.raises(Refusal, match="the unknown x"):
        increasing_changes(load(SPECS / "unknown-cut.yaml").tree, AIMA3)
    with pytest.raises(Refusal, match="only for max, min and chance"):
        transform_compared(load(SPECS / "three-players.yaml").tree, read_formula("v"), AIMA3)
