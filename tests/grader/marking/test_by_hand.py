"""Marks given by hand, what is to be looked at, and which of several answers counts."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise
from grader.languages import words_of
from grader.marking.duplicates import in_order
from grader.marking.grader import Grader
from grader.marking.overrides import OverrideLine, Overrides, read_overrides
from grader.marking.report import Override, Report
from grader.marking.review import Review, given_text, review_rows
from grader.marking.run import Broken, Run
from grader.reports.report_formats import report_data
from solver.kernel import DocumentError, Problem, Refusal
from solver.kernel.errors import WHOLE_FILE
from tests.support.paths import ROOT
from tests.support.runs import marked

EXERCISE = load_exercise(ROOT / "exercises" / "two-ply.yaml")
GRADER = Grader(EXERCISE)
VALUES = {"A": "3", "B": "3", "C": "<= 2", "D": "2"}


def answer(student: str = "s1", **answers: Any) -> Answer:
    return Answer("two-ply", student, answers, source="a.yaml")


def report(student: str = "s1", **answers: Any) -> Report:
    return GRADER.grade(answer(student, **answers))


def overridden(found: Report, *lines: tuple[str, str, object]) -> Report:
    made = [
        OverrideLine(number, found.answer.student, question, item, Override(Fraction(str(marks))))
        for number, (question, item, marks) in enumerate(lines, 2)
    ]
    overrides = Overrides(made)
    found = overrides.apply(found)
    assert list(overrides.problems()) == []
    return found


def by_question(found: Report) -> dict[str, Fraction]:
    return {each.question.id: each.marks for each in found.questions()}


# An override replaces the marks that it is about, and no others.


def test_of_an_item_a_question_and_the_total() -> None:
    before = report(values={**VALUES, "A": "nine"}, move="a2")
    assert by_question(before) == {"values": 3, "windows": 0, "pruned": 0, "move": 0}
    item = overridden(before, ("values", "A", "0.5"))
    assert by_question(item) == {**by_question(before), "values": Fraction(7, 2)} and item.marks == Fraction(7, 2)
    assert by_question(overridden(before, ("values", "", 1))) == {**by_question(before), "values": 1}
    total = overridden(before, ("", "", 11))
    assert by_question(total) == by_question(before) and total.marks == 11
    every = overridden(before, ("values", "A", 1), ("values", "", 2), ("", "", 7))
    assert by_question(every)["values"] == 2 and every.marks == 7, "the whole goes before its parts"
    assert before.overrides == {}, "the report itself stays as it was"


def test_of_an_item_that_cost_marks() -> None:
    """Where the items come to less than nothing, an override counts from what they come to, not from nothing."""
    found = report(pruned=["L5", "L6", "L7"])
    items = {each.item.name: each.marks for each in list(found.questions())[2].items}
    wrong = next(name for name, marks in items.items() if marks < 0)
    right = sum((marks for marks in items.values() if marks > 0), Fraction(0))
    assert by_question(overridden(found, ("pruned", wrong, 0)))["pruned"] == right


@given(
    st.dictionaries(st.sampled_from("ABCD"), st.fractions(0, 1, max_denominator=6)), st.sampled_from(["3", "?", "7"])
)
def test_marks_stay_within_what_they_are_out_of(marks: dict[str, Fraction], written: str) -> None:
    found = overridden(
        report(values={"A": written, "B": "3", "C": "2"}), *(("values", item, each) for item, each in marks.items())
    )
    question = next(iter(found.questions()))
    assert 0 <= question.marks <= 4
    assert {each.item.name: each.marks for each in question.items if each.override} == marks
    assert question.marks == sum((each.marks for each in question.items), Fraction(0))
    assert found.exact_marks == sum(by_question(found).values(), Fraction(0))


def test_equal_answers_are_overridden_together() -> None:
    lines = read_overrides(
        b"student,question,item,marks,reason,given\n*,values,A,1/2,a word,nine\ns3,values,A,1,asked,\n"
    )
    overrides = Overrides(lines)
    reports = [report(student, values={"A": text}) for student, text in (("s1", "nine"), ("s2", "ten"), ("s3", "nine"))]
    found = [by_question(overrides.apply(each))["values"] for each in reports]
    assert found == [Fraction(1, 2), 0, 1], "a student's own line goes before"
    assert list(overrides.problems()) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("s1,move,,2,", "s1 move: 2 marks, out of 1"),
        ("s1,values,A,1.01,", "s1 values A: 1.01 marks, out of 1"),
        ("s1,,,12,", "s1: 12 marks, out of 11"),
        ("s2,move,,1,", "s2 move: there is no such answer to override"),
        ("s1,moev,,1,", "s1 moev: there is no such answer to override"),
        ("s1,values,L1,1,", "s1 values L1: there is no such answer to override"),
    ],
)
def test_lines_that_cannot_be_applied_are_named(line: str, said: str) -> None:
    before = report(values=VALUES, move="a2")
    overrides = Overrides(read_overrides(f"student,question,item,marks,reason\n{line}\n".encode()))
    assert overrides.apply(before) == before
    assert [(each.place.line, each.message) for each in overrides.problems()] == [(2, said)]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("s1,move,,many,", "is not a number of marks"),
        ("s1,move,,-1,", "marks are not below 0"),
        (",move,,1,", "whose marks these are"),
        ("s1,,A,1,", "to which question"),
        ("*,move,,1,", "a line for everybody says which question, and what was given"),
        ("s1,move,,1,\ns1,move,,0,", "this is overridden already, at line 2"),
        ('"s1,move,,1,', "a quote is opened"),
    ],
)
def test_lines_that_make_no_sense_are_told(rows: str, said: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_overrides(f"student,question,item,marks,reason\n{rows}\n".encode())
    assert said in caught.value.problems[0].message


def test_another_variant_has_lines_of_its_own() -> None:
    lines = read_overrides(b"student,part,question,item,marks,reason\ns1,other,move,,1,\n")
    overrides = Overrides(lines)
    assert not overrides.apply(report(move="a2")).overrides
    assert overrides.apply(replace(report(move="a2"), exercise=replace(EXERCISE, id="other"))).marks == 1


# What a person should look at.


def test_a_question_that_cannot_be_read_is_one_line() -> None:
    (row,) = review_rows(report(values="I don't know, see my drawing"))
    assert (row.question, row.item, row.given, row.out_of) == ("values", "", "I don't know, see my drawing", "4")


def test_what_is_no_item_of_the_key_is_a_matter_of_the_question() -> None:
    (row,) = review_rows(report(pruned=["L5", "2"]))
    assert (row.question, row.item, row.why, row.out_of) == ("pruned", "", "ambiguous", "2")


def test_what_answers_no_question_is_listed_with_the_nearest() -> None:
    found = GRADER.grade(replace(answer(valeus={"A": "3"}, zzz="7"), ignored=("comment",)))
    told = [(row.question, row.given, row.why, row.out_of) for row in review_rows(found)]
    assert ("values", 'valeus: {"A":"3"}', "ignored", "4") in told
    assert ("", "zzz: 7", "ignored", "11") in told and ("", "comment", "ignored", "11") in told


def test_equal_answers_stand_together() -> None:
    review = Review()
    for student, written in (("s1", {"B": "x", "A": "nine"}), ("s2", {"A": "ten"}), ("s0", {"A": "nine"})):
        review.add(report(student, values=written))
    assert [(row.item, row.given, row.student) for row in review.rows] == [
        ("A", "nine", "s0"),
        ("A", "nine", "s1"),
        ("A", "ten", "s2"),
        ("B", "x", "s1"),
    ]


@given(st.text(min_size=1, max_size=12), st.text(max_size=12), st.text(max_size=12))
def test_the_list_filled_in_is_read_as_overrides(student: str, written: str, reason: str) -> None:
    """Whatever students are called and write, and teachers say."""
    found = report(student, values={"A": written, "B": "3"}, move=f"?{written}")
    review = Review()
    review.add(found)
    rows = list(csv.DictReader(io.StringIO(review.sheet().decode())))
    for row in rows:
        row["marks"], row["reason"] = "1/4", reason
    file = io.StringIO()
    writer = csv.DictWriter(file, ["student", "part", "question", "item", "given", "why", "marks", "out_of", "reason"])
    writer.writeheader()
    writer.writerows(row for row in rows if row["student"].strip())
    raw = file.getvalue().encode("utf-8", "replace")
    lines = read_overrides(raw)
    overrides = Overrides(lines)
    found = overrides.apply(found)
    assert list(overrides.problems()) == []
    assert len(found.overrides) == len(lines)
    assert all(each.marks == Fraction(1, 4) for each in found.overrides.values())


def test_what_was_given_is_the_raw_text() -> None:
    found = report(values={"A": " nine "}, windows={"A": ["-inf", "?"]})
    assert given_text(found, "values", "A") == " nine "
    assert given_text(found, "windows", "A") == '["-inf","?"]'
    assert given_text(found, "move") == "" and given_text(found, "values", "B") == ""


# Which of several answers counts.


@pytest.mark.parametrize(
    ("submitted", "order"),
    [
        (["2026-01-02T10:00", "2026-01-01T10:00"], [1, 0]),
        (["2026-01-02 10:00", "2026-01-02 9:00"], [0, 1]),
        (["2026-01-02T10:00+02:00", "2026-01-02T09:00Z"], [0, 1]),
        (["2026-01-02T10:00+02:00", "2026-01-02T07:00Z"], [1, 0]),
        (["2026-01-02T10:00", "2026-01-01T07:00Z"], [0, 1]),
        (["2026-01-02", None], [0, 1]),
        (["2026-01-02", "yesterday"], [0, 1]),
        (["2026-01-02", "2026-01-02"], [0, 1]),
        ([], []),
    ],
)
def test_the_latest_is_told_by_time_where_all_have_one(submitted: list[str | None], order: list[int]) -> None:
    assert in_order(submitted) == order


def counted(by: str, *answers: Answer | Broken) -> tuple[Run[Report], list[Report]]:
    run, made = marked(answers, Grader(EXERCISE).grade, by)
    return run, [each for each in made if isinstance(each, Report)]


def test_the_latest_or_the_best_counts() -> None:
    first = replace(answer(move="a1"), submitted="2026-01-03")
    second = replace(answer(move="a2"), submitted="2026-01-02")
    third = replace(answer(move="a1", values={"A": "?"}), submitted="2026-01-01")
    broken = Broken("b.yaml", (Problem(WHOLE_FILE, "syntax", "x"),))
    other = answer("s2")
    for by, found in (("latest", first), ("best", first)):
        run, reports = counted(by, third, other, broken, second, first)
        assert [each.answer for each in reports] == [other, found]
        assert reports[1].chosen is not None and (reports[1].chosen.by, reports[1].chosen.among) == (by, 3)
        assert reports[0].chosen is None
        assert (run.marked, run.broken, run.passed_over) == (2, 1, 2)
    run, reports = counted("best", first, third)
    assert [each.answer for each in reports] == [first], "among equals the latest"
    run, reports = counted("latest", replace(first, submitted=None), second)
    assert [each.answer for each in reports] == [second]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["a1", "a2", "?"])), max_size=9))
def test_one_report_for_each_student(written: list[tuple[str, str]]) -> None:
    answers = [answer(student, move=move) for student, move in written]
    for by in ("latest", "best"):
        run, reports = counted(by, *answers)
        assert sorted(each.answer.student for each in reports) == sorted({student for student, _ in written})
        assert run.passed_over == len(answers) - len(reports)
        for each in reports:
            theirs = [move for student, move in written if student == each.answer.student]
            if by == "best":
                assert each.marks == ("a1" in theirs)
            else:
                assert each.answer.answers["move"] == theirs[-1]


def test_an_answer_that_cannot_be_marked_does_not_hide_the_others() -> None:
    def grade(each: Answer) -> Report:
        if each.answers["move"] == "crash":
            raise Refusal("A", "algorithm", "it cannot")
        return Grader(EXERCISE).grade(each)

    answers = [answer(move="a1"), answer(move="crash")]
    run, made = marked(answers, grade, "best")
    assert [each.marks for each in made if isinstance(each, Report)] == [1]
    assert (run.marked, run.broken) == (1, 1)


def test_a_misspelt_node_is_looked_at_below_its_question() -> None:
    rows = review_rows(report(values={**VALUES, "AA": "5"}))
    assert [(each.question, each.item, each.given, each.why) for each in rows] == [("values", "", "AA: 5", "ignored")]


def test_below_full_feedback_rows_add_up_beside_an_item_marked_by_hand() -> None:
    windows = {"A": ["-inf", "inf"], "B": "?", "C": ["3", "inf"], "D": ["4", "inf"]}
    found = overridden(report(windows=windows), ("windows", "B", 1))
    data = report_data(found, "marks", words_of("en"))
    (question,) = [each for each in data["questions"] if each["id"] == "windows"]
    assert [item["marks"] for item in question["items"]] == [1, 1, 1, 0]
    assert question["marks"] == 3
