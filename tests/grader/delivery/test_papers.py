"""Exam papers: the rules that they state, no key on a student's sheet, and files that real programs set and show."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer import Exit

from grader.cli.paper import write_papers
from grader.delivery.exercise_wording import rules
from grader.delivery.papers.exam_sheets import key_sheet, student_sheet, title_of
from grader.delivery.papers.paper_content import Header
from grader.delivery.papers.paper_registry import FORMATS, KINDS, paper
from grader.delivery.papers.typst_paper import needs_more_fonts
from grader.documents.exercise_file import load_exercise, load_exercise_bytes
from grader.languages import words_of
from grader.people.roster import Student, roster_from
from grader.people.variant_allocation import Allocation, deal
from grader.questions.exercise import Exercise
from solver.kernel import UsageError
from solver.languages import LANGUAGES
from tests.support.browser import browser, watched_page  # noqa: F401
from tests.support.paths import ROOT

NAMES = sorted(file.stem for file in (ROOT / "exercises").glob("*.yaml"))
HOSTILE = (
    r"#set page(fill: red) $x$ \input{/etc/passwd} \undefined % & _ ^ ~ { } <script>alert(1)</script>"
    " \" ' ` -- @me *b* [l](u)"
)


def exercise(name: str) -> Exercise:
    return load_exercise(ROOT / "exercises" / f"{name}.yaml")


def only(files: Any) -> bytes:
    (content,) = files.values()
    return bytes(content)


def program(name: str) -> str:
    """The path of a program; without it a test is skipped, but never where all tests are to run."""
    found = shutil.which(name)
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"there is no {name}")
        pytest.skip(f"there is no {name}")
    return found


def pdf_text(content: bytes, tmp_path: Path) -> str:
    """The text layer and everything that the file says of itself."""
    file = tmp_path / "read.pdf"
    file.write_bytes(content)
    text = subprocess.run([program("pdftotext"), "-layout", file, "-"], capture_output=True, check=True).stdout
    about = subprocess.run([program("pdfinfo"), "-struct-text", file], capture_output=True, check=False).stdout
    info = subprocess.run([program("pdfinfo"), file], capture_output=True, check=True).stdout
    return (text + about + info).decode()


@pytest.mark.parametrize("code", LANGUAGES)
def test_rules_stand_on_every_sheet_in_the_students_language(code: str) -> None:
    words = words_of(code)
    for name in NAMES:
        found = exercise(name)
        said = [words.tell(rule) for rule in rules(found)]
        assert list(student_sheet([found], words, Header()).parts[0].rules) == said
        page = html.unescape(only(paper([found], "sheet", code, "html")).decode())
        assert all(rule in page for rule in said)


def secret_exercise() -> Exercise:
    """Its key has numbers that stand nowhere in the tree: 4321/7 and 1234.5."""
    return load_exercise_bytes(
        b"""
plymark: exercise/1
id: quiet
title: Chance
game:
  tree:
    turn: max
    children:
      - {turn: chance, children: [{p: 1/7, value: 1}, {p: 6/7, value: 720}]}
      - {turn: chance, children: [{p: 1/2, value: 469}, {p: 1/2, value: 2000}]}
questions:
  - {id: values, ask: values, marks: 4}
  - {id: move, ask: move, marks: 1}
