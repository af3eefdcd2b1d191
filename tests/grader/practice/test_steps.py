"""Being led through a search: the questions are the search itself, right answers are taken, and no hint tells them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.answers import Unreadable
from grader.languages import words_of
from grader.practice.guided_search import (
    LedStep,
    StepKind,
    is_blank,
    is_right,
    led_solution,
    question_sentence,
    solution_sentence,
    step_fields,
    step_hints,
    steps_of,
)
from grader.practice.ready_exercises import exercise_of
from solver.game import convention_from
from solver.kernel import Refusal, number_text
from solver.languages import LANGUAGES
from solver.pipeline import load_bytes, solve
from solver.search import Solution
from tests.support.strategies import as_json, bushy_trees, document

CONVENTIONS = st.fixed_dictionaries(
    {
        "cut": st.sampled_from(["at-bound", "past-bound"]),
        "update": st.sampled_from(["after-test", "before-test"]),
        "returns": st.sampled_from(["fail-soft", "fail-hard"]),
        "order": st.sampled_from(["left-to-right", "right-to-left"]),
    }
).filter(lambda keys: (keys["cut"], keys["returns"]) != ("past-bound", "fail-hard"))
SOLVED = st.builds(
    lambda tree, keys, algorithm: solve(load_bytes(as_json(document(tree))), algorithm, convention_from(keys)),
    bushy_trees(3),
    CONVENTIONS,
    st.sampled_from(["alpha-beta", "minimax"]),
)


def right_answer(solution: Solution, step: LedStep) -> dict[str, str]:
    if step.kind == StepKind.NEXT:
        return {"answer": str(solution.tree.ids[step.right])}
    if step.kind == StepKind.WINDOW:
        low, high = step.right
        return {"low": _text(low), "high": _text(high)}
    return {"answer": ("yes" if step.right else "no") if step.kind == StepKind.CUT else number_text(step.right)}


def _text(bound: Any) -> str:
    return bound if isinstance(bound, str) else number_text(bound)


@given(SOLVED)
@settings(max_examples=60, deadline=None)
def test_the_questions_are_the_search(solution: Solution) -> None:
    steps = steps_of(solution, brief=False)
    assert [step.right for step in steps if step.kind == StepKind.NEXT] == list(solution.visited)
    returned = {step.node: step.right for step in steps if step.kind == StepKind.VALUE}
    assert set(returned) == {node for node in solution.visited if solution.tree.turn[node] is not None}
    search = solution.search
    if search is None:
        assert all(solution.values[node] == value for node, value in returned.items())
        return
    assert all(search.returned[node] == search.scale.rank(value) for node, value in returned.items())
    cut = [(step.node, step.child) for step in steps if step.kind == StepKind.CUT and step.right]
    assert cut == [(each.node, each.after) for each in search.cuts]


@given(SOLVED)
@settings(max_examples=40, deadline=None)
def test_right_answers_are_right_and_others_are_not(solution: Solution) -> None:
    for step in steps_of(solution, brief=False):
        right = right_answer(solution, step)
        assert set(right) == set(step_fields(step)) and not is_blank(step, right)
        assert is_right(solution, step, right)
        wrong = dict(right)
        if step.kind == StepKind.CUT:
            wrong["answer"] = "no" if step.right else "yes"
        elif step.kind == StepKind.NEXT:
            wrong["answer"] = "nowhere"
        else:
            wrong[step_fields(step)[-1]] = "1000"
        assert not is_right(solution, step, wrong)


@given(SOLVED, SOLVED)
@settings(max_examples=40, deadline=None)
def test_a_hint_depends_on_the_rules_and_not_on_the_numbers(one: Solution, other: Solution) -> None:
    """Two searches under one convention give the same hint to the same kind of question at the same kind of node."""
    if one.convention != other.convention or (one.search is None) != (other.search is None):
        return
    said: dict[Any, Any] = {}
    for solution in (one, other):
        for step in steps_of(solution, brief=False):
            node = solution.tree.ids[step.node] if step.node >= 0 else None
            turn = solution.tree.turn[max(step.node, 0)]
            hints = [(each.key, dict(each.facts)) for each in step_hints(solution, step)]
            assert said.setdefault((step.kind, node, turn), hints) == hints


@given(SOLVED)
@settings(max_examples=40, deadline=None)
def test_brief_asks_a_part_in_the_same_order(solution: Solution) -> None:
    every = iter(steps_of(solution, brief=False))
    brief = steps_of(solution)
    assert all(step in every for step in brief)
    assert {step.kind for step in brief} >= {StepKind.VALUE}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_sentence_is_said_in_every_language(code: str) -> None:
    words = words_of(code)
    for recipe in ("alpha-beta-easy", "minimax-easy", "expectiminimax-easy"):
        solution = led_solution(exercise_of(recipe, "1").grader.declared)
        for step in steps_of(solution, brief=False):
            for sentence in (
                question_sentence(solution, step),
                solution_sentence(solution, step),
                *step_hints(solution, step),
            ):
                assert "{" not in words.tell(sentence)


def test_a_bound_is_taken_where_the_value_is_one() -> None:
    game = load_bytes(b"plymark: game/1\ntree: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]\n")
    solution = solve(game, "alpha-beta", convention_from("aima3"))
    at_c = next(step for step in steps_of(solution) if step.kind == StepKind.VALUE and step.bound == "at-most")
    assert is_right(solution, at_c, {"answer": "<= 2"}) and is_right(solution, at_c, {"answer": "2"})
    assert not is_right(solution, at_c, {"answer": ">= 2"})
    with pytest.raises(Unreadable):
        is_right(solution, at_c, {"answer": "two or so"})


def test_what_nobody_can_be_led_through_is_refused() -> None:
    for recipe in ("mcts-easy", "and-or-easy", "maxn-easy", "unknown-leaf-easy"):
        with pytest.raises(Refusal, match="led"):
            led_solution(exercise_of(recipe, "1").grader.declared)
