"""An exam from the document to the gradebook, by the command line."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.delivery.systems.gradescope_run import results
from grader.documents.exam_file import load_exam
from grader.intake.system_responses import read_responses
from grader.kernel.csv_sheets import CsvRows
from grader.marking.run import Broken
from solver.documents.document_schemas import conforms
from tests.grader.documents.test_exams import TWO_PLY, move
from tests.support.command import plymark_within

ROSTER = "student,name\n" + "".join(f"s{number},Student {number}\n" for number in range(7))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A midterm of a fixed exercise and two folders, one with a question a variant."""
    for name, count in (("moves", 3), ("games", 2)):
        (tmp_path / name).mkdir()
        for number in range(1, count + 1):
            exercise: dict[str, Any] = move(f"{name}-{number}", number if name == "games" else 1)
            exercise["game"] = {"tree": [[number, 5], [9, number + 1]]}
            if name == "games":
                exercise["questions"].append({"id": "values", "ask": "values", "marks": number})
            (tmp_path / name / f"{number}.json").write_text(json.dumps(exercise))
    parts = f"parts:\n  - {{exercise: {TWO_PLY}}}\n  - {{variants: moves/}}\n  - {{variants: games/, marks: 6}}\n"
    (tmp_path / "midterm.yaml").write_text(f"plymark: exam/1\nid: midterm\ntitle: Midterm\n{parts}")
    (tmp_path / "roster.csv").write_text(ROSTER)
    (tmp_path / "secret").write_text("hush")
    return tmp_path


def answer(folder: Path, student: str, answers: dict[str, Any], name: str = "midterm") -> str:
    path = folder / f"{student}.json"
    path.write_text(json.dumps({"plymark": "answer/1", "exercise": name, "student": student, "answers": answers}))
    return str(path)


RIGHT = {"two-ply": {"move": "a1"}, "moves-2": {"move": "a2"}, "games-1": {"move": "a2", "values": {"A": 2}}}


def test_check_says_what_an_exam_is(folder: Path) -> None:
    found = plymark_within("check", str(folder / "midterm.yaml"))
    assert found.stdout.endswith("valid exam/1, 3 parts, 6 exercises, 18 marks\n") and found.code == 0


def test_reports_gradebooks_and_class_pages(folder: Path) -> None:
    exam = str(folder / "midterm.yaml")
    answers = [answer(folder, "s1", RIGHT), answer(folder, "s2", {})]
    found = plymark_within("grade", exam, *answers, "--format", "json")
    first, blank = (json.loads(line) for line in found.stdout.splitlines())
    assert found.code == 0 and conforms("report/1", first) and conforms("report/1", blank)
    assert [(part["exercise"], part["marks"], part["out_of"]) for part in first["parts"]] == [
        ("two-ply", 1, 11),
        ("moves-2", 1, 1),
        ("games-1", 4, 6),
    ]
    assert (blank["marks"], blank["out_of"], blank["ignored"]) == (0, 18, [])
    assert [part["exercise"] for part in blank["parts"]] == ["two-ply", "moves", "games"]
    book = list(csv.DictReader(io.StringIO(plymark_within("grade", exam, *answers, "--format", "csv").stdout)))
    assert [book[0][name] for name in ("Total", "two-ply", "moves", "games")] == ["6", "1", "1", "4"]
    assert (book[0]["games variant"], book[1]["games variant"]) == ("games-1", "")
    for name in ("class.html", "class.csv", "class.txt"):
        told = plymark_within("grade", exam, *answers, "--summary", str(folder / name), "--language", "fa")
        assert told.code == 0 and (folder / name).read_text("utf-8")
    page = (folder / "class.html").read_text("utf-8")
    assert page.count('<h2 class="part"') == 3 and len(set(page.split('id="'))) == len(page.split('id="'))


def test_what_cannot_be_marked_is_named(folder: Path) -> None:
    exam = str(folder / "midterm.yaml")
    wrong = [
        answer(folder, "two", {"moves-1": {"move": "a1"}, "moves-2": {"move": "a1"}}),
        answer(folder, "none", {"mvoes-1": {"move": "a1"}}),
        answer(folder, "other", {}, "final"),
    ]
    found = plymark_within("grade", exam, *wrong, answer(folder, "ok", RIGHT))
    assert found.code == 1 and "1 marked, 3 could not be marked" in found.stderr
    for words in ("two variants of one part", "did you mean moves-1?", '"final", not "midterm"'):
        assert words in found.stderr


