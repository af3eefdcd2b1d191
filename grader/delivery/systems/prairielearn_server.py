"""What PrairieLearn calls: a variant by its seed, what could not be read, and the marks."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

from grader.answers.numbers import UNVISITED, value
from grader.answers.refusal import Unreadable
from grader.delivery.systems.answer_boxes import Box, assembled
from grader.delivery.systems.exercise_forms import (
    CarriedQuestion,
    Form,
    exercise_form,
    introduction,
    item_label,
    question_title,
)
from grader.delivery.systems.exporter import BY_PLYMARK, ExportOptions
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.registry import ask_of
from grader.reports.report_formats import report_data
from solver.languages import Sentence

SIZES = {"value": 6, "number": 6, "bound": 6, "move": 8, "window": 11}
"""In letters, so that two boxes and their marks are side by side."""


def generate(data: dict[str, Any], folder: Path, language: str, level: str) -> None:  # noqa: ARG001
    """Fills in `params` and the key; the same seed always gives the same exercise."""
    files = sorted(folder.glob("*.json"))
    chosen = files[int(data["variant_seed"]) % len(files)]
    form = _form(chosen, language)
    phone = form.phone_picture()
    image, narrow = _address(form.picture()), None if phone is None else _address(phone.content)
    data["params"] = {
        "exercise": chosen.name,
        "direction": form.words.direction,
        "language": form.words.code,
        "introduction": "".join(introduction(form, image, escape, narrow)),
        "questions": [
            {"title": question_title(form, each, escape), "boxes": [_shown(form, each, box) for box in each.boxes]}
            for each in form.questions
        ],
    }
    for name, box in _worth(form):
        data["correct_answers"][name] = box.key


def _address(picture: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture).decode()}"


def parse(data: dict[str, Any], folder: Path, language: str, level: str) -> None:  # noqa: ARG001
    """What cannot be read, or has nothing in it, is sent back: it costs no attempt."""
    form = _form(folder / data["params"]["exercise"], language)
    answer_key = AnswerKey(form.exercise)
    for each in form.questions:
        for box, problem in _unreadable(each, answer_key.of(each.question), _texts(data, form, each)):
            sentence = Sentence(problem.reason, None, dict(problem.facts))
            _send_back(data, form, name_of(form, each, box), sentence)
    if not any(text.strip() for each in form.questions for text in _texts(data, form, each).values()):
        first = form.questions[0]
        _send_back(data, form, name_of(form, first, first.boxes[0]), Sentence("unreadable.empty", None, {}))


def _unreadable(
    each: CarriedQuestion, question: KeyedQuestion, texts: dict[str, str]
) -> Iterator[tuple[Box, Unreadable]]:
    """The boxes that cannot be read, and why."""
    ask = ask_of(question)
    stand_in = next((box.item for box in each.boxes if box.worth), "")
    for item, given in ask.read(question, assembled(each.question, texts)).items():
        if given.problem is not None and not _unvisited(texts.get(item, "")):
            yield next((box for box in each.boxes if box.item == item), each.boxes[0]), given.problem
    for box in each.boxes:
        # A box that does not count is read like one that does: which ones count would tell what the search visits.
        if not box.worth and texts[box.item].strip() and not _unvisited(texts[box.item]):
            read = ask.read(question, assembled(each.question, {stand_in: texts[box.item]}))
            yield from ((box, given.problem) for given in read.values() if given.problem is not None)


def _unvisited(text: str) -> bool:
    """A dash, which students are told to write at a node that is never visited, is an answer at every node."""
    try:
        return value(text) is UNVISITED
    except Unreadable:
        return False


def _send_back(data: dict[str, Any], form: Form, name: str, sentence: Sentence) -> None:
    """PrairieLearn shows a format error as markup, and it may quote what the student wrote."""
    data["format_errors"].setdefault(name, escape(form.words.tell(sentence)))


def grade(data: dict[str, Any], folder: Path, language: str, level: str) -> None:
    """`score` is what plymark gives; each box shows its own part of it, if parts may be shown."""
    form = _form(folder / data["params"]["exercise"], language)
    exercise = form.exercise
    answers = {each.question.id: assembled(each.question, _texts(data, form, each)) for each in form.questions}
    written = {name: answer for name, answer in answers.items() if answer is not None}
    report = Grader(exercise).grade(Answer(exercise.id, "student", written, variant=exercise.id))
    report_facts = report_data(report, level, words_of(language))
    data["score"] = float(report.exact_marks / exercise.out_of)
    data["feedback"] = {"told": report_facts["feedback"], "questions": list(_by_question(form, report_facts))}
    # The elements have compared each box with the key by then, letter by letter.
    data["partial_scores"] = dict(_parts(data, form, report)) if level != "none" else {}


def _parts(data: dict[str, Any], form: Form, report: Report) -> Iterator[tuple[str, dict[str, float]]]:
    """A box that does not count has a mark as well: without one it would show that the search never gets there."""
    marked = {question.question.id: question for question in report.questions()}
    for each in form.questions:
        question = marked[each.question.id]
        shares = {part.item.name: part.item.share for part in question.items}
        whole = question.marks / each.question.marks
        texts = _texts(data, form, each)
        for box in each.boxes:
            if not box.worth:
                share = Fraction(not texts[box.item].strip() or _unvisited(texts[box.item]))
            else:
                share = shares.get(box.item, whole) if box.item else whole
            yield name_of(form, each, box), {"score": float(share), "weight": float(box.worth)}


def test(data: dict[str, Any], folder: Path, language: str, level: str) -> None:
    """What PrairieLearn's own test of the question submits, and what has to come of it."""
    form = _form(folder / data["params"]["exercise"], language)
    names = [name_of(form, each, box) for each in form.questions for box in each.boxes]
    right = {name: box.key for name, box in _worth(form)}
    submitted = dict.fromkeys(names, "")
    if data["test_type"] == "correct":
        submitted |= right
    elif data["test_type"] == "incorrect":
        # Part of it is right, and the rest is missing.
        submitted |= dict(list(right.items())[:1])
    data["raw_submitted_answers"] = dict(submitted)
    data["format_errors"], data["partial_scores"] = {}, {}
    tried = {**data, "submitted_answers": submitted}
    parse(tried, folder, language, level)
    if not data["format_errors"]:
        grade(tried, folder, language, level)
        data["partial_scores"], data["score"] = tried["partial_scores"], tried["score"]


