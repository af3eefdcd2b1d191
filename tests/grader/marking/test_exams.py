"""Marking an exam: a report on each part, marks given by hand, and what a person should look at."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from grader.documents.answer_file import Answer
from grader.documents.exam import Exam
from grader.languages import words_of
from grader.marking.exam_report import ExamReport
from grader.marking.grader import Grader
from grader.marking.graders import ExamGrader
from grader.marking.overrides import Overrides, read_overrides
from grader.marking.review import Review
from grader.reports.report_formats import report_data
from solver.documents.document_schemas import conforms
from solver.kernel import DocumentError
from tests.grader.documents.test_exams import exam, move
from tests.support.runs import marked

TREE = {"tree": [[3, 12], [2, 4], [14, 5]]}
FIRST = {
    "plymark": "exercise/1",
    "id": "first",
    "game": TREE,
    "questions": [{"id": "values", "ask": "values", "marks": 3}, {"id": "move", "ask": "move", "marks": 1}],
}
EXAM = exam({"exercise": FIRST, "marks": 10}, {"variants": [move("b-1"), move("b-2")]}, title="Midterm")
RIGHT = {"first": {"values": {"A": "5", "B": "3", "C": "2", "D": "5"}, "move": "a3"}, "b-2": {"move": "a1"}}


def answer(answers: Mapping[str, Any], student: str = "s1", **more: Any) -> Answer:
    return Answer("midterm", student, answers, **more)


def graded(answers: Mapping[str, Any], theirs: Mapping[str, str] | None = None, of: Exam = EXAM) -> ExamReport:
    return ExamGrader(of, None if theirs is None else lambda _: theirs).grade(answer(answers))


def test_the_total_is_the_sum_of_exact_marks() -> None:
    found = graded({"first": {"values": {"A": "5", "B": "3", "C": "2", "D": "4"}}})
    assert [part.report.exact_marks for part in found.parts] == [Fraction(45, 8), 0]
    assert (found.exact_marks, found.marks) == (Fraction(45, 8), Fraction("5.63")) and found.out_of == 11
    assert graded(RIGHT).marks == 11


def test_each_part_is_marked_as_the_exercise_alone_but_scaled() -> None:
    (first, _), answers = EXAM.parts.values(), {"values": {"A": "3", "B": "3", "C": "2"}, "move": "a1"}
    alone = Grader(first.first).grade(Answer("first", "s1", answers))
    assert graded({"first": answers}).parts[0].report.exact_marks == alone.exact_marks


def test_report_1_has_parts_in_place_of_questions() -> None:
    for level in ("none", "marks", "hints", "full"):
        for written in (RIGHT, {}, {"first": {"values": {"A": "9"}}}):
            data = json.loads(json.dumps(report_data(graded(written), level, words_of("en")), default=str))
            assert conforms("report/1", data), (level, written)
            assert "questions" not in data and data["parts"][0]["exercise"] == "first"
            assert {"exercise", "marks", "out_of", "questions"} <= data["parts"][0].keys()
    assert not conforms("report/1", {**data, "questions": []})
    leaky = {**data, "feedback_level": "hints"}
    assert not conforms("report/1", leaky)


def test_a_blank_part_of_unknown_variant_tells_no_key() -> None:
    for level in ("none", "marks", "hints", "full"):
        _, blank = report_data(graded({}), level, words_of("en"))["parts"]
        assert blank == {"exercise": "b", "marks": 0, "out_of": 1, "questions": [], "feedback": []}
    _, known = report_data(graded({}, {"b": "b-2"}), "full", words_of("en"))["parts"]
    assert known["exercise"] == "b-2" and known["questions"][0]["items"][0]["expected"] == "a1"


def test_a_variant_that_was_not_theirs_is_marked_and_named() -> None:
    for code in ("en", "pt", "es", "fa"):
        data = report_data(graded(RIGHT, {"b": "b-1"}), "full", words_of(code))
        assert data["marks"] == 11 and data["ignored"] == ["b-2"]
        assert sum("b-2" in sentence for sentence in data["feedback"]) == 1


def test_what_is_left_aside_is_named_with_its_part() -> None:
    written = {"first": {"valeus": {}, "values": {"Q": "3"}}, "b-1": ["a1"]}
    found = report_data(graded(written), "full", words_of("en"))
    assert found["ignored"] == ["b-1", "first.valeus (nearest: values)", "first.values.Q"]


def test_levels_of_feedback_hold_for_parts() -> None:
    """Two keys that give the same verdicts and marks cannot be told apart below full."""
    other = {**FIRST, "game": {"tree": [[3, 12], [2, 6], [14, 5]]}}
    told = []
    for first in (FIRST, other):
        made = exam({"exercise": first, "marks": 10}, {"variants": [move("b-1"), move("b-2")]}, title="Midterm")
        found = graded({"first": {"values": {"A": "5", "B": "4", "C": "2", "D": "5"}}}, of=made)
        told.append([report_data(found, level, words_of("en")) for level in ("none", "marks", "hints", "full")])
    assert told[0][:3] == told[1][:3]
    assert "expected" not in json.dumps(told[0][:3], default=str)


def overridden(sheet: str, answers: Mapping[str, Any] = RIGHT) -> tuple[ExamReport, list[str]]:
    by_hand = Overrides(read_overrides(sheet.encode()))
    found = by_hand.apply(graded(answers))
    assert isinstance(found, ExamReport)
    return found, [problem.message for problem in by_hand.problems()]


HEAD = "student,part,question,item,marks,reason\n"


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("s1,,,,2,the whole exam", [10, 1, 2]),
        ("s1,first,,,2,a part", [2, 1, 3]),
        ("s1,b,,,0,a part by its name", [10, 0, 10]),
        ("s1,b-2,move,,0,by the exercise", [10, 0, 10]),
        ("s1,,values,,0,only one part asks this", [Fraction(5, 2), 1, Fraction(7, 2)]),
        ("s1,first,values,A,0,an item", [Fraction(65, 8), 1, Fraction("9.13")]),
    ],
)
def test_marks_given_by_hand(line: str, marks: list[Fraction]) -> None:
    found, problems = overridden(HEAD + line + "\n")
    assert not problems
    assert [*(part.report.exact_marks for part in found.parts), found.marks] == marks
    data = json.loads(json.dumps(report_data(found, "full", words_of("en")), default=str))
    assert conforms("report/1", data) and "override" in json.dumps(data)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("s1,,move,,0,both parts ask this", "both first and b-2 have this question; say which in the column part"),
        ("s1,,,,12,more than there is", "12 marks, out of 11"),
        ("s1,b,,,2,more than the part has", "2 marks, out of 1"),
        ("s1,b-1,move,,0,not their variant", "there is no such answer to override"),
        ("s2,,,,1,nobody", "there is no such answer to override"),
    ],
)
def test_lines_that_cannot_be_applied(line: str, message: str) -> None:
    found, problems = overridden(HEAD + line + "\n")
    assert found.marks == 11 and len(problems) == 1 and message in problems[0]


def test_a_blank_part_can_be_given_marks() -> None:
    """The student wrote it on paper."""
    found, problems = overridden(HEAD + "s1,b,,,1,on paper\n", {})
    assert not problems and found.marks == 1
    assert report_data(found, "marks", words_of("en"))["parts"][1]["marks"] == 1


def test_the_review_list_can_be_filled_in() -> None:
    review = Review(several=True)
    written = {"first": {"values": "see my drawing"}, "b-1": {"move": "who knows"}}
    review.add(graded(written))
    rows = [(row.part, row.question, row.given, row.why) for row in review.rows]
    assert rows == [
        ("first", "values", "see my drawing", "unreadable"),
        ("b-1", "move", "who knows", "unreadable"),
    ]
    filled = review.sheet().decode().replace(",unreadable,,", ",unreadable,1,")
    found, problems = overridden(filled, written)
    assert not problems and found.exact_marks == 2


def test_of_several_answers_the_best_counts() -> None:
    answers = [answer(RIGHT), answer({}), answer(RIGHT, "s2")]
    run, made = marked(answers, ExamGrader(EXAM).grade, "best")
    found = [(each.answer.student, each.marks, each.chosen) for each in made if isinstance(each, ExamReport)]
    assert [(student, marks) for student, marks, _ in found] == [("s1", Fraction(11)), ("s2", Fraction(11))]
    assert found[0][2] is not None and found[0][2].among == 2 and run.passed_over == 1


def test_an_exam_of_twenty_parts() -> None:
    parts = [{"exercise": move(f"e{number}", 1), "marks": "1/3"} for number in range(20)]
    found = ExamGrader(exam(*parts)).grade(answer({f"e{number}": {"move": "a1"} for number in range(0, 20, 2)}))
    assert (found.exact_marks, found.out_of) == (Fraction(10, 3), Fraction(20, 3))


def test_an_answer_to_something_else_is_refused() -> None:
    refused: list[dict[str, Any]] = [{"b-1": {"move": "a1"}, "b-2": {"move": "a1"}}, {"nowhere": {}}]
    for written in refused:
        with pytest.raises(DocumentError):
            graded(written)