def test_a_booklet_its_record_and_marking_by_it(folder: Path) -> None:
    exam, roster = str(folder / "midterm.yaml"), str(folder / "roster.csv")
    people = ["--roster", roster, "--secret-file", str(folder / "secret")]
    made = plymark_within(
        *("paper", exam, "--kind", "booklet", "--to", "html", "--answer-form", "--out", str(folder / "out")), *people
    )
    assert made.code == 0, made.stderr
    record = folder / "midterm.students.csv"
    lines = list(csv.DictReader(record.read_text().splitlines()))
    assert {line["part"] for line in lines} == {"moves", "games"} and len(lines) == 14
    theirs = {(line["student"], line["part"]): line["variant"] for line in lines}
    assert [theirs[f"s{n}", "moves"] for n in range(3)] != [theirs[f"s{n}", "moves"] for n in range(2)]
    assert len({theirs[f"s{n}", "moves"] for n in range(3)}) == 3
    rows = list(csv.reader((folder / "out" / "answers.csv").read_text("utf-8-sig").splitlines()))
    assert rows[0][:3] == ["student", "name", "two-ply.values.A"] and "games.values.A" in rows[0]
    filled = [[cell or "1" for cell in row] for row in rows[1:]]
    (folder / "typed.csv").write_text("\n".join(",".join(f'"{cell}"' for cell in row) for row in [rows[0], *filled]))
    found = plymark_within("grade", exam, str(folder / "typed.csv"), "--format", "json")
    reports = [json.loads(line) for line in found.stdout.splitlines()]
    assert len(reports) == 7 and found.code == 0, found.stderr
    for report in reports:
        assert report["parts"][1]["exercise"] == theirs[report["student"], "moves"]
    other = next(name for name in ("moves-1", "moves-2") if name != theirs["s1", "moves"])
    told = plymark_within("grade", exam, answer(folder, "s1", {other: {"move": "a2"}}), "--format", "json", *people)
    assert json.loads(told.stdout)["ignored"] == [other] and told.code == 0
    assert f"s1 answers {other}, but was given {theirs['s1', 'moves']}" in told.stderr


def test_the_record_is_obeyed_and_new_students_come_after(folder: Path) -> None:
    exam = str(folder / "midterm.yaml")
    command = ["paper", exam, "--kind", "booklet", "--to", "html", "--out", str(folder / "out"), "--roster"]
    assert plymark_within(*command, str(folder / "roster.csv")).code == 0
    before = (folder / "midterm.students.csv").read_text()
    (folder / "more.csv").write_text("student,name\ns9,New\n" + ROSTER.partition("\n")[2])
    assert plymark_within(*command, str(folder / "more.csv")).code == 0
    after = list(csv.reader((folder / "midterm.students.csv").read_text().splitlines()))
    for part in ("moves", "games"):
        was = [row for row in csv.reader(before.splitlines()) if row[3] == part]
        now = [row for row in after if row[3] == part]
        assert now[: len(was)] == was and [row[0] for row in now[len(was) :]] == ["s9"]
    (folder / "midterm.students.csv").write_text(before.replace(",moves", ",gone"))
    found = plymark_within(*command, str(folder / "roster.csv"))
    assert found.code == 2 and "which the exam does not have" in found.stderr


@pytest.mark.parametrize("kind", ["sheet", "key", "solution"])
@pytest.mark.parametrize("to", ["html", "latex"])
def test_papers_of_every_kind(folder: Path, kind: str, to: str) -> None:
    out = folder / f"paper.{'tex' if to == 'latex' else to}"
    found = plymark_within("paper", str(folder / "midterm.yaml"), "--kind", kind, "--to", to, "--out", str(out))
    text = out.read_text("utf-8")
    assert found.code == 0 and "Midterm" in text
    for name in ("two-ply", "moves-1", "moves-2", "moves-3", "games-1", "games-2"):
        assert name in text


