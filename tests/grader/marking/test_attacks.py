"""What answers earn that were not found by searching, and what honest ones do not lose."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.questions.exercise import Exercise, Question
from grader.questions.registry import ask_of
from tests.grader.marking.test_marking import (
    FIGURE,
    PRINTED,
    PRINTED_KEYS,
    QUESTIONS,
    exercise_of,
    game_of,
    graded,
    marks_by_question,
    verdicts,
)
from tests.support.strategies import minimax_trees

OPEN = ["-inf", "inf"]
INEQUALITIES = Question("bounds", "inequalities", Fraction(3))
VISITED = Question("visited", "visited", Fraction(7), parameters={"what": "leaves"})
COUNTED = [*(f"L{place}" for place in range(1, 10))]


def constant(number: str, pruned: Any = "none") -> dict[str, Any]:
    """One number at every node of Figure 5.2, and windows to match."""
    windows = {"A": OPEN, "B": OPEN, "C": [number, "inf"], "D": [number, "inf"]}
    return {"values": dict.fromkeys("ABCD", number), "windows": windows, "pruned": pruned, "move": "a1"}


@pytest.mark.parametrize("number", ["100", "-5", "0", "1", "50", "7"])
def test_one_number_at_every_node_earns_what_is_right_by_the_key(number: str) -> None:
    report = graded(exercise_of(FIGURE), constant(number))
    assert marks_by_question(report) == {"values": 0, "windows": 2, "pruned": 0, "move": 1}
    assert any(each.refused for each in report.questions())


@pytest.mark.parametrize("number", ["100", "12", "8", "14"])
def test_one_number_and_nearly_everything_crossed_out(number: str) -> None:
    pruned = ["L2", "L3", "L5", "L6", "L8", "L9"]
    assert graded(exercise_of(FIGURE), constant(number, pruned)).marks <= 4


def test_a_slip_that_makes_one_number_of_all_is_carried_on() -> None:
    """Fail-hard, B = 10 for 8: every later answer is right by it."""
    answers = constant("10", ["L4", "L5", "L7"])
    report = graded(exercise_of("[[10,8],[5,11,10],[7,5]]"), answers)
    assert report.marks == 10
    assert report.counted.changed == ("returns",)
    # A number that no leaf below B has is no slip of comparing.
    other = constant("9", ["L4", "L5", "L7"])
    assert graded(exercise_of("[[10,8],[5,11,10],[7,5]]"), other).marks < 7


def test_two_wrong_values_that_make_all_children_equal_are_not_followed() -> None:
    answers = {"values": {"A": "7", "B": "7", "C": "7", "D": "7"}, "windows": {"C": ["7", "inf"], "D": ["7", "inf"]}}
    report = graded(exercise_of(FIGURE), {**answers, "move": "a2"})
    assert marks_by_question(report) == {"values": 0, "windows": 0, "pruned": 0, "move": 0}


# Claiming too much.


def test_a_bound_where_the_key_has_none_costs_what_one_is_worth() -> None:
    exercise = exercise_of("[[3,12,8],[2,4,6],[1,5,2]]", (INEQUALITIES,))
    assert graded(exercise, {"bounds": {"C": "<= 2", "D": "<= 1"}}).exact_marks == 3
    assert graded(exercise, {"bounds": {"C": "<= 2", "D": "<= 1", "B": "<= 3"}}).exact_marks == Fraction(3, 2)
    everywhere = {"A": "<= 0", "B": ">= 99", "C": "<= 2", "D": "<= 1"}
    assert graded(exercise, {"bounds": everywhere}).exact_marks == 0


@pytest.mark.parametrize("of", ["search", "minimax"])
def test_a_bound_that_follows_from_ones_own_values_costs_nothing(of: str) -> None:
    """B = 7 for 3 also cuts D."""
    questions = (Question("values", "values", Fraction(4), parameters={"of": of}), INEQUALITIES)
    values = {"A": "7", "B": "7", "C": "2", "D": "2" if of == "minimax" else "<= 5"}
    report = graded(exercise_of(FIGURE, questions), {"values": values, "bounds": {"C": "<= 2", "D": "<= 5"}})
    assert marks_by_question(report)["bounds"] == 3
    assert verdicts(report, "bounds")["D"] == "follow-through"


CUT = "[[5,6],[3,[9,1]],[2,8]]"
"""C is cut after 3: E, the node below it, is never visited."""


def test_a_window_at_a_node_that_is_never_visited_costs_what_one_is_worth() -> None:
    exercise = exercise_of(CUT, (QUESTIONS[1],))
    right = {"A": OPEN, "B": OPEN, "C": ["5", "inf"], "D": ["5", "inf"]}
    assert graded(exercise, {"windows": right}).exact_marks == 4
    assert graded(exercise, {"windows": {**right, "E": "-"}}).exact_marks == 4
    assert graded(exercise, {"windows": {**right, "E": ["5", "3"]}}).exact_marks == 3
    assert graded(exercise, {"windows": {"E": ["5", "3"]}}).exact_marks == 0


def test_a_window_that_ones_own_stops_lead_to_costs_nothing() -> None:
    """Whoever misses the cut at C comes to E, with β moved or not."""
    exercise = exercise_of(CUT, (QUESTIONS[1], QUESTIONS[2]))
    right = {"A": OPEN, "B": OPEN, "C": ["5", "inf"], "D": ["5", "inf"]}
    for window in (["5", "3"], ["5", "inf"]):
        report = graded(exercise, {"windows": {**right, "E": window}, "pruned": ["L7"]})
        assert marks_by_question(report)["windows"] == 4
    report = graded(exercise, {"windows": {**right, "E": ["7", "8"]}, "pruned": ["L7"]})
    assert marks_by_question(report)["windows"] == 3


def test_windows_on_leaving_are_wrong_where_those_on_entering_are_asked_for() -> None:
    leaving = {"A": ["3", "inf"], "B": ["-inf", "3"], "C": ["3", "inf"], "D": ["3", "5"]}
    assert graded(exercise_of(FIGURE, (QUESTIONS[1],)), {"windows": leaving}).marks == 1
    free = Question("windows", "windows", Fraction(4))
    assert graded(exercise_of(FIGURE, (free,)), {"windows": leaving}).marks == 4


def test_fail_hard_bounds_are_asked_for_where_the_search_stopped() -> None:
    """D is searched to the end; that it is at most 3 is true, and neither asked for nor charged."""
    exercise = exercise_of(FIGURE, (INEQUALITIES,), "fail-hard")
    assert graded(exercise, {"bounds": {"C": "<= 3"}}).marks == 3
    assert graded(exercise, {"bounds": {"C": "<= 3", "D": "<= 3"}}).marks == 3
    assert graded(exercise, {"bounds": {"C": "<= 3", "D": "<= 2"}}).marks == 0


# The order of visits.


@pytest.mark.parametrize(
    ("written", "pruned", "marks"),
    [
        ("L1 L2 L3 L4 L7 L8 L9", None, 7),
        (" ".join(COUNTED), None, Fraction(5, 2)),
        ("L1 L2 L3 L4 L5 L7 L8 L9", None, 6),
        ("L1 L2 L3 L4 L5 L7 L8 L9", ["L6"], Fraction(13, 2)),
        ("L1 L2 L3 L4 L7 L8 L9 L9", None, 6),
        ("L1 L2 L4 L3 L7 L8 L9", None, 6),
        ("L9 L8 L7 L4 L3 L2 L1", None, 1),
        ("L5 L6", None, 0),
    ],
)
def test_visits(written: str, pruned: Any, marks: Any) -> None:
    exercise = exercise_of(FIGURE, (VISITED, QUESTIONS[2]), PRINTED, PRINTED_KEYS)
    answers = {"visited": written, **({"pruned": pruned} if pruned else {})}
    assert marks_by_question(graded(exercise, answers))["visited"] == marks


# Conventions.


@pytest.mark.parametrize(
    ("tree", "crossed"),
    [("[[9,9],[9,12],[7,12]]", "L6"), ("[[6,1],[2,1,5],[2,6]]", "none")],
)
def test_whoever_cuts_past_the_bound_only_loses_nothing(tree: str, crossed: str) -> None:
    strict = exercise_of(tree, convention="strict")
    answers = perfect_of(strict)
    assert answers["pruned"] in (crossed, [crossed])
    report = graded(exercise_of(tree), answers)
    assert report.marks == 11
    assert report.counted.changed == ("cut",)


def test_whoever_searches_from_the_right_loses_nothing_where_nothing_is_pruned() -> None:
    tree = "[[11,6,7],[5,8,10]]"
    answers = perfect_of(exercise_of(tree, convention="{like: aima3, order: right-to-left}"))
    assert answers["pruned"] == "none"
    assert graded(exercise_of(tree), answers).marks == 11


def test_nothing_crossed_out_alone_is_no_evidence() -> None:
    questions = (QUESTIONS[0], QUESTIONS[2])
    answers = {"values": {"A": "6", "B": "6", "C": "5"}, "pruned": "none"}
    assert marks_by_question(graded(exercise_of("[[11,6,7],[5,8,10]]", questions), answers))["pruned"] == 0


@given(minimax_trees(max_leaves=8), st.sampled_from(["strict", "fail-hard", "{like: aima3, order: right-to-left}"]))
def test_without_a_slip_nobody_loses_anything_where_windows_are_asked(tree: Any, convention: str) -> None:
    game = game_of(tree)
    assume(len(game.tree.children[0]) > 1)
    answers = perfect_of(exercise_of(game, convention=convention))
    report = graded(exercise_of(game), answers)
    assert report.exact_marks == report.exercise.out_of, (answers, report.counted.changed)


def perfect_of(exercise: Exercise) -> dict[str, Any]:
    """What somebody writes who follows the exercise's own convention."""
    return {each.id: ask_of(each).perfect(each) for each in Grader(exercise).declared.questions}


def test_reports_say_when_nothing_follows() -> None:
    report: Report = graded(exercise_of(FIGURE), constant("100"))
    assert [each.question.id for each in report.questions() if each.refused] == ["values", "windows", "pruned"]
