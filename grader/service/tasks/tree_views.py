"""The tree as it is shown with answers: a student's own, compared with the key, stage by stage, and with
what the class has said in a live exercise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape

from grader.delivery.exercise_wording import blank_tree
from grader.feedback.own_tree import Verdicts, own_board
from grader.feedback.stages import first_difference, searched
from grader.languages import words_of
from grader.marking.mark import read as read_answers
from grader.questions.registry import ask_of
from grader.service.rules.grade_counting import apart
from grader.service.tasks.posed_exercise import pose, read
from grader.service.tasks.submission_marking import mark
from grader.service.tasks.task_input import answer_to, grader_of, part_of, refusing
from grader.service.workers.task_results import message
from solver.drawing import BoardItem, Request, View, board, count_stages, draw, page_figure, stage_board
from solver.kernel import UsageError
from solver.story import captions


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


RIGHT = "right"


@message
class SearchStage:
    """The search after so many leaves, as a picture for a page."""

    figure: str
    caption: str
    stage: int
    of: int


def live_mark(variant_raw: bytes, body: bytes, language: str) -> list[tuple[str, str, bool]]:
    """Of each field that is not empty: its name without that of a part, how it is read, and whether it is right. What
    cannot be read is as it was written, and wrong."""
    with refusing(places=False):
        readings = read(variant_raw, body, language).fields
        verdicts = {
            apart(each.id)[1]: {item.item: item.verdict == RIGHT for item in each.items}
            for each in mark(variant_raw, body, language).questions
        }
        found = []
        for field in pose(variant_raw, language, True).fields:
            reading, right = readings.get(field.name), verdicts[field.question]
            if reading is not None:
                is_right = right.get(field.item, False) if field.item else all(right.values())
                name = field.name.removeprefix(f"{field.part}.") if field.part else field.name
                found.append((name, reading.text, is_right))
        return found


def live_tree(variant_raw: bytes, said: Mapping[str, tuple[str, int]], language: str) -> str:
    """The tree for a page: at each node what is `said` of it, a short text, and how warm it is, from 0 to 4."""
    with refusing():
        exercise, words = grader_of(variant_raw).exercise, words_of(language)
        blank = blank_tree(exercise, words).board
        joint = words.say("picture.joint")
        items = [_with_text(replace(item, blank_note=False), said.get(item.name), joint) for item in blank.items]
        drawn = page_figure(replace(blank, items=items), "heat-")
        for node, (_, warmth) in said.items():
            drawn = re.sub(
                rf'<g class="(?=[^"]*" data-node="{re.escape(escape(node))}")', f'<g class="h{warmth} ', drawn
            )
        return drawn


def live_stage(variant_raw: bytes, stage: int, language: str) -> SearchStage:
    """Beyond the last stage, the whole solution."""
    with refusing():
        grader, words = grader_of(variant_raw), words_of(language)
        solution = grader.declared.questions[0].solution
        count, told = count_stages(solution), captions(solution, words)
        number = min(stage, count)
        drawn = stage_board(solution, number, words, grader.exercise.game.title or "")
        caption = told[number] if number < len(told) else ""
        return SearchStage(page_figure(drawn, "stage-"), caption, number, count)


def _with_text(item: BoardItem, said: tuple[str, int] | None, joint: str) -> BoardItem:
    if said is None:
        return item
    text = said[0]
    spoken = joint.join([item.spoken, text])
    if item.kind == "leaf":
        return replace(item, name=f"{item.name} · {text}", spoken=spoken)
    return replace(item, value=text, spoken=spoken)
