"""Why a system that compares each box with the key cannot give the marks that plymark gives."""

from __future__ import annotations

from collections.abc import Sequence

from grader.delivery.systems.base import System
from grader.delivery.systems.boxes import CHOICE, TEXT, TICKS, Box
from grader.marking.grader import Grader
from grader.questions.ask import Ask
from grader.questions.exercise import ITEMS, Question
from grader.questions.presentation import SKIPPED_LEAVES, VISITS
from grader.questions.registry import ask_of

TICKS_OF = {
    SKIPPED_LEAVES: "stops are marked here, and single ticks there",
    VISITS: "what is ticked too much may cost less here",
}
PASSED = " → "
"""Between the windows that a node went through."""


def why_provisional(question: Question, boxes: Sequence[Box], grader: Grader, system: System) -> str | None:
    """None if the marks will be plymark's own, as far as the accepted spellings go."""
    ask, exercise, rubric = ask_of(question), grader.exercise, question.rubric
    items = len(ask.keyed(grader.declared.of(question)))
    form = _by_its_form(ask, boxes, items, system)
    if form is not None:
        return form
    if items > 1 and rubric.scheme != ITEMS and boxes[0].kind != TICKS:
        return f"the rubric counts {rubric.scheme}"
    if rubric.floor or rubric.cap is not None:
        return "the rubric has a floor or a cap"
    follows = type(ask).follows is not Ask.follows or type(ask).mark is not Ask.mark
    stated = ask.follows_itself or any(_states(ask_of(each)) for each in exercise.questions)
    if exercise.marking.follow_through and follows and stated:
        return "no follow-through"
    if question.digits is not None and any(box.kind == TEXT and box.worth for box in boxes):
        return "numbers with more digits are right too"
    shown = ask.shown(grader.declared.of(question))
    if any(ask.shown(answer_key.of(question)) != shown for _, answer_key in grader.answer_keys[1:]):
        return "another convention may count"
    return None


def _by_its_form(ask: Ask, boxes: Sequence[Box], items: int, system: System) -> str | None:
    """What one box cannot tell, or cannot take."""
    first = boxes[0]
    if len(boxes) == 1 and first.kind == TICKS:
        return TICKS_OF.get(ask.selects)
    if first.kind == CHOICE and len(boxes) == 1 and first.shares:
        return None if system.part_choices or not first.in_parts else "parts of a line earn parts of the marks"
    if ask.open_ended or (ask.open_as_text and first.kind == TEXT) or any(PASSED in box.key for box in boxes):
        return "there are more right answers, or ways to write one, than can be listed"
    if len(boxes) == 1 and (items != 1 or ask.is_list):
        return "parts of a list earn parts of the marks"
    return None


def _states(ask: Ask) -> bool:
    """Whether other answers may follow from an answer to it."""
    return type(ask).stated is not Ask.stated
