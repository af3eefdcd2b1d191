"""How large the boxes of a question are: by its type and its tree, never by the key, which their size would tell."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from grader.delivery.papers.content import Box
from grader.questions.answer_key import Setting
from grader.questions.exercise import Question
from solver.game import CHANCE, Tree

ACROSS = 165
"""Millimetres between the margins, without the question's number."""
WIDTHS = {"value": 20, "number": 28, "bound": 24, "window": 34, "windows": 80, "move": 34, "choice": 46}
"""Millimetres of a box by what goes into it, for handwriting; one for names or strings reaches across the page."""
EXACT_WIDTH = 26
"""Of a value that may be a fraction."""
NAMES_A_LINE, ORDERS_A_LINE, STEPS_A_LINE, UNKNOWNS_A_LINE, WINDOWS_A_LINE = 13, 4, 3, 5, 4


def width_of(boxes: Sequence[Box], setting: Setting) -> int:
    """Of each; 0 if they reach across the page. On a key they are as wide as its answers need."""
    tree, kind = setting.exercise.game.tree, boxes[0].kind
    width = _width(kind, tree)
    if width == 0:
        return 0
    texts = [text for box in boxes for text in (box.label, box.answer)]
    return min(ACROSS, max(width, 5 + ceil(2.3 * max(map(len, texts)))))


def lines_of(question: Question, boxes: Sequence[Box], setting: Setting) -> int:
    """How many lines the longest answer that there could be takes."""
    tree = setting.exercise.game.tree
    leaves, several = len(tree.ids) - len(tree.inner), sum(len(tree.children[node]) > 1 for node in tree.inner)
    match question.ask:
        case "visited":
            return _lines(len(tree.ids) if question.parameters["what"] == "nodes" else leaves, NAMES_A_LINE)
        case "pruned":
            return _lines(leaves // 2, NAMES_A_LINE)
        case "reorder":
            return max(2, _lines(several, ORDERS_A_LINE))
        case "plan":
            return max(3, _lines(several, STEPS_A_LINE))
        case "assign":
            return _lines(len(question.parameters["unknowns"]), UNKNOWNS_A_LINE)
    if boxes[0].kind == "windows":
        most = max(len(tree.children[node]) for node in tree.inner)
        return _lines(most + 1, WINDOWS_A_LINE)
    return 1


def _width(kind: str, tree: Tree) -> int:
    if kind == "vector":
        return 8 + 9 * len(tree.sides)
    if kind == "value" and CHANCE in tree.turns:
        return EXACT_WIDTH
    return WIDTHS.get(kind, 0)


def _lines(count: int, a_line: int) -> int:
    return max(1, ceil(count / a_line))
