"""What a report tells goes into bytes and comes back, without the student and in no language."""

from __future__ import annotations

import json
import pickle
import zlib
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.documents.answer_file import Answer
from grader.kernel.option_values import LEVELS
from grader.languages import words_of
from grader.marking.from_data import answer_from, exercise_from
from grader.marking.grader import Grader
from grader.reports.feedback_facts import FeedbackFacts, facts_at_level, facts_at_levels
from grader.reports.report_formats import facts_data
from grader.service.tasks.feedback_codec import decode_feedback, encode_feedback
from solver.game import Convention
from solver.languages import Amount, Between, Formula, Items, Limit, NameRun, Sentence
from tests.grader.service.work.answers import EXERCISES, answers_to, variant

WHO = {"student": "s1", "name": "Ada", "submitted": None, "variant": None}

numbers = st.integers() | st.fractions()
bounds = numbers | st.sampled_from(["-inf", "inf"])
simple = (
    st.text(max_size=8) | numbers | st.decimals(allow_nan=False, allow_infinity=False) | st.tuples(numbers, numbers)
)
facts = st.recursive(
    simple
    | st.builds(Amount, st.integers())
    | st.builds(Limit, bounds)
    | st.builds(Between, st.tuples(bounds, bounds), st.booleans())
    | st.builds(NameRun, st.tuples(st.text(max_size=4))),
    lambda inner: (
        st.builds(Formula, st.tuples(inner, inner))
        | st.builds(Items, st.tuples(inner), st.integers(0, 9), st.sampled_from(["and", "or"]))
        | st.builds(
            Sentence, st.text(max_size=9), st.none() | st.integers(), st.dictionaries(st.text(max_size=4), inner)
        )
    ),
    max_leaves=8,
)


def told_of(sentences: tuple[Any, ...], student: str = "") -> FeedbackFacts:
    answer = Answer("e", student, {})
    return FeedbackFacts("e", None, answer, "full", Fraction(7, 2), Fraction(11), Convention(), (), (), sentences)


@given(st.lists(facts, max_size=4))
def test_every_fact_comes_back(found: list[Any]) -> None:
    made = told_of(tuple(Sentence("k", None, {"fact": fact}) for fact in found))
    back = decode_feedback(encode_feedback({"full": made}), "full", {"student": ""})
    assert back == made
    types = [type(each.facts["fact"]) for each in back.feedback]
    assert types == [type(fact) for fact in found]


@pytest.mark.parametrize("name", EXERCISES)
def test_reports_come_back_at_every_level(name: str) -> None:
    exercise = exercise_from(variant(name))
    grader = Grader(exercise)
    words = words_of("en")
    for answers in answers_to(name):
        document = {"plymark": "answer/1", "exercise": exercise.id, "student": "s1", "name": "Ada", "answers": answers}
        report = grader.grade(answer_from(document))
        together = facts_at_levels(report, LEVELS)
        assert together == {level: facts_at_level(report, level) for level in LEVELS}
        raw = encode_feedback(together)
        assert raw == encode_feedback(facts_at_levels(report, LEVELS))
        for level in LEVELS:
            assert facts_data(decode_feedback(raw, level, WHO), words) == facts_data(
                facts_at_level(report, level), words
            )


def test_nothing_of_the_student_is_in_it() -> None:
    assert encode_feedback({"full": told_of((), "Ada Lovelace")}) == encode_feedback({"full": told_of((), "s2")})


def test_only_what_reports_are_made_of() -> None:
    with pytest.raises(TypeError, match="does not hold a set"):
        encode_feedback({"full": told_of(({1},))})
    for bad in (b"", b"\x07", pickle.dumps("x")):
        with pytest.raises(zlib.error):
            decode_feedback(bad, "full", WHO)
    for data in (["Path", "/"], ["Sentence", "a"], ["Path"]):
        raw = zlib.compress(json.dumps({"full": data}).encode())
        with pytest.raises((KeyError, ValueError)):
            decode_feedback(raw, "full", WHO)


def test_a_decimal_keeps_its_zeros() -> None:
    made = told_of((Sentence("k", None, {"near": Decimal("2.50")}),))
    back = decode_feedback(encode_feedback({"full": made}), "full", {"student": ""})
    assert str(back.feedback[0].facts["near"]) == "2.50"
