"""What is drawn is as the recipe says, and what is counted in it agrees with brute force."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from math import inf
from typing import Any

import pytest

from grader.generating.exercise_measures import count_search
from grader.generating.generation import generate
from grader.generating.parallel_variants import twin_blocks
from grader.generating.random_trees import Draw, Sketch, carry_over_fill, draw_fill, draw_sketch, rearrange
from solver.game import CHANCE, Tree
from solver.pipeline import load_tree, solve
from tests.judges.brute_force import alpha_beta
from tests.support.ready import SEED, exercise_of, made, nested, ready, recipe_of


@pytest.mark.parametrize(("style", "fits"), [
    ("distinct", lambda values: len(set(values)) == 8 and all(isinstance(each, int) for each in values)),
    ("small", lambda values: all(isinstance(each, int) for each in values)),
    ("halves", lambda values: len(set(values)) == 8 and all(Fraction(each).denominator <= 2 for each in values)),
    ("signs", lambda values: len(set(values)) == 8 and sum(each < 0 for each in values) == 4 and 0 not in values),
])  # fmt: skip
def test_styles_of_leaves(style: str, fits: Any) -> None:
    recipe = recipe_of(
        "shape: {levels: [{turn: max, children: 2}, {turn: min, children: 4}]}\n"
        f"leaves: {{range: [-6, 6], style: {style}}}\nquestions: [{{id: move, ask: move, marks: 1}}]\n"
        "require: {unique_move: true}\n"
    )
    for each in generate(recipe, 20, SEED):
        tree = exercise_of(each).game.tree
        values: list[Any] = [tree.leaf[leaf] for leaf in tree.leaves]
        assert fits(values), values
        assert all(-6 <= value <= 6 for value in values)


def test_chances_add_up_and_have_small_denominators() -> None:
    for each in made("expectiminimax-hard", 6):
        tree = exercise_of(each).game.tree
        for node in tree.inner:
            if tree.turn[node] == CHANCE:
                chances = [Fraction(tree.probability[child] or 0) for child in tree.children[node]]
                assert sum(chances) == 1
                assert all(chance > 0 and chance.denominator <= 12 for chance in chances)
                assert len(set(chances)) > 1


@pytest.mark.slow
def test_statistics_add_up() -> None:
    for each in made("mcts-hard", 6):
        tree = exercise_of(each).game.tree
        assert tree.visits is not None
        assert tree.totals is not None
        for node, visits in tree.visits.items():
            assert 0 <= tree.totals[node] <= visits
            below = [child for child in tree.children[node] if child in tree.visits]
            if below:
                assert sum(tree.visits[child] for child in below) == visits
                assert tree.totals[node] + sum(tree.totals[child] for child in below) == visits


def test_a_game_of_one_player_has_vectors_of_one_number() -> None:
    recipe = recipe_of(
        "shape: {levels: [{turn: A, children: 2}, {turn: chance, children: 2}]}\nleaves: {style: small}\n"
        "questions: [{id: move, ask: move, marks: 1}]\nrequire: {unique_move: true}\n"
    )
    for each in generate(recipe, 3, SEED):
        tree = exercise_of(each).game.tree
        assert tree.players == ("A",)
        assert all(isinstance(leaf, tuple) and len(leaf) == 1 for leaf in (tree.leaf[node] for node in tree.leaves))


def test_irregular_trees_have_leaves_from_the_depth_on() -> None:
    recipe = recipe_of(
        "shape:\n  levels: [{turn: max, children: [2, 3]}, {turn: min, children: 2}, {turn: max, children: 2}]\n"
        "  irregular: {probability: 1/2, from: 2}\nquestions: [{id: move, ask: move, marks: 1}]\n"
    )
    trees = [exercise_of(each).game.tree for each in generate(recipe, 20, SEED)]
    assert {tree.depth[leaf] for tree in trees for leaf in tree.leaves} == {2, 3}
    assert {len(tree.children[0]) for tree in trees} == {2, 3}


def test_draws_are_fair_and_repeatable() -> None:
    draw = Draw("fair", 1)
    counts = Counter(draw.below(6) for _ in range(6_000))
    assert set(counts) == set(range(6))
    assert all(900 < times < 1_100 for times in counts.values())
    # Written down once: another version of Python, or another machine, must give the same.
    repeated = Draw("plymark", 7)
    assert [repeated.below(100) for _ in range(6)] == KNOWN_DRAWS


KNOWN_DRAWS = [51, 56, 21, 42, 81, 68]


def test_blocks_of_leaves_that_can_change_places() -> None:
    draw = Draw("blocks")
    levels = ", ".join(f"{{turn: {turn}, children: 2}}" for turn in ("max", "min", "max"))
    recipe = recipe_of(f"shape: {{levels: [{levels}]}}\nquestions: [{{id: m, ask: move, marks: 1}}]\n")
    assert sorted(twin_blocks(draw_sketch(recipe, draw))) == [(0, 2, 2), (0, 4, 4), (4, 6, 2)]


def brute_near_misses(tree: Tree) -> int:
    """By plain recursion over windows: values next to the bound among the values of the leaves."""
    order = sorted({tree.leaf[leaf] for leaf in tree.leaves})  # type: ignore[type-var]
    found = 0

    def search(node: int, low: Any, high: Any) -> Any:
        nonlocal found
        if tree.turn[node] is None:
            return tree.leaf[node]
        best: Any = -inf if tree.turn[node] == "max" else inf
        bound = high if tree.turn[node] == "max" else low
        for child in tree.children[node]:
            value = (
                search(child, max(low, best), high) if tree.turn[node] == "max" else search(child, low, min(high, best))
            )
            best = max(best, value) if tree.turn[node] == "max" else min(best, value)
            if best >= high if tree.turn[node] == "max" else best <= low:
                return best
            last = child == tree.children[node][-1]
            if not last and abs(bound) != inf and abs(order.index(best) - order.index(bound)) == 1:
                found += 1
        return best

    search(0, -inf, inf)
    return found


def test_near_misses_and_cuts_are_counted_right() -> None:
    numbers = random.Random(5)
    for _ in range(200):
        leaves = iter(numbers.sample(range(60), 24))
        text = json.dumps([[[[next(leaves) for _ in range(2)] for _ in range(2)] for _ in range(2)] for _ in range(3)])
        solution = solve(load_tree(text))
        counted = count_search(solution)
        record = alpha_beta(nested(solution.tree))
        evaluated = sum(len(path) == 4 for path in record.visited)
        assert counted.pruned == 24 - evaluated
        assert counted.visits == len(record.visited)
        assert counted.tempting_non_cut == brute_near_misses(solution.tree)
        assert counted.alpha_cuts + counted.beta_cuts == len(counted.events)
        assert sum(size for _, _, size in counted.events) == len(solution.pruned)


def shallow_search(tree: Tree) -> set[int]:
    """The leaves that are evaluated if every node knows its parent's value so far, and nothing from further up."""
    evaluated: set[int] = set()

    def search(node: int, bound: Any) -> Any:
        if tree.turn[node] is None:
            evaluated.add(node)
            return tree.leaf[node]
        sign = 1 if tree.turn[node] == "max" else -1
        best: Any = -sign * inf
        for child in tree.children[node]:
            best = sign * max(sign * best, sign * search(child, best))
            if sign * best >= sign * bound:
                break
        return best

    search(0, inf)
    return evaluated