def test_together_makes_an_exam_of_files_and_refuses_folders(folder: Path) -> None:
    files = [str(folder / "moves" / "1.json"), str(TWO_PLY)]
    out = folder / "paper.html"
    assert plymark_within("paper", "--together", *files, "--to", "html", "--out", str(out)).code == 0
    assert "Exercise 2" in out.read_text("utf-8")
    booklet = ["paper", "--together", *files, "--kind", "booklet", "--roster", str(folder / "roster.csv")]
    assert plymark_within(*booklet, "--to", "html", "--out", str(folder / "all")).code == 0
    folders = [str(folder / "moves"), str(folder / "games")]
    found = plymark_within("paper", "--together", *folders, "--to", "html", "--out", str(out))
    assert found.code == 2 and "is a folder; write an exam" in found.stderr
    mixed = plymark_within("paper", str(folder / "midterm.yaml"), folders[0], "--to", "html", "--out", str(out))
    assert mixed.code == 2 and "is an exam, which is given alone" in mixed.stderr


def test_regrading_an_exam(folder: Path) -> None:
    given = answer(folder, "s1", RIGHT)
    old = folder / "midterm.yaml"
    new = folder / "corrected.yaml"
    new.write_text(old.read_text().replace("variants: moves/", "variants: moves/, marks: 3"))
    found = plymark_within("regrade", str(old), str(new), given, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(found.stdout))
    assert (row["Before"], row["After"], row["moves"], row["games"]) == ("6", "8", "1 → 3", "")
    assert "moves move" in plymark_within("regrade", str(old), str(new), given, "--language", "pt").stdout
    new.write_text(old.read_text().replace("  - {variants: moves/}\n", ""))
    found = plymark_within("regrade", str(old), str(new), given)
    assert found.code == 2 and "as many parts" in found.stderr


