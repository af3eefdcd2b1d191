"""Answers are collected from files, folders, JSON Lines and sheets; a broken one spoils only itself."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
import unicodedata
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.documents.answer_file import Answer
from grader.documents.exam import variants_of
from grader.documents.exercise_file import load_exercise
from grader.intake.answer_collection import Collection, collect
from grader.intake.answer_sheets import AnswerSheet
from grader.kernel.csv_sheets import CsvRows
from grader.marking.grader import Grader
from grader.marking.run import Broken
from solver.documents.document import FORBIDDEN_CHARACTERS
from solver.kernel import UsageError
from tests.support.paths import ROOT

EXERCISE = load_exercise(ROOT / "exercises" / "two-ply.yaml")
ANSWERS = ROOT / "exercises" / "answers"
HEADER = "student,values.A,values.B,values.C,values.D,windows.A,windows.B,windows.C,windows.D,pruned,move\n"
RIGHT = 's1,3,3,<= 2,2,"(-inf, inf)","(-inf, inf)","(3, inf)","(3, inf)","L5, L6",a1\n'


@pytest.mark.parametrize("name", ["responses.xlsx", "responses.html"])
def test_another_kind_of_download_is_told_apart(name: str, tmp_path: Path) -> None:
    """Moodle offers such files too; what is in them is no reader's business to complain about."""
    (tmp_path / name).write_bytes(b"PK\x03\x04\x8b<table>")
    _, (broken,) = collected(tmp_path / name)
    assert isinstance(broken, Broken) and len(broken.problems) == 1
    assert "as CSV" in (broken.problems[0].hint or "")


def collected(*paths: object) -> tuple[Collection, list[Answer | Broken]]:
    collection = collect([str(path) for path in paths], variants_of([EXERCISE]))
    return collection, list(collection)


