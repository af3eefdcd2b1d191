"""`plymark grade` and `plymark regrade` as a teacher, an administrator and a hostile student use them."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grader.documents.answer_file import Answer, load_answer_bytes
from grader.documents.exercise_file import load_exercise
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.marking.run import Broken
from solver.kernel import WHOLE_FILE, Problem, Refusal
from tests.support.command import plymark_within as plymark
from tests.support.paths import ROOT
from tests.support.runs import marked

EXERCISE = ROOT / "exercises" / "two-ply.yaml"
ANSWERS = ROOT / "exercises" / "answers"
SCHEMA = json.loads((ROOT / "schemas" / "report.schema.json").read_bytes())
RIGHT: dict[str, Any] = {
    "values": {"A": 3, "B": 3, "C": "<= 2", "D": 2},
    "windows": {"A": ["-inf", "inf"], "B": ["-inf", "inf"], "C": [3, "inf"], "D": [3, "inf"]},
    "pruned": ["L5", "L6"],
    "move": "a1",
}


def answer(student: str, **changed: Any) -> dict[str, Any]:
    return {"plymark": "answer/1", "exercise": "two-ply", "student": student, "answers": {**RIGHT, **changed}}


def lines(path: Path, *answers: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in answers), "utf-8")
    return path


def marks(output: str) -> dict[str, Any]:
    return {report["student"]: report["marks"] for report in map(json.loads, output.splitlines())}


def test_a_folder_of_answers() -> None:
    ran = plymark("grade", EXERCISE, ANSWERS, "--format", "json")
    assert ran.code == 0, ran.stderr
    reports = [json.loads(line) for line in ran.stdout.splitlines()]
    assert {report["file"].split("-")[-1]: report["marks"] for report in reports}["right.yaml"] == 11
    for report in reports:
        Draft202012Validator(SCHEMA).validate(report)


@pytest.mark.parametrize("level", ["none", "marks", "hints", "full"])
@pytest.mark.parametrize("language", ["en", "pt", "es", "fa"])
def test_reports_conform_and_tell_no_more_than_they_may(level: str, language: str, tmp_path: Path) -> None:
    wrong = answer("w", values={"A": 99, "B": 99, "C": 99, "D": 99}, windows={"C": [1, 2]}, pruned=["L9"], move="a3")
    file = lines(tmp_path / "a.jsonl", wrong, answer("b", values={}, windows={}, pruned="none", move="x"))
    ran = plymark("grade", EXERCISE, file, "-f", "json", "--feedback", level, "-l", language)
    assert ran.code == 0, ran.stderr
    for report in map(json.loads, ran.stdout.splitlines()):
        Draft202012Validator(SCHEMA).validate(report)
        items = [item for question in report["questions"] for item in question["items"]]
        assert ("diagnosis" in report) == (level in ("hints", "full"))
        assert all(("expected" in item) == (level == "full") for item in items)
        if level != "full":
            told = json.dumps([report["questions"], report["feedback"]], ensure_ascii=False)
            # The key: the cut of C after L4, what it spares, and the values.
            assert "C after L4" not in told and "L5" not in told
            assert "≤ 2" not in told and "(3, +∞)" not in told


def test_a_broken_answer_spoils_only_itself(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(json.dumps(answer("good")), "utf-8")
    (tmp_path / "bad.yaml").write_text("plymark: answer/1\nexercise: two-ply\nstudent: [\n", "utf-8")
    (tmp_path / "other.json").write_text(json.dumps({**answer("other"), "exercise": "another"}), "utf-8")
    ran = plymark("grade", EXERCISE, tmp_path, "-f", "json")
    assert ran.code == 1
    assert marks(ran.stdout) == {"good": 11}
    assert "bad.yaml:3:" in ran.stderr and "[other-exercise]" in ran.stderr
    assert "1 marked, 2 could not be marked" in ran.stderr


def test_the_order_of_input_does_not_matter(tmp_path: Path) -> None:
    answers = [answer("a"), answer("b", move="a2"), answer("c", pruned="none")]
    one = plymark("grade", EXERCISE, lines(tmp_path / "one.jsonl", *answers))
    other = plymark("grade", EXERCISE, lines(tmp_path / "two.jsonl", *reversed(answers)))
    assert one.stdout == other.stdout
    assert one.stdout.index("\na") < one.stdout.index("\nb")


def test_one_answer_of_each_student_counts(tmp_path: Path) -> None:
    file = lines(tmp_path / "a.jsonl", answer("a"), answer("b"), answer("a", move="a2"), answer("a", pruned="none"))
    for option, line, total in (([], 4, 9), (["--duplicates", "best"], 1, 11)):
        for source, stdin in ((file, b""), ("-", file.read_bytes())):
            ran = plymark("grade", EXERCISE, source, "-f", "csv", *option, stdin=stdin)
            rows = {row["Student"]: row["Total"] for row in csv.DictReader(io.StringIO(ran.stdout))}
            assert rows == {"a": str(total), "b": "11"} and ran.stdout.count("\na,") == 1
            which = option[-1] if option else "latest"
            assert f":{line}: a gave 3 answers; this one counts, the {which}\n" in ran.stderr
            assert ran.code == 0
    report = json.loads(plymark("grade", EXERCISE, file, "-f", "json").stdout.splitlines()[-1])
    assert report["duplicates"] == {"answers": 3, "counted": "latest"}
    assert report["feedback"][0] == "You handed in 3 answers; the latest counts."
    Draft202012Validator(SCHEMA).validate(report)
    assert plymark("grade", EXERCISE, file, "--duplicates", "first").code == 2


def test_an_item_that_cannot_be_read_is_no_failure(tmp_path: Path) -> None:
    ran = plymark("grade", EXERCISE, lines(tmp_path / "a.jsonl", answer("a", move=["?"], values="nine")))
    assert ran.code == 0


def test_what_is_reviewed_is_overridden(tmp_path: Path) -> None:
    """From the list of what to look at, through a spreadsheet, back into marks that outlive a correction."""
    nine = {"A": "nine", "B": 3, "C": "<= 2", "D": 2}
    file = lines(
        tmp_path / "a.jsonl",
        answer("=s1", values=nine, move="=1+1"),
        answer("s2", values=nine),
        answer("s3", pruned="see, my; drawing"),
        answer("s4"),
    )
    review = tmp_path / "review.csv"
    before = plymark("grade", EXERCISE, file, "--review", review, "-f", "json")
    assert before.code == 0 and "4 to look at" in before.stderr
    with review.open(newline="", encoding="utf-8") as sheet:
        rows = list(csv.DictReader(sheet))
    assert list(rows[0]) == ["student", "part", "question", "item", "given", "why", "marks", "out_of", "reason"]
    assert [(row["student"], row["question"], row["item"], row["given"], row["out_of"]) for row in rows] == [
        ("'=s1", "values", "A", "nine", "1"),
        ("s2", "values", "A", "nine", "1"),
        ("s3", "pruned", "", "see, my; drawing", "2"),
        ("'=s1", "move", "", "'=1+1", "1"),
    ]
    assert {row["why"] for row in rows} == {"unreadable"} and {row["marks"] for row in rows} == {""}
    # Nothing is filled in: nothing changes.
    assert plymark("grade", EXERCISE, file, "--overrides", review, "-f", "json").stdout == before.stdout
    rows[0] |= {"student": "*", "marks": "0,5", "reason": "a word"}
    rows[2] |= {"marks": "2", "reason": 'said "C"'}
    rows[3] |= {"marks": "1/3"}
    with review.open("w", newline="", encoding="utf-8-sig") as sheet:
        writer = csv.DictWriter(sheet, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    after = plymark("grade", EXERCISE, file, "--overrides", review, "-f", "json", "--review", tmp_path / "again.csv")
    assert after.code == 0, after.stderr
    assert marks(after.stdout) == {"=s1": 9.83, "s2": 10.5, "s3": 11, "s4": 11}
    reports = [json.loads(line) for line in after.stdout.splitlines()]
    for report in reports:
        Draft202012Validator(SCHEMA).validate(report)
    assert reports[0]["questions"][0]["items"][0]["override"] == {"marks": 0.5, "reason": "a word"}
    assert reports[2]["questions"][2]["override"] == {"marks": 2, "reason": 'said "C"'}
    text = plymark("grade", EXERCISE, "-", "--overrides", review, "-l", "pt", stdin=file.read_bytes().splitlines()[0])
    assert "A: Os pontos foram atribuídos manualmente: 0,5 de 1. Motivo: a word" in text.stdout
    assert text.code == 1 and "review.csv:4:1: s3 pruned: there is no such answer" in text.stderr
    # A correction changes what was computed, not what was given by hand.
    new = tmp_path / "new.yaml"
    corrected = EXERCISE.read_text("utf-8").replace("../specs", str(ROOT / "specs")).replace("out_of: 11", "out_of: 13")
    new.write_text(re.sub(r"(ask: move,? *\n?\s*marks): 1", r"\1: 3", corrected), "utf-8")
    assert "marks: 3" in new.read_text("utf-8")
    changes = plymark("regrade", EXERCISE, new, file, "--overrides", review, "-f", "csv")
    found = {row["Student"]: row["After"] for row in csv.DictReader(io.StringIO(changes.stdout))}
    assert found == {"'=s1": "9.83", "s2": "12.5", "s3": "13", "s4": "13"} and changes.code == 0


def test_a_sheet_and_a_gradebook(tmp_path: Path) -> None:
    sheet = tmp_path / "answers.csv"
    sheet.write_text(
        'student,values.A,values.B,values.C,values.D,pruned,move\ns1,3,3,<= 2,2,"L5, L6",a1\ns2,,,,,,\n', "utf-8"
    )
    for kind, first in (("plain", "Student"), ("canvas", "Student"), ("moodle", "")):
        ran = plymark("grade", EXERCISE, sheet, "-f", "csv", "--gradebook", kind)
        assert ran.code == 0, ran.stderr
        rows = list(csv.reader(io.StringIO(ran.stdout)))
        assert rows[0][0].lstrip("\ufeff").startswith(first)
        assert any("7" in row for row in rows if "s1" in row)


def test_results_go_into_a_folder_and_a_summary_beside(tmp_path: Path) -> None:
    file = lines(tmp_path / "a.jsonl", answer("s1"), answer("s/2", move="a2"))
    ran = plymark(
        "grade", EXERCISE, file, "-f", "gradescope", "-o", tmp_path / "out", "--summary", tmp_path / "class.html"
    )
    assert ran.code == 0, ran.stderr
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert len(written) == 2 and all(name.endswith("results.json") for name in written)
    results = [json.loads((tmp_path / "out" / name).read_bytes()) for name in written]
    assert {result["score"] for result in results} == {10, 11}
    assert all(test["visibility"] == "after_published" for result in results for test in result["tests"])
    page = (tmp_path / "class.html").read_text("utf-8")
    assert "<svg" in page and "http://" not in page.replace("http://www.w3.org", "")


HOSTILE = {
    "formula": "=cmd|' /C calc'!A0",
    "plus": "+1+1",
    "at": "@SUM(A1)",
    "markup": "<script>alert(1)</script>",
    "escape": "name\u001b[31m",
    "long": "x" * 1_000_000,
    "marks": "11",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("format", ["text", "json", "csv", "gradescope"])
def test_hostile_answers_gain_and_break_nothing(name: str, format: str, tmp_path: Path) -> None:
    text = HOSTILE[name]
    hostile = answer(
        text[:60] if "\u001b" not in text else "s",
        values={"A": text, text[:50]: text},
        windows=text,
        pruned=[text],
        move=text,
    )
    hostile |= {"marks": 11, "report": {"marks": 11}}
    ran = plymark("grade", EXERCISE, lines(tmp_path / "a.jsonl", hostile, answer("good")), "-f", format)
    assert "Traceback" not in ran.stderr
    assert "\u001b" not in ran.stdout
    if format == "json":
        found = marks(ran.stdout)
        assert found.pop("good") == 11
        assert all(each == 0 for each in found.values())
    if format == "csv":
        for row in csv.reader(io.StringIO(ran.stdout)):
            assert not any(cell[:1] in "=+@\t\r" and cell for cell in row), row
    assert len(ran.stdout) < 200_000


def test_deep_nesting_is_refused_in_words(tmp_path: Path) -> None:
    nested: Any = "x"
    for _ in range(100):
        nested = [nested]
    ran = plymark(
        "grade", EXERCISE, lines(tmp_path / "a.jsonl", answer("deep", values=nested), answer("good")), "-f", "json"
    )
    found = marks(ran.stdout)
    assert found["good"] == 11 and found.get("deep", 7) == 7


def test_regrade_shows_what_changes(tmp_path: Path) -> None:
    text = EXERCISE.read_text("utf-8").replace("../specs/two-ply.yaml", str(ROOT / "specs" / "two-ply.yaml"))
    new = tmp_path / "new.yaml"
    new.write_text(
        text.replace("ask: move, marks: 1", "ask: move, marks: 3").replace("out_of: 11", "out_of: 13"), "utf-8"
    )
    file = lines(tmp_path / "a.jsonl", answer("s1"), answer("s2", move="a2"))
    ran = plymark("regrade", EXERCISE, new, file, "--format", "csv")
    assert ran.code == 0, ran.stderr
    rows = {row[0]: row for row in csv.reader(io.StringIO(ran.stdout.lstrip("\ufeff")))}
    assert "11" in rows["s1"] and "13" in rows["s1"]
    assert rows["s2"].count("10") >= 2


def test_wrong_use_is_said(tmp_path: Path) -> None:
    for arguments, message in [
        (["--format", "xml"], "unknown format 'xml'"),
        (["--feedback", "all"], "unknown feedback 'all'"),
        (["--language", "de"], "unknown language 'de'"),
        (["--summary", "class.pdf"], "a class summary is .html, .csv or .txt"),
    ]:
        ran = plymark("grade", EXERCISE, ANSWERS, *arguments)
        assert ran.code == 2
        assert message in ran.stderr
    ran = plymark("grade", ROOT / "specs" / "two-ply.yaml", ANSWERS)
    assert ran.code == 1
    assert "this is game/1, not exercise/1" in ran.stderr
    ran = plymark("grade", EXERCISE, tmp_path)
    assert ran.code == 1


def test_a_run_gives_reports_and_broken_answers_in_order_and_counts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What cannot be read and what cannot be marked keep their places, and nothing is printed."""
    exercise = load_exercise(EXERCISE)
    read = [load_answer_bytes(json.dumps(answer(name)).encode(), f"{name}.json") for name in ("a", "refused", "b")]
    unread = Broken("c.json", (Problem(WHOLE_FILE, "syntax", "not JSON"),), 1)

    def grade(each: Answer) -> Report:
        if each.student == "refused":
            raise Refusal("A", "algorithm", "too hard")
        return Grader(exercise).grade(each)

    run, made = marked([read[0], unread, *read[1:]], grade)
    names = [
        each.problems[0].message if isinstance(each, Broken) else (each.answer.student, each.marks) for each in made
    ]
    assert names == [("a", 11), "not JSON", "cannot be marked: too hard", ("b", 11)]
    assert (run.marked, run.broken, run.is_clean) == (2, 2, False)
    assert capsys.readouterr() == ("", "")
    assert not marked([], Grader(exercise).grade)[0].is_clean
