"""A student's answer beside the key: both on the tree, and the search step by step. Only for whom the key is due."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.delivery.wording.blank_tree import blank_tree
from grader.languages.words import words_of
from grader.questions.answer_key import KeyedQuestion
from grader.questions.presentation import SPACE_FOR_VALUES, SPACE_FOR_WINDOWS
from grader.questions.registry import ask_of
from grader.service.work.tasks.refusing import refusing
from grader.service.work.tasks.variants import grader_of
from solver.drawing import Board, BoardItem, Request, View, board, draw, page_figure
from solver.languages import Language

LEFT_OUT = "pruned"
RIGHT = "right"


def compare(variant_raw: bytes, report: bytes, language: str) -> dict[str, Any]:
    """`{own, key, step}`: two pictures for a page, and the first stage of the search at which the answer differs; None
    where it differs nowhere. `report` is report/1 with everything told."""
    with refusing():
        exercise, words = grader_of(variant_raw).exercise, words_of(language)
        questions, rows = grader_of(variant_raw).declared.questions, json.loads(report)["questions"]
        solution = questions[0].solution
        key = board(solution.tree, View(most_leaves=None), words, exercise.game.title or "", solution)
        own = _with_answers(blank_tree(exercise, words).board, questions, rows, words)
        return {"own": page_figure(own, "own-"), "key": page_figure(key, "key-"), "step": _first_difference(key, rows)}


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


def _with_answers(
    blank: Board, questions: Sequence[KeyedQuestion], rows: list[Mapping[str, Any]], words: Language
) -> Board:
    """Values in the shapes, windows beside them, what was left out crossed out."""
    values: dict[str, str] = {}
    windows: dict[str, str] = {}
    left_out: set[str] = set()
    for question, told in zip(questions, rows, strict=True):
        place = ask_of(question).on_the_tree
        given = {each["item"]: each["given"] for each in told["items"] if each["given"]}
        if SPACE_FOR_VALUES in place:
            values |= given
        elif SPACE_FOR_WINDOWS in place:
            windows |= given
        else:
            left_out |= {name for item, text in given.items() if _is_stop(item) for name in _names(text)}
    joint: str = words.say("picture.joint")
    below = _all_below(blank, left_out)
    items = list(blank.items)
    for place_of, item in enumerate(blank.items):
        said = [text for text in (values.get(item.name), windows.get(item.name)) if text]
        if place_of in below:
            items[place_of] = replace(item, state=LEFT_OUT, cut=item.name in left_out)
        elif said and blank.children[place_of]:
            items[place_of] = replace(
                item,
                value=values.get(item.name, ""),
                windows=(windows[item.name],) if item.name in windows else (),
                blank_note=item.blank_note and item.name not in windows,
                spoken=joint.join([item.spoken, *said]),
            )
    return replace(blank, items=items)


def _all_below(drawn: Board, names: set[str]) -> set[int]:
    found: set[int] = set()
    for place, item in enumerate(drawn.items):
        if item.name in names or place in found:
            found |= {place, *drawn.children[place]}
    return found


def _first_difference(key: Board, rows: list[Mapping[str, Any]]) -> int | None:
    """How many leaves the search has evaluated when it comes to the first node of which something else was said."""
    wrong = {each["item"].split(" ")[0] for told in rows for each in told["items"] if each.get("verdict") != RIGHT}
    if not wrong:
        return None
    count = 0
    for item, is_wrong in _in_order(key, wrong):
        if is_wrong and item.state != LEFT_OUT:
            return max(count, 1)
        count += item.kind == "leaf" and item.state != LEFT_OUT
    return max(count, 1)


def _in_order(key: Board, wrong: set[str]) -> Iterator[tuple[BoardItem, bool]]:
    """As a search goes through the tree; what is said of a node is known when its children are done."""
    waiting = [(0, False)]
    while waiting:
        place, is_done = waiting.pop()
        item = key.items[place]
        if is_done or not key.children[place]:
            yield item, item.name in wrong
        else:
            waiting.append((place, True))
            waiting += [(child, False) for child in reversed(key.children[place])]


def _is_stop(item: str) -> bool:
    """An item such as "C after L4"."""
    return " " in item


def _names(text: str) -> list[str]:
    return [name for name in re.split(r"[,،;\s]+", text) if name]