def written(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def line(student: str = "s1", **more: Any) -> str:
    return json.dumps({"student": student, "answers": {"move": "a1"}, **more}) + "\n"


def answers(found: list[Answer | Broken]) -> list[Answer]:
    assert all(isinstance(each, Answer) for each in found), found
    return [each for each in found if isinstance(each, Answer)]


def only_broken(found: list[Answer | Broken]) -> Broken:
    (broken,) = [each for each in found if isinstance(each, Broken)]
    return broken


def test_a_folder_is_gone_through_by_name_and_what_is_no_answer_is_counted(tmp_path: Path) -> None:
    text = (ANSWERS / "two-ply-right.yaml").read_text(encoding="utf-8")
    (tmp_path / "late").mkdir()
    for name in ("late/a.yaml", "b.yaml", "a.yml"):
        written(tmp_path, name, text.replace("s1024", name))
    written(tmp_path, "game.yaml", "plymark: game/1\ntree: [1, 2]\n")
    written(tmp_path, "notes.txt", text)
    collection, found = collected(tmp_path)
    assert [each.student for each in answers(found)] == ["a.yml", "b.yaml", "late/a.yaml"]
    assert collection.skipped == 1
    assert collection.several


def test_one_way_of_writing_an_answer_is_worth_as_much_as_another(tmp_path: Path) -> None:
    """The same answers in YAML, in JSON Lines with and without a header, and in sheets get the same marks."""
    values = {"A": "8", "B": "8", "C": "<= 2", "D": "<= 5"}
    windows = {"A": "(−∞, ∞)", "B": "(−∞, ∞)", "C": "(8, ∞)", "D": "(8, ∞)"}
    asked = {"values": values, "windows": windows, "pruned": "L5, L6, L9", "move": "a1"}
    row = ["s1025", *values.values(), *windows.values(), asked["pruned"], "a1"]
    files = [ANSWERS / "two-ply-carried-on.yaml"]
    whole = {"plymark": "answer/1", "exercise": "two-ply", "student": "s1025", "answers": asked}
    files.append(written(tmp_path, "whole.jsonl", json.dumps(whole)))
    files.append(written(tmp_path, "bare.jsonl", json.dumps({"student": "s1025", "answers": asked})))
    for name, delimiter in (("comma", ","), ("semicolon", ";"), ("tab", "\t")):
        sheet = io.StringIO()
        csv.writer(sheet, delimiter=delimiter).writerows([HEADER.strip().split(","), row])
        files.append(written(tmp_path, f"{name}.csv", sheet.getvalue()))
    grader = Grader(EXERCISE)
    for file in files:
        (answer,) = answers(collected(file)[1])
        report = grader.grade(answer)
        assert (answer.student, int(report.marks)) == ("s1025", 10), file
        assert [each.marks for each in report.questions()] == [3, 4, 2, 1]


def test_a_broken_line_spoils_only_itself(tmp_path: Path) -> None:
    lines = [
        line("a"),
        '{"student": "b", "answers": \n',
        "\n",
        line("c"),
        '{"student": 3, "answers": [1]}\n',
        line("d"),
    ]
    _, found = collected(written(tmp_path, "x.jsonl", "".join(lines)))
    assert [each.student for each in found if isinstance(each, Answer)] == ["a", "c", "d"]
    assert [each.place.line for each in found if isinstance(each, Answer)] == [1, 4, 6]
    assert [each.line for each in found if isinstance(each, Broken)] == [2, 5]


def test_a_line_with_a_header_must_name_its_exercise(tmp_path: Path) -> None:
    _, found = collected(written(tmp_path, "x.jsonl", line("a", plymark="answer/1") + line("b", plymark="game/1")))
    assert [each.problems[0].code for each in found if isinstance(each, Broken)] == ["missing-key", "kind"]


def test_a_problem_in_a_bare_line_is_at_its_own_column(tmp_path: Path) -> None:
    text = '{"student": "b", "answers": [1]}'
    broken = only_broken(collected(written(tmp_path, "x.jsonl", "\n" + text))[1])
    assert broken.problems[0].place == (2, text.index("[") + 1)
    assert broken.problems[0].code == "wrong-type"


def test_an_answer_to_another_exercise_is_named(tmp_path: Path) -> None:
    _, found = collected(written(tmp_path, "x.jsonl", line("a") + line("b", exercise="other") + line("c")))
    broken = only_broken(found)
    assert (broken.problems[0].code, broken.line, broken.student) == ("other-exercise", 2, "b")
    sheet = written(tmp_path, "x.csv", "student,exercise,move\na,two-ply,a1\nb,other,a1\n")
    broken = only_broken(collected(sheet)[1])
    assert (broken.problems[0].code, broken.line) == ("other-exercise", 3)


def test_byte_order_marks(tmp_path: Path) -> None:
    assert answers(collected(written(tmp_path, "x.jsonl", b"\xef\xbb\xbf" + line().encode()))[1])
    assert answers(collected(written(tmp_path, "x.csv", b"\xef\xbb\xbf" + (HEADER + RIGHT).encode()))[1])
    for name in ("wide.jsonl", "wide.csv"):
        broken = only_broken(collected(written(tmp_path, name, (HEADER + RIGHT).encode("utf-16")))[1])
        assert broken.problems[0].code == "encoding"
        assert "UTF-16" in broken.problems[0].message


def test_a_missing_file_is_broken(tmp_path: Path) -> None:
    for name in ("a.yaml", "a.jsonl", "a.csv"):
        assert only_broken(collected(tmp_path / name)[1]).problems[0].code == "no-file"
    with pytest.raises(UsageError):
        collected("")


def test_archives_and_patterns(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as packed:
        for student in "ba":
            packed.writestr(f"../{student}.json", line(student, plymark="answer/1", exercise="two-ply"))
        packed.writestr("game.json", '{"plymark": "game/1"}')
    collection, found = collected(tmp_path / "class.zip")
    assert [each.student for each in answers(found)] == ["a", "b"] and collection.skipped == 1 and collection.several
    written(tmp_path, "one.jsonl", line("c") + line("d"))
    assert [each.student for each in answers(collected(str(tmp_path / "*.jsonl"))[1])] == ["c", "d"]


def test_who_answers_how_often_is_known_before(tmp_path: Path) -> None:
    one = written(tmp_path, "one.jsonl", line("a") + line("b"))
    two = written(tmp_path, "two.csv", "student,move\nb,a1\nc,a1\n")
    collection = collect([str(one), str(two)], variants_of([EXERCISE]))
    attempts = collection.attempts()
    one.unlink()
    two.unlink()
    assert [attempts.of(student, number) for number, student in enumerate("abbc")] == [[0], [1, 2], [1, 2], [3]]
    assert attempts.of("b", 7) == [7], "what was not there before"
    assert attempts.total == 4
    assert len(answers(list(collection))) == 4, "and all can be gone through without being read again"
    collection.close()


@pytest.mark.parametrize(
    ("text", "students"),
    [
        (line("a") + line("b"), ["a", "b"]),
        (line("a"), ["a"]),
        ('{"student": "a", \n' + line("b"), ["b"]),
        ("plymark: answer/1\nexercise: two-ply\nstudent: a\nanswers: {move: a1}\n", ["a"]),
        (json.dumps({"plymark": "answer/1", "exercise": "two-ply", "student": "a", "answers": {}}, indent=1), ["a"]),
        ("", []),
    ],
)
def test_standard_input(monkeypatch: pytest.MonkeyPatch, text: str, students: list[str]) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    _, found = collected("-")
    assert [each.student for each in found if isinstance(each, Answer)] == students


def test_empty_cells_are_missing(tmp_path: Path) -> None:
    (answer,) = answers(collected(written(tmp_path, "x.csv", HEADER + "s1,3, ,,2,,,,,,a1\n\n,,,\n"))[1])
    assert answer.answers == {"values": {"A": "3", "D": "2"}, "move": "a1"}


@pytest.mark.parametrize(
    ("header", "row", "student", "name"),
    [
        ("ID,move", "7,a1", "7", None),
        ("E-mail,move", "ada@example.org,a1", "ada@example.org", None),
        ("Student,name,move", "s1,Ada,a1", "s1", "Ada"),
        ("Student,ID,SIS Login ID,Section,move", '"Lovelace, Ada",99,ada,1,a1', "ada", "Lovelace, Ada"),
    ],
)
def test_who_the_student_is(tmp_path: Path, header: str, row: str, student: str, name: str | None) -> None:
    (answer,) = answers(collected(written(tmp_path, "x.csv", f"{header}\n{row}\n"))[1])
    assert (answer.student, answer.name, answer.answers) == (student, name, {"move": "a1"})


def test_a_sheet_may_say_what_separates(tmp_path: Path) -> None:
    (answer,) = answers(collected(written(tmp_path, "x.csv", 'sep=;\n\nstudent;pruned\ns1;"L5, L6"\n'))[1])
    assert (answer.answers, answer.place.line) == ({"pruned": "L5, L6"}, 4)


def test_questions_whose_names_contain_points() -> None:
    one, two, *_ = EXERCISE.questions
    exercise = replace(EXERCISE, questions=(replace(one, id="q.1"), replace(two, id="q.1.b")))
    sheet = AnswerSheet(
        CsvRows(io.BytesIO(b"student,q.1.A,Q.1.b.A,q.1.b.C\ns,3,4,5\n"), 10**6), "x.csv", variants_of([exercise])
    )
    (answer,) = answers(list(sheet.answers()))
    assert answer.answers == {"q.1": {"A": "3"}, "q.1.b": {"A": "4", "C": "5"}}


def test_what_is_said_of_hostile_names_is_harmless(tmp_path: Path) -> None:
    file = written(tmp_path, "\x1b[2Jx.csv", 'student,move,"\x1b[31m"\na,a1,\na,a1,\n')
    collection, _ = collected(file)
    said = [str(each) for each in collection.notes]
    assert len(said) == 4
    assert all(text.isprintable() for text in said)


def test_columns_that_belong_to_nothing_are_named(tmp_path: Path) -> None:
    collection, _ = collected(written(tmp_path, "x.csv", "student,valeus.A,move,pruned,windows.A\ns1,3,a1,,\n"))
    assert [note.text for note in collection.notes] == [
        'the column "valeus.A" belongs to no question and is ignored',
        'no column for the question "values": it counts as missing for everybody',
    ]


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"name,move\na,a1\n", "missing-key", 1),
        (b"student,move,Move\na,a1,a1\n", "duplicate-key", 1),
        (b"", "empty-document", 1),
        (b"student,move\na,a1\n,a1\nb,a1\n", "missing-key", 3),
        (b"student,move\na,a1\nJos\xe9,a1\nb,a1\n", "encoding", 3),
        (b"student,move\na,a1\nx,a1,b1\nb,a1\n", "syntax", 3),
        (b'student,move\na,a1\nx,"a1\nb,a1\n', "syntax", 3),
        (b'student,move\na,a1\nx,"a"1\nb,a1\n', "syntax", 3),
        ("student,move\na,a1\nx\u202e,a1\nb,a1\n".encode(), "character", 3),
        (b"student,move\na,a1\n" + b"x" * 5000 + b",a1\nb,a1\n", "long-text", 3),
    ],
)
def test_a_broken_row_spoils_only_itself(tmp_path: Path, content: bytes, code: str, line: int) -> None:
    _, found = collected(written(tmp_path, "x.csv", content))
    broken = only_broken(found)
    assert (broken.problems[0].code, broken.line) == (code, line)
    assert [each.student for each in found if isinstance(each, Answer)] == (["a", "b"] if line > 1 else [])


