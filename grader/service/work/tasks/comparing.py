"""The key on the tree, and the search step by step from where an answer differs. Only for whom the key is due."""

from __future__ import annotations

import json
from typing import Any

from grader.feedback.own_tree import Verdicts
from grader.feedback.stages import first_difference, searched
from grader.languages.words import words_of
from grader.questions.registry import ask_of
from grader.service.work.tasks.refusing import refusing
from grader.service.work.tasks.variants import grader_of, part_of
from solver.drawing import Request, View, board, draw, page_figure
from solver.kernel import UsageError


def compare(variant_raw: bytes, report: bytes, language: str) -> dict[str, Any]:
    """`{key, step}`: a picture for a page, and the first stage of the search at which the answer differs; None where it
    differs nowhere. Both are None where no question is about a search. `report` is report/1 with everything told."""
    with refusing():
        answer_key, words = grader_of(variant_raw).declared, words_of(language)
        question = searched(answer_key)
        if question is None:
            return {"key": None, "step": None}
        solution, title = question.solution, answer_key.exercise.game.title or ""
        key = board(solution.tree, View(most_leaves=None), words, title, solution)
        step = first_difference(solution, answer_key.questions, verdicts_of(report))
        return {"key": page_figure(key, f"key-{part_of(variant_raw)}"), "step": step}


def verdicts_of(report: bytes) -> Verdicts:
    """By question and item, as far as a report in words tells them."""
    return {
        question["id"]: {each["item"]: each["verdict"] for each in question["items"] if "verdict" in each}
        for question in json.loads(report)["questions"]
    }


def called(variant_raw: bytes, report: bytes, language: str) -> list[list[str]]:
    """What each item of a report is called where people read of it, by question."""
    with refusing():
        words, rows = words_of(language), json.loads(report)["questions"]
        asks = [ask_of(question) for question in grader_of(variant_raw).declared.questions]
        return [
            [words.show(ask.called(each["item"])) for each in told["items"]]
            for ask, told in zip(asks, rows, strict=True)
        ]


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
