"""What people read comes from the catalogues: in a pseudo-language only names and the author's own words are plain."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.pseudo import left, page_says, plain_words, pseudo_language, said_by

EXERCISES = sorted((ROOT / "exercises").glob("*.yaml"))
ANSWERS = sorted((ROOT / "exercises" / "answers").glob("*.yaml"))
TEMPLATES = sorted((ROOT / "grader" / "service" / "http" / "templates").rglob("*.html"))
PAGES_OF_CANVAS = re.compile(r"<mattext[^>]*>(&lt;.*?)</mattext>", re.DOTALL)


@pytest.fixture(scope="module", autouse=True)
def _pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


@pytest.mark.parametrize("spec", ["two-ply", "star-probing", "three-players", "vacuum-plan", "mcts-textbook"])
def test_explanations_and_pictures(spec: str, tmp_path: Path) -> None:
    file = ROOT / "specs" / f"{spec}.yaml"
    assert left(said_by("explain", file, "--detail", "full"), file) == set()
    said_by("draw", file, "-o", tmp_path / "a.svg")
    assert left(page_says((tmp_path / "a.svg").read_text("utf-8")), file) == set()
    if spec != "mcts-textbook":
        said_by("draw", file, "--stages", "-o", tmp_path / "a.html")
        assert left(page_says((tmp_path / "a.html").read_text("utf-8")), file) == set()


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda path: path.stem)
def test_papers(exercise: Path, tmp_path: Path) -> None:
    for kind in ("sheet", "key", "solution"):
        paper = tmp_path / f"{kind}.html"
        said_by("paper", exercise, "--to", "html", "--kind", kind, "--language", "en", "-o", paper)
        assert left(page_says(paper.read_text("utf-8")), exercise) == set(), kind


def test_reports(tmp_path: Path) -> None:
    exercise = ROOT / "exercises" / "two-ply.yaml"
    for level in ("none", "hints", "full"):
        for answer in ANSWERS:
            assert left(said_by("grade", exercise, answer, "--feedback", level, "-l", "en"), exercise, answer) == set()
    for ending in ("html", "txt"):
        summary = tmp_path / f"class.{ending}"
        table = said_by("grade", exercise, *ANSWERS, "-l", "en", "--summary", summary)
        text = summary.read_text("utf-8")
        assert left(table, exercise, *ANSWERS) == set()
        assert left(page_says(text) if ending == "html" else text, exercise, *ANSWERS) == set()
    said_by("grade", exercise, *ANSWERS, "-l", "en", "--format", "html", "-o", tmp_path / "pages")
    for page in sorted((tmp_path / "pages").glob("*.html")):
        assert left(page_says(page.read_text("utf-8")), exercise, *ANSWERS) == set(), page.name


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda path: path.stem)
def test_exports(exercise: Path, tmp_path: Path) -> None:
    """What Moodle and Canvas show beside the boxes; what is in a box is an answer, spelt in every language."""
    said_by("export", exercise, "--to", "moodle", "-l", "en", "-o", tmp_path / "a.xml")
    written = (tmp_path / "a.xml").read_text("utf-8")
    texts = re.findall(r"<questiontext[^>]*>\s*<text><!\[CDATA\[(.*?)\]\]>", written, re.DOTALL)
    assert texts
    shown = re.sub(r"\{\d+:[A-Z_]+:.*?\}</span>", "</span>", "".join(texts), flags=re.DOTALL)
    assert left(page_says(shown), exercise) == set()
    said_by("export", exercise, "--to", "canvas", "-l", "en", "-o", tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        quizzes = [archive.read(name).decode() for name in archive.namelist() if name.endswith(".xml")]
    pages = [unescape(page) for quiz in quizzes for page in PAGES_OF_CANVAS.findall(quiz)]
    assert pages
    for page in pages:
        assert left(re.sub(r"\[[^\]]*\]", "", page_says(page)), exercise) == set()


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_templates_of_the_service_have_no_words_of_their_own(template: Path) -> None:
    text = template.read_text("utf-8")
    # Attributes that a macro keeps for several tags are no text.
    for code in (r"\{% macro about.*?endmacro %\}", r"\{#.*?#\}", r"\{\{.*?\}\}", r"\{%.*?%\}"):
        text = re.sub(code, "", text, flags=re.DOTALL)
    text = re.sub(r"<(code|textarea|pre)\b.*?</\1>|placeholder=\"[^\"]*\"", "", text, flags=re.DOTALL)
    assert plain_words(page_says(text)) <= {"Plymark"}
