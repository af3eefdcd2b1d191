"""The midterm of docs/midterm.md, as a teacher would give it: printed, written by forty students, marked and graded.

The students know only what `pdftotext` finds in the booklet. Some make mistakes, and what these cost is known.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.command import plymark
from tests.support.paper_reader import Answer, Sheet, answers, sheets, text_of
from tests.support.paths import ROOT
from tests.system.test_docs import SESSION, Command, blocks, commands, output_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs pdftotext"),
]

PAGE = ROOT / "docs" / "midterm.md"
WRITTEN = "## 3. "
"""The section of the page in which the students write."""
NAMES = [
    f"{given} {family}"
    for family in ("Lovelace", "Núñez", "van der Berg", "O'Neill", "Šimić")
    for given in ("Ada", "Zoë", "José", "Grace", "Sara", "Mehmet", "Bjørn", "Noor")
]
STUDENTS = {f"s{number:02}": name for number, name in enumerate(NAMES, 1)}
OUT_OF = "29"


@cache
def solved(game: str) -> Answer:
    ran = plymark("solve", "-", "--format", "json", stdin=game.encode())
    assert ran.code == 0, ran.stderr
    found: Answer = json.loads(ran.stdout)
    return found


def written(sheet: Sheet, misread: Callable[[str], str] = str) -> Answer:
    """The answers of a student without a slip, once the tree is read."""
    return {task.variant: answers(task, solved(misread(task.game))) for task in sheet.tasks}


def misreads_a_leaf(sheet: Sheet) -> Answer:
    return written(sheet, lambda game: game.replace('"L1", "value": "5"', '"L1", "value": "8"'))


def takes_outcomes_for_equally_likely(sheet: Sheet) -> Answer:
    return written(sheet, lambda game: re.sub(r'"p": "[^"]+"', '"p": "1/2"', game))


def prunes_nothing(sheet: Sheet) -> Answer:
    found = written(sheet)
    found[sheet.tasks[1].variant]["pruned"] = "none"
    return found


def chooses_another_move(sheet: Sheet) -> Answer:
    found = written(sheet)
    moves = [child["move"] for child in json.loads(sheet.tasks[1].game)["tree"]["children"]]
    mine = found[sheet.tasks[1].variant]
    mine["move"] = next(move for move in moves if move != mine["move"])
    return found


def leaves_the_last_part_blank(sheet: Sheet) -> Answer:
    found = written(sheet)
    del found[sheet.tasks[2].variant]
    return found


def scribbles(sheet: Sheet) -> Answer:
    found = written(sheet)
    values = found[sheet.tasks[1].variant]["values"]
    values[next(iter(values))] = "see above"
    return found


class Planted(NamedTuple):
    write: Callable[[Sheet], Answer]
    marks: tuple[str, str, str]
    """What each part earns, before the correction."""


PLANTED = {
    "s05": Planted(misreads_a_leaf, ("4.5", "8", "10")),
    "s09": Planted(prunes_nothing, ("11", "5", "10")),
    "s14": Planted(chooses_another_move, ("11", "7", "10")),
    "s21": Planted(takes_outcomes_for_equally_likely, ("11", "8", "4")),
    "s30": Planted(leaves_the_last_part_blank, ("11", "8", "0")),
    "s38": Planted(scribbles, ("11", "7.2", "10")),
}


class Ran(NamedTuple):
    command: Command
    printed: str


class Midterm(NamedTuple):
    folder: Path
    session: list[Ran]
    sheets: list[Sheet]

    def table(self, name: str) -> list[dict[str, str]]:
        return list(csv.DictReader((self.folder / name).read_text("utf-8").splitlines()))


def play_the_students(folder: Path, example: str) -> list[Sheet]:
    """All that they have is the booklet; the one whose answers the page shows writes these."""
    (folder / "answers").mkdir()
    found = list(sheets(text_of(str(folder / "papers" / "booklet.pdf"))))
    for sheet in found:
        write = PLANTED[sheet.student].write if sheet.student in PLANTED else written
        answer = {"plymark": "answer/1", "exercise": "midterm", "student": sheet.student, "answers": write(sheet)}
        (folder / "answers" / f"{sheet.student}.yaml").write_text(json.dumps(answer, ensure_ascii=False), "utf-8")
    (folder / "answers" / "s01.yaml").write_text(example, "utf-8")
    return found


@pytest.fixture(scope="module")
def midterm(tmp_path_factory: pytest.TempPathFactory) -> Midterm:
    """Every command of the page in its order, with the students where the page has them."""
    folder = tmp_path_factory.mktemp("midterm")
    shutil.copytree(ROOT / "recipes", folder / "recipes")
    lines = [f"{student},{name},{student}@example.org" for student, name in STUDENTS.items()]
    (folder / "class.csv").write_text("\n".join(["student,name,email", *lines, ""]), "utf-8")
    page = blocks(PAGE)
    documents = {block.name: block.text for block in page if block.language == "yaml"}
    (folder / "midterm.yaml").write_text(documents["midterm.yaml"], "utf-8")
    writing = PAGE.read_text("utf-8").split(WRITTEN)[0].count("\n") + 1
    session: list[Ran] = []
    found: list[Sheet] = []
    with chdir(folder):
        for block in page:
            if block.line > writing and not found:
                found = play_the_students(folder, documents["s01.yaml"])
            if block.language == "console" and block.name == SESSION:
                session += [Ran(command, output_of(command.line)) for command in commands(block)]
    return Midterm(folder, session, found)


def test_the_page_shows_what_is_printed(midterm: Midterm) -> None:
    assert len(midterm.session) == 21
    assert [ran.printed for ran in midterm.session] == [ran.command.output for ran in midterm.session]


def test_every_sheet_is_found_in_the_text_alone(midterm: Midterm) -> None:
    assert {sheet.student: sheet.name for sheet in midterm.sheets} == STUDENTS
    dealt = {(row["student"], row["variant"]) for row in midterm.table("midterm.students.csv")}
    assert {(sheet.student, task.variant) for sheet in midterm.sheets for task in sheet.tasks[1:]} == dealt
    assert len({task.game for sheet in midterm.sheets for task in sheet.tasks}) == 9


def test_marks_are_full_but_for_what_was_planted(midterm: Midterm) -> None:
    ran = plymark("grade", "midterm.yaml", "answers", "--format", "csv", cwd=midterm.folder)
    rows = {row["SIS Login ID"]: tuple(row.values())[5:8] for row in csv.DictReader(ran.stdout.splitlines())}
    full = ("11", "8", "10")
    assert rows == {student: PLANTED[student].marks if student in PLANTED else full for student in STUDENTS}


def test_everybody_has_a_page_that_tells_what_went_wrong(midterm: Midterm) -> None:
    pages = {path.stem: path.read_text("utf-8") for path in (midterm.folder / "feedback").glob("s*.html")}
    assert pages.keys() == STUDENTS.keys()
    assert all(name.replace("'", "&#x27;") in pages[student] for student, name in STUDENTS.items())
    printed = {path.stem for path in (midterm.folder / "feedback-pdf").glob("s*.pdf")}
    assert printed == STUDENTS.keys()
    assert all(path.read_bytes().startswith(b"%PDF") for path in (midterm.folder / "feedback-pdf").glob("*.pdf"))
    marks = {student: found[1] for student, page in pages.items() if (found := re.search(r"([\d.]+) of 29", page))}
    assert {student for student, mark in marks.items() if mark == OUT_OF} == STUDENTS.keys() - PLANTED.keys()
    assert "Probabilities ignored" in pages["s21"]
    assert not re.search(r">[a-z]\d \(", pages["s21"]), "as on the sheet, outcomes have no names"


def test_gradebooks_have_the_corrected_marks(midterm: Midterm) -> None:
    corrected = {"s05": "28", "s09": "26", "s14": "28", "s21": "23", "s30": "19", "s38": "28.2"}
    expected = {student: corrected.get(student, OUT_OF) for student in STUDENTS}
    plain = midterm.table("gradebook.csv")
    assert {row["SIS Login ID"]: row["Total"] for row in plain} == expected
    assert [row["Student"] for row in plain] == NAMES
    moodle = midterm.table("moodle.csv")
    parts = ("by-hand", "alpha-beta-easy", "expectiminimax-easy")
    assert {row["Email address"][:3]: row["Midterm"] for row in moodle} == expected
    assert [[row[part] for part in parts] for row in moodle] == [[row[part] for part in parts] for row in plain]
    assert all(sum(float(row[part]) for part in parts) == pytest.approx(float(row["Midterm"])) for row in moodle)
    canvas = midterm.table("canvas.csv")
    assert canvas[0]["Midterm (4711)"] == OUT_OF
    assert {row["SIS Login ID"]: row["Midterm (4711)"] for row in canvas[1:]} == expected
