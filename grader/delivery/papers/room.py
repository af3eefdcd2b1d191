"""How large the boxes of a question are: by its type and its tree, never by the key, which their size would tell."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from grader.delivery.papers.content import PaperBox
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.presentation import (
    BOUND,
    CHOICE,
    MOVE,
    NAMES,
    NUMBER,
    ORDERS,
    STEPS,
    UNKNOWN_VALUES,
    VALUE,
    VECTOR,
    WINDOW,
    WINDOWS,
)
from grader.questions.registry import ask_of
from solver.game import CHANCE, Tree

ACROSS = 165
"""Millimetres between the margins, without the question's number."""
WIDTHS = {VALUE: 20, NUMBER: 28, BOUND: 24, WINDOW: 34, WINDOWS: 80, MOVE: 34, CHOICE: 46}
"""Millimetres of a box by what goes into it, for handwriting; one for names or texts reaches across the page."""
EXACT_WIDTH = 26
"""Of a value that may be a fraction."""
A_LINE = {NAMES: 13, ORDERS: 4, STEPS: 3, UNKNOWN_VALUES: 5}
"""How many parts of a long answer fit on a line."""
LEAST_LINES = {ORDERS: 2, STEPS: 3}
WINDOWS_A_LINE = 4


def width_of(boxes: Sequence[PaperBox], answer_key: AnswerKey) -> int:
    """Of each; 0 if they reach across the page. On a key they are as wide as its answers need."""
    tree, kind = answer_key.tree, boxes[0].kind
    width = _width(kind, tree)
    if width == 0:
        return 0
    texts = [text for box in boxes for text in (box.label, box.answer)]
    return min(ACROSS, max(width, 5 + ceil(2.3 * max(map(len, texts)))))


def lines_of(question: KeyedQuestion, boxes: Sequence[PaperBox]) -> int:
    """How many lines the longest answer that there could be takes."""
    tree = question.tree
    if boxes[0].kind == WINDOWS:
        most = max(len(tree.children[node]) for node in tree.inner)
        return _lines(most + 1, WINDOWS_A_LINE)
    parts, of = ask_of(question).longest(question)
    return max(LEAST_LINES.get(of, 1), _lines(parts, A_LINE.get(of, 1)))


def _width(kind: str, tree: Tree) -> int:
    if kind == VECTOR:
        return 8 + 9 * len(tree.sides)
    if kind == VALUE and CHANCE in tree.turns:
        return EXACT_WIDTH
    return WIDTHS.get(kind, 0)


def _lines(count: int, a_line: int) -> int:
    return max(1, ceil(count / a_line))
