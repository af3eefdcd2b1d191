"""Moodle's marks, recorded from a real Moodle, are plymark's; `tests/clients/README.md` says how to record anew."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from grader.delivery.systems.answer_boxes import CHOICE, TEXT, TICKS
from grader.delivery.systems.exercise_forms import exercise_form
from grader.delivery.systems.exporter import ExportOptions
from grader.delivery.systems.moodle import MOODLE
from grader.documents.exercise_file import load_exercise
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
    digest,
    digest_of_attempts,
    disagreements,
    exported,
    shares,
    unequal,
)
from tests.support.learning_systems import cloze

pytestmark = pytest.mark.slow

RECORDED: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
QUESTIONS: list[dict[str, Any]] = RECORDED["questions"]
NAMES = [f"{each['exercise'].rpartition('/')[2]}-{each['language']}" for each in QUESTIONS]


def case_of(question: dict[str, Any]) -> Case:
    return Case(question["exercise"], question["language"])


def is_of_today(question: dict[str, Any]) -> bool:
    case = case_of(question)
    same = digest(cloze_text(exported(case))) == question["sha256"]
    return bool(same and digest_of_attempts(case) == question["attempts"])


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
        "this export, or what is answered to it, is not what Moodle marked; if it is meant to be another, record anew "
        "with python tests/clients/moodle_record.py MOODLE_FOLDER"
    )


@pytest.mark.parametrize("question", QUESTIONS, ids=NAMES)
def test_what_is_right_or_worth_nothing_is_so_in_moodle(question: dict[str, Any]) -> None:
    """In every spelling; and where a question is not provisional, all marks are the same."""
    if not is_of_today(question):
        pytest.skip("recorded of another export")
    found = disagreements(case_of(question), question["marks"])
    assert [each for each in found if not each.excused] == []
    assert list(unequal(case_of(question), question["marks"])) == []


def test_few_differences_need_an_excuse() -> None:
    """Those that docs/exporting.md names are of a few questions, and few of their responses."""
    found = [each for question in of_today() for each in disagreements(case_of(question), question["marks"])]
    assert {each.ask for each in found} <= {"assign", "reorder", "windows", "vectors"}
    assert len(found) < sum(len(question["marks"]) for question in QUESTIONS) / 50


@pytest.mark.parametrize("question", QUESTIONS, ids=NAMES)
def test_in_moodle_the_first_response_earns_everything_and_blanks_nothing(question: dict[str, Any]) -> None:
    if not is_of_today(question):
        pytest.skip("recorded of another export")
    case = case_of(question)
    earned = by_moodle(case.carried, question["marks"][0])
    for each, marks in zip(case.carried, earned, strict=True):
        # How all windows that a node went through are written is not tried.
        assert abs(marks - each.question.marks) < Fraction(1, 1000) or each.question.id == "passed", each.question.id
    for written, marks in zip(case.attempts, question["marks"], strict=True):
        signs = [sign for sign, _ in shares(marks)]
        assert all(mark in (BLANK, WRONG) for text, mark in zip(written, signs, strict=True) if not text.strip())


def test_each_question_has_many_ways_to_be_right_and_to_be_wrong() -> None:
    """Lists and ticks have no spellings; elsewhere most responses that are meant to be right are, and differ."""
    spelt = right = nothing = 0
    for question in of_today():
        asked = case_of(question).asked
        for place, each in enumerate(asked.carried):
            if all(box.kind == TEXT for box in each.boxes) and each.question.ask not in ("reorder", "assign"):
                marks = {tuple(texts): asked.marks(place, texts) for texts in asked.responses[place]}
                spelt += 1
                right += sum(each.question.marks == found for found in marks.values())
                nothing += sum(not found for found in marks.values())
    assert spelt > 100 and right > 25 * spelt and nothing > 20 * spelt, (spelt, right, nothing)


def test_known_mistakes_are_told_in_moodle() -> None:
    """Whatever a known mistake leads to is wrong and told; nothing else is told."""
    told = 0
    for question in of_today():
        case = case_of(question)
        for written, marks in zip(case.attempts, question["marks"], strict=True):
            for box, text, (mark, _) in zip(case.boxes, written, shares(marks), strict=True):
                foreseen = {each.casefold() for wrong in box.wrong for each in wrong.texts} if box.worth else set()
                if mark != RIGHT and box.kind != TICKS:
                    assert (mark == TOLD) == (text.strip().casefold() in foreseen), (question["exercise"], text)
                told += mark == TOLD
    assert told > 100


def test_marks_are_partial_and_every_kind_of_box_is_there() -> None:
    """So that a record of nothing does not pass."""
    signs = [sign for question in QUESTIONS for marks in question["marks"] for sign, _ in shares(marks)]
    assert all(signs.count(mark) > 1000 for mark in (RIGHT, WRONG, BLANK)) and signs.count("(") > 100
    sure, kinds = 0, set()
    for question in of_today():
        carried = case_of(question).carried
        sure += sum(not each.provisional for each in carried)
        kinds |= {box.kind for each in carried for box in each.boxes}
    assert sure > 100 and kinds == {CHOICE, TEXT, TICKS}


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{Path(case.path).stem}-{case.language}")
def test_no_box_is_wider_than_another_of_its_question(case: Case) -> None:
    """Moodle makes a box as wide as the longest answer that it knows there, up to 60 signs."""
    parts = iter(cloze(cloze_text(exported(case))))
    for each in case.carried:
        found = [next(parts) for _ in each.boxes]
        texts = [[text for _, text, *_ in part.answers] for part in found if part.type == "SHORTANSWER"]
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
    (carried,) = exercise_form(load_exercise(file), ExportOptions()).questions
    assert carried.provisional == "no follow-through"
    file.write_text(SELECTING + "marking: {follow_through: 0}\n", "utf-8")
    (carried,) = exercise_form(load_exercise(file), ExportOptions()).questions
    assert carried.provisional == "numbers with more digits are right too"


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


def test_a_category_tells_one_set_from_another(tmp_path: Path) -> None:
    """Another seed or another language of a recipe has the same title."""
    sets = []
    for name, language in (("v-01", "en"), ("v-02", "en"), ("v-02", "fa")):
        file = tmp_path / f"{name}.yaml"
        file.write_text(SELECTING.replace("id: selecting", f"id: {name}\ntitle: Search"), "utf-8")
        content = MOODLE.write([load_exercise(file)], ExportOptions(language=language)).content
        assert isinstance(content, bytes)
        sets.append(ElementTree.fromstring(content).findtext("question[@type='category']/category/text"))
    assert sets == [f"$course$/top/Plymark/Search ({about})" for about in ("v-01, en", "v-02, en", "v-02, fa")]