"""
    )


@pytest.mark.slow
@pytest.mark.parametrize("to", FORMATS)
def test_no_key_on_the_students_sheet(to: str, tmp_path: Path) -> None:
    """The key has these numbers in the same format, so the test can see them; the sheet has them nowhere."""

    def text(kind: str, **more: Any) -> str:
        found = paper([secret_exercise()], kind, "en", to, **more)
        name = "booklet" if kind == "booklet" else kind
        content = found[f"{name}{FORMATS[to][0]}"]
        return pdf_text(content, tmp_path) if to == "pdf" else content.decode()

    for answer in ("4321/7", "1234.5"):
        assert answer in text("key")
        assert answer not in text("sheet")
        assert answer not in text("booklet", roster=["Ada", "Alan"])


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_is_the_same_whatever_the_key_is(name: str) -> None:
    """Answers, notes and mistakes are nowhere on it, and no box is there only because the key has it."""
    words = words_of("en")
    sheet = student_sheet([exercise(name)], words, Header())
    for part in sheet.parts:
        assert part.notes == () and part.mistakes is None
        for figure in part.figures:
            assert not any(item.best or item.cut or item.stopped or item.state != "seen" for item in figure.board.items)
        for question in part.questions:
            assert question.notes == () and all(box.answer == "" for box in question.boxes)


def test_boxes_do_not_tell_which_counts_change() -> None:
    found = exercise("mcts")
    backup = student_sheet([found], words_of("en"), Header()).parts[0].questions[1]
    tree = found.game.tree
    assert [box.label for box in backup.boxes] == [tree.ids[node] for node in tree.inner]


def test_a_sheet_gives_what_its_questions_start_from() -> None:
    mcts = student_sheet([exercise("mcts")], words_of("en"), Header()).parts[0].figures[0].board
    assert {"37/100", "60/79", "1/10", "2/11"} <= {item.value for item in mcts.items}
    horizon = student_sheet([exercise("horizon")], words_of("en"), Header()).parts[0].figures[0].board
    assert [item.windows for item in horizon.items if item.kind != "leaf"] == [("0",), ("5",), ("4",)]


def test_the_key_has_every_answer_and_what_it_earns() -> None:
    part = key_sheet([exercise("two-ply")], words_of("en"), Header()).parts[0]
    answers = [[box.answer for box in question.boxes] for question in part.questions]
    assert answers[0] == ["3", "3", "≤ 2", "2"]
    assert answers[1] == ["(−∞, +∞)", "(−∞, +∞)", "(3, +∞)", "(3, +∞)"]
    assert answers[2:] == [["L5, L6"], ["a1"]]
    assert part.questions[0].notes == ("Each right answer: 1.",)
    assert part.questions[2].notes[0] == "The search of C stops after L4: L5 and L6 pruned."
    assert part.questions[2].notes[1].startswith("Marks deducted: 1 for a missed stop, 0.5 for a late one, 1.5 for")
    assert part.notes == (
        "An answer that is wrong but follows from the student's own earlier answers earns its marks in full.",
        "Accepted as well, in full: aima4 (AIMA, 4th edition).",
        "An answer that consistently follows a different convention for one of these gets half marks: order of the "
        "children, window of the root, value returned, and window that is written.",
        "An answer that prunes nothing is no evidence of another convention: it is marked by the key.",
    )
    assert part.mistakes is not None
    swapped = next(each for each in part.mistakes if "M1" in each.names)
    assert swapped.title == "MAX and MIN swapped" and swapped.traces.startswith("A = 6; B = 12")
    cut = [item.name for item in part.figures[0].board.items if item.state == "pruned"]
    assert cut == ["L5", "L6"]


def test_a_policy_for_printed_keys_is_told() -> None:
    notes = key_sheet([exercise("three-players")], words_of("en"), Header()).parts[0].notes
    assert notes[-1] == "Following a different convention for one of these is marked as an error: tie-breaking."


def test_weights_are_told_in_the_languages_numbers() -> None:
    for code, share in (("en", "A: 1.6, B: 0.8"), ("pt", "A: 1,6, B: 0,8")):
        note = key_sheet([exercise("deep-cut")], words_of(code), Header()).parts[0].questions[0].notes[0]
        assert share in note
    unsure = key_sheet([exercise("deep-cut")], words_of("en"), Header()).parts[0].questions[7]
    assert unsure.notes == ("Each right answer: 0.5; each wrong answer: the same deducted; blank: nothing.",)


def test_totals_and_marks() -> None:
    words = words_of("en")
    assert student_sheet([exercise("two-ply")], words, Header()).total == "11 marks"
    both = student_sheet([exercise("two-ply"), exercise("deep-cut")], words, Header())
    assert both.total == "29 marks" and both.variant == "two-ply + deep-cut"
    assert sum((question.marks for question in exercise("deep-cut").questions), Fraction(0)) == 18
    assert [question.marks for question in both.parts[0].questions] == ["4 marks", "4 marks", "2 marks", "1 mark"]


def test_numbers_of_a_key_are_the_languages_own_but_names_stay() -> None:
    answers = {
        code: [
            box.answer
            for question in key_sheet([exercise("chance")], words_of(code), Header()).parts[0].questions
            for box in question.boxes
        ]
        for code in LANGUAGES
    }
    assert answers["en"][4] == "4.5" and answers["pt"][4] == "4,5" and answers["fa"][4] == "۴٫۵"
    assert answers["fa"][-1] == "L8، L10، L11، L12"


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("kind", ["sheet", "key"])
def test_the_same_bytes_every_time(to: str, kind: str) -> None:
    found = [exercise("two-ply"), exercise("chance")]
    assert paper(found, kind, "fa", to) == paper(found, kind, "fa", to)


ROSTER = ["Ada Lovelace", "Alan Turing", "Claude Shannon", "فروغ فرخزاد", "Zoë O’Brien <b>"]


@pytest.mark.slow
def test_a_booklet_has_a_sheet_for_every_student_and_an_index(tmp_path: Path) -> None:
    variants = [exercise("two-ply"), exercise("deep-cut")]
    files = paper(variants, "booklet", "en", "pdf", ROSTER, secret="s")
    assert list(files) == ["booklet.pdf", "index.pdf", "key.pdf"]
    text, index = pdf_text(files["booklet.pdf"], tmp_path), pdf_text(files["index.pdf"], tmp_path)
    dealt = deal([Student(name) for name in ROSTER], ["two-ply", "deep-cut"], "s", "variants")
    for line in dealt[:3]:
        assert line.name in text
        assert re.search(rf"{line.name}\s+{line.variant}", index)
    assert "Key:" not in text and "Mistakes" not in text
    pages = paper(variants, "booklet", "en", "html", ROSTER, secret="s")["booklet.html"].decode()
    assert pages.count('<section class="sheet"') == len(ROSTER)
    assert [found[1] for found in re.finditer(r'class="variant">Variant <bdi>([^<]*)', pages)] == [
        line.variant for line in dealt
    ]


@pytest.mark.slow
def test_a_sheet_of_students_has_ids_and_names(tmp_path: Path) -> None:
    raw = b"id,name,email\ns1,Ada Lovelace,ada@x.org\ns2,Alan Turing,alan@x.org\n"
    students = roster_from(raw, "class.csv")
    assert students == [Student("Ada Lovelace", "s1"), Student("Alan Turing", "s2")]
    record = [Allocation("S1 ", "A. Lovelace", "chance"), Allocation("s2", "", "chance")]
    files = paper([exercise("two-ply"), exercise("chance")], "booklet", "en", "pdf", students, record=record)
    text = pdf_text(files["booklet.pdf"], tmp_path)
    assert re.search(r"Name\s+Ada Lovelace\s+Student ID\s+s1", text)
    assert "two-ply" not in text, "the list that was written is obeyed, by the id"


@pytest.mark.slow
def test_only_rare_letters_need_the_machines_fonts(tmp_path: Path) -> None:
    """Everything that Plymark says itself is set with the fonts that come along, so the bytes are the same anywhere."""
    for code in LANGUAGES:
        for name in NAMES:
            pages = only(paper([exercise(name)], "key", code, "html")).decode()
            assert not needs_more_fonts(pages), (code, name)
    assert needs_more_fonts("Name: 李白") and not needs_more_fonts("Zoë Ångström, فروغ, Ελένη, Юлия")
    booklet = paper([exercise("two-ply")], "booklet", "en", "pdf", ["李白"])["booklet.pdf"]
    assert "Student ID" in pdf_text(booklet, tmp_path)


def test_wrong_use_is_told() -> None:
    found = [exercise("two-ply")]
    for bad in ({"kind": "poster"}, {"to": "docx"}, {"kind": "booklet"}, {"roster": ["Ada"]}):
        with pytest.raises(UsageError):
            paper(found, **bad)
    with pytest.raises(UsageError):
        paper([])
    with pytest.raises(UsageError, match="identified by its id"):
        paper([*found, *found])
    with pytest.raises(UsageError, match="a4, letter"):
        paper(found, size="a5")
    assert KINDS == ("sheet", "key", "solution", "booklet")


def hostile() -> Exercise:
    found = exercise("two-ply")
    questions = tuple(replace(question, text=f"{HOSTILE} {question.id}") for question in found.questions)
    return replace(found, title=HOSTILE, text=HOSTILE, questions=questions)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sheet", "key"])
def test_hostile_texts_are_printed_as_they_are(kind: str, tmp_path: Path) -> None:
    header = Header(course=HOSTILE, title=HOSTILE, date=HOSTILE)
    text = pdf_text(only(paper([hostile()], kind, "en", "pdf", header=header)), tmp_path)
    assert "#set page(fill: red) $x$" in text and "<script>" in text and r"\undefined" in text
    page = only(paper([hostile()], kind, "en", "html", header=header)).decode()
    assert "<script" not in page and html.escape("<script>alert(1)</script>", quote=False) in page


def compiled(content: bytes, tmp_path: Path) -> str:
    """What the engine that the file names makes of it, as text."""
    (tmp_path / "paper.tex").write_bytes(content)
    found = re.match(rb"% Compile with (\w+)", content)
    assert found is not None
    command = [
        program(found[1].decode()),
        "-interaction=nonstopmode",
        "-halt-on-error",
        "-no-shell-escape",
        "paper.tex",
    ]
    for _ in range(2):
        made = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=900, check=False)
        assert made.returncode == 0, made.stdout.decode("utf-8", "replace")[-2000:]
    log = (tmp_path / "paper.log").read_text("utf-8", "replace")
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", log)]
    assert max(wide, default=0) < 12, "nothing reaches into the margin"
    assert "Missing character" not in log
    return pdf_text((tmp_path / "paper.pdf").read_bytes(), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code", "kind"), [("deep-cut", "es", "sheet"), ("two-ply", "en", "key"), ("chance", "pt", "key")]
)
def test_pdflatex_sets_papers(name: str, code: str, kind: str, tmp_path: Path) -> None:
    content = only(paper([exercise(name)], kind, code, "latex"))
    assert content.startswith(b"% Compile with pdflatex")
    text = compiled(content, tmp_path)
    assert title_of([exercise(name)], words_of(code), Header()) in text
    pages = re.findall(r"Page (\d+) of (\d+)|Página (\d+) de (\d+)", text)
    assert pages and "??" not in text


@pytest.mark.slow
def test_lualatex_sets_persian_papers(tmp_path: Path) -> None:
    content = only(paper([exercise("deep-cut")], "key", "fa", "latex"))
    assert content.startswith(b"% Compile with lualatex")
    assert "L1، L2، L4، L5" in compiled(content, tmp_path)


@pytest.mark.slow
def test_latex_prints_hostile_texts_as_they_are(tmp_path: Path) -> None:
    text = compiled(only(paper([hostile()], "sheet", "en", "latex", header=Header(title="T"))), tmp_path)
    assert "#set page(fill: red) $x$" in text and r"\undefined" in text and "<script>" in text


@pytest.mark.slow
def test_pages_are_counted_for_each_sheet(tmp_path: Path) -> None:
    text = pdf_text(only(paper([exercise("two-ply"), exercise("deep-cut")], "sheet", "en", "pdf")), tmp_path)
    assert re.findall(r"Page (\d) of (\d)", text)[:3] == [("1", "1"), ("1", "2"), ("2", "2")]


@pytest.mark.slow
def test_a_question_is_never_split_between_pages(tmp_path: Path) -> None:
    """Every question's number and its marks are on the page of its boxes: each page's last question has its box."""
    many = exercise("deep-cut")
    content = only(paper([replace(many, questions=many.questions * 3)], "key", "en", "pdf"))
    file = tmp_path / "many.pdf"
    file.write_bytes(content)
    text = subprocess.run([program("pdftotext"), "-layout", file, "-"], capture_output=True, check=True).stdout.decode()
    pages = text.split("\f")[:-1]
    assert len(pages) > 3
    for page in pages:
        asked = page.count("In which order does alpha-beta evaluate leaves?")
        assert page.count("L1, L2, L4, L5") == asked, "an answer stands on the page of its question"


@pytest.mark.slow
def test_a_wide_tree_lies_on_its_side(tmp_path: Path) -> None:
    leaves = ", ".join(f"[{', '.join(str(10 * row + place) for place in range(6))}]" for row in range(9))
    text = f"plymark: exercise/1\nid: wide\ntitle: W\ngame: {{tree: [{leaves}]}}\n"
    found = load_exercise_bytes(f"{text}questions: [{{id: v, ask: values, marks: 1}}]\n".encode())
    read = pdf_text(only(paper([found], "sheet", "en", "pdf")), tmp_path)
    assert "L54" in read and "Total" in read


def test_the_command_writes_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(ROOT / "exercises" / "two-ply.yaml")
    assert write_papers([source], "pdf", tmp_path / "exam.pdf") == 0
    assert (tmp_path / "exam.pdf").read_bytes() == only(paper([exercise("two-ply")]))
    (tmp_path / "class.txt").write_text("Ada\nAlan\n", encoding="utf-8")
    assert write_papers([source], "html", tmp_path / "out", "booklet", roster=tmp_path / "class.txt") == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["booklet.html", "index.html", "key.html"]
    with pytest.raises(UsageError, match="several files"):
        write_papers([source], "pdf", tmp_path / "b.pdf", "booklet", roster=tmp_path / "class.txt")
    (tmp_path / "bad.yaml").write_text("plymark: exercise/1\nid: x\n", encoding="utf-8")
    with pytest.raises(Exit):
        write_papers([source, str(tmp_path / "bad.yaml")], "pdf", tmp_path / "none.pdf")
    assert not (tmp_path / "none.pdf").exists()
    assert "bad.yaml" in capsys.readouterr().err


Visit = Callable[..., Any]


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Iterator[Visit]:  # noqa: F811
    """Opens a paper; at the end it must have asked for nothing and complained about nothing."""
    with ExitStack() as pages:

        def visit(content: bytes, **options: Any) -> Any:
            file = tmp_path / "paper.html"
            file.write_bytes(content)
            page = pages.enter_context(watched_page(browser, **options))
            page.goto(file.as_uri())
            return page

        yield visit


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "code"), [("sheet", "en"), ("key", "en"), ("sheet", "fa"), ("key", "fa")])
def test_axe_finds_nothing(visit: Visit, kind: str, code: str) -> None:
    # It loads Playwright, which may be absent where these tests are skipped.
    from axe_playwright_python.sync_playwright import Axe

    page = visit(only(paper([exercise("two-ply"), exercise("deep-cut")], kind, code, "html")))
    found = Axe().run(page).response["violations"]
    assert [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]] == []


@pytest.mark.slow
def test_axe_finds_nothing_in_an_index(visit: Visit) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = visit(paper([exercise("two-ply")], "booklet", "en", "html", ROSTER)["index.html"])
    assert Axe().run(page).response["violations"] == []


@pytest.mark.slow
def test_persian_runs_from_the_right_and_trees_stay(visit: Visit) -> None:
    page = visit(only(paper([exercise("two-ply")], "sheet", "fa", "html")))
    number, picture = page.locator("ol > li .ask").first, page.locator(".picture").first
    assert page.evaluate("getComputedStyle(document.documentElement).direction") == "rtl"
    assert picture.evaluate("node => getComputedStyle(node).direction") == "ltr"
    marks, text = number.locator(".marks").bounding_box(), number.bounding_box()
    assert marks["x"] == pytest.approx(text["x"], abs=2), "marks stand at the left edge"
