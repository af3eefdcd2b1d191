"""Answers to whole questions as students write them, on the exercises that come with Plymark."""

from __future__ import annotations

from typing import Any

import pytest

from grader.answers import boolean, names, plan, says_unvisited
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise, load_exercise_bytes
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.marking.report import LEVELS
from grader.questions.registry import ASKS
from grader.reports.report_formats import report_data
from solver.languages import LANGUAGES
from tests.support.paths import ROOT

TWO_PLY = Grader(load_exercise(ROOT / "exercises" / "two-ply.yaml"))


def reported(grader: Grader, answers: dict[str, Any], level: str = "full", language: str = "en") -> dict[str, Any]:
    return report_data(grader.grade(Answer(grader.exercise.id, "s", answers)), level, words_of(language))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("answers", [{"line": ["a1", "zz"]}, {"move": "zz"}, {"pruned": ["zz", "L5"]}])
def test_no_report_shows_the_key_of_a_message(level: str, language: str, answers: dict[str, Any]) -> None:
    grader = Grader(load_exercise(ROOT / "exercises" / "three-players.yaml")) if "line" in answers else TWO_PLY
    assert "unreadable." not in str(reported(grader, answers, level, language))


def test_what_nobody_asked_is_named_with_the_nearest_name() -> None:
    answers = {"vales": {"A": "3"}, "values": {"AA": "3", "B": "3", "L1": "3", "Zebra": "1"}, "Move": "a1"}
    found = reported(TWO_PLY, answers)
    assert found["ignored"] == ["vales (nearest: values)", "values.AA (nearest: A)", "values.L1", "values.Zebra"]
    told = " ".join(found["feedback"])
    assert "There is no question “vales”; did you mean “values”?" in told
    assert "values: there is no “AA” here; did you mean “A”?" in told
    assert "values: L1 is not asked about" in told
    assert {each["id"]: each["marks"] for each in found["questions"]}["move"] == 1


@pytest.mark.parametrize("level", LEVELS)
def test_it_is_listed_at_every_level_and_never_tells_the_key(level: str) -> None:
    """The nearest name is that of a node, whether or not the key has it."""
    found = reported(TWO_PLY, {"windows": {"BB": "(3, inf)"}, "inequalities": {"C": "<= 2"}}, level)
    assert found["ignored"] == ["inequalities", "windows.BB (nearest: B)"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", ["hints", "full"])
@pytest.mark.parametrize("question", ["values", "windows", "pruned"])
def test_what_cannot_be_read_at_all_is_told_once(question: str, level: str, language: str) -> None:
    found = reported(TWO_PLY, {question: "I don't know, see my drawing"}, level, language)
    (asked,) = (each for each in found["questions"] if each["id"] == question)
    assert "see my drawing" in asked["note"]
    assert not any("see my drawing" in item.get("note", "") for item in asked["items"])


def test_what_is_wrong_with_one_item_is_told_there() -> None:
    found = reported(TWO_PLY, {"values": {"A": "many"}})["questions"][0]
    assert "note" not in found
    assert "many" in next(item["note"] for item in found["items"] if item["item"] == "A")


@pytest.mark.parametrize("language", ["pt", "es"])
def test_a_decimal_comma_in_the_language_of_the_answer(language: str) -> None:
    game = "{tree: [[-5.125, -3], [-6, -7]]}"
    text = f"plymark: exercise/1\nid: e\ngame: {game}\nquestions: [{{id: v, ask: values, marks: 3}}]"
    made = Grader(load_exercise_bytes(text.encode()))
    answers = {"v": {"A": "-5,125", "B": "−5,125", "C": "-7"}}
    assert made.grade(Answer("e", "s", answers, language=language)).marks == 3
    assert made.grade(Answer("e", "s", answers)).marks < 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_is_printed_as_an_answer_is_read(language: str) -> None:
    """Whatever entries the catalogue has for words to choose from, and for stops."""
    words = words_of(language)
    for ask in ASKS.values():
        for word in ask.words:
            printed, plain = words.say(f"paper.word.{word}"), word
            if word in ("same", "different"):
                assert ask.read_item(None, "move", printed) == ask.read_item(None, "move", plain)  # type: ignore[arg-type]
            else:
                assert boolean(printed) == boolean(plain)
    assert names(words.say("paper.word.none"), no_name) == []
    assert plan(words.say("word.failure")) is None
    assert says_unvisited(words.say("paper.word.unvisited"))
    stop = words.say("item.stop", node="C", after="L4")
    assert reported(TWO_PLY, {"pruned": stop})["questions"][2]["marks"] == 2


def no_name(name: str) -> object:
    raise KeyError(name)
