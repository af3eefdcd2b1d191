"""What an exam hands out, in the pseudo-language: papers in every format, reports, and what learning systems show."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.delivery.systems import gradescope_run, prairielearn_server
from tests.support.machine import needs
from tests.support.paths import ROOT
from tests.support.pseudo import left, page_says, pseudo_language, said_by

TWO_PLY = ROOT / "exercises" / "two-ply.yaml"
EXAM = f"""plymark: exam/1
id: midterm
title: Midterm
parts:
  - exercise: {TWO_PLY}
  - variants:
      - plymark: exercise/1
        id: tiny-1
        game: {{tree: [[3, 5], [2, 9]]}}
        questions: [{{id: move, ask: move, marks: 1}}]
      - plymark: exercise/1
        id: tiny-2
        game: {{tree: [[2, 9], [3, 5]]}}
        questions: [{{id: move, ask: move, marks: 1}}]
    marks: 2
# The part of variants is called tiny.
"""
SLIPS = """plymark: answer/1
exercise: midterm
student: s1
answers:
  two-ply: {values: {A: 3, B: 8, C: "<= 2", D: unreadable}, move: a1, pruned: [L5, L6]}
  tiny-2: {move: a2}
"""
MISTAKEN = """plymark: answer/1
exercise: midterm
student: s2
answers:
  two-ply: {values: {A: 14, B: 12, C: 6, D: 14}, move: a3, pruned: none}
"""
LANGUAGE = ("--language", "en")
TEX = re.compile(
    r"\\(?:begin|end)\{[^}]*\}(?:\[[^\]]*\])*(?:\{[^}]*\})?|\\(?:node|draw|path)\b.*|\[[^\]]*\]|\\[A-Za-z]+"
)
"""Environments, lines of pictures, options, commands."""
TEX_WORDS = {"darkgray", "end-0", "height", "mm", "page"}
"""What stands in braces after commands."""


@pytest.fixture(scope="module", autouse=True)
def _pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What people wrote themselves: an exam, a roster, two answers; and the exercise."""
    folder = tmp_path_factory.mktemp("exam")
    roster = "student,name\ns1,Ada\ns2,Alan\n"
    written = {"midterm.yaml": EXAM, "class.csv": roster, "s1.yaml": SLIPS, "s2.yaml": MISTAKEN}
    for name, text in written.items():
        (folder / name).write_text(text, "utf-8")
    return [*(folder / name for name in written), TWO_PLY]


def shown(file: Path) -> str:
    """What a reader sees of a file."""
    if file.suffix == ".pdf":
        return subprocess.run([needs("pdftotext"), str(file), "-"], capture_output=True, text=True, check=True).stdout
    text = file.read_text("utf-8")
    if file.suffix == ".html":
        return page_says(text)
    return TEX.sub("", text.partition("\\begin{document}")[2]) if file.suffix == ".tex" else text


def handed_out(folder: Path, own: list[Path], to: str) -> Iterator[Path]:
    exam, roster = own[:2]
    options = ("--answer-form", "--qr", "--time", "90")
    said_by("paper", exam, "--kind", "booklet", "--roster", roster, "--to", to, *LANGUAGE, *options, "-o", folder)
    yield from (file for file in folder.iterdir() if file.suffix != ".csv")
    said_by("paper", exam, "--kind", "key", "--compact", "--to", to, *LANGUAGE, "-o", folder / f"compact.{to}")
    yield folder / f"compact.{to}"
    said_by("paper", exam, "--kind", "solution", "--to", to, *LANGUAGE, "-o", folder / f"solution.{to}")
    yield folder / f"solution.{to}"


@pytest.mark.slow
@pytest.mark.parametrize("to", ["html", "pdf"])
def test_papers_of_an_exam(to: str, own: list[Path], tmp_path: Path) -> None:
    """The booklet with its index and keys, the compact key, the solution."""
    files = list(handed_out(tmp_path / "papers", own, to))
    assert len(files) == 5
    for file in files:
        assert left(shown(file), *own) == set(), file.name


