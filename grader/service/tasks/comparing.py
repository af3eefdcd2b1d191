"""A student's answer on the tree, the key beside it, and the search step by step from where the two differ."""

from __future__ import annotations

import json

from grader.feedback.own_tree import Verdicts, own_board
from grader.feedback.stages import first_difference, searched
from grader.languages.words import words_of
from grader.marking.mark import read as read_answers
from grader.questions.registry import ask_of
from grader.service.tasks.refusing import refusing
from grader.service.tasks.variants import answer_to, grader_of, part_of
from grader.service.work.messages import message
from solver.drawing import Request, View, board, draw, page_figure
from solver.kernel import UsageError


@message
class AnswerPictures:
    """An answer to an exercise, or to a part of an exam, beside what its report tells."""

    names: tuple[tuple[str, ...], ...]
    """What each item is called where people read of it, by question of the report."""
    own_tree: str
    """The answer on the tree, with its verdicts as far as they are told; pictures are for a page."""
    key: str | None = None
    """The key on the tree; None where it is not due, or no question is about a search."""
    step: int | None = None
    """The first stage of the search at which the answer differs; None where it differs nowhere."""


def answer_pictures(variant_raw: bytes, body: bytes, report: bytes, language: str, with_key: bool) -> AnswerPictures:
    """`report` has the questions of report/1 at the level that is due; with the key, everything must be told."""
    with refusing():
        names, own = _names(variant_raw, report, language), own_tree(variant_raw, body, language, report)
        return AnswerPictures(names, own, *(_compared(variant_raw, report, language) if with_key else (None, None)))


def own_tree(variant_raw: bytes, body: bytes, language: str, report: bytes | None = None) -> str:
    """A student's own answer on the tree, and what became of it where a report tells that."""
    with refusing(places=False):
        answer_key = grader_of(variant_raw).declared
        answers = answer_to(variant_raw, body, language).answers
        given, _ = read_answers(answer_key, answers, language)
        verdicts = {} if report is None else _verdicts(report)
        drawn = own_board(answer_key.exercise, answer_key.questions, given, words_of(language), verdicts)
        return page_figure(drawn, f"own-{part_of(variant_raw)}")


def _names(variant_raw: bytes, report: bytes, language: str) -> tuple[tuple[str, ...], ...]:
    words, rows = words_of(language), json.loads(report)["questions"]
    asks = [ask_of(question) for question in grader_of(variant_raw).declared.questions]
    return tuple(
        tuple(words.show(ask.called(item["item"])) for item in row["items"])
        for ask, row in zip(asks, rows, strict=True)
    )


def _compared(variant_raw: bytes, report: bytes, language: str) -> tuple[str | None, int | None]:
    answer_key, words = grader_of(variant_raw).declared, words_of(language)
    question = searched(answer_key)
    if question is None:
        return None, None
    solution, title = question.solution, answer_key.exercise.game.title or ""
    key = board(solution.tree, View(most_leaves=None), words, title, solution)
    step = first_difference(solution, answer_key.questions, _verdicts(report))
    return page_figure(key, f"key-{part_of(variant_raw)}"), step


def _verdicts(report: bytes) -> Verdicts:
    """By question and item, as far as a report in words tells them."""
    return {
        question["id"]: {each["item"]: each["verdict"] for each in question["items"] if "verdict" in each}
        for question in json.loads(report)["questions"]
    }


def steps(variant_raw: bytes, language: str) -> bytes:
    """A page by itself that goes through the search, stage by stage."""
    with refusing():
        grader = grader_of(variant_raw)
        question = searched(grader.declared)
        if question is None:
            raise UsageError("no question of this exercise is about a search")
        request = Request(
            ending=".html",
            algorithm=question.solution.algorithm,
            convention=grader.exercise.convention,
            depth=question.depth,
            language=language,
        )
        return draw(grader.exercise.game, request)[0].content
