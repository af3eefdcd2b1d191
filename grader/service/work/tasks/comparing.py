"""The key on the tree, and the search step by step from where an answer differs. Only for whom the key is due."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from grader.languages.words import words_of
from grader.questions.answer_key import KeyedQuestion
from grader.questions.registry import ask_of
from grader.service.work.tasks.refusing import refusing
from grader.service.work.tasks.variants import grader_of
from solver.drawing import Request, View, board, draw, page_figure
from solver.game import Node, Tree
from solver.search import Solution

RIGHT = "right"
AFTER = " after "
"""In the name of a stop, before the child after which the search stops."""
ENTRY = "entry"


def compare(variant_raw: bytes, report: bytes, language: str) -> dict[str, Any]:
    """`{key, step}`: a picture for a page, and the first stage of the search at which the answer differs; None where it
    differs nowhere. `report` is report/1 with everything told."""
    with refusing():
        exercise, words = grader_of(variant_raw).exercise, words_of(language)
        questions, rows = grader_of(variant_raw).declared.questions, json.loads(report)["questions"]
        solution = questions[0].solution
        key = board(solution.tree, View(most_leaves=None), words, exercise.game.title or "", solution)
        return {"key": page_figure(key, "key-"), "step": _first_difference(questions, rows)}


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
        question = grader.declared.questions[0]
        request = Request(
            ending=".html",
            algorithm=question.solution.algorithm,
            convention=grader.exercise.convention,
            depth=question.depth,
            language=language,
        )
        return draw(grader.exercise.game, request)[0].content


def _first_difference(questions: Sequence[KeyedQuestion], rows: list[Mapping[str, Any]]) -> int | None:
    """How many leaves the search has evaluated when it comes to the first thing of which something else was said."""
    stages = Stages(questions[0].solution)
    wrong = [
        stages.of(question, each["item"])
        for question, told in zip(questions, rows, strict=True)
        for each in told["items"]
        if each.get("verdict") != RIGHT
    ]
    return min(wrong, default=None)


class Stages:
    """At which stage of a search something is known: how many leaves have been evaluated by then, at least one."""

    def __init__(self, solution: Solution) -> None:
        self.first: dict[str, int] = {}
        """By node, with its first leaf;"""
        self.last: dict[str, int] = {}
        """by node, with its last."""
        self.count = 0
        tree = solution.tree
        for node in solution.visited:
            if tree.turn[node] is None:
                self.count += 1
                self._reached(tree, node)

    def of(self, question: KeyedQuestion, item: str) -> int:
        """A window is known as its node is entered, a stop when the child before it is done, all else of a node when
        the node is done. What is said of no node, or of one that the search leaves out, is known at the end."""
        ask = ask_of(question)
        at, _, after = item.partition(AFTER)
        node = ask.node_of_item(at)
        known = self.first if ask.windows_written(question) == ENTRY else self.last
        return max(known.get(after or node or "", self.count), 1)

    def _reached(self, tree: Tree, leaf: Node) -> None:
        at = leaf
        while at >= 0:
            name = str(tree.ids[at])
            self.first.setdefault(name, self.count)
            self.last[name] = self.count
            at = tree.parent[at]
