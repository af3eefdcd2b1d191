"""What reports say is said in the language asked, and no level tells more than it may."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from grader.documents.answer_file import Answer
from grader.documents.exam import variants_of
from grader.documents.exercise_file import load_exercise, load_exercise_bytes
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.questions.shown import leaves_fact, spelt
from grader.reports.class_summary import class_summary
from grader.reports.feedback_facts import facts_at_level
from grader.reports.output_options import OutputOptions
from grader.reports.report_formats import report_data
from grader.reports.report_outputs import CHANGES_OUTPUTS, CLASS_OUTPUTS, OUTPUTS
from tests.support.paths import ROOT
from tests.support.runs import changed

GRADER = Grader(load_exercise(ROOT / "exercises" / "two-ply.yaml"))
RLI, PDI = "\u2067", "\u2069"


def asking(tree: Any, *questions: dict[str, Any], **head: Any) -> Grader:
    asked = [{"id": each["ask"], "marks": 2, **each} for each in questions]
    data = {"plymark": "exercise/1", "id": "e", "game": {"tree": tree, **head}, "questions": asked}
    return Grader(load_exercise_bytes(json.dumps(data).encode(), "e.json"))


def text(grader: Grader, answers: dict[str, Any], code: str = "en", level: str = "full") -> str:
    report = grader.grade(Answer(grader.exercise.id, "s", answers))
    return b"".join(OUTPUTS["text"].write([report], OutputOptions(words_of(code), level, several=False))).decode()


def test_numbers_and_words_are_those_of_the_language() -> None:
    grader = asking(
        [["2.5", "4"], ["1", "5"]],
        {"ask": "values"},
        {"ask": "choice", "claim": "alpha-beta-same-value"},
        {"ask": "move"},
    )
    answers = {"values": {"A": "1", "B": "2.5", "C": "<= 1"}, "choice": "false", "move": "a2"}
    assert "Esperado: 2,5." in text(grader, answers, "pt") and "Esperado: verdadeiro." in text(grader, answers, "pt")
    assert "jogada  a2" in text(grader, answers, "pt") and "۲٫۵" in text(grader, answers, "fa")
    assert "Expected: 2.5." in text(grader, answers)


def test_lists_are_shown_as_they_were_read() -> None:
    report = GRADER.grade(Answer("two-ply", "s", {"windows": {"C": ["12", "inf"]}}))
    items = {item["item"]: item for item in report_data(report, "full", words_of("fa"))["questions"][1]["items"]}
    assert items["C"]["given"] == "(12, +∞)" and items["C"]["expected"] == "(3, +∞)"
    assert "(۱۲، +∞)" in text(GRADER, {"windows": {"C": ["12", "inf"]}}, "fa")


def test_nothing_pruned_is_an_answer() -> None:
    said = text(GRADER, {"pruned": "none"})
    assert "Nothing was given" not in said.partition("pruned:")[2].partition("move:")[0]
    assert "You go on here, but the search stops: L5 and L6 need not be visited." in said


def test_leaves_that_follow_one_another_are_a_run() -> None:
    leaves = {f"L{place}": place for place in range(1, 20)}
    found = leaves_fact(["L15", "L6", "L12", "L13", "L14", "L18", "L19"], leaves)
    assert words_of("en").show(found) == "L6, L12–L15, L18, L19"
    assert spelt(found) == "L6, L12, L13, L14, L15, L18, L19"


@pytest.mark.parametrize("level", ["none", "marks", "hints", "full"])
def test_persian_lines_say_their_direction(level: str) -> None:
    answers = {"values": {"A": "?", "B": "3"}, "windows": "x", "pruned": ["L6", "zz"], "move": "a2"}
    report = GRADER.grade(Answer("two-ply", "s", answers))
    options = OutputOptions(words_of("fa"), level, several=False)
    outputs = [
        text(GRADER, answers, "fa", level),
        b"".join(OUTPUTS["text"].write([report], OutputOptions(words_of("fa"), level))).decode(),
        CLASS_OUTPUTS["text"](class_summary(GRADER.exercise, [report], level=level), options).decode(),
    ]
    for line in "".join(outputs).splitlines():
        if any("\u0600" <= sign <= "\u06ff" and sign.isalpha() for sign in line):
            assert line.lstrip(" ").startswith(RLI) and line.endswith(PDI), line


def test_unread_answers_have_a_row_for_every_node_and_one_reason() -> None:
    grader = asking([["5", "4"], ["1", "9"]], {"ask": "inequalities"})
    (question,) = facts_at_level(grader.grade(Answer("e", "s", {"inequalities": "x"})), "hints").questions
    assert [item.name for item in question.items] == ["A", "B", "C"] and question.note is not None
    assert not any(item.note for item in question.items)


def test_marks_alone_do_not_tell_how_long_the_key_is() -> None:
    grader = asking([["3", "12", "8"], ["2", "4", "6"], ["14", "5", "2"]], {"ask": "visited"})
    report = grader.grade(Answer("e", "s", {"visited": "L1 L2"}))
    assert report.best.marks == Fraction(4, 7)
    for level in ("none", "marks"):
        (question,) = facts_at_level(report, level).questions
        assert question.marks == Fraction(57, 100)
    rows = facts_at_level(report, "hints").questions[0].items
    assert [row.name for row in rows] == [f"L{place}" for place in range(1, 10)]


def test_a_class_summary_names_no_stop_that_nobody_made() -> None:
    report = GRADER.grade(Answer("two-ply", "s", {"pruned": ["L9"]}))
    for level in ("none", "marks", "hints"):
        summary = class_summary(GRADER.exercise, [report], level=level)
        for output in CLASS_OUTPUTS.values():
            assert "C after L4" not in output(summary, OutputOptions(words_of("en"), level)).decode()
    assert not class_summary(GRADER.exercise, [report], level="marks").items


def test_differences_are_exact() -> None:
    """3.17 less 1.83 is not 1.33."""
    game = {"tree": [["3", "12", "8"], ["2", "4", "6"]]}
    questions = [{"id": "values", "ask": "values", "nodes": ["A", "B", "C"], "marks": marks} for marks in ("5/2", "4")]
    old, new = (
        load_exercise_bytes(
            json.dumps({"plymark": "exercise/1", "id": "e", "game": game, "questions": [each]}).encode(), "e.json"
        )
        for each in questions
    )
    answer = Answer("e", "s", {"values": {"A": "3"}})
    found = changed(variants_of([old]), variants_of([new]), [answer])
    (change,) = found.changes
    assert (change.before, change.after, change.difference) == (Fraction(83, 100), Fraction(133, 100), Fraction(1, 2))
    assert "0.83  1.33" in CHANGES_OUTPUTS["text"](found, OutputOptions(words_of("en"))).decode().replace("   ", "  ")
    assert (
        "right"
        not in CHANGES_OUTPUTS["csv"](
            changed(variants_of([old]), variants_of([new]), [answer], "marks"), OutputOptions(words_of("en"))
        ).decode()
    )
