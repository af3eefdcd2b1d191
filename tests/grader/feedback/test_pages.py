"""Pages of feedback: what stands on them at each level, and that nothing of them can hurt."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise
from grader.feedback.compose import feedback_page
from grader.feedback.content import FeedbackPage
from grader.feedback.files import feedback_files
from grader.feedback.html_page import feedback_html
from grader.feedback.pdf_page import feedback_pdf, pdf_data
from grader.languages import words_of
from grader.marking.from_data import exercise_from
from grader.marking.grader import Grader
from grader.marking.overrides import OverrideLine, Overrides
from grader.marking.report import LEVELS, Override, Report
from grader.people.roster import Roster
from grader.reports.feedback_sentences import VERDICT_KEYS
from grader.reports.output_options import OutputOptions
from tests.grader.marking.test_exams import graded
from tests.support.command import plymark_within
from tests.support.paths import ROOT

GRADER = Grader(load_exercise(ROOT / "exercises/two-ply.yaml"))
CARRIED_ON = {
    "values": {"A": "8", "B": "8", "C": "<= 2", "D": "<= 5"},
    "windows": {"A": ["-inf", "inf"], "B": ["-inf", "inf"], "C": ["8", "inf"], "D": ["8", "inf"]},
    "pruned": "L5, L6, L9",
    "move": "a1",
}


def report(answers: dict[str, Any], student: str = "s1", name: str | None = None) -> Report:
    return GRADER.grade(Answer("two-ply", student, answers, name=name))


def html(answers: dict[str, Any], level: str = "full", code: str = "en", **who: Any) -> str:
    return feedback_html(feedback_page(report(answers, **who), level, words_of(code))).decode()


def spoken(page: str, node: str) -> str:
    """What a screen reader says of a node in the first picture."""
    return page.partition(f'data-node="{node}"')[2].partition('aria-label="')[2].partition('"')[0]


def test_every_answer_is_on_the_tree_with_its_verdict_in_sign_and_word() -> None:
    page = html(CARRIED_ON)
    assert spoken(page, "B").endswith("8, wrong, (−∞, +∞), right, chosen move, right")
    assert "8, follow-through" in spoken(page, "A")
    assert spoken(page, "L9").endswith("pruned, follow-through")
    for shown in ("8 ✗", "8 ↪", "a1 ✓", "c2 ✓", "d3 ↪"):
        assert f">{shown}</text>" in page
    legend = re.search(r'<ul class="legend">(.*?)</ul>', page)
    assert legend is not None
    assert re.findall("<li>(.*?)</li>", legend[1]) == ["✓ right", "↪ follow-through", "✗ wrong"]


def test_the_page_tells_marks_reasons_and_the_search_from_the_first_difference() -> None:
    page = html(CARRIED_ON)
    assert "3 of 4" in page and "10 of 11" in page
    assert "MIN takes the smallest of L1 = 3, L2 = 12, and L3 = 8, so B = 3." in page
    steps = page.partition("from the first difference")[2]
    assert re.findall('<span class="number">(.)</span>', steps) == ["3", "4", "5", "6", "7"]


def test_a_named_mistake_comes_with_what_to_study() -> None:
    everyone_maximises = {"values": {"A": "14", "B": "12", "C": "6", "D": "14"}, "pruned": "none", "move": "a3"}
    page = html(everyone_maximises)
    study = page.partition("What to study")[2].partition("</section>")[0]
    assert "Everyone maximises" in study and "Ask at each MIN node" in study
    assert "What to study" not in html(everyone_maximises, "marks")


def test_a_right_answer_needs_neither_study_nor_steps() -> None:
    right = {
        "values": {"A": "3", "B": "3", "C": "2", "D": "2"},
        "windows": {"A": ["-inf", "inf"], "B": ["-inf", "inf"], "C": ["3", "inf"], "D": ["3", "inf"]},
        "pruned": "L5, L6",
        "move": "a1",
    }
    page = html(right)
    assert "11 of 11" in page
    assert "What to study" not in page and "first difference" not in page


@pytest.mark.parametrize("code", ["en", "pt", "es", "fa"])
def test_below_hints_no_verdict_is_told(code: str) -> None:
    words = words_of(code)
    for level in ("none", "marks"):
        page = html(CARRIED_ON, level, code)
        assert not re.search("[✓✗↪≈◐]", page)
        for key in VERDICT_KEYS.values():
            assert f" {words.say(key)}<" not in page
            assert words.say(key) not in spoken(page, "B")


@pytest.mark.parametrize("level", ["none", "marks", "hints"])
def test_below_full_there_is_no_key(level: str) -> None:
    page = html(CARRIED_ON, level)
    assert "answer key" not in page and "Expected" not in page and "first difference" not in page
    assert page.count("<figure>") == 1


def test_the_sign_of_a_missing_answer() -> None:
    assert "missing" in spoken(html({"values": {"A": "3"}}), "B")
    assert "missing" not in spoken(html({"values": {"A": "3"}}, "marks"), "B")


def test_a_stop_that_is_missing_has_its_sign_at_the_child_that_could_be_left_out() -> None:
    page = html(CARRIED_ON | {"pruned": "L8, L9"})
    assert ">c2 –</text>" in page and spoken(page, "L5").endswith("missing")
    assert ">d2 ✗</text>" in page
    for level in ("hints", "marks", "none"):
        assert "–</text>" not in html(CARRIED_ON | {"pruned": "L8, L9"}, level)


def test_what_was_given_by_hand_is_shown_with_its_reason() -> None:
    lines = [
        OverrideLine(1, "s1", "values", "B", Override(GRADER.exercise.questions[0].marks / 4, "in the margin")),
        OverrideLine(2, "s1", "move", "", Override(GRADER.exercise.questions[3].marks / 2, "half")),
    ]
    made = Overrides(lines).apply(report(CARRIED_ON))
    page = feedback_html(feedback_page(made, "full", words_of("en"))).decode()
    assert "Reason: in the margin" in page and "Reason: half" in page


def pdf_text(folder: Path, answers: dict[str, Any], level: str) -> str:
    made = [feedback_pdf(feedback_page(report(answers), level, words_of("en"))) for _ in range(2)]
    assert made[0] == made[1], "the same bytes every time"
    (folder / "page.pdf").write_bytes(made[0])
    found = subprocess.run(["pdftotext", "-layout", folder / "page.pdf", "-"], capture_output=True, check=True)
    return " ".join(found.stdout.decode().split())


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_paper_says_what_the_page_says_and_no_more(tmp_path: Path) -> None:
    full = pdf_text(tmp_path, CARRIED_ON, "full")
    assert "10 of 11" in full and "✗ wrong" in full and "↪ follow-through" in full and "Page 1 of 2" in full
    assert "MIN takes the smallest of L1 = 3, L2 = 12, and L3 = 8, so B = 3." in full
    assert "The search, step by step, from the first difference 3 Leaf L3 is worth 8." in full
    hints = pdf_text(tmp_path, CARRIED_ON, "hints")
    assert "✗ wrong" in hints
    assert "Expected" not in hints and "answer key" not in hints and "first difference" not in hints
    marks = pdf_text(tmp_path, CARRIED_ON, "marks")
    assert "3 of 4" in marks and "8" in marks
    assert not re.search("[✓✗↪]|wrong|follow", marks)


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    answers = ROOT / "exercises/answers/two-ply-right.yaml"
    command = ["grade", str(ROOT / "exercises/two-ply.yaml"), str(answers), "--format", "pdf", "--out", str(tmp_path)]
    made = plymark_within(*command)
    assert made.code == 2
    assert "plymark[pdf]" in made.stderr


class Loads(HTMLParser):
    """What a page would load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [tag] if tag in ("script", "link", "img", "iframe", "object", "use", "image") else []
        self.found += [name for name, _ in attrs if name.startswith("on") or name in ("src", "style")]