def test_a_cell_may_have_lines_and_be_long(tmp_path: Path) -> None:
    long = "9" * 1_000_000
    content = f'student,pruned,move\na,"L5\nL6",a1\nb,{long},a1\nc,none,a1\n'
    first, second, third = answers(collected(written(tmp_path, "x.csv", content))[1])
    assert first.answers == {"pruned": "L5\nL6", "move": "a1"}
    assert (second.place.line, third.place.line) == (4, 5)
    grader = Grader(EXERCISE)
    assert [grader.grade(each).marks for each in (first, second)] == [3, 1]


TEXT = st.text(max_size=12).filter(lambda text: not FORBIDDEN_CHARACTERS.search(text))


@given(st.sampled_from(",;\t"), st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6))
def test_what_a_spreadsheet_writes_is_read_back(delimiter: str, cells: list[tuple[str, str, str]]) -> None:
    file = io.StringIO(newline="")
    rows = [[f"s{place}", *row] for place, row in enumerate(cells)]
    csv.writer(file, delimiter=delimiter).writerows([["student", "values.A", "pruned", "move"], *rows])
    content = file.getvalue().encode("utf-8", "surrogatepass")
    for row, found in zip(
        rows, AnswerSheet(CsvRows(io.BytesIO(content), 10**6), "x.csv", variants_of([EXERCISE])).answers(), strict=True
    ):
        if isinstance(found, Broken):
            assert any(0xD800 <= ord(sign) < 0xE000 for cell in row for sign in cell)
            continue
        assert found.student == row[0]
        said = [
            found.answers.get("values", {}).get("A", ""),
            *(found.answers.get(key, "") for key in ("pruned", "move")),
        ]
        for read, wrote in zip(said, row[1:], strict=True):
            assert read.split() == _nfc(wrote).split()


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


@given(st.binary(max_size=200), st.sampled_from(["x.csv", "x.jsonl", "x.yaml"]))
def test_no_input_is_a_surprise(tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str) -> None:
    file = written(tmp_path_factory.mktemp("any"), name, b"student,move\n" + content if name == "x.csv" else content)
    for each in collected(file)[1]:
        assert isinstance(each, Answer) or each.problems


@pytest.mark.slow
@pytest.mark.parametrize("name", ["x.jsonl", "x.csv"])
def test_memory_does_not_grow_with_the_answers(tmp_path: Path, name: str) -> None:
    def peak(count: int) -> int:
        padding = "9" * 2_000
        with (tmp_path / name).open("w", encoding="utf-8") as file:
            file.write("student,move\n" if name == "x.csv" else "")
            for place in range(count):
                file.write(f"s{place},{padding}\n" if name == "x.csv" else line(f"s{place}", name=padding))
        tracemalloc.start()
        collected = collect([str(tmp_path / name)], variants_of([EXERCISE]))
        assert sum(isinstance(each, Answer) for each in collected) == count
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    few, many = peak(200), peak(2_000)
    # Two thousand answers have 4 MB of text; what grows is the note of who has answered.
    assert many - few < 1_000_000
