"""From an answer as it is handed in to the mistake that explains it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.exam_games import LARGE, SMALL, exam_tree
from benchmarks.graded_mistakes import nested, written
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise_data
from grader.marking.diagnose import Diagnosing
from grader.marking.grader import Grader
from grader.marking.mark import read
from grader.marking.report import Report
from grader.mistakes.behaviour import key_behaviour, mistake_of
from grader.mistakes.cells import cells_of
from grader.mistakes.diagnosis import Diagnosis, classes_of, diagnosed
from grader.mistakes.guessing import guessing_of
from grader.mistakes.registry import MODELS
from solver.game import Tree
from tests.judges import brute_force as brute
from tests.support.strategies import distinct_trees, minimax_trees

ALL = ("values", "windows", "pruned", "move")
WORDS = {"values": "worth", "windows": "entry", "pruned": "crossed", "move": "played"}
BOUND = {"like": "aima3", "cut": "at-bound", "order": "left-to-right", "ties": "first", "window": ["-inf", "inf"]}
TREES = minimax_trees(max_leaves=12) | distinct_trees()


def grader_of(tree: Any, asks: tuple[str, ...] = ALL, convention: Any = "aima3", **marking: Any) -> Grader:
    questions = [{"id": ask, "ask": ask, "marks": 1, **({"at": "entry"} if ask == "windows" else {})} for ask in asks]
    data = {"plymark": "exercise/1", "id": "x", "game": {"tree": tree}, "convention": convention}
    return Grader(load_exercise_data({**data, "questions": questions, "marking": marking}))


def lists(tree: brute.Tree) -> Any:
    return tree if brute.is_leaf(tree) else {"turn": tree[0], "children": [lists(child) for child in tree[1]]}


def named(grader: Grader, answers: dict[str, Any]) -> list[Diagnosis]:
    return list(grader.grade(Answer("x", "s", answers)).diagnosis)


def outputs(grader: Grader, asks: tuple[str, ...] = ALL) -> Iterator[tuple[str, dict[str, Any], int]]:
    """By model what it writes, and in how many cells that is wrong."""
    solution = grader.declared.solution("alpha-beta")
    different = {name: len(each.different) for each in Diagnosing(grader.declared).classes for name in each.models}
    for name, model in MODELS.items():
        behaviour = model.run(solution.tree, solution.convention, solution)
        if behaviour is not None:
            yield name, written(solution, behaviour, asks), different.get(name, 0)


@pytest.mark.parametrize("asks", [ALL, ("pruned",)])
@settings(max_examples=25)
@given(tree=TREES, bound=st.sampled_from(["aima3", BOUND, "strict", "fail-hard"]), errors=st.booleans())
def test_what_a_mistake_writes_is_named(asks: tuple[str, ...], tree: brute.Tree, bound: Any, errors: bool) -> None:
    """Where two cells or more are wrong; unless it is right by another convention, or the choice of one."""
    assume(not brute.is_leaf(tree) and len(tree[1]) > 1)
    grader = grader_of(lists(tree), asks, bound, **({"other_convention": "as-errors"} if errors else {}))
    left_open = not errors and bound is not BOUND
    for name, answers, different in outputs(grader, asks):
        report = grader.grade(Answer("x", "s", answers))
        if different < 2 or (left_open and _is_right_elsewhere(name, report)):
            continue
        found = report.diagnosis[0]
        assert mistake_of(name) in (found.mistake, *found.same_here), (name, answers)
        assert found.explains == 1


def _is_right_elsewhere(name: str, report: Report) -> bool:
    return report.best.marks == report.exercise.out_of or mistake_of(name) in ("A1", "A11")


@settings(max_examples=40)
@given(tree=TREES, asks=st.sampled_from([ALL, ("pruned",), ("values", "move")]))
def test_nothing_is_named_for_a_right_answer_or_a_blank_one(tree: brute.Tree, asks: tuple[str, ...]) -> None:
    assume(not brute.is_leaf(tree))
    grader = grader_of(lists(tree), asks)
    solution = grader.declared.solution("alpha-beta")
    assert named(grader, written(solution, key_behaviour(solution), asks)) == []
    assert named(grader, {}) == []
    assert named(grader, dict.fromkeys(asks, "?")) == []


@settings(max_examples=40)
@given(tree=distinct_trees(), draw=st.data())
def test_neither_the_order_of_models_nor_a_second_run_matters(tree: brute.Tree, draw: st.DataObject) -> None:
    assume(not brute.is_leaf(tree))
    grader = grader_of(lists(tree))
    diagnosing = Diagnosing(grader.declared)
    solution = grader.declared.solution("alpha-beta")
    key = key_behaviour(solution)
    words = list(WORDS.values())
    right = cells_of(key, key, solution.tree, words)
    models = {
        name: cells_of(behaviour, key, solution.tree, words)
        for name, model in MODELS.items()
        if (behaviour := model.run(solution.tree, solution.convention, solution)) is not None
    }
    answer = dict(draw.draw(st.sampled_from(list(models.values()))))
    for cell in draw.draw(st.lists(st.sampled_from(list(right)), max_size=2)):
        answer[cell] = draw.draw(st.sampled_from([each[cell] for each in models.values()]))

    def sets(order: list[str]) -> tuple[set[str], set[tuple[Fraction, bool]]]:
        classes = classes_of(right, {name: models[name] for name in order})
        guessing = guessing_of(right, [each.different for each in classes], solution.tree)
        found = diagnosed(answer, right, classes, guessing)
        assert found == diagnosed(dict(reversed(answer.items())), right, classes, guessing)
        return {name for each in found for name in (each.mistake, *each.same_here)}, {
            (each.explains, each.sure) for each in found
        }

    assert sets(list(models)) == sets(draw.draw(st.permutations(list(models))))
    answers = written(solution, key, ALL) | {"move": "?"}
    given, _ = read(grader.declared, answers)
    assert diagnosing.diagnosis(given) == Diagnosing(grader.declared).diagnosis(given)


def test_another_convention_that_pays_more_does_not_hide_a_mistake() -> None:
    tree = [[33, [48, 10], [1, 26]], [4, [11, 34]]]
    for convention in ("aima3", BOUND):
        grader = grader_of(tree, convention=convention)
        answers = {name: answers for name, answers, _ in outputs(grader)}
        for name in ("M1", "M7"):
            found = named(grader, answers[name])[0]
            assert name in (found.mistake, *found.same_here)
            assert found.sure and found.explains == 1


def test_one_window_for_the_whole_tree() -> None:
    grader = grader_of([[[20, 9], [24, 12]], [[23, 27], [21, 17]]], convention=BOUND)
    answers = {name: answers for name, answers, _ in outputs(grader)}
    assert answers["A7"] == answers["A8"]
    found = named(grader, answers["A7"])
    assert (found[0].mistake, found[0].same_here) == ("A7", ("A8",))


def test_a_wrong_move_alone_is_no_mistake() -> None:
    grader = grader_of([[3, 12, 8], [4, 14, 6], [14, 5, 2]], ("pruned", "move"))
    solution = grader.declared.solution("alpha-beta")
    right = written(solution, key_behaviour(solution), ("pruned", "move"))
    assert right["move"] == "a2"
    assert named(grader, right | {"move": "a1"}) == []


def test_a_single_cross_is_named_with_doubt_if_at_all() -> None:
    draw = random.Random(3)
    for _ in range(20):
        tree = exam_tree(draw, LARGE)[1]
        grader = grader_of(nested(tree), ("pruned",))
        for leaf in tree.leaves:
            assert not any(each.sure for each in named(grader, {"pruned": [str(tree.ids[leaf])]}))
        assert not any(each.sure for each in named(grader, {"pruned": "none"}))


def test_what_cannot_be_read_is_no_evidence() -> None:
    """The leaves of a mistake with junk among them: only what was read counts, and nothing is known of the rest."""
    tree = [[4, [[7, 5], [0, 6]]], [15, [[2, 8, 1], [9, 19]]]]
    grader = grader_of(tree, ("pruned",))
    answers = {name: answers["pruned"] for name, answers, _ in outputs(grader, ("pruned",))}
    assert named(grader, {"pruned": answers["A12"]})[0].mistake == "A12"
    assert named(grader, {"pruned": [answers["A12"][0], "potato", "banana"]}) == []


@pytest.mark.parametrize("policy", ["full", "half"])
def test_a_convention_that_is_left_open_is_no_mistake(policy: str) -> None:
    tree = [[3, 12, 8], [3, 4, 6], [2, 5, 14]]
    grader = grader_of(tree, other_convention=policy)
    answers = {name: answers for name, answers, _ in outputs(grader)}
    assert named(grader, answers["A1"]) == []
    strict = named(grader_of(tree, convention={"like": "aima3", "cut": "at-bound"}), answers["A1"])
    assert strict[0].mistake == "A1"


def test_sets_at_random_are_not_called_a_mistake() -> None:
    draw = random.Random(17)
    for shapes, possibly in ((SMALL, 0.04), (LARGE, 0.03)):
        called: list[Diagnosis] = []
        for _ in range(12):
            tree: Tree = exam_tree(draw, shapes)[1]
            diagnosing = Diagnosing(grader_of(nested(tree), ("pruned",)).declared)
            for _ in range(50):
                crossed = [str(tree.ids[leaf]) for leaf in tree.leaves if draw.random() < 0.5] or "none"
                answer, _ = read(diagnosing.answer_key, {"pruned": crossed})
                called += (diagnosing.diagnosis(answer) or diagnosing.detected(answer))[:1]
        assert sum(each.sure for each in called) < 0.01 * 600
        assert len(called) < possibly * 600


def test_cuts_before_any_bound() -> None:
    """A19: the first two MIN nodes are left after their first leaf, where there is no bound; all else is right."""
    tree = [[[5, 9, 4], [8, 3, 7]], [[1, 6, 2], [11, 12, 10]]]
    grader = grader_of([[tree[0], tree[1]], [[[13, 14, 15]], [[16, 17, 18]]]], ("pruned",))
    key = grader.declared.solution("alpha-beta")
    right = written(key, key_behaviour(key), ("pruned",))["pruned"]
    crossed = sorted({*right, "L2", "L3"}, key=lambda name: int(name[1:]))
    [found] = named(grader, {"pruned": crossed})
    assert (found.mistake, found.sure) == ("A19", False)
    assert found.explains == 1
