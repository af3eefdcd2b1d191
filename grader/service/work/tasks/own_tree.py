"""A student's own answer on the tree, for a page; and what became of it where a report tells that."""

from __future__ import annotations

from grader.feedback.own_tree import own_board
from grader.languages.words import words_of
from grader.marking.mark import read as read_answers
from grader.service.work.tasks.comparing import verdicts_of
from grader.service.work.tasks.refusing import refusing
from grader.service.work.tasks.variants import answer_to, grader_of, part_of
from solver.drawing import page_figure


def own_tree(variant_raw: bytes, body: bytes, language: str, report: bytes | None = None) -> str:
    """A picture. `report` is report/1 at the level that is due; without it no verdict is drawn."""
    with refusing(places=False):
        answer_key = grader_of(variant_raw).declared
        answers = answer_to(variant_raw, body, language).answers
        given, _ = read_answers(answer_key, answers, language)
        verdicts = {} if report is None else verdicts_of(report)
        drawn = own_board(answer_key.exercise, answer_key.questions, given, words_of(language), verdicts)
        return page_figure(drawn, f"own-{part_of(variant_raw)}")
