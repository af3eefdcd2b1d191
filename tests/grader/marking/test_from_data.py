"""Exercises and answers without files, as a service gets them."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
import yaml

from grader import Grader, answer_from, exercise_from
from solver.kernel import DocumentError, UsageError
from tests.support.paths import ROOT

EXERCISE: dict[str, Any] = {
    "plymark": "exercise/1",
    "id": "two-ply",
    "game": {"tree": [[3, 12, 8], [2, 4, Fraction(6)], [14, 5, 2]]},
    "questions": [{"id": "values", "ask": "values", "marks": 4}, {"id": "move", "ask": "move", "marks": 1}],
}
ANSWER: dict[str, Any] = {
    "plymark": "answer/1",
    "exercise": "two-ply",
    "student": "s1",
    "answers": {"values": {"A": 3, "B": 3, "C": 2, "D": 2.0}, "move": "a1"},
}


def as_text(data: dict[str, Any]) -> str:
    return json.dumps(data, default=str)


@pytest.mark.parametrize("written", [dict, as_text, lambda data: as_text(data).encode()])
def test_data_text_and_bytes_are_marked_alike(written: Any) -> None:
    exercise = exercise_from(written(EXERCISE))
    assert Grader(exercise).grade(answer_from(written(ANSWER), exercise)).marks == 5


def test_yaml_is_read_too() -> None:
    exercise = exercise_from(yaml.safe_dump(json.loads(as_text(EXERCISE))))
    assert exercise.id == "two-ply" and exercise.out_of == 5


def test_problems_have_their_places() -> None:
    with pytest.raises(DocumentError) as caught:
        exercise_from(
            "plymark: exercise/1\nid: x\ngame: {tree: [[1, 2], [3, 4]]}\nquestions:\n  - {id: a, ask: valeus}\n"
        )
    assert {problem.place.line for problem in caught.value.problems} == {5}
    with pytest.raises(DocumentError) as caught:
        answer_from({**ANSWER, "student": ["s1"]})
    assert str(caught.value.problems[0]).startswith("4:14: ")
    with pytest.raises(DocumentError) as caught:
        answer_from({**ANSWER, "exercise": "other"}, exercise_from(EXERCISE))
    assert caught.value.problems[0].code == "other-exercise"


def test_a_path_leads_nowhere() -> None:
    path = str(ROOT / "specs" / "two-ply.yaml")
    for game in (path, "../specs/two-ply.yaml", "/etc/passwd"):
        with pytest.raises(DocumentError) as caught:
            exercise_from({**EXERCISE, "game": game})
        (problem,) = caught.value.problems
        assert problem.code == "game" and problem.hint == "write the game itself"


def test_a_question_without_a_key_is_told() -> None:
    asked = {"id": "p", "ask": "plan", "marks": 1}
    with pytest.raises(DocumentError):
        exercise_from({**EXERCISE, "questions": [asked]})


def test_what_is_no_document_is_told() -> None:
    round_and_round: dict[str, Any] = {}
    round_and_round["self"] = round_and_round
    for wrong in ({"plymark": object()}, {"answers": {1, 2}}, round_and_round):
        with pytest.raises(UsageError, match="cannot be written as a document"):
            answer_from(wrong)
    for text in ("", "\ud800", b"\xff\xfe", "[1, 2]", "just words"):
        for read in (answer_from, exercise_from):
            with pytest.raises(DocumentError):
                read(text)
