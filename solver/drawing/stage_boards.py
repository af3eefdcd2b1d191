"""The board at one stage of a search, for those who show one stage at a time."""

from __future__ import annotations

from solver.drawing.boards import Board, board
from solver.drawing.moments import moments, stage_count
from solver.drawing.view import FINISHED, PRUNING, View
from solver.languages import Language
from solver.search import Solution


def count_stages(solution: Solution) -> int:
    return stage_count(solution)


def stage_board(solution: Solution, stage: int, language: Language, title: str = "") -> Board:
    """After so many leaves; from the last one on, the finished search."""
    view = View(FINISHED if solution.search is not None else FINISHED - PRUNING, most_leaves=None)
    if stage < stage_count(solution):
        for moment in moments(solution):
            if moment.stage == stage:
                return board(solution.tree, view, language, title, solution, moment)
    return board(solution.tree, view, language, title, solution)
