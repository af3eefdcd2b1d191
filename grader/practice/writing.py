"""What somebody hands in who makes a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.marking.diagnose import Diagnosing
from grader.mistakes.behaviour import mistake_of
from grader.mistakes.cells import START, UNVISITED
from grader.mistakes.diagnosis import Class
from grader.mistakes.words import SEQUENCE
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.registry import ask_of


def class_with(diagnosing: Diagnosing, mistake: str) -> Class | None:
    """The mistakes that look like this one here, itself among them; None where it does not show."""
    of = (each for each in diagnosing.classes if mistake in map(mistake_of, each.models))
    return next(of, None)


def right_answers(answer_key: AnswerKey) -> dict[str, Any]:
    """By question, as somebody writes it who makes no mistake."""
    return {question.id: ask_of(question).perfect(question) for question in answer_key.questions}


def mistaken_answers(answer_key: AnswerKey, different: Mapping[Any, Any]) -> dict[str, Any]:
    """By question, as somebody writes it who differs from the key in these cells; where nothing is known of a question
    under a mistake, as the key has it."""
    return {question.id: _mistaken(question, different) for question in answer_key.questions}


def _mistaken(question: KeyedQuestion, different: Mapping[Any, Any]) -> Any:
    ask, right = ask_of(question), ask_of(question).perfect(question)
    if SEQUENCE in ask.compared(question):
        return _sequence(question, different) or right
    if not isinstance(right, dict):
        item = next(iter(ask.keyed(question)), "")
        return ask.written_with(question, item, different) or right
    return {item: ask.written_with(question, item, different) or text for item, text in right.items()}


def _sequence(question: KeyedQuestion, different: Mapping[Any, Any]) -> list[str] | None:
    """Leaves in the order in which they are evaluated; None where inner nodes are asked for as well."""
    if question.parameters.get("what", "leaves") != "leaves":
        return None
    solution = ask_of(question).compared_by(question)
    tree = solution.tree
    before: dict[Any, Any] = {}
    last: Any = START
    for leaf in (node for node in solution.visited if tree.turn[node] is None):
        before[leaf], last = last, leaf
    before |= {cell[1]: says for cell, says in different.items() if cell[0] == SEQUENCE}
    after = {says: leaf for leaf, says in before.items() if says != UNVISITED}
    order: list[str] = []
    at = after.get(START)
    while at is not None and len(order) < len(tree.leaves):
        order.append(str(tree.ids[at]))
        at = after.get(at)
    return order