def name_of(form: Form, each: CarriedQuestion, box: Box) -> str:
    """A box's name in PrairieLearn, where names have no special characters."""
    return f"q{form.questions.index(each) + 1}b{each.boxes.index(box) + 1}"


def _form(file: Path, language: str) -> Form:
    return exercise_form(load_exercise(file), ExportOptions(language=language), BY_PLYMARK)


def _texts(data: dict[str, Any], form: Form, each: CarriedQuestion) -> dict[str, str]:
    """What is in a question's boxes, by item."""
    written = data["submitted_answers"]
    return {box.item: str(written.get(name_of(form, each, box)) or "") for box in each.boxes}


def _worth(form: Form) -> Iterator[tuple[str, Box]]:
    """The boxes that have marks, by name."""
    for each in form.questions:
        yield from ((name_of(form, each, box), box) for box in each.boxes if box.worth)


def _shown(form: Form, each: CarriedQuestion, box: Box) -> dict[str, Any]:
    size = SIZES.get(ask_of(each.question).box, 20 if box.item else 35)
    label = item_label(form, each, box.item) if box.item else ""
    return {
        "name": name_of(form, each, box),
        # PrairieLearn takes a label for markup.
        "label": escape(label),
        "spoken": f"{each.question.id} {label}" if box.item else each.text,
        "choices": " / ".join(box.choices),
        "size": max(size, len(" / ".join(box.choices))),
    }


def _by_question(form: Form, report_facts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    carried = {each.question.id: each for each in form.questions}
    for question in report_facts["questions"]:
        if question["id"] not in carried:
            continue
        each = carried[question["id"]]
        notes = [
            {"item": item_label(form, each, item["item"]), "note": item["note"]}
            for item in question["items"]
            if "note" in item
        ]
        marks, out_of = (form.words.number(Fraction(str(question[key]))) for key in ("marks", "out_of"))
        yield {"text": each.text, "marks": f"{marks} / {out_of}", "notes": notes}
