"""A live exercise: what an answer says at each field and whether that is right, the tree with what the class said, and
the solution as far as the teacher shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape

from grader.delivery.wording.blank_tree import blank_tree
from grader.languages.words import words_of
from grader.service.rules.parts import apart
from grader.service.tasks.marking import mark
from grader.service.tasks.posing import pose, read
from grader.service.tasks.refusing import refusing
from grader.service.tasks.variants import grader_of
from grader.service.work.messages import message
from solver.drawing import BoardItem, count_stages, page_figure, stage_board
from solver.story import captions

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
