"""Answers to whole questions as students write them, on the exercises that come with Plymark."""

from __future__ import annotations

from typing import Any

import pytest

from grader.documents.answer import Answer
from grader.documents.exercise import load_exercise
from grader.languages.words import words_of
from grader.marking.grader import Grader
from grader.marking.report import LEVELS
from grader.reports.data import report_data
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
