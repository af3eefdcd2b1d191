"""Texts in cells, columns and names of files: safe whatever students write."""

from hypothesis import given
from hypothesis import strategies as st

from grader.kernel.csv_sheets import safe_cell
from grader.kernel.display_text import aligned_columns, file_stem, terminal_text, terminal_width
from tests.support.safety import is_harmless, is_number


def test_formulas_are_told_from_numbers() -> None:
    for text in ("-3", "+2.5", "-0,5", "7"):
        assert safe_cell(text) == text
    for text in ("-3+1", "=1", "@x", "+", "-", "--1", "\t=1", "-1e5"):
        assert safe_cell(text).startswith("'")


@given(st.text())
def test_any_text_is_safe_in_a_cell(text: str) -> None:
    cell = safe_cell(text)
    assert not cell.startswith(("=", "@", "\t", "\r"))
    assert not cell.startswith(("+", "-")) or is_number(cell.replace(",", "."))
    assert is_harmless(terminal_text(text, 10)) and terminal_width(terminal_text(text, 10)) <= 10
    stem = file_stem(text)
    assert stem and not set(stem) & set('/\\:*?"<>|\0\n ') and not stem.startswith(".") and len(stem) < 80


@given(st.sets(st.text(max_size=6), max_size=20))
def test_students_do_not_share_a_file(students: set[str]) -> None:
    assert len({file_stem(student).casefold() for student in students}) == len(students)


def test_columns_are_aligned_by_what_is_seen() -> None:
    assert aligned_columns([["a", "1"], ["漢字", "10"]], [False, True]) == ["a      1", "漢字  10"]


def test_spaces_that_do_not_break_stay() -> None:
    """A plan's key has them, and is cut off where it is too wide for its cell."""
    assert terminal_text("[Suck,\u00a0if\u00a0s5 1\u202f000", 12) == "[Suck,\u00a0if\u00a0s…"
    assert terminal_text("1\u202f000") == "1\u202f000"
