"""Texts in cells, columns and names of files: safe whatever students write."""

from hypothesis import given
from hypothesis import strategies as st

from grader.kernel.cells import columns, file_stem, terminal, width
from grader.kernel.sheets import spreadsheet
from tests.support.safety import is_harmless, is_number


def test_formulas_are_told_from_numbers() -> None:
    for text in ("-3", "+2.5", "-0,5", "7"):
        assert spreadsheet(text) == text
    for text in ("-3+1", "=1", "@x", "+", "-", "--1", "\t=1", "-1e5"):
        assert spreadsheet(text).startswith("'")


@given(st.text())
def test_any_text_is_safe_in_a_cell(text: str) -> None:
    cell = spreadsheet(text)
    assert not cell.startswith(("=", "@", "\t", "\r"))
    assert not cell.startswith(("+", "-")) or is_number(cell.replace(",", "."))
    assert is_harmless(terminal(text, 10)) and width(terminal(text, 10)) <= 10
    stem = file_stem(text)
    assert stem and not set(stem) & set('/\\:*?"<>|\0\n ') and not stem.startswith(".") and len(stem) < 80


@given(st.sets(st.text(max_size=6), max_size=20))
def test_students_do_not_share_a_file(students: set[str]) -> None:
    assert len({file_stem(student).casefold() for student in students}) == len(students)


def test_columns_are_aligned_by_what_is_seen() -> None:
    assert columns([["a", "1"], ["漢字", "10"]], [False, True]) == ["a      1", "漢字  10"]


def test_spaces_that_do_not_break_stay() -> None:
    """A plan's key has them, and is cut off where it is too wide for its cell."""
    assert terminal("[Suck,\u00a0if\u00a0s5 1\u202f000", 12) == "[Suck,\u00a0if\u00a0s…"
    assert terminal("1\u202f000") == "1\u202f000"
