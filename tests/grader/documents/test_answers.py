"""Answers as files: direction marks mean nothing in them, and everywhere else they are refused."""

from __future__ import annotations

import json

import pytest

from grader.documents.answer_file import load_answer_bytes
from grader.documents.exam import Variants
from grader.documents.exercise_file import load_exercise_bytes
from grader.intake.answer_sheets import AnswerSheet
from grader.kernel.csv_sheets import CsvRows
from grader.marking.run import Broken
from solver.kernel import DocumentError
from tests.support.paths import ROOT

MARKS = "\u200e\u200f\u2066\u2067\u2068\u2069"
HEAD = {"plymark": "answer/1", "exercise": "two-ply", "student": "s1"}


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("escaped", [False, True], ids=["written", "escaped"])
def test_a_direction_mark_is_ignored_in_an_answer(mark: str, escaped: bool) -> None:
    data = {**HEAD, "answers": {"values": {f"{mark}A": f"{mark}3"}, "pruned": [f"L5{mark}", "L6"], f"move{mark}": "a1"}}
    found = load_answer_bytes(json.dumps(data, ensure_ascii=escaped).encode(), "a.json")
    assert found.answers == {"values": {"A": "3"}, "pruned": ["L5", "L6"], "move": "a1"}


def test_around_quotes_and_in_plain_yaml_too() -> None:
    text = 'plymark: answer/1\nexercise: two-ply\nstudent: "s1"\u2069\nanswers:\n  \u2067pruned: L5، L6\u2069\n'
    found = load_answer_bytes(text.encode(), "a.yaml")
    assert (found.student, found.answers) == ("s1", {"pruned": "L5، L6"})


def test_a_backslash_that_is_meant_stays() -> None:
    found = load_answer_bytes(json.dumps({**HEAD, "answers": {"move": "\\u2067"}}).encode(), "a.json")
    assert found.answers == {"move": "\\u2067"}


@pytest.mark.parametrize("sign", ["\u202d", "\u202e", "\u202b", "\u061c", "\u200b"])
@pytest.mark.parametrize("escaped", [False, True], ids=["written", "escaped"])
def test_what_hides_or_reorders_text_is_refused(sign: str, escaped: bool) -> None:
    data = {**HEAD, "answers": {"move": f"a{sign}1"}}
    with pytest.raises(DocumentError) as refused:
        load_answer_bytes(json.dumps(data, ensure_ascii=escaped).encode(), "a.json")
    assert refused.value.problems[0].code == "character"


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("escaped", [False, True], ids=["written", "escaped"])
def test_an_exercise_may_have_none(mark: str, escaped: bool) -> None:
    data = {
        "plymark": "exercise/1",
        "id": "e",
        "title": f"A{mark}B",
        "game": {"tree": [["1", "2"], ["3", "4"]]},
        "questions": [{"id": "move", "ask": "move", "marks": "1"}],
    }
    with pytest.raises(DocumentError) as refused:
        load_exercise_bytes(json.dumps(data, ensure_ascii=escaped).encode(), "e.json")
    assert {problem.code for problem in refused.value.problems} == {"character"}


def test_cells_of_a_sheet() -> None:
    exercise = load_exercise_bytes((ROOT / "exercises/two-ply.yaml").read_bytes(), "e.yaml", base=ROOT / "exercises")
    lines = "student,values.A,\u2067pruned,move", "s1,\u2067۳\u2069,\u2067L5، L6\u2069,\u200fa1", "s2,\u202e3,none,a1"
    rows = CsvRows("\n".join(lines).encode().splitlines(keepends=True), 100_000)
    first, second = AnswerSheet(rows, "s.csv", Variants({exercise.id: exercise})).answers()
    assert not isinstance(first, Broken)
    assert first.answers == {"values": {"A": "۳"}, "pruned": "L5، L6", "move": "a1"}
    assert isinstance(second, Broken)
