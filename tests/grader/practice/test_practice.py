"""Ready recipes, exercises by seed, the exercise that exposes a mistake, and when a mistake counts as gone."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.documents.answer_file import Answer
from grader.marking.diagnose import Diagnosing
from grader.mistakes.behaviour import mistake_of
from grader.practice.mistake_practice import (
    IN_A_ROW,
    MOST_LOOKED_AT,
    Evidence,
    Mastery,
    MistakeVisibility,
    class_with,
    evidence_of,
    mistake_visibility,
    mistaken_answers,
    next_exercise,
    right_answers,
    update_mastery,
)
from grader.practice.ready_exercises import (
    LEVELS,
    SEED,
    TOPICS,
    derived_seed,
    exercise_of,
    fitting_recipes,
    listed_mistakes,
    ready_recipes,
)
from solver.kernel import UsageError

QUICK = ("minimax-easy", "minimax-medium", "alpha-beta-easy", "expectiminimax-easy", "maxn-medium", "depth-limit-easy")
SEARCHED = ("alpha-beta-medium", "alpha-beta-trace", "star1-medium", "mcts-hard", "and-or-medium")
SHOWN = ("M1", "M4", "M6", "A4", "A10", "A12", "C2", "V3")


def test_every_recipe_has_a_topic_and_a_level() -> None:
    ready = ready_recipes()
    assert {each.topic for each in ready.values()} == set(TOPICS)
    assert [topic for topic, _ in groupby(each.topic for each in ready.values())] == list(TOPICS)
    assert all(each.level in LEVELS for each in ready.values())
    assert sum(each.level == "easy" for each in ready.values()) == sum(each.level == "hard" for each in ready.values())


@pytest.mark.parametrize("recipe", QUICK)
def test_an_exercise_is_a_function_of_recipe_and_seed(recipe: str) -> None:
    assert exercise_of(recipe, "a1").document == exercise_of(recipe, "a1").document
    assert exercise_of(recipe, "a1").document != exercise_of(recipe, "a2").document


@pytest.mark.parametrize(("recipe", "seed"), [("nonsense", "1"), ("../minimax-easy", "1"), ("minimax-easy", "A/b")])
def test_what_is_no_exercise_is_said(recipe: str, seed: str) -> None:
    with pytest.raises(UsageError):
        exercise_of(recipe, seed)


@given(st.lists(st.text(), max_size=4))
def test_derived_seeds_are_seeds(parts: list[str]) -> None:
    assert SEED.fullmatch(derived_seed(*parts)) and derived_seed(*parts) == derived_seed(*parts)


def test_fitting_recipes_begin_near() -> None:
    names = fitting_recipes("A10", "alpha-beta-hard")
    assert names[0] == "alpha-beta-hard" and set(names[:3]) == {"alpha-beta-easy", "alpha-beta-medium", names[0]}
    assert all("M4" in listed_mistakes(name) for name in fitting_recipes("M4"))
    assert fitting_recipes("nonsense") == []


@pytest.mark.parametrize("mistake", SHOWN)
def test_the_next_exercise_exposes_the_mistake(mistake: str) -> None:
    found = next_exercise(mistake)
    assert found is not None and found.looked_at <= MOST_LOOKED_AT and found.shows == MistakeVisibility.NAMED
    grader = found.exercise.grader
    diagnosing = Diagnosing(grader.declared)
    own = class_with(diagnosing, mistake)
    assert own is not None and own.different and {mistake_of(model) for model in own.models} == {mistake}
    assert [each for each in diagnosing.classes if each.different == own.different] == [own]
    report = grader.grade(Answer(grader.exercise.id, "-", mistaken_answers(grader.declared, own.different)))
    assert [each.mistake for each in report.diagnosis] == [mistake] and report.diagnosis[0].sure
    assert evidence_of(report)[mistake] == Evidence.MADE


def test_the_next_exercise_is_always_the_same_one() -> None:
    one, other = next_exercise("M4", "minimax-easy", "7"), next_exercise("M4", "minimax-easy", "7")
    after = next_exercise("M4", "minimax-easy", "8")
    assert one and other and after and one.exercise.document == other.exercise.document != after.exercise.document


def test_a_mistake_with_several_models_is_told_from_others_in_all_of_them() -> None:
    found = next_exercise("M8", "depth-limit-medium", "1")
    assert found is not None and found.shows == MistakeVisibility.NAMED
    of = [{mistake_of(model) for model in each.models} for each in Diagnosing(found.exercise.grader.declared).classes]
    assert all(named == {"M8"} for named in of if "M8" in named)


def test_a_mistake_that_no_ready_exercise_shows_has_no_next_one() -> None:
    assert next_exercise("U7") is None
    assert mistake_visibility(exercise_of("minimax-easy", "1").grader, "A4") == MistakeVisibility.NOT


@pytest.mark.parametrize("recipe", [*QUICK, *SEARCHED, "paranoid-medium"])
def test_right_answers_avoid_everything_and_blank_ones_say_nothing(recipe: str) -> None:
    grader = exercise_of(recipe, "3").grader
    right = grader.grade(Answer(grader.exercise.id, "-", right_answers(grader.declared)))
    assert right.marks == grader.exercise.out_of
    shown = {mistake_of(model) for each in Diagnosing(grader.declared).classes for model in each.models}
    assert evidence_of(right) == dict.fromkeys(shown, Evidence.AVOIDED)
    assert listed_mistakes(recipe) <= shown
    assert evidence_of(grader.grade(Answer(grader.exercise.id, "-", {}))) == {}


@given(st.lists(st.dictionaries(st.sampled_from(["A2", "M1"]), st.sampled_from(Evidence)), max_size=12))
@settings(max_examples=100)
def test_a_mistake_is_gone_after_it_was_avoided_twice_in_a_row(answers: list[dict[str, Evidence]]) -> None:
    found: dict[str, Mastery] = {}
    for answer in answers:
        found = update_mastery(found, answer)
    for mistake in ("A2", "M1"):
        of = [answer[mistake] for answer in answers if mistake in answer]
        last = of[-IN_A_ROW:]
        gone = len(last) == IN_A_ROW and set(last) == {Evidence.AVOIDED}
        assert found.get(mistake, Mastery()).gone == gone
        assert found.get(mistake, Mastery()).made == of.count(Evidence.MADE)
