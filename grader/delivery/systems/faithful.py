"""Why a system that compares each box with the key cannot give the marks that plymark gives."""

from __future__ import annotations

from collections.abc import Sequence

from grader.delivery.systems.boxes import NUMBER, TEXT, UCB, Box
from grader.marking.grader import Grader
from grader.marking.mark import ask_of
from grader.questions.ask import Ask
from grader.questions.exercise import ITEMS, Question

STATED = ("values", "inequalities", "vectors", "pruned")
"""Asks whose answers others may follow from; in `ucb` the selection follows from the numbers beside it."""
OPEN = ("assign", "reorder", "range", "plan")
"""Asks with more right answers than a list can hold."""
PASSED = " → "
"""Between the windows that a node went through."""


def why_provisional(question: Question, boxes: Sequence[Box], grader: Grader, language: str) -> str | None:
    """None if the marks will be plymark's own, as far as the accepted spellings go."""
    ask, exercise, rubric = ask_of(question), grader.exercise, question.rubric
    items = len(ask.keyed(question, grader.declared))
    marks_itself = type(ask).mark is not Ask.mark
    whole_in_one_box = len(boxes) == 1 and (items != 1 or question.ask in ("pruned", "visited", "line"))
    open_box = question.ask == "opponent" and boxes[0].kind == TEXT
    if question.ask in OPEN or open_box or any(PASSED in box.key for box in boxes):
        return "there are more right answers, or ways to write one, than can be listed"
    if whole_in_one_box:
        return "parts of a list earn parts of the marks"
    if items > 1 and rubric.scheme != ITEMS:
        return f"the rubric counts {rubric.scheme}"
    if rubric.floor or rubric.cap is not None:
        return "the rubric has a floor or a cap"
    follows = type(ask).follows is not Ask.follows or marks_itself
    stated = question.ask == UCB or any(each.ask in STATED for each in exercise.questions)
    if exercise.marking.follow_through and follows and stated:
        return "no follow-through"
    if question.digits is not None and any(box.kind == TEXT and box.worth for box in boxes):
        return "numbers with more digits are right too"
    if language == "fa" and any(box.kind == NUMBER for box in boxes):
        return "Persian digits are right too"
    shown = ask.shown(question, grader.declared)
    if any(ask.shown(question, setting) != shown for _, setting in grader.settings[1:]):
        return "another convention may count"
    return None
