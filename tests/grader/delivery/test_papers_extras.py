"""What a paper has beside tree and questions: marks, time and aids, stories, compact keys, typed answers, QR codes."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from grader.cli.paper import write_papers
from grader.delivery.papers.exam_sheets import page_code, solution_sheet, student_sheet
from grader.delivery.papers.latex_paper import tex_packages
from grader.delivery.papers.paper_content import Header, qr_rows, qr_runs
from grader.delivery.papers.paper_registry import FORMATS, paper
from grader.delivery.papers.teacher_tables import compact_key
from grader.languages import words_of
from grader.people.roster import Student
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from solver.kernel import OwnText, UsageError
from solver.languages import LANGUAGES
from solver.story import tell_story
from tests.grader.delivery.test_papers import NAMES, exercise, only, pdf_text
from tests.support.command import plymark_within
from tests.support.paths import ROOT

EN = words_of("en")


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_a_place_for_its_marks(name: str) -> None:
    found = exercise(name)
    sheet = student_sheet([found], EN, Header())
    assert [Fraction(marks) for _, marks in sheet.scores] == [each.marks for each in found.questions]
    assert sheet.scored == "Question"
    assert student_sheet([found, exercise("mcts")], EN, Header()).scored == "Exercise"


@pytest.mark.slow
@pytest.mark.parametrize("to", FORMATS)
def test_time_aids_and_instructions_are_said_in_the_students_language(to: str, tmp_path: Path) -> None:
    header = Header(time="90", aids="a # calculator", instructions="Answer all questions. " * 5)
    for code, minutes in (("en", "90 minutes"), ("fa", "\u2068۹۰\u2069 دقیقه")):
        about = dict(student_sheet([exercise("two-ply")], words_of(code), header).about)
        assert next(iter(about.values())) == minutes and len(about) == 3
    content = only(paper([exercise("two-ply")], "sheet", "en", to, header=header))
    text = pdf_text(content, tmp_path) if to == "pdf" else content.decode()
    calculator = r"a \# calculator" if to == "latex" else "a # calculator"
    assert "90 minutes" in text and calculator in text and "Answer all questions." in text
    assert student_sheet([exercise("two-ply")], EN, Header(time="two hours")).about == (("Time", "two hours"),)
    assert student_sheet([exercise("two-ply")], EN, Header()).about == ()


def test_the_title_of_an_exam_is_in_the_language_of_its_paper() -> None:
    titled = Header(title=OwnText({"en": "Midterm", "fa": "میان‌ترم"}, "en"))
    assert [student_sheet([exercise("two-ply")], words_of(code), titled).title for code in ("en", "fa", "pt")] == [
        *("Midterm", "میان‌ترم", "Midterm"),
    ]


@pytest.mark.parametrize("code", LANGUAGES)
def test_solutions_explain_as_explain_does(code: str) -> None:
    words = words_of(code)
    for name in NAMES:
        found = exercise(name)
        stories = solution_sheet([found], words, Header()).parts[0].stories
        told = {(story.opening, *story.steps, story.closing) for story in stories}
        searched = [each.solution for each in AnswerKey(found).questions if not isinstance(each.attempt(), Exception)]
        assert told == {tuple(tell_story(each, words)) for each in searched}


def test_a_story_is_on_the_solution_and_not_on_sheet_or_key() -> None:
    story = solution_sheet([exercise("two-ply")], EN, Header()).parts[0].stories[0]
    assert story.title == "Step by step: alpha-beta" and len(story.steps) == 4
    for to in ("html", "latex"):
        texts = {
            kind: only(paper([exercise("two-ply")], kind, "en", to)).decode() for kind in ("sheet", "key", "solution")
        }
        assert story.title in texts["solution"] and story.title not in texts["sheet"] + texts["key"]


def variants() -> list[Exercise]:
    return [replace(exercise("two-ply"), id=f"two-ply-{number}") for number in range(3)]


@pytest.mark.slow
@pytest.mark.parametrize("to", FORMATS)
def test_a_compact_key_has_all_variants_and_answers_in_one_table(to: str, tmp_path: Path) -> None:
    (table,) = compact_key(variants(), EN, Header()).tables
    assert table.head == ("Variant", "1 [4 marks]", "2 [4 marks]", "3 [2 marks]", "4 [1 mark]")
    assert [row[0] for row in table.rows] == ["two-ply-0", "two-ply-1", "two-ply-2"]
    assert table.rows[0][1].replace("\N{NO-BREAK SPACE}", " ") == "A 3; B 3; C ≤ 2; D 2"
    assert table.rows[0][3:] == ("L5, L6", "a1")
    content = only(paper(variants(), "key", "en", to, compact=True))
    text = pdf_text(content, tmp_path) if to == "pdf" else content.decode()
    assert all(f"two-ply-{number}" in text for number in range(3)) and "L5, L6" in text and "teacher" in text
    assert len(compact_key([*variants(), exercise("mcts")], EN, Header()).tables) == 2


def test_a_compact_key_in_persian_has_persian_semicolons() -> None:
    (table,) = compact_key(variants(), words_of("fa"), Header()).tables
    assert table.rows[0][1].count("؛") == 3 and not set(",;") & set("".join(table.rows[0]))


def test_the_typed_form_of_an_answer_sheet_is_marked(tmp_path: Path) -> None:
    """From the boxes of the printed sheet to full marks, by nothing but their names."""
    (tmp_path / "class.csv").write_text("id,name\ns1,Ada Lovelace\n=s2,Alan Turing\n", encoding="utf-8")
    source = str(ROOT / "exercises" / "two-ply.yaml")
    assert (
        write_papers([source], "html", tmp_path / "out", "booklet", roster=tmp_path / "class.csv", answer_form=True)
        == 0
    )
    pages = (tmp_path / "out" / "booklet.html").read_text(encoding="utf-8")
    names = list(dict.fromkeys(re.findall(r'class="column" dir="ltr">([^<]*)', pages)))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out" / "answers.csv").read_text(encoding="utf-8"))))
    assert list(rows[0]) == ["student", "name", "variant", *names] and names[0] == "values.A"
    assert [row["student"] for row in rows] == ["s1", "'=s2"] and {row["variant"] for row in rows} == {"two-ply"}
    key = student_sheet([exercise("two-ply")], EN, Header())
    assert len(names) == sum(len(question.boxes) for question in key.parts[0].questions)
    right = ["3", "3", "<= 2", "2", "(-inf, inf)", "(-inf, inf)", "(3, inf)", "(3, inf)", "L5, L6", "a1"]
    rows[0].update(zip(names, right, strict=True))
    typed = io.StringIO()
    writer = csv.DictWriter(typed, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    (tmp_path / "typed.csv").write_text(typed.getvalue(), encoding="utf-8")
    run = plymark_within("grade", source, str(tmp_path / "typed.csv"), "--format", "json")
    marks = {each["student"]: each["marks"] for each in map(json.loads, run.stdout.splitlines())}
    assert marks["s1"] == 11 and len(marks) == 2


def test_a_form_beside_a_sheet_has_a_row_for_each_variant(tmp_path: Path) -> None:
    source = str(ROOT / "exercises" / "two-ply.yaml")
    assert write_papers([source], "html", tmp_path / "exam.html", answer_form=True) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exam.answers.csv", "exam.html"]
    assert "values.A" not in only(paper([exercise("two-ply")], "sheet", "en", "html")).decode(), "only if asked for"


def test_qr_codes_say_which_variant_and_whose() -> None:
    assert page_code(["two-ply"], Student("")) == "plymark:two-ply"
    assert page_code(["a", "b"], Student("Zoë", "s&1")) == "plymark:a+b?student=s%261"
    assert page_code(["a"], Student("Zoë O’Brien")) == "plymark:a?student=Zo%C3%AB%20O%E2%80%99Brien"
    rows = qr_rows("plymark:two-ply?student=s1")
    size, runs = qr_runs("plymark:two-ply?student=s1")
    drawn = [[False] * size for _ in range(size)]
    for row, column, many in runs:
        drawn[row][column : column + many] = [True] * many
    assert drawn == rows and rows[0][:7] == [True] * 7, "the pattern of a corner"


@pytest.mark.parametrize("to", FORMATS)
def test_every_sheet_has_its_own_code(to: str) -> None:
    files = paper([exercise("two-ply")], "booklet", "en", to, ["Ada", "Alan"], qr=True)
    plain = paper([exercise("two-ply")], "booklet", "en", to, ["Ada", "Alan"])
    name = f"booklet{FORMATS[to][0]}"
    assert files[name] != plain[name] and files[f"key{FORMATS[to][0]}"] == plain[f"key{FORMATS[to][0]}"]
    if to == "html":
        codes = re.findall(r'class="qr" aria-hidden="true">(.*?)</div>', files[name].decode())
        assert len(set(codes)) == 2


def test_latex_names_the_packages_it_needs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    content = only(paper([exercise("two-ply")], "key", "en", "latex")).decode()
    assert content.splitlines()[1].startswith("% Needs adjustbox, amssymb, array, enumitem, fontenc, forest, geometry,")
    assert "zapfding" not in tex_packages(only(paper([exercise("two-ply")], "sheet", "en", "latex")).decode())
    assert {"dejavu", "fontspec"} <= set(
        tex_packages(only(paper([exercise("two-ply")], "sheet", "fa", "latex")).decode())
    )
    write_papers([str(ROOT / "exercises" / "vacuum-plan.yaml")], "latex", tmp_path / "key.tex", "key")
    said = capsys.readouterr().err
    assert "compile it twice with pdflatex; TeX packages it needs: adjustbox," in said and "zapfding" in said


def test_options_that_do_not_go_together_are_told() -> None:
    found = [exercise("two-ply")]
    for bad in ({"compact": True}, {"kind": "key", "qr": True}, {"kind": "solution", "answer_form": True}):
        with pytest.raises(UsageError, match="--"):
            paper(found, **bad)
