"""The answer sheet without a browser: fields become boxes, and what a form holds becomes answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.service.http.answer_sheet import (
    answers_of,
    fields_of,
    saved_answers,
    script_texts,
    seen,
    sheet_of,
    texts_of_answers,
    with_reading,
)
from grader.service.http.page_texts import texts_of
from grader.service.tasks.posed_exercise import FieldReading, PosedExercise, pose, read
from solver.documents.document import FORBIDDEN_CHARACTERS
from solver.languages import LANGUAGES
from tests.grader.service.web.sheet_page import exercise_bytes, sheet_html
from tests.support.paths import ROOT

NAMES = sorted(path.stem for path in (ROOT / "exercises").glob("*.yaml"))
WRITTEN = st.one_of(
    st.sampled_from(["3", "≤ 2", "2,5", "(3, ∞)", "L5, L6", "none", "yes", "–", "", "  "]),
    st.text(st.characters(codec="utf-8"), max_size=12),
)


@cache
def posed(name: str) -> PosedExercise:
    return pose(exercise_bytes(name), page=True)


@given(data=st.data(), name=st.sampled_from(NAMES))
@settings(max_examples=60, deadline=None)
def test_a_form_becomes_answers_that_the_service_takes_and_that_fill_the_same_form(data: Any, name: str) -> None:
    fields = fields_of(posed(name))
    written = {field.name: data.draw(WRITTEN, field.name) for field in fields}
    answers = answers_of(fields, written)
    assert texts_of_answers(fields, answers) == {field: seen(text) for field, text in written.items()}
    told = read(exercise_bytes(name), json.dumps({"answers": answers}).encode())
    assert told.ignored == ()
    filled = {field.name for field in fields if seen(written[field.name])}
    assert set(told.fields) <= filled | {field.question for field in fields}


def test_every_field_is_a_box_and_blank_at_first() -> None:
    for name in NAMES:
        sheet = sheet_of(posed(name), texts_of("en"))
        assert [field.name for field in sheet.fields] == [field.name for field in posed(name).fields]
        assert sheet.blanks == sheet.fields
        html = sheet_html(exercise_bytes(name))
        assert all(f'name="{field.name}"' in html for field in sheet.fields)


@pytest.mark.parametrize(
    ("name", "answers", "written"),
    [
        (
            "two-ply",
            b'{"values": {"A": 3, "B": 2.50}, "windows": {"C": [3, "inf"]}, "pruned": ["L5", "L6"], "move": "a1"}',
            {"values.A": "3", "values.B": "2.50", "windows.C": "(3, inf)", "pruned": "L5, L6", "move": "a1"},
        ),
        (
            "vacuum-plan",
            b'{"plan": ["Suck", {"s5": ["Right", "Suck"], "s7": []}]}',
            {"plan": "[Suck, {s5: [Right, Suck], s7: []}]"},
        ),
        (
            "deep-cut",
            b'{"order": {"B": ["L5", "C"]}, "leaves": ["L1", "L2"], "pruned": []}',
            {"order": "B: L5, C", "leaves": "L1, L2", "pruned": "[]"},
        ),
        (
            "horizon",
            b'{"depths": {"1": {"value": 4, "move": "a1"}}}',
            {"depths.1.value": "4", "depths.1.move": "a1"},
        ),
    ],
)
def test_answers_that_no_form_has_made_are_shown_and_read_the_same(
    name: str, answers: bytes, written: dict[str, str]
) -> None:
    fields, saved = fields_of(posed(name)), saved_answers(answers)
    texts = texts_of_answers(fields, saved)
    assert {field: text for field, text in texts.items() if text} == written
    raw = exercise_bytes(name)
    again = json.dumps({"answers": answers_of(fields, texts)}).encode()
    told, told_before = (read(raw, each).fields for each in (again, b'{"answers": ' + answers + b"}"))
    assert unquoted(told) == unquoted(told_before)


def test_how_answers_were_read_stands_beside_the_boxes() -> None:
    raw = exercise_bytes("two-ply")
    answers = {"values": {"A": "2,5", "B": "three or so"}}
    sheet = with_reading(
        sheet_of(posed("two-ply"), texts_of("en"), answers), read(raw, json.dumps({"answers": answers}).encode())
    )
    by_name = {field.name: field for field in sheet.fields}
    assert by_name["values.A"].read == "5/2"
    assert [field.name for field in sheet.unreadable] == ["values.B"]
    assert "values.A" not in {field.name for field in sheet.blanks}


def test_what_is_written_is_no_markup() -> None:
    html = sheet_html(exercise_bytes("two-ply"), answers={"pruned": '"><script>alert(1)</script>', "move": "<b>"})
    assert "<script>alert" not in html
    assert "<b>" not in html


def test_the_script_says_the_same_things_in_every_language() -> None:
    english = script_texts(texts_of("en"))
    for code in LANGUAGES:
        said = script_texts(texts_of(code))
        assert said.keys() == english.keys()
        for key, forms in said.items():
            assert facts(forms[-1]) == facts(english[key][-1]), key


def test_what_no_document_may_hold_never_comes_from_a_form() -> None:
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    assert FORBIDDEN_CHARACTERS.sub("", everything).strip() == seen(everything)


def unquoted(told: Mapping[str, FieldReading]) -> str:
    """A plan is shown as it was written, JSON or not."""
    return str(told).replace('"', "").replace("'", "").replace(" ", "")


def facts(sentence: str) -> set[str]:
    return {part.partition("}")[0] for part in sentence.split("{")[1:]}