def test_marks_by_hand_outlive_regrading(folder: Path) -> None:
    given, old = answer(folder, "s1", RIGHT), str(folder / "midterm.yaml")
    (folder / "marks.csv").write_text("student,part,question,item,marks,reason\ns1,moves,,,0,late\n")
    found = plymark_within("regrade", old, old, given, "--overrides", str(folder / "marks.csv"), "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(found.stdout))
    assert (row["Before"], row["After"]) == ("5", "5")


@pytest.mark.slow
def test_moodle_has_a_category_a_part(folder: Path) -> None:
    out = folder / "moodle.xml"
    found = plymark_within("export", str(folder / "midterm.yaml"), "--to", "moodle", "--out", str(out))
    text = out.read_text("utf-8")
    assert found.code == 0 and text.count("/Plymark/Midterm (midterm, en)/") == 3
    assert text.index("/2. ") < text.index("(moves-1)") < text.index("/3. ") < text.index("(games-2)")
    assert "one random question from each category" in found.stderr
    # Another set of variants does not end up among these.
    assert "(moves-1, moves-3, 3)]]>" in text and "(games-1, games-2)]]>" in text


@pytest.mark.slow
@pytest.mark.parametrize("to", ["moodle", "canvas"])
def test_a_learning_system_shows_titles_in_its_language(to: str, tmp_path: Path) -> None:
    exam, out = tmp_path / "midterm.yaml", tmp_path / "out.zip"
    title = "{en: Midterm, fa: میان\u200cترم}"
    part = json.dumps(move("a") | {"title": {"en": "By hand", "fa": "با دست"}})
    exam.write_text(f"plymark: exam/1\nid: midterm\ntitle: {title}\nparts: [{{exercise: {part}}}]\n", "utf-8")
    assert plymark_within("export", str(exam), "--to", to, "-l", "fa", "--out", str(out)).code == 0
    content = out.read_bytes()
    if to == "canvas":
        with zipfile.ZipFile(out) as archive:
            content = b"".join(archive.read(name) for name in archive.namelist() if name.endswith(".xml"))
    assert "میان\u200cترم".encode() in content and b"Midterm" not in content and b"By hand" not in content


@pytest.mark.slow
def test_canvas_has_one_quiz_or_says_why_not(folder: Path) -> None:
    exam, out = folder / "midterm.yaml", folder / "canvas.zip"
    found = plymark_within("export", str(exam), "--to", "canvas", "--out", str(out))
    assert found.code == 2 and "cannot give each student one variant of games" in found.stderr
    exam.write_text(exam.read_text().replace("  - {variants: games/, marks: 6}\n", ""))
    assert plymark_within("export", str(exam), "--to", "canvas", "--out", str(out)).code == 0
    with zipfile.ZipFile(out) as archive:
        (quiz,) = [name for name in archive.namelist() if name.endswith(".xml") and "/g" in name]
        text = archive.read(quiz).decode()
        meta = archive.read(quiz.rpartition("/")[0] + "/assessment_meta.xml").decode()
    assert text.count("<selection_number>1</selection_number>") == 1 and "two-ply/values" in text
    assert "<points_possible>12" in meta


@pytest.mark.slow
def test_prairielearn_has_a_question_a_part_and_the_assessment(folder: Path) -> None:
    out = folder / "course"
    assert plymark_within("export", str(folder / "midterm.yaml"), "--to", "prairielearn", "--out", str(out)).code == 0
    info = json.loads((out / "assessments" / "midterm" / "infoAssessment.json").read_bytes())
    questions = info["zones"][0]["questions"]
    assert [each["points"] for each in questions] == [11, 1, 6]
    assert all((out / "questions" / each["id"] / "info.json").is_file() for each in questions)


@pytest.mark.slow
def test_gradescope_marks_the_whole_exam(folder: Path) -> None:
    out, root = folder / "autograder.zip", folder / "autograder"
    assert plymark_within("export", str(folder / "midterm.yaml"), "--to", "gradescope", "--out", str(out)).code == 0
    with zipfile.ZipFile(out) as archive:
        archive.extractall(root / "source")
    (root / "submission").mkdir()
    Path(answer(folder, "s1", RIGHT)).rename(root / "submission" / "answer.json")
    marked = json.loads(results(root))
    assert marked["score"] == 6
    assert [test["name"] for test in marked["tests"]][-2:] == ["games-1: move", "games-1: values"]
    Path(answer(folder, "s1", {"nowhere": {}})).rename(root / "submission" / "answer.json")
    assert "in no part of the exam" in json.loads(results(root))["output"]


def responses(folder: Path, text: str) -> list[Any]:
    exam = load_exam(folder / "midterm.yaml")
    rows = CsvRows(iter(text.encode().splitlines(keepends=True)), 10**6)
    return list(read_responses(rows, "responses.csv", list(exam), None, exam))


def test_moodles_responses_are_one_answer_a_row(folder: Path) -> None:
    header = "First name,Last name,Email address,Question 1,Response 1,Question 2,Response 2\n"
    two = "part 1: 3; part 2: 3; part 3: 2; part 4: 2; part 5: ; part 6: ; part 7: ; part 8: ; part 9: ; part 10: a1"
    (first, blank, broken) = responses(
        folder,
        header
        + f'A,B,a@x.org,x (two-ply) y,"{two}",(moves-2),part 1: a2\n'
        + "C,D,c@x.org,x (two-ply),-,(moves-1),-\n"
        + "E,F,e@x.org,x (two-ply),part 1: 3,(moves-1),part 1: a1\n",
    )
    assert (first.exercise, first.student) == ("midterm", "a@x.org") and first.answers["moves-2"] == {"move": "a2"}
    assert first.answers["two-ply"]["move"] == "a1"
    assert blank.answers == {"two-ply": {}, "moves-1": {}}
    assert isinstance(broken, Broken)


def test_canvas_responses_are_one_answer_a_row(folder: Path) -> None:
    header = "name,id,sis_id,1: (two-ply/move) m,1,2: (moves-1/move) m,1,3: (moves-2/move) m,1\n"
    first, blank = responses(folder, header + "Ana,1,s1,a1,1,,0,a2,0\nBob,2,s2,,0,,0,,0\n")
    assert (first.student, first.answers) == ("s1", {"two-ply": {"move": "a1"}, "moves-2": {"move": "a2"}})
    assert (blank.exercise, blank.student, blank.answers) == ("midterm", "s2", {})
