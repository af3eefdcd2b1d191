"""Marking: the cases worked by hand, and the laws that a fair teacher keeps."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.documents.answer_file import Answer
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise, Policy, Question, Rubric
from grader.questions.registry import ASKS
from solver.game import Game
from solver.pipeline import convention_from_text, load, load_bytes, load_tree
from tests.support.paths import ROOT
from tests.support.strategies import ANY_CONVENTION, as_json, chance_trees, distinct_trees, document, minimax_trees

FIGURE = "[[3,12,8],[2,4,6],[14,5,2]]"
QUESTIONS = (
    Question("values", "values", Fraction(4)),
    Question("windows", "windows", Fraction(4), parameters={"at": "entry"}),
    Question("pruned", "pruned", Fraction(2)),
    Question("move", "move", Fraction(1)),
)
ABOUT_A_SEARCH = (
    *QUESTIONS,
    Question("exit", "windows", Fraction(3), parameters={"at": "exit"}),
    Question("all", "windows", Fraction(3), parameters={"at": "all"}),
    Question("inequalities", "inequalities", Fraction(2)),
    Question("line", "line", Fraction(2)),
    Question("visited", "visited", Fraction(5), parameters={"what": "leaves"}),
    Question("nodes", "visited", Fraction(5), parameters={"what": "nodes"}),
    Question("evaluated", "count", Fraction(1), parameters={"what": "evaluated"}),
    Question("not", "count", Fraction(1), parameters={"what": "pruned"}),
    Question("fewest", "fewest", Fraction(1), parameters={"what": "fewest"}),
    Question("minimax", "values", Fraction(3), parameters={"of": "minimax"}),
)


def exercise_of(
    game: Game | str,
    questions: tuple[Question, ...] = QUESTIONS,
    convention: str = "aima3",
    printed: frozenset[str] = frozenset(),
    **policy: Any,
) -> Exercise:
    return Exercise(
        id="test",
        title=None,
        text=None,
        language="en",
        game=load_tree(game) if isinstance(game, str) else game,
        convention=convention_from_text(convention),
        printed=printed,
        questions=questions,
        marking=Policy(**policy),
        out_of=sum((question.marks for question in questions), Fraction(0)),
        source="test.yaml",
    )


def graded(exercise: Exercise, answers: dict[str, Any]) -> Report:
    return Grader(exercise).grade(Answer(exercise.id, "s1", answers))


def perfect(exercise: Exercise) -> dict[str, Any]:
    answer_key = Grader(exercise).declared
    answers = {question.id: ASKS[question.ask].perfect(answer_key.of(question)) for question in exercise.questions}
    return {name: answer for name, answer in answers.items() if answer not in ({}, [], None)}


def answerable(exercise: Exercise) -> Exercise:
    """Without the questions that have no item on this tree."""
    answer_key = Grader(exercise).declared
    kept = tuple(
        question
        for question in exercise.questions
        if ASKS[question.ask].perfect(answer_key.of(question)) not in ({}, [], None)
    )
    marks = sum((question.marks for question in kept), Fraction(0))
    return replace(exercise, questions=kept, out_of=marks)


def marks_by_question(report: Report) -> dict[str, Fraction]:
    return {each.question.id: each.marks for each in report.questions()}


def verdicts(report: Report, question: str) -> dict[str, str]:
    found = next(each for each in report.questions() if each.question.id == question)
    return {each.item.name: each.verdict for each in found.items}


# The cases of teaching.md, section 5.

RIGHT = {
    "values": {"A": "3", "B": "3", "C": "<= 2", "D": "2"},
    "windows": {"A": ["-inf", "inf"], "B": ["-inf", "inf"], "C": ["3", "inf"], "D": ["3", "inf"]},
    "pruned": ["L5", "L6"],
    "move": "a1",
}


def test_the_right_answer() -> None:
    assert graded(exercise_of(FIGURE), RIGHT).marks == 11


def test_an_error_that_is_carried_on_is_charged_once() -> None:
    answers = {
        "values": {"A": "8", "B": "8", "C": "<= 2", "D": "<= 5"},
        "windows": {**RIGHT["windows"], "C": ["8", "inf"], "D": ["8", "inf"]},  # type: ignore[dict-item]
        "pruned": ["L5", "L6", "L9"],
        "move": "a1",
    }
    report = graded(exercise_of(FIGURE), answers)
    assert report.marks == 10
    assert verdicts(report, "values") == {"A": "follow-through", "B": "wrong", "C": "right", "D": "follow-through"}
    strict = graded(exercise_of(FIGURE, follow_through=Fraction(0)), answers)
    assert strict.marks < 10
    half = graded(exercise_of(FIGURE, follow_through=Fraction(1, 2)), answers)
    assert strict.marks < half.marks < 10


@pytest.mark.parametrize(
    ("crossed", "marks"),
    [
        (["L5", "L6"], 2),
        (["c2", "c3"], 2),
        ("4, 6", 2),
        (["L5", "L6", "L8", "L9"], Fraction(1, 2)),
        (["L6"], Fraction(3, 2)),
        ("none", 0),
        ("∅", 0),
        (["L7", "L8", "L9"], 0),
        (["L5"], Fraction(3, 2)),
        (["C"], 0),
    ],
)
def test_pruned_sets_of_figure_5_2(crossed: Any, marks: Any) -> None:
    report = graded(exercise_of(FIGURE), {**RIGHT, "pruned": crossed})
    assert marks_by_question(report)["pruned"] == marks


@pytest.mark.parametrize(("printed", "convention", "marks"), [
    (frozenset({"cut"}), "{like: aima3, cut: at-bound}", 1),
    (frozenset(), "aima3", 2),
])  # fmt: skip
def test_the_other_cut_test(printed: frozenset[str], convention: str, marks: int) -> None:
    exercise = exercise_of("[[3,12,8],[3,4,6],[2,5,14]]", (QUESTIONS[2],), convention, printed)
    report = graded(exercise, {"pruned": ["L8", "L9"]})
    assert report.marks == marks
    assert (report.counted.convention.name == "strict") == (marks == 2)


# Laws.


def game_of(tree: Any) -> Game:
    return load_bytes(as_json(document(tree)))


@given(minimax_trees(), ANY_CONVENTION)
def test_a_perfect_answer_gets_full_marks(tree: Any, keys: dict[str, str]) -> None:
    exercise = answerable(exercise_of(game_of(tree), ABOUT_A_SEARCH, str({"like": "aima3", **keys}), frozenset(keys)))
    report = graded(exercise, perfect(exercise))
    assert report.marks == exercise.out_of, [verdicts(report, each.id) for each in exercise.questions]
    assert report.best is report.declared
    assert not report.diagnosis


@given(minimax_trees(), ANY_CONVENTION)
def test_a_blank_answer_gets_nothing(tree: Any, keys: dict[str, str]) -> None:
    exercise = answerable(exercise_of(game_of(tree), ABOUT_A_SEARCH, str({"like": "aima3", **keys})))
    report = graded(exercise, {})
    assert report.marks == 0
    assert not report.diagnosis


@given(minimax_trees(), ANY_CONVENTION, ANY_CONVENTION)
def test_an_answer_by_an_unprinted_convention_gets_full_marks(tree: Any, one: Any, other: Any) -> None:
    game = game_of(tree)
    declared = answerable(exercise_of(game, QUESTIONS, str({"like": "aima3", **one})))
    follows = answerable(exercise_of(game, QUESTIONS, str({"like": "aima3", **other})))
    # Crossing out nothing is no evidence of a convention under which nothing is pruned.
    assume(perfect(declared)["pruned"] == "none" or perfect(follows)["pruned"] != "none")
    report = graded(declared, perfect(follows))
    assert report.marks == declared.out_of


@st.composite
def answers_to(draw: Any, exercise: Exercise) -> dict[str, Any]:
    """Some items right, some spoilt, some left out."""
    found: dict[str, Any] = {}
    for name, answer in perfect(exercise).items():
        match draw(st.sampled_from(["right", "right", "spoilt", "out"])):
            case "right":
                found[name] = answer
            case "spoilt" if isinstance(answer, dict):
                found[name] = {
                    item: draw(st.sampled_from([text, "7", "<= 1", "x", "(0, 1)"])) for item, text in answer.items()
                }
            case "spoilt" if isinstance(answer, list):
                found[name] = draw(st.lists(st.sampled_from([*answer, "L1", "L2", "nobody"]), max_size=6))
            case "spoilt":
                found[name] = draw(st.sampled_from(["a1", "a2", "5", "", "none"]))
    return found


@given(minimax_trees(), ANY_CONVENTION, st.data())
def test_marks_stay_within_bounds_and_right_items_never_cost(tree: Any, keys: dict[str, str], data: Any) -> None:
    exercise = answerable(exercise_of(game_of(tree), ABOUT_A_SEARCH, str({"like": "aima3", **keys}), frozenset(keys)))
    answers = data.draw(answers_to(exercise))
    report = graded(exercise, answers)
    assert 0 <= report.marks <= exercise.out_of
    for each in report.questions():
        assert 0 <= each.marks <= each.question.marks
    key = perfect(exercise)
    for name, right in key.items():
        if name not in answers:
            assert graded(exercise, {**answers, name: right}).marks >= report.marks
        elif isinstance(right, dict) and isinstance(answers[name], dict):
            missing = [item for item in right if item not in answers[name]]
            for item in missing[:2]:
                filled = {**answers, name: {**answers[name], item: right[item]}}
                assert graded(exercise, filled).marks >= report.marks


@given(distinct_trees(max_leaves=14), st.data())
def test_one_wrong_value_at_the_bottom_costs_one_item(tree: Any, data: Any) -> None:
    """Carried upwards consistently, under minimax, where every node is asked."""
    game = game_of(tree)
    bottom = [
        node for node in game.tree.inner if all(not game.tree.children[child] for child in game.tree.children[node])
    ]
    assume(bottom)
    spoilt = data.draw(st.sampled_from(bottom))
    questions = (Question("values", "values", Fraction(len(game.tree.inner)), parameters={"of": "minimax"}),)
    exercise = exercise_of(game, questions)
    solution = Grader(exercise).declared.questions[0].solution
    own: dict[int, Any] = {leaf: game.tree.leaf[leaf] for leaf in game.tree.leaves}
    for node in game.tree.bottom_up():
        best = max if game.tree.turn[node] == "max" else min
        own[node] = best(own[child] for child in game.tree.children[node])
        if node == spoilt:
            own[node] = solution.values[node] + data.draw(st.sampled_from([-100, 100, Fraction(1, 2)]))
    # One number at every node needs more than itself to be followed.
    assume(len(game.tree.inner) == 1 or len({own[node] for node in game.tree.inner}) > 1)
    report = graded(exercise, {"values": {str(game.tree.ids[node]): str(own[node]) for node in game.tree.inner}})
    assert report.exact_marks == len(game.tree.inner) - 1


@given(chance_trees(), st.data())
def test_chance_trees_are_marked_and_followed_through(tree: Any, data: Any) -> None:
    game = game_of(tree)
    assume(game.tree.inner)
    questions = (Question("values", "values", Fraction(len(game.tree.inner))),)
    exercise = exercise_of(game, questions)
    assert graded(exercise, perfect(exercise)).marks == exercise.out_of
    spoilt = data.draw(st.sampled_from(game.tree.inner))
    own: dict[int, Any] = {leaf: game.tree.leaf[leaf] for leaf in game.tree.leaves}
    for node in game.tree.bottom_up():
        below = game.tree.children[node]
        match game.tree.turn[node]:
            case "chance":
                own[node] = sum(game.tree.probability[child] * own[child] for child in below)
            case turn:
                own[node] = (max if turn == "max" else min)(own[child] for child in below)
        own[node] += 7 if node == spoilt else 0
    assume(len(game.tree.inner) == 1 or len({own[node] for node in game.tree.inner}) > 1)
    answers = {"values": {str(game.tree.ids[node]): str(own[node]) for node in game.tree.inner}}
    assert graded(exercise, answers).exact_marks == len(game.tree.inner) - 1


# Rubrics.


@pytest.mark.parametrize(
    ("rubric", "marks"),
    [
        (Rubric(), 3),
        (Rubric("all-or-nothing"), 0),
        (Rubric("per-error", each=Fraction(3)), 1),
        (Rubric("per-error", each=Fraction(5)), 0),
        (Rubric("right-minus-wrong"), 2),
        (Rubric(weights={"B": Fraction(2)}), Fraction(12, 5)),
        (Rubric(cap=Fraction(2)), 2),
    ],
)
def test_rubrics(rubric: Rubric, marks: Any) -> None:
    question = Question("values", "values", Fraction(4), parameters={"of": "minimax"}, rubric=rubric)
    exercise = exercise_of(FIGURE, (question,), follow_through=Fraction(0))
    answers = {"values": {"A": "3", "B": "9", "C": "2", "D": "2"}}
    assert graded(exercise, answers).marks == marks


def test_follow_through_is_refused_where_it_makes_the_rest_too_easy() -> None:
    answers = {**RIGHT, "values": {"A": "100", "B": "-100", "C": "-100", "D": "-100"}, "pruned": "none", "move": "a2"}
    report = graded(exercise_of(FIGURE), answers)
    assert any(each.refused for each in report.questions())


@given(minimax_trees(), ANY_CONVENTION, ANY_CONVENTION)
def test_boxes_to_fill_in_never_tell_the_key(tree: Any, one: Any, other: Any) -> None:
    """They are the same whatever the search finds, and there is one for every item of the key."""
    game = game_of(tree)
    exercise = answerable(exercise_of(game, ABOUT_A_SEARCH, str({"like": "aima3", **one})))
    settings = [AnswerKey(exercise, convention_from_text(str({"like": "aima3", **keys}))) for keys in (one, other)]
    for question in exercise.questions:
        ask = ASKS[question.ask]
        boxes = [ask.blank(answer_key.of(question)) for answer_key in settings]
        assert boxes[0] == boxes[1]
        assert len(boxes[0]) == 1 or set(ask.keyed(settings[0].of(question))) <= {each.item for each in boxes[0]}


# What a hostile student might try.

PRINTED = "{like: aima3, order: left-to-right, cut: at-bound, window: [-inf, inf]}"
PRINTED_KEYS = frozenset({"order", "cut", "window"})


def test_dashes_and_crossing_out_everything_earn_nothing() -> None:
    exercise = exercise_of(FIGURE, (QUESTIONS[0], QUESTIONS[2]), PRINTED, PRINTED_KEYS)
    report = graded(exercise, {"values": dict.fromkeys("ABCD", "-"), "pruned": ["A"]})
    assert report.marks == 0


def test_nothing_crossed_out_is_no_evidence_of_another_convention() -> None:
    assert graded(exercise_of(FIGURE, (QUESTIONS[2],)), {"pruned": "none"}).marks == 0


def test_a_bound_is_no_reason_for_a_move() -> None:
    """The move a2 leads to at most 3: it is worth 1."""
    exercise = exercise_of("[[3,12,8],[3,4,1],[2,5,14]]", (QUESTIONS[0], QUESTIONS[3]), PRINTED, PRINTED_KEYS)
    for answers in ({"move": "a2"}, {"values": {"C": "3"}, "move": "a2"}):
        assert marks_by_question(graded(exercise, answers))["move"] == 0


def test_printed_ties_are_kept_to() -> None:
    tree = "[[3,12,8],[3,4,6],[2,5,14]]"
    printed = PRINTED_KEYS | {"ties"}
    exercise = exercise_of(tree, (QUESTIONS[3],), PRINTED.replace("}", ", ties: first}"), printed)
    assert graded(exercise, {"move": "a2"}).marks == 0
    assert graded(exercise_of(tree, (QUESTIONS[3],)), {"move": "a2"}).marks == 1


def test_a_searchs_bound_is_not_the_true_value() -> None:
    truth = (Question("values", "values", Fraction(3), parameters={"of": "minimax"}),)
    exercise = exercise_of("[[3,12,8],[2,4,1]]", truth)
    assert graded(exercise, {"values": {"A": "3", "B": "3", "C": "2"}}).marks == 2
    assert graded(exercise, {"values": {"A": "3", "B": "3", "C": "<= 2"}}).marks == 2


def test_accepted_conventions_count_for_single_numbers() -> None:
    counted = (Question("count", "count", Fraction(1), parameters={"what": "evaluated"}),)
    accept = (convention_from_text("strict"),)
    exercise = exercise_of("[[3,12,8],[3,4,6],[2,5,14]]", counted, PRINTED, PRINTED_KEYS, accept=accept)
    assert graded(exercise, {"count": "7"}).marks == 1


def test_one_number_everywhere_follows_from_nothing() -> None:
    tree = "[[[1,2],[3,4]],[[5,6],[7,8]]]"
    exercise = exercise_of(tree, (QUESTIONS[0],), PRINTED, PRINTED_KEYS)
    inner = [str(exercise.game.tree.ids[node]) for node in exercise.game.tree.inner]
    assert graded(exercise, {"values": dict.fromkeys(inner, "99")}).marks == 0


def test_chance_trees_can_ask_for_what_is_pruned() -> None:
    game = load(ROOT / "specs" / "star-chance-cut.yaml")
    questions = (Question("pruned", "pruned", Fraction(2), algorithm="star1"),)
    exercise = exercise_of(game, questions)
    assert graded(exercise, perfect(exercise)).marks == 2
    assert graded(exercise, {"pruned": "none"}).marks == 0


def test_a_stop_may_be_called_as_reports_call_it() -> None:
    assert graded(exercise_of(FIGURE, (QUESTIONS[2],)), {"pruned": "C after L4"}).marks == 2
    line = (Question("line", "line", Fraction(2)),)
    assert graded(exercise_of(FIGURE, line), {"line": "a1 b1"}).marks == 2


def test_a_slip_that_makes_children_equal_is_still_carried_on() -> None:
    truth = (Question("values", "values", Fraction(5), parameters={"of": "minimax"}),)
    report = graded(
        exercise_of("[[3,12,8],[2,[4,1],6],[14,5,2]]", truth), {"values": {**dict.fromkeys("ABCD", "2"), "E": "4"}}
    )
    assert verdicts(report, "values") == {"A": "follow-through", "B": "wrong", "C": "right", "D": "right", "E": "right"}
    assert report.marks == 4


def test_one_number_at_every_node_earns_what_is_right_by_the_key() -> None:
    truth = (Question("values", "values", Fraction(4), parameters={"of": "minimax"}),)
    report = graded(exercise_of(FIGURE, truth), {"values": dict.fromkeys("ABCD", "2")})
    assert verdicts(report, "values") == {"A": "wrong", "B": "wrong", "C": "right", "D": "right"}
