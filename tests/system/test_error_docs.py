"""docs/errors.md: every code, with a line that Plymark really prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.documents.answer_file import load_answer_bytes, require_answer_to
from solver.kernel import DocumentError
from solver.kernel.errors import CODES, DEFAULT_LIMITS, EXAM_CODES, EXERCISE_CODES, RECIPE_CODES
from solver.pipeline import load
from tests.support.command import plymark_within as plymark
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "errors.md").read_text("utf-8")
SECTION = re.compile(r"^### (.+)\n\n(.+)\n\n```text\n(.+)\n```\n\n(.+)\n", re.MULTILINE)
PRINTED = {
    line
    for folder in ("bad", "bad_exercises", "bad_exams", "bad_recipes")
    for file in (ROOT / "tests" / folder).rglob("*.expected")
    for line in file.read_text("utf-8").splitlines()
}
NEVER_IN_A_FILE = {"no-file", "crash", "timeout", "picture", "too-hard", "efg", "import", "other-exercise", "override"}

EFG = {
    "efg": 'EFG 2 R "x" { "A" }\np "" 1 1 "" { "a" "b" } 0\nt "" 1 "" { 1 }\n',
    "import": 'EFG 2 R "x" { "A" "B" }\np "" 1 1 "" { "l" "r" } 0\n'
    + 'p "" 2 1 "who knows" { "l" "r" } 0\nt "" 1 "" { 1, 2 }\nt "" 2 "" { 1, 2 }\n'
    + 'p "" 2 1 "who knows" { "l" "r" } 0\nt "" 3 "" { 1, 2 }\nt "" 4 "" { 1, 2 }\n',
}


class Section(NamedTuple):
    code: str
    meaning: str
    example: str
    advice: str


SECTIONS = [Section(*found) for found in SECTION.findall(PAGE)]


def test_the_page_lists_exactly_the_codes() -> None:
    headings = re.findall(r"^### (.+)$", PAGE, re.MULTILINE)
    assert sorted(headings) == sorted(CODES | EXERCISE_CODES | EXAM_CODES | RECIPE_CODES)
    assert [section.code for section in SECTIONS] == headings


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.code)
def test_every_section_is_complete(section: Section) -> None:
    assert section.example.endswith((f" [{section.code}]", f'"code":"{section.code}"}}'))
    assert section.code in NEVER_IN_A_FILE or section.example in PRINTED
    assert section.meaning.endswith(".")
    assert section.advice.endswith(".")


def example_of(code: str) -> str:
    return next(section.example for section in SECTIONS if section.code == code)


def test_the_refusal_inside_an_analysis_is_real() -> None:
    wide = f"plymark: game/1\ntree: {list(range(17))}\n"
    assert example_of("too-hard") in plymark("analyse", "--format", "json", "-", stdin=wide.encode()).stdout


@pytest.mark.parametrize("code", EFG)
def test_the_refusals_of_imports_are_real(code: str, tmp_path: Path) -> None:
    name, _, _ = example_of(code).partition(":")
    (tmp_path / name).write_text(EFG[code])
    assert plymark("import", name, cwd=tmp_path).stderr.splitlines()[0] == example_of(code)


def test_the_missing_file_is_real() -> None:
    name, _, line = example_of("no-file").partition(":")
    with pytest.raises(DocumentError) as caught:
        load(name)
    assert [str(problem) for problem in caught.value.problems] == [line]


def test_the_answer_to_another_exercise_is_real() -> None:
    answer = load_answer_bytes(b"plymark: answer/1\nexercise: two-ply\nstudent: s1024\nanswers: {}\n", "answer.yaml")
    with pytest.raises(DocumentError) as caught:
        require_answer_to("deep-cut", answer)
    assert [f"{answer.source}:{problem}" for problem in caught.value.problems] == [example_of("other-exercise")]


def test_the_override_that_gives_too_much_is_real(tmp_path: Path) -> None:
    (tmp_path / "marks.csv").write_text("student,question,item,marks,reason\ns1,move,,2,\n")
    line = b'{"student": "s1", "answers": {}}\n'
    ran = plymark(
        "grade", ROOT / "exercises" / "two-ply.yaml", "-", "--overrides", "marks.csv", cwd=tmp_path, stdin=line
    )
    assert ran.code == 1 and ran.stderr.splitlines()[0] == example_of("override")


@pytest.mark.parametrize("setting", re.findall(r"--limit (\w+)=", PAGE))
def test_limits_that_it_names_can_be_set(setting: str) -> None:
    assert getattr(DEFAULT_LIMITS.with_settings([f"{setting}=7"]), setting) == 7