HOSTILE = "</title><script>alert(1)</script>\u202e<img src=x onerror=alert(1)>"


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_that_a_student_writes_is_markup(level: str) -> None:
    answers = {"values": {"A": HOSTILE, "B": HOSTILE * 50}, "pruned": HOSTILE, "move": HOSTILE, HOSTILE: HOSTILE}
    page = html(answers, level, student=HOSTILE, name=HOSTILE)
    loads = Loads()
    loads.feed(page)
    assert loads.found == []
    assert "\u202e" not in page
    assert "url(" not in page and "@import" not in page


def test_persian_runs_from_the_right() -> None:
    page = html(CARRIED_ON, code="fa")
    assert '<html lang="fa" dir="rtl">' in page
    assert "۱۰ از ۱۱" in re.sub("[\u2066-\u2069]", "", page) and "پاسخ‌های شما روی درخت" in page


def test_labels_that_begin_with_a_name_run_as_the_page_does() -> None:
    """`dir=auto`, which a bare `bdi` has, goes by the first letter, isolated or not: "C after L4" would turn round."""
    rows = re.findall(r'<th scope="row"><bdi([^>]*)>([^<]*)</bdi>', html(CARRIED_ON, code="fa"))
    assert any(re.fullmatch("\u2068C\u2069 پس از \u2068L4\u2069", called) for _, called in rows)
    assert {attributes for attributes, _ in rows} == {' dir="rtl"'}


@pytest.mark.parametrize(
    "name", ["chance", "mcts", "horizon", "three-players", "unknown-leaf", "vacuum-plan", "deep-cut"]
)
def test_every_kind_of_exercise_has_a_page(name: str) -> None:
    """An answer with nothing in it, so that everything is told."""
    grader = Grader(load_exercise(ROOT / f"exercises/{name}.yaml"))
    for level in ("marks", "full"):
        page = feedback_html(feedback_page(grader.grade(Answer(grader.exercise.id, "s", {})), level, words_of("en")))
        assert b"<svg" in page


def test_where_nothing_can_be_drawn_the_tree_stands_alone() -> None:
    grader = Grader(load_exercise(ROOT / "exercises/unknown-leaf.yaml"))
    page = feedback_page(grader.grade(Answer(grader.exercise.id, "s", {})), "full", words_of("en"))
    assert [(each.title, each.legend) for each in page.parts[0].figures] == [("Game tree", ())]


