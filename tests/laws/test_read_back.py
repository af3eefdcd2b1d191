"""Whatever Plymark prints as a key in any language, taken out by other programs, is read back as right."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from grader.delivery.papers.paper_registry import paper
from grader.delivery.systems.exporter import ExportOptions
from grader.delivery.systems.moodle import MOODLE
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise
from grader.intake.system_responses import read_responses
from grader.kernel.csv_sheets import CsvRows
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.marking.run import Broken
from grader.questions.exercise import Exercise
from solver.languages import LANGUAGES
from tests.support.learning_systems import cloze
from tests.support.paths import ROOT
from tests.support.ready import exercise_of, made

READY = sorted(path.stem for path in (ROOT / "exercises").glob("*.yaml"))
RECIPES = (
    *("alpha-beta-easy", "and-or-easy", "concepts-easy", "depth-limit-easy", "expectiminimax-easy", "maxn-easy"),
    *("mcts-easy", "minimax-medium", "opponent-easy", "ordering-easy", "unknown-leaf-easy", "alpha-beta-trace"),
)
MOST_TRIED = 5
"""Of the texts that a box takes."""
ALTERNATIVES = re.compile(r"\s+/\s+")
"""What stands between several right answers, each of which is right alone."""


@cache
def exercise(name: str) -> Exercise:
    if name in READY:
        return load_exercise(ROOT / "exercises" / f"{name}.yaml")
    return exercise_of(made(name, 1)[0])


@cache
def grader(name: str) -> Grader:
    return Grader(exercise(name))


class KeyPage(HTMLParser):
    """The answers of a key in HTML: what is bold in the boxes of each question, below the labels of the boxes."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[dict[str, str]] = []
        self._inside: list[str] = []
        self._label = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kinds = (dict(attrs).get("class") or "").split()
        if "ask" in kinds:
            self.questions.append({})
        if tag == "p" and kinds:
            self._inside = kinds
            self._label = "" if "label" in kinds or "box" in kinds else self._label
        if tag == "b" and {"cell", "box"} & set(self._inside):
            self._inside = [*self._inside, "key"]
            self.questions[-1].setdefault(self._label, "")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("b", "p"):
            self._inside = []

    def handle_data(self, data: str) -> None:
        if "label" in self._inside:
            self._label += data
        elif "key" in self._inside:
            self.questions[-1][self._label] += data


def printed(name: str, code: str) -> dict[str, dict[str, str]]:
    """The key on paper, by question and label."""
    (content,) = paper([exercise(name)], "key", code, "html").values()
    page = KeyPage()
    page.feed(content.decode())
    return dict(zip((question.id for question in exercise(name).questions), page.questions, strict=True))


def answers(key: dict[str, dict[str, str]]) -> dict[str, Any]:
    return {name: boxes[""] if list(boxes) == [""] else boxes for name, boxes in key.items()}


def lost(name: str, code: str, written: dict[str, Any]) -> dict[str, Any]:
    """The questions that do not earn all of their marks."""
    report = grader(name).grade(Answer(exercise(name).id, "s", written, language=code))
    return {
        each.question.id: (written.get(each.question.id), [(item.item.name, item.verdict) for item in each.items])
        for each in report.questions()
        if each.marks < each.question.marks
    }


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", [*READY, *RECIPES])
def test_the_key_on_a_page_is_read_back(name: str, code: str) -> None:
    key = printed(name, code)
    assert all(key.values())
    first = {name: {label: ALTERNATIVES.split(text)[0] for label, text in boxes.items()} for name, boxes in key.items()}
    assert lost(name, code, answers(first)) == {}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", READY)
def test_a_whole_question_of_the_key_is_read_back_as_one_text(name: str, code: str) -> None:
    texts = {
        question: [f"{label}: {ALTERNATIVES.split(text)[0]}" if label else text for label, text in boxes.items()]
        for question, boxes in printed(name, code).items()
    }
    assert lost(name, code, {question: "؛ ".join(parts) for question, parts in texts.items()}) == {}


def squeezed(text: str) -> str:
    """Without blanks and marks, which programs set as they like."""
    return re.sub(r"[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", text)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
@pytest.mark.parametrize("code", [code for code in LANGUAGES if words_of(code).direction == "ltr"])
@pytest.mark.parametrize("name", READY)
def test_a_pdf_holds_the_same_key(name: str, code: str, tmp_path: Path) -> None:
    """As another program takes it out, up to blanks: so what is read back from a page is read back from a PDF."""
    (content,) = paper([exercise(name)], "key", code, "pdf").values()
    file = tmp_path / "key.pdf"
    file.write_bytes(content)
    taken = subprocess.run(["pdftotext", "-raw", file, "-"], capture_output=True, check=True).stdout.decode()
    texts = chain.from_iterable(boxes.values() for boxes in printed(name, code).values())
    assert [text for text in texts if squeezed(text) not in squeezed(taken)] == []


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", READY)
def test_what_moodle_accepts_earns_full_marks(name: str, code: str) -> None:
    """Every answer that a file gives all marks to, in one box at a time."""
    content = MOODLE.write([exercise(name)], ExportOptions(language=code)).content
    assert isinstance(content, bytes)
    boxes = [box.right for box in cloze(content.decode())]
    right = [each[0] for each in boxes]
    responses = [
        [*right[:place], text, *right[place + 1 :]] for place, texts in enumerate(boxes) for text in texts[:MOST_TRIED]
    ]
    for response, found in zip(responses, handed_in(name, responses), strict=True):
        assert not isinstance(found, Broken), found
        unmarked = lost(name, code, dict(found.answers))
        assert {each: why for each, why in unmarked.items() if each in found.answers} == {}, response


def handed_in(name: str, responses: list[list[str]]) -> list[Answer | Broken]:
    """As Moodle's sheet of responses has them."""
    sheet = io.StringIO()
    rows = csv.writer(sheet)
    rows.writerow(["Last name", "First name", "Email address", "Response 1"])
    for response in responses:
        parts = "; ".join(f"part {place}: {text}" for place, text in enumerate(response, start=1))
        rows.writerow(["A", "B", "s@example.org", parts])
    lines = sheet.getvalue().encode().splitlines(keepends=True)
    return list(read_responses(CsvRows(lines, 1_000_000), "r.csv", [exercise(name)]))
