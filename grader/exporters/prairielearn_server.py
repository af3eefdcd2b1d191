"""What PrairieLearn calls: a variant by its seed, what could not be read, and the marks."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from grader.answer import Answer
from grader.exercise import load_exercise
from grader.exporters.base import ExportOptions
from grader.exporters.boxes import Box, assembled
from grader.exporters.forms import Carried, Form, form
from grader.exporters.pages import introduction, question_title
from grader.grading import Grader
from grader.marking import ask_of
from grader.report_data import report_data
from grader.setting import Setting
from grader.words import words_of
from solver import Sentence

SIZES = {"value": 8, "number": 8, "bound": 8, "move": 8, "window": 16}


def exercises_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def generate(data: dict[str, Any], folder: Path, language: str, level: str) -> None:
    """Fills in `params` and the key; the same seed always gives the same exercise."""
    files = exercises_in(folder)
    chosen = files[int(data["variant_seed"]) % len(files)]
    made = _form(chosen, language)
    image = f"data:image/svg+xml;base64,{base64.b64encode(made.picture()).decode()}"
    data["params"] = {
        "exercise": chosen.name,
        "introduction": "".join(introduction(made, image, escape)),
        "questions": [
            {"title": question_title(made, each, escape), "boxes": [_shown(made, each, box) for box in each.boxes]}
            for each in made.questions
        ],
    }
    for each in made.questions:
        for box in each.boxes:
            if box.worth:
                data["correct_answers"][name_of(made, each, box)] = box.key


def parse(data: dict[str, Any], folder: Path, language: str, level: str) -> None:
    """What cannot be read is sent back to be written again: it costs no attempt."""
    made = _form(folder / data["params"]["exercise"], language)
    setting = Setting(made.exercise, made.exercise.convention)
    for each in made.questions:
        question, boxes = each.question, each.boxes
        texts = _texts(data, made, each)
        for item, given in ask_of(question).read(question, setting, assembled(question, texts)).items():
            if given.problem is not None:
                box = next((box for box in boxes if box.item == item), boxes[0])
                sentence = Sentence(given.problem.reason, None, dict(given.problem.facts))
                data["format_errors"].setdefault(name_of(made, each, box), made.words.tell(sentence))


def grade(data: dict[str, Any], folder: Path, language: str, level: str) -> None:
    """`score` is what plymark gives; each box shows its own part of it."""
    made = _form(folder / data["params"]["exercise"], language)
    exercise = made.exercise
    answers = {each.question.id: assembled(each.question, _texts(data, made, each)) for each in made.questions}
    written = {name: answer for name, answer in answers.items() if answer is not None}
    report = Grader(exercise).grade(Answer(exercise.id, "student", written, variant=exercise.id))
    told = report_data(report, level, words_of(language))
    data["score"] = float(report.exact_marks / exercise.out_of)
    data["feedback"] = {"told": told["feedback"], "items": list(_notes(told))}
    marked = {found.question.id: found for found in report.questions()}
    for each in made.questions:
        found = marked[each.question.id]
        shares = {part.item.name: part.item.share for part in found.items}
        whole = found.marks / each.question.marks
        for box in each.boxes:
            if box.worth:
                share = shares.get(box.item, whole) if box.item else whole
                part = {"score": float(share), "weight": float(box.worth)}
                data["partial_scores"][name_of(made, each, box)] = part


def name_of(made: Form, each: Carried, box: Box) -> str:
    """A box's name in PrairieLearn, where names have no special signs."""
    return f"q{made.questions.index(each) + 1}b{each.boxes.index(box) + 1}"


def _form(file: Path, language: str) -> Form:
    return form(load_exercise(file), ExportOptions(language=language), marked_here=True)


def _texts(data: dict[str, Any], made: Form, each: Carried) -> dict[str, str]:
    written = data["submitted_answers"]
    return {box.item: str(written.get(name_of(made, each, box)) or "") for box in each.boxes}


def _shown(made: Form, each: Carried, box: Box) -> dict[str, Any]:
    spoken = f"{each.question.id} {box.item}".strip()
    size = SIZES.get(ask_of(each.question).box, 20 if box.item else 35)
    return {"name": name_of(made, each, box), "label": box.item or each.question.id, "spoken": spoken, "size": size}


def _notes(told: dict[str, Any]) -> Iterator[dict[str, str]]:
    for question in told["questions"]:
        for item in question["items"]:
            if "note" in item:
                yield {"where": f"{question['id']} {item['item']}", "note": item["note"]}