def test_a_deep_cut_skips_what_a_shallow_search_evaluates() -> None:
    numbers = random.Random(8)
    nominal = found = 0
    for _ in range(400):
        leaves = iter(numbers.sample(range(60), 16))
        text = json.dumps([[[[next(leaves) for _ in range(2)] for _ in range(2)] for _ in range(2)] for _ in range(2)])
        solution = solve(load_tree(text))
        evaluated, tree = shallow_search(solution.tree), solution.tree
        assert solution.search is not None
        deep = [cut for cut in solution.search.cuts if cut.deep]
        real = [
            cut for cut in deep if any(child <= leaf <= tree.last[child] for child in cut.skipped for leaf in evaluated)
        ]
        assert count_search(solution).deep_cuts == len(real)
        nominal, found = nominal + len(deep) - len(real), found + len(real)
    assert nominal > 10 < found


def test_an_arrangement_keeps_the_tree() -> None:
    recipe = ready("alpha-beta-hard")
    draw = Draw("arranged", 1)
    sketch = draw_sketch(recipe, draw)
    fill = draw_fill(recipe, sketch, draw)

    def looks(sketch: Sketch, leaf: dict[int, Any], node: int = 0) -> Any:
        """Whatever the order of siblings."""
        if not sketch.children[node]:
            return (str(leaf[node]),)
        return (sketch.turn[node], *sorted(looks(sketch, leaf, child) for child in sketch.children[node]))

    plain = looks(sketch, dict(zip(sketch.leaves, fill.leaf, strict=True)))
    orders = set()
    for _ in range(20):
        now, before = rearrange(sketch, draw)
        leaf = carry_over_fill(sketch, fill, now, before).leaf
        assert looks(now, dict(zip(now.leaves, leaf, strict=True))) == plain
        orders.add((now.parent, leaf))
    assert len(orders) > 10
