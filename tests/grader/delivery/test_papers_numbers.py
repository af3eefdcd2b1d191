"""The numbers at the foot of a page: every sheet counts its own pages, and says how many it has."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from grader.delivery.papers.paper_registry import KINDS, paper
from grader.people.roster import Student
from grader.questions.exercise import Exercise
from solver.languages import LANGUAGES
from tests.grader.delivery.test_papers import compiled, exercise, only, program
from tests.grader.delivery.test_papers_pages import asking, pages_of, tree_of

pytestmark = pytest.mark.slow

FOOT = 50
"""Points at the lower edge of a page."""
MARKS = "\u2066\u2067\u2068\u2069\u202a\u202b\u202c"
"""Of direction."""


def sheets_of_all_kinds() -> list[Exercise]:
    """A tree among the questions, one on a page on its side, and one on a page of its own."""
    high = "[" * 14 + "1, 2" + "".join(f"], {number}" for number in range(13)) + "]"
    return [
        exercise("two-ply"),
        asking(tree_of(3, 4), "pruned", "move", id="wide"),
        asking(high, "values", "windows", "pruned", id="high"),
        exercise("deep-cut"),
    ]


def numbers_of(content: bytes, tmp_path: Path) -> list[tuple[int, int]]:
    """What the foot of each page says: its number, and how many there are; in any language's digits."""
    file = tmp_path / "feet.pdf"
    file.write_bytes(content)
    said = subprocess.run([program("pdftotext"), "-bbox", file, "-"], capture_output=True, check=True).stdout.decode()
    found = []
    for page in said.split("<page ")[1:]:
        high = float(page.split('height="', 1)[1].split('"', 1)[0])
        words = re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)".*?>([^<]*)<', page)
        # Names and the variant's code may have digits of their own.
        foot = [word.strip(MARKS) for _, y, word in words if float(y) > high - FOOT]
        numbers = [int(word) for word in foot if re.fullmatch(r"\d+", word)]
        assert len(numbers) == 2 or not words, foot
        # Persian is laid out from right to left, and comes out of the file in either order.
        found += [(min(numbers), max(numbers))] if words else []
    return found


def expected(pages: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What the numbers would be if each sheet ran from its 1 to the page before the next 1."""
    starts = [place for place, (page, _) in enumerate(pages) if page == 1]
    lengths = [after - before for before, after in zip(starts, [*starts[1:], len(pages)], strict=True)]
    return [(page, length) for length in lengths for page in range(1, length + 1)]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_sheet_says_how_many_pages_it_has(kind: str, code: str, tmp_path: Path) -> None:
    found = sheets_of_all_kinds()
    for each in (*([one] for one in found), found):
        pages = numbers_of(only(paper(each, kind, code, "pdf")), tmp_path)
        assert pages == expected(pages)
        assert sum(page == 1 for page, _ in pages) == len(each)


@pytest.mark.parametrize("duplex", [False, True])
def test_each_students_sheet_counts_its_own_pages(duplex: bool, tmp_path: Path) -> None:
    students = [Student(f"Student {letter}", f"s{letter}") for letter in "ABCDEFGHI"]
    files = paper(sheets_of_all_kinds(), "booklet", "pt", "pdf", students, secret="s", duplex=duplex)
    for name in ("booklet.pdf", "key.pdf"):
        pages = numbers_of(files[name], tmp_path)
        assert pages == expected(pages)
    assert sum(page == 1 for page, _ in pages) == 4
    # The index names the pages that a printer has to be asked for.
    whole = pages_of(files["booklet.pdf"], tmp_path)
    index = "\n".join(pages_of(files["index.pdf"], tmp_path))
    for student in students:
        own = [place for place, page in enumerate(whole, 1) if student.name in page]
        told = f"{own[0]}–{own[-1]}" if len(own) > 1 else f"{own[0]}"
        assert re.search(rf"{student.name} +{student.id} +\S+ +{told}\s", index)


def test_parts_of_one_exam_are_counted_together(tmp_path: Path) -> None:
    for kind in KINDS[:3]:
        for order in (sheets_of_all_kinds(), sheets_of_all_kinds()[1:3], sheets_of_all_kinds()[2:]):
            pages = numbers_of(only(paper(order, kind, "en", "pdf", together=True)), tmp_path)
            assert pages == [(number, len(pages)) for number in range(1, len(pages) + 1)]


def test_latex_counts_them_too(tmp_path: Path) -> None:
    said = compiled(only(paper([exercise("two-ply"), exercise("deep-cut")], "key", "en", "latex")), tmp_path)
    pages = [(int(page), int(last)) for page, last in re.findall(r"Page (\d+) of (\d+)", said)]
    assert pages == expected(pages)
    assert sum(page == 1 for page, _ in pages) == 2