def test_papers_in_latex(tmp_path: Path) -> None:
    """Of one exercise: what TeX adds is taken away by patterns, and checked in the other formats as it is read."""
    for kind in ("sheet", "key", "solution"):
        file = tmp_path / f"{kind}.tex"
        said_by("paper", TWO_PLY, "--to", "latex", "--kind", kind, *LANGUAGE, "-o", file)
        assert left(shown(file), TWO_PLY) <= TEX_WORDS, kind


@pytest.mark.slow
def test_reports_of_an_exam(own: list[Path], tmp_path: Path) -> None:
    exam, _, first, second, _ = own
    for answers in ([first], [second], [first, second]):
        assert left(said_by("grade", exam, *answers, *LANGUAGE), *own) == set()
    for ending in ("html", "txt"):
        said_by("grade", exam, first, second, *LANGUAGE, "--summary", tmp_path / f"class.{ending}")
    for to in ("html", "pdf"):
        said_by("grade", exam, first, second, *LANGUAGE, "--format", to, "-o", tmp_path / to)
    for file in (file for file in tmp_path.rglob("*") if file.is_file()):
        assert left(shown(file), *own) == set(), file.name


def test_regrades(own: list[Path], tmp_path: Path) -> None:
    exam, _, first, second, _ = own
    changed = tmp_path / "changed.yaml"
    changed.write_text(EXAM.replace("marks: 2", "marks: 5"), "utf-8")
    said = said_by("regrade", exam, changed, first, second, *LANGUAGE)
    assert "s1" in said and left(said, *own) == set()


def test_gradescope(own: list[Path], tmp_path: Path) -> None:
    """What is marked, and why something is not; problems of a document are in English everywhere."""
    exam, _, first, _, _ = own
    said_by("export", exam, "--to", "gradescope", *LANGUAGE, "-o", tmp_path / "a.zip")
    root = tmp_path / "autograder"
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(root / "source")
    (root / "submission").mkdir()

    def told() -> str:
        found = json.loads(gradescope_run.results(root))
        return "\n".join([found["output"], *(test["output"] for test in found.get("tests", ()))])

    assert left(told(), *own) <= {"yaml", "json", "answer"}, "nothing was handed in"
    (root / "submission" / "answer.yaml").write_bytes(first.read_bytes())
    assert "tests" in json.loads(gradescope_run.results(root)), "marked"
    assert left(told(), *own) == set()


def test_prairielearn(own: list[Path], tmp_path: Path) -> None:
    said_by("export", own[0], "--to", "prairielearn", *LANGUAGE, "-o", tmp_path)
    questions = sorted((tmp_path / "questions").iterdir())
    assert len(questions) == 2
    folder = next(each for each in questions if each.name == "two-ply") / "exercises"
    data: dict[str, Any] = {"variant_seed": "1", "params": {}, "correct_answers": {}, "format_errors": {}}
    options = {"language": "en", "level": "full"}
    prairielearn_server.generate(data, folder, **options)
    asked = data["params"]
    said = [page_says(asked["introduction"]), *(page_says(each["title"]) for each in asked["questions"])]
    boxes = [box for each in asked["questions"] for box in each["boxes"]]
    said += [text for box in boxes for text in (box["label"], box["spoken"], box["choices"])]
    data["submitted_answers"] = {**{box["name"]: "8" for box in boxes}, boxes[0]["name"]: "unreadable"}
    prairielearn_server.parse(data, folder, **options)
    assert data["format_errors"]
    prairielearn_server.grade(data, folder, **options)
    said += [*data["format_errors"].values(), *data["feedback"]["told"]]
    for each in data["feedback"]["questions"]:
        said += [each["text"], *(f"{note['item']} {note['note']}" for note in each["notes"])]
    assert len(said) > 20
    assert left("\n".join(said), *own) == set()
