"""What students write: every right spelling earns full marks, every wrong one less, whatever the blanks, the case of
the letters and the script of the digits."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise_bytes
from grader.marking.grader import Grader
from grader.marking.verify import verified
from tests.grader.questions.spellings import GAMES, SPELLINGS

RIGHT = [(place, text) for place, (_, _, right, _) in enumerate(SPELLINGS) for text in right]
WRONG = [(place, text) for place, (_, _, _, wrong) in enumerate(SPELLINGS) for text in wrong]
PERSIAN = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")


@cache
def grader(place: int) -> Grader:
    game, asked, _, _ = SPELLINGS[place]
    question = {"id": "q", "marks": "12", **asked}
    data = {"plymark": "exercise/1", "id": "e", "game": GAMES[game], "questions": [question]}
    return Grader(verified(load_exercise_bytes(json.dumps(data).encode(), "e.json")))


def share(place: int, written: Any) -> float:
    made = grader(place)
    return float(made.grade(Answer("e", "s", {"q": written})).exact_marks / made.exercise.out_of)


@pytest.mark.parametrize(("place", "written"), RIGHT, ids=repr)
def test_a_right_spelling_is_right(place: int, written: Any) -> None:
    assert share(place, written) == 1


@pytest.mark.parametrize(("place", "written"), WRONG, ids=repr)
def test_a_wrong_one_is_not(place: int, written: Any) -> None:
    assert share(place, written) < 1


def test_there_are_hundreds_of_each_kind() -> None:
    assert len(RIGHT) >= 350 and len(WRONG) >= 60


def otherwise(text: str, blanks: str, turn: int) -> str:
    """The same text with other blanks, in another case or with other digits."""
    spaced = text.replace(" ", blanks)
    return (spaced.upper(), spaced.lower(), spaced.translate(PERSIAN), f"{blanks}{spaced}{blanks}")[turn]


ALPHABET = st.sampled_from([*"ABCDLxaα0159.,;:=<>≤≥≈%½/-–…()[]{}→ \u200f،؛۳", " to ", " after ", "none", "تا", " and "])


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(SPELLINGS) - 1), st.lists(ALPHABET, max_size=14).map("".join))
def test_any_text_can_be_marked(place: int, text: str) -> None:
    """What cannot be read is told, and nothing else happens."""
    assert 0 <= share(place, text) <= 1
    assert share(place, [text, text]) >= 0 and share(place, {text: text, "A": text}) >= 0


TEXTS = [(place, text) for place, text in [*RIGHT, *WRONG] if isinstance(text, str)]


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(TEXTS), st.sampled_from([" ", "  ", "\u00a0", "\n", " \u200f"]), st.integers(0, 3))
def test_equal_spellings_are_read_alike(case: tuple[int, str], blanks: str, turn: int) -> None:
    """A variant may be refused in part, but it is never read as something better."""
    place, text = case
    assert share(place, otherwise(text, blanks, turn)) <= share(place, text)
