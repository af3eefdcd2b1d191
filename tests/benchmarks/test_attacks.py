"""The attacks of the benchmark: answers in the names of the tree at hand, never a traceback, the same every time."""

from __future__ import annotations

import random

import pytest

from benchmarks.attacks import attacks, strategies
from benchmarks.blind import BLIND, answers
from benchmarks.climbing import LEVELS, climbed
from benchmarks.constants import best_constant, chance_level, common_share, other_trees
from benchmarks.variants import Variant, by_position, drawn, figure, recipe_names, shuffled

COUNT = 2
CHEAP = ("and-or-medium", "concepts-easy", "depth-limit-easy", "maxn-easy", "mcts-medium", "minimax-medium")


@pytest.fixture(scope="module")
def variants() -> dict[str, list[Variant]]:
    return {name: drawn(name, COUNT) for name in CHEAP}


@pytest.mark.parametrize("name", CHEAP)
def test_every_strategy_answers_every_question_readably(name: str, variants: dict[str, list[Variant]]) -> None:
    found = variants[name]
    for strategy, answer in strategies(found):
        for place, variant in enumerate(found):
            given = answer(place)
            assert set(given) == {question.id for question in variant.exercise.questions}, strategy
            assert 0 <= variant.marked(given).exact_marks <= variant.exercise.out_of


@pytest.mark.parametrize("name", CHEAP)
def test_a_key_put_to_its_own_tree_is_the_key(name: str, variants: dict[str, list[Variant]]) -> None:
    for variant in variants[name]:
        assert by_position(variant.key, variant.tree, variant.tree) == variant.key
        assert variant.marked(variant.key).exact_marks == variant.exercise.out_of


def test_a_key_put_to_another_tree_is_in_its_names() -> None:
    first, second = drawn("minimax-medium", COUNT)
    moved = by_position(first.key, first.tree, second.tree)
    assert set(moved["values"]) == {str(second.tree.ids[node]) for node in second.tree.inner}
    assert moved["move"] in {str(second.tree.move[child]) for child in second.tree.children[0]}


def test_a_shuffled_tree_has_the_same_numbers_and_names() -> None:
    (variant,) = drawn("minimax-medium", 1)
    other = shuffled(variant, random.Random(1))
    assert other is not None
    assert other.tree.ids == variant.tree.ids
    assert sorted(map(str, other.tree.leaf)) == sorted(map(str, variant.tree.leaf))
    assert other.tree.leaf != variant.tree.leaf


def test_one_number_at_every_node_has_windows_to_match() -> None:
    found = figure()
    given = answers(found.exercise, BLIND["constant, above all leaves"])
    assert given["windows"] == {"A": ["-inf", "inf"], "B": ["-inf", "inf"], "C": ["74", "inf"], "D": ["74", "inf"]}
    assert set(given["values"].values()) == {"74"}
    assert given["pruned"] == "none"


def test_the_best_constant_is_no_worse_than_yes_or_no(variants: dict[str, list[Variant]]) -> None:
    found = variants["concepts-easy"]
    others = other_trees(found, random.Random(0))
    for question in found[0].exercise.questions:
        assert best_constant(question, found).share >= 1 / 2
        assert chance_level(question, found, others) == 1 / 2


def test_parts_in_common_are_counted_and_claims_beyond_the_key_cost() -> None:
    key = {"A": "(−∞, +∞)", "B": "(3, +∞)"}
    assert common_share({"A": ["-inf", "inf"], "B": ["-inf", "inf"]}, key) == 1 / 2
    assert common_share({"A": ["-inf", "inf"], "C": ["3", "inf"]}, key) == 0
    assert common_share(["L1", "L2", "L3"], ["L1", "L3"]) == 1 / 2
    assert common_share("none", ["L1"]) == 0
    assert common_share("none", "none") == 1


def test_the_chance_level_does_not_depend_on_the_marking() -> None:
    found = [figure([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), figure([[1, 7, 9], [11, 3, 5], [4, 6, 8]])]
    windows = found[0].exercise.questions[1]
    assert chance_level(windows, found, found) == 7 / 8


@pytest.mark.parametrize("level", LEVELS)
def test_a_climb_never_ends_below_its_start_and_is_the_same_every_time(level: str) -> None:
    found = figure()
    start = climbed(found, level, 1, random.Random(0))
    ended = climbed(found, level, 25, random.Random(0))
    assert ended >= start
    assert ended == climbed(figure(), level, 25, random.Random(0))


@pytest.mark.slow
def test_the_tables_of_attacks(capsys: pytest.CaptureFixture[str]) -> None:
    attacks(quick=True)
    printed = capsys.readouterr().out
    assert "Figure 5.2" in printed
    assert "best constants together" in printed
    assert "alpha-beta-hard" in recipe_names("alpha-beta-*")
