"""Forms that need no spellings: whatever is ticked or chosen, full marks and none are plymark's."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import assume, given, settings

from grader.delivery.systems.answer_boxes import TICKED, TICKS, Box
from grader.delivery.systems.answer_spellings import by_item
from grader.delivery.systems.exporter import IN_CANVAS, IN_MOODLE, System
from grader.documents.exercise_file import load_exercise_bytes
from grader.questions.exercise import Exercise
from tests.support.agreement import Asked, compared, exercise_at
from tests.support.strategies import as_json, document, minimax_trees

QUESTIONS = [
    {"id": "pruned", "ask": "pruned", "marks": 2},
    {"id": "leaves", "ask": "visited", "marks": 3},
]


def asking(tree: Any, system: System, *questions: dict[str, Any], **more: Any) -> Asked:
    game = {key: value for key, value in document(tree).items() if key != "plymark"}
    data = {"plymark": "exercise/1", "id": "x", "game": game, "questions": list(questions), **more}
    return Asked(load_exercise_bytes(as_json(data), "x.json"), system, "en")


def selections(box: Box) -> Iterator[str]:
    subsets = chain.from_iterable(combinations(box.choices, size) for size in range(len(box.choices) + 1))
    return (TICKED.join(subset) for subset in subsets)


def in_moodle(box: Box, text: str) -> Fraction:
    """Moodle adds up what is ticked and gives no less than 0."""
    earned = sum(
        (share for name, share in zip(box.choices, box.shares, strict=True) if name in text.split(TICKED)), Fraction(0)
    )
    return box.worth * max(Fraction(0), min(Fraction(1), earned))


def in_canvas(box: Box, text: str) -> Fraction:
    """Canvas counts right ticks less wrong ones, over those that are right."""
    ticked = set(text.split(TICKED)) & set(box.choices)
    return box.worth * max(Fraction(0), Fraction(2 * len(ticked & set(box.accepted)) - len(ticked), len(box.accepted)))


@given(minimax_trees(max_leaves=5))
@settings(max_examples=15, deadline=None)
def test_every_selection_of_leaves_is_right_or_worth_nothing_as_here(tree: Any) -> None:
    assume(isinstance(tree, tuple))
    asked = asking(tree, IN_MOODLE, *QUESTIONS)
    for place, each in enumerate(asked.carried):
        (box,) = each.boxes
        assert box.kind == TICKS
        for text in selections(box):
            assert list(compared(asked, place, [text], in_moodle(box, text))) == []
    on_canvas = asking(tree, IN_CANVAS, *QUESTIONS)
    (box,) = on_canvas.carried[1].boxes
    for text in selections(box):
        assert list(compared(on_canvas, 1, [text], in_canvas(box, text))) == []
    assert on_canvas.carried[0].boxes[0].kind != TICKS


def test_ticks_in_canvas_would_reward_those_who_prune_everything() -> None:
    """Which is why pruned leaves are no ticks there."""
    asked = Asked(exercise_at("exercises/deep-cut.yaml"), IN_MOODLE, "en")
    many = Box("", TICKS, "", Fraction(1), ("L1", "L2", "L3"), ("L1", "L2", "L3", "L4", "none"))
    assert in_canvas(many, TICKED.join(many.choices)) == Fraction(1, 3)
    place = next(place for place, each in enumerate(asked.carried) if each.question.ask == "pruned")
    (box,) = asked.carried[place].boxes
    assert in_moodle(box, TICKED.join(box.choices)) == asked.marks(place, [TICKED.join(box.choices)]) == 0


@pytest.mark.parametrize("system", [IN_MOODLE, IN_CANVAS], ids=lambda system: system.name)
def test_right_answers_less_wrong_ones_are_ticks(system: System) -> None:
    asked = Asked(exercise_at("exercises/deep-cut.yaml"), system, "en")
    place = next(place for place, each in enumerate(asked.carried) if each.question.ask == "prunable")
    each = asked.carried[place]
    (box,) = each.boxes
    marked = in_moodle if system is IN_MOODLE else in_canvas
    assert each.provisional is None and box.kind == TICKS
    for text in selections(box):
        assert marked(box, text) == asked.marks(place, [text]), text


def test_ticks_of_a_quiz_in_another_language_are_read() -> None:
    asked = Asked(exercise_at("exercises/deep-cut.yaml"), IN_MOODLE, "en")
    for language in ("pt", "es", "fa"):
        there = Asked(asked.exercise, IN_MOODLE, language)
        for place, each in enumerate(there.carried):
            if each.boxes[0].kind == TICKS:
                assert asked.marks(place, [each.boxes[0].right]) == each.question.marks, (language, each.question.id)


def shape(of: Exercise, system: System) -> list[list[tuple[str, str, int]]]:
    asked = Asked(of, system, "en")
    return [[(box.item, box.kind, len(box.choices)) for box in each.boxes] for each in asked.carried]


@given(minimax_trees(max_leaves=5))
@settings(max_examples=8, deadline=None)
def test_a_form_does_not_tell_the_key(tree: Any) -> None:
    """Another convention has another key, and the same form."""
    assume(isinstance(tree, tuple))
    questions = [*QUESTIONS, {"id": "line", "ask": "line", "marks": 1}, {"id": "w", "ask": "windows", "marks": 1}]
    for system in (IN_MOODLE, IN_CANVAS):
        one, other = (
            asking(tree, system, *questions, convention=convention).exercise for convention in ("aima3", "strict")
        )
        assert shape(one, system) == shape(other, system)


def test_one_text_says_something_of_each_item() -> None:
    names = ["A", "B", "C", "AB"]
    assert by_item("A ≤ 2, B>=3", names) == {"A": "≤ 2", "B": ">=3"}
    assert by_item("a: 3/7; ab = 2/5", names) == {"A": "3/7", "AB": "2/5"}
    assert by_item("A ≤ −2,5؛ B ≥ ۳ و C ≤ 1.", names) == {"A": "≤ −2,5", "B": "≥ ۳", "C": "≤ 1."}
    assert by_item("not A ≤ 2", names) == by_item("", names) == by_item("≤ 2", names) == {}
