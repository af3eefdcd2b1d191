"""Booklets of a large class: several files, the same bytes on one core or more, and nothing half done."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer import Exit

from grader.cli.command_outcome import Meter
from grader.cli.paper import paper_places, write_papers
from grader.delivery.papers import paper_registry
from grader.delivery.papers.html_paper import html_paper
from grader.delivery.papers.paper_content import PaperFile
from grader.delivery.papers.paper_registry import Printing, file_names, index_names, paper, paper_files
from grader.people.roster import Student
from grader.questions.exercise import Exercise
from solver.kernel import UsageError
from tests.grader.delivery.test_papers import exercise, pdf_text
from tests.support.paths import ROOT

STUDENTS = [Student(f"Student Nr {number}", f"s{number:02d}") for number in range(8)]


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_registry, "STUDENTS_A_FILE", 3)


def variants() -> list[Exercise]:
    return [replace(exercise("two-ply"), id=f"two-ply-{number}") for number in range(2)]


@pytest.mark.slow
def test_a_large_class_has_several_files_and_an_index_of_them(tmp_path: Path) -> None:
    alone = list(paper_files(variants(), "booklet", Printing("en"), STUDENTS, "s"))
    assert [each.name for each in alone] == [
        *("booklet-001.pdf", "booklet-002.pdf", "booklet-003.pdf", "index.pdf", "key.pdf"),
    ]
    assert [each.students for each in alone] == [3, 3, 2, 0, 0]
    assert [each.pages for each in alone[:3]] == [3, 3, 2]
    on_two = list(paper_files(variants(), "booklet", Printing("en", jobs=2), STUDENTS, "s"))
    assert alone == on_two, "the same bytes from other processes"
    index = pdf_text(alone[3].content, tmp_path)
    for place, student in enumerate(STUDENTS):
        file, page = f"booklet-{place // 3 + 1:03}.pdf", place % 3 + 1
        assert re.search(rf"{student.name} +{student.id} +two-ply-\d +{file} +{page}\b", index), student
        assert "Page 1 of 1" in pdf_text(alone[place // 3].content, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("to", ["html", "pdf"])
def test_the_index_of_a_large_class_has_several_files_too(
    to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last part, of a single file's students, has the same columns as the others, and numbers go on."""
    monkeypatch.setattr(paper_registry, "STUDENTS_AN_INDEX", 7)
    files = paper(variants(), "booklet", "en", to, STUDENTS, secret="s")
    first, last = (files[name] for name in index_names(len(STUDENTS), to))
    texts = [pdf_text(each, tmp_path) if to == "pdf" else each.decode() for each in (first, last)]
    assert [student.name in texts[0] for student in STUDENTS] == [True] * 7 + [False]
    assert STUDENTS[7].name in texts[1] and "booklet-003" in texts[1] and "two-ply-" in texts[1]
    assert re.search(r"^ *8 +Student Nr 7" if to == "pdf" else r">8<", texts[1], re.MULTILINE)


def test_an_index_of_another_class_is_not_left_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.html").write_text("of a smaller class")
    monkeypatch.setattr(paper_registry, "STUDENTS_AN_INDEX", 2)
    names = [*file_names("booklet", 3, "html"), *index_names(3, "html")]
    with pytest.raises(UsageError, match=r"index\.html of an earlier booklet"):
        paper_places("booklet", ".html", tmp_path, names)


@pytest.mark.parametrize("to", ["html", "latex"])
def test_other_formats_have_several_files_too(to: str) -> None:
    files = paper(variants(), "booklet", "en", to, STUDENTS, secret="s")
    names = file_names("booklet", len(STUDENTS), to)
    assert list(files)[:3] == names and len(names) == 3
    text = "".join(files[name].decode() for name in names)
    assert all(student.name in text for student in STUDENTS)
    index = files[f"index{paper_registry.FORMATS[to][0]}"].decode()
    assert all(name in index for name in names)


def test_small_classes_have_one_file() -> None:
    assert file_names("booklet", 3, "pdf") == ["booklet.pdf"]
    assert file_names("booklet", 3 * 1200, "pdf")[-1] == "booklet-1200.pdf"


def test_sheets_of_an_earlier_class_are_not_left_among_the_others(tmp_path: Path) -> None:
    source, roster = str(ROOT / "exercises" / "two-ply.yaml"), tmp_path / "class.txt"
    roster.write_text("\n".join(each.name for each in STUDENTS), encoding="utf-8")
    assert write_papers([source], "html", tmp_path / "out", "booklet", roster=roster) == 0
    assert write_papers([source], "html", tmp_path / "out", "booklet", roster=roster) == 0, "the same class again"
    roster.write_text("Ada\nAlan\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"booklet-001\.html and 2 more of an earlier booklet"):
        write_papers([source], "html", tmp_path / "out", "booklet", roster=roster)


def test_what_is_stopped_leaves_whole_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, roster = str(ROOT / "exercises" / "two-ply.yaml"), tmp_path / "class.txt"
    roster.write_text("\n".join(each.name for each in STUDENTS), encoding="utf-8")
    made = html_paper
    calls: list[int] = []

    def stopped(*given: object) -> bytes:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return made(*given)  # type: ignore[arg-type]

    monkeypatch.setitem(paper_registry.FORMATS, "html", (".html", stopped))
    with pytest.raises(Exit):
        write_papers([source], "html", tmp_path / "out", "booklet", roster=roster)
    assert capsys.readouterr().err.endswith("plymark: stopped: 1 file written\n")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["booklet-001.html"]
    assert (tmp_path / "out" / "booklet-001.html").read_text(encoding="utf-8").endswith("</html>\n")


def test_progress_is_told_in_lines_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Meter(400, "students") as meter:
        meter.say("wrote a", 100)
        meter.say("wrote b", 300)
        meter.say("wrote index", 0)
    first, second, last = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"wrote a; 100 of 400 students, [\d,]+ a second, about \d+ (s|min) left", first)
    assert second.startswith("wrote b; 400 of 400 students, ") and last == "wrote index"
    with Meter(2, "students") as meter:
        meter.say("wrote all", 2)
    assert capsys.readouterr().err == "wrote all\n"


def test_a_bar_is_shown_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Meter(400, "students") as meter:
        meter.say("wrote a", 100)
    shown = capsys.readouterr().err
    assert "wrote a\n\r\x1b[K█████░░░░░░░░░░░░░░░ 100 of 400 students" in shown and shown.endswith("\r\x1b[K")


def test_a_file_knows_its_pages() -> None:
    (made,) = paper_files(variants()[:1], "sheet", Printing("en"))
    assert isinstance(made, PaperFile) and made.pages == 1