def test_a_wide_tree_lies_on_its_side() -> None:
    shape = [[[[1, 2, 3]] * 3] * 3] * 3
    data = {"id": "wide", "game": {"tree": shape}, "questions": [{"id": "w", "ask": "windows", "marks": 1}]}
    grader = Grader(exercise_from({"plymark": "exercise/1", **data}))
    page = feedback_page(grader.grade(Answer("wide", "s", {})), "marks", words_of("en"))
    assert [each["wide"] for each in pdf_data(page)["parts"][0]["figures"]] == [True]
    assert [each["wide"] for each in pdf_data(two_ply_page())["parts"][0]["figures"]] == [False, False]


def two_ply_page() -> FeedbackPage:
    return feedback_page(report(CARRIED_ON), "full", words_of("en"))


def files(*students: str) -> Iterator[str]:
    reports = [report({}, student) for student in students]
    return (each.name for each in feedback_files(reports, "html", OutputOptions(words_of("en"))))


def test_a_roster_says_what_students_are_called() -> None:
    options = OutputOptions(words_of("en"), roster=Roster(names={"s1": "Ada Lovelace", "s2": "another"}))
    page, other, index = feedback_files([report({}, "s1"), report({}, "s2", "Ben")], "html", options)
    assert b"Ada Lovelace" in page.content and b"Ada Lovelace" in index.content
    assert b"Ben" in other.content and b"another" not in other.content


def test_no_two_files_have_one_name() -> None:
    made = list(
        files("ana", "Ana", "ana", "ana-2", "index", "../../etc/passwd", "con", "ana/b", "ana b", "", "." * 300)
    )
    assert len({name.casefold() for name in made}) == len(made) == 12
    assert made[0] == "ana.html" and made[-1] == "index.html"
    assert not any("/" in name or name.startswith(".") or len(name) > 100 for name in made)


def test_the_command_writes_pages_and_an_index(tmp_path: Path) -> None:
    answers = sorted(map(str, (ROOT / "exercises/answers").glob("*.yaml")))
    command = ["grade", str(ROOT / "exercises/two-ply.yaml"), *answers, "--format", "html", "--out", str(tmp_path)]
    assert plymark_within(*command).code == 0
    names = ["index.html", "s1024.html", "s1025.html", "s1026.html", "s1027.html"]
    assert sorted(each.name for each in tmp_path.iterdir()) == names
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert re.findall('href="(.*?)"', index) == names[1:]
    before = {name: (tmp_path / name).read_bytes() for name in names}
    assert plymark_within(*command).code == 0
    assert before == {name: (tmp_path / name).read_bytes() for name in names}


@pytest.mark.parametrize("name", ["html", "pdf"])
def test_pages_need_a_folder(name: str) -> None:
    path = str(ROOT / "exercises/two-ply.yaml")
    made = plymark_within("grade", path, str(ROOT / "exercises/answers"), "--format", name)
    assert made.code == 2
    assert f"--format {name} writes a page for each student, so it needs --out DIR" in made.stderr


def exam_page(answers: dict[str, Any], level: str = "full") -> str:
    return feedback_html(feedback_page(graded(answers), level, words_of("en"), name_variant=True)).decode()


def test_an_exam_has_a_part_for_each_exercise() -> None:
    page = exam_page({"first": {"values": {"A": "5", "B": "3", "C": "2", "D": "4"}}, "b-2": {"move": "a2"}})
    assert re.findall("<h1>.*?>(.*?)<", page) == ["Midterm"]
    titles = re.findall('<h2 class="part"><span dir="ltr">(.*?)</span> <span class="worth">(.*?)</span>', page)
    assert titles == [("Exercise 1 (first)", "5.63 of 10"), ("Exercise 2 (b-2)", "0 of 1")]
    assert "5.63 of 11" in page
    assert len(re.findall("Your answers on the tree", page)) == 2


def test_of_a_part_that_was_left_blank_only_the_marks_are_told() -> None:
    """Nobody knows which variant it was, so no tree is shown."""
    page = exam_page({"first": {"values": {"A": "5"}}})
    second = page.rpartition('<h2 class="part">')[2]
    assert "0 of 1" in second and "<svg" not in second


def test_the_index_of_an_exam_has_a_column_for_each_part() -> None:
    options = OutputOptions(words_of("en"), title="Midterm", name_variants=True)
    *_, index = feedback_files([graded({"first": {"values": {"A": "5"}}})], "html", options)
    text = re.sub("<[^>]*>", " ", index.content.decode().partition("<thead>")[2]).split()
    assert text[:9] == ["Student", "Variant", "first", "/10", "b", "/1", "Total", "/11", "Mistake"]
    assert "first" not in text[9:], "all have that"
    for answers, named in (({"b-1": {"move": "a1"}}, True), ({"first": {}}, False)):
        *_, index = feedback_files([graded(answers)], "html", options)
        assert (">b-1<" in index.content.decode()) == named, "of what was left blank nobody knows the variant"
