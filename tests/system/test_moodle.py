"""Moodle's marks, recorded from a real Moodle, are plymark's; `tests/clients/README.md` says how to record anew."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from grader.delivery.systems.base import ExportOptions
from grader.delivery.systems.boxes import CHOICE
from grader.delivery.systems.forms import form
from grader.delivery.systems.moodle import MOODLE
from grader.documents.exercise import load_exercise
from tests.clients.moodle_record import (
    BLANK,
    LANGUAGES,
    RECORD,
    RIGHT,
    TOLD,
    WRONG,
    Case,
    by_moodle,
    cases,
    cloze_text,
    compared,
    digest,
    exported,
    plain,
)
from tests.support.learning_systems import cloze

pytestmark = pytest.mark.slow

RECORDED: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
QUESTIONS: list[dict[str, Any]] = RECORDED["questions"]
NAMES = [f"{each['exercise'].rpartition('/')[2]}-{each['language']}" for each in QUESTIONS]


def case_of(question: dict[str, Any]) -> Case:
    return Case(question["exercise"], question["language"])


def is_of_today(question: dict[str, Any]) -> bool:
    return bool(digest(cloze_text(exported(case_of(question)))) == question["sha256"])


def of_today() -> list[dict[str, Any]]:
    """What is recorded of another export says nothing; that there is such a thing fails elsewhere."""
    return list(filter(is_of_today, QUESTIONS))


def test_every_exercise_is_recorded_in_every_language() -> None:
    assert [case_of(each) for each in QUESTIONS] == cases()
    assert {each["language"] for each in QUESTIONS} == set(LANGUAGES)
    assert RECORD.stat().st_size < 300_000


@pytest.mark.parametrize("question", QUESTIONS, ids=NAMES)
def test_the_export_is_the_one_that_moodle_marked(question: dict[str, Any]) -> None:
    assert is_of_today(question), (
        "this export is not the one that Moodle marked; if it is meant to be another, record anew with "
        "python tests/clients/moodle_record.py MOODLE_FOLDER"
    )


@pytest.mark.parametrize("question", QUESTIONS, ids=NAMES)
def test_moodle_gives_the_marks_that_plymark_gives(question: dict[str, Any]) -> None:
    if not is_of_today(question):
        pytest.skip("recorded of another export")
    assert list(compared(case_of(question), question["responses"], question["marks"])) == []


@pytest.mark.parametrize("question", QUESTIONS, ids=NAMES)
def test_in_moodle_the_key_earns_everything_and_blanks_nothing(question: dict[str, Any]) -> None:
    if not is_of_today(question):
        pytest.skip("recorded of another export")
    carried = case_of(question).carried
    assert by_moodle(carried, question["marks"][0]) == [each.question.marks for each in carried]
    for written, marks in zip(question["responses"], question["marks"], strict=True):
        assert all(mark in (BLANK, WRONG) for text, mark in zip(written, marks, strict=True) if not text.strip())


def test_known_mistakes_are_told_in_moodle() -> None:
    """Whatever a known mistake leads to is wrong and told; nothing else is told."""
    told = 0
    for question in of_today():
        for written, marks in zip(question["responses"], question["marks"], strict=True):
            for box, text, mark in zip(case_of(question).boxes, written, marks, strict=True):
                foreseen = {each.casefold() for wrong in box.wrong for each in wrong.texts} if box.worth else set()
                if plain(box, text) and mark != RIGHT:
                    assert (mark == TOLD) == (text.strip().casefold() in foreseen), (question["exercise"], text)
                told += mark == TOLD
    assert told > 500


def test_marks_are_partial_and_every_kind_of_box_is_there() -> None:
    """So that a record of nothing does not pass."""
    marks = "".join(mark for question in QUESTIONS for mark in question["marks"])
    assert all(marks.count(mark) > 1000 for mark in (RIGHT, WRONG, BLANK))
    sure, kinds, partly = 0, set(), 0
    for question in of_today():
        carried = case_of(question).carried
        sure += sum(not each.provisional for each in carried)
        kinds |= {box.kind for each in carried for box in each.boxes if not each.provisional}
        for verdicts in question["marks"]:
            earned = by_moodle(carried, verdicts)
            partly += sum(0 < marks < each.question.marks for marks, each in zip(earned, carried, strict=True))
    assert sure > 100 and CHOICE in kinds and len(kinds) == 3 and partly > 500


def test_how_moodle_reads_numbers_that_may_be_rounded() -> None:
    """As docs/exporting.md says: the beginning of the text, and a comma as the language of Moodle has it."""
    (question,) = (each for each in QUESTIONS if "rounded" in each["exercise"] and each["language"] == "en")
    found = {texts[0]: marks[0] for texts, marks in zip(question["responses"], question["marks"], strict=True)}
    key = question["responses"][0][0]
    assert found[key] == found[f"  {key} "] == found[f"+{key}"] == RIGHT
    assert found[f"{key}/4"] == found[f"{key} or 5"] == RIGHT
    assert found[key.replace(".", ",")] == found[f"<b>{key}</b>"] == WRONG


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{Path(case.path).stem}-{case.language}")
def test_no_box_is_wider_than_another_of_its_question(case: Case) -> None:
    """Moodle makes a box as wide as the longest answer that it knows there, up to 60 signs."""
    parts = iter(cloze(cloze_text(exported(case))))
    for each in case.carried:
        found = [next(parts) for _ in each.boxes]
        texts = [[text for _, text, *_ in part.answers] for part in found if part.type != "MULTICHOICE"]
        widths = {min(60, max(map(len, known))) for known in texts}
        assert len(widths) <= 1, (each.question.id, widths)


SELECTING = """
plymark: exercise/1
id: selecting
game: {tree: {turn: max, visits: 9, total: 5, children: [
  {turn: min, visits: 4, total: 3, children: [1, 0]}, {turn: min, visits: 5, total: 2, children: [1, 0]}]}}
questions: [{id: ucb, ask: ucb, exploration: 1.4, digits: 2, marks: 3}]
"""


def test_a_selection_that_may_follow_from_own_numbers_is_provisional(tmp_path: Path) -> None:
    """plymark gives its marks if it is right by the numbers beside it; Moodle cannot."""
    file = tmp_path / "x.yaml"
    file.write_text(SELECTING, "utf-8")
    (carried,) = form(load_exercise(file), ExportOptions()).questions
    assert carried.provisional == "no follow-through"
    file.write_text(SELECTING + "marking: {follow_through: 0}\n", "utf-8")
    (carried,) = form(load_exercise(file), ExportOptions()).questions
    assert carried.provisional is None


def test_weights_of_depths_are_those_of_their_boxes() -> None:
    carried = Case("tests/clients/moodle/horizon.yaml", "en").carried[0]
    assert [box.item for box in carried.boxes] == ["1 value", "1 move", "2 value", "2 move"]
    assert [box.worth for box in carried.boxes] == [Fraction(1, 2), Fraction(1, 2), Fraction(3, 2), Fraction(3, 2)]


def test_moodle_keeps_the_code_in_the_name_whatever_the_title_is(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    title = "α<β " + "long " * 60
    file.write_text(SELECTING.replace("id: selecting", f'id: v-07\ntitle: "{title}"'), "utf-8")
    content = MOODLE.write([load_exercise(file)], ExportOptions()).content
    assert isinstance(content, bytes)
    name = ElementTree.fromstring(content).findtext("question[@type='cloze']/name/text") or ""
    assert name.startswith("α‹β") and name.endswith("… (v-07)") and len(name) < 250
