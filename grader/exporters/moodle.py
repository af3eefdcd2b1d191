"""Moodle XML: a category, and in it a cloze question for each exercise with a box for each item.

Special signs are written as entities: Moodle decodes them in answers and feedback, while of backslashes it undoes only
two. A wrong answer that a known mistake leads to earns nothing and is told which mistake it is.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from xml.sax.saxutils import escape as xml_text

from grader.exercise import Exercise
from grader.exporters.base import Export, Exporter, ExportOptions, Remark
from grader.exporters.boxes import CHOICE, NUMBER, Box
from grader.exporters.forms import Carried, Form, form
from grader.exporters.pages import introduction, labelled, question_title
from solver import number_text, parse_number

PICTURE = "tree.svg"
_ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in "{}#~/\"\\'&<>=%"}
"""Also = and %, which would start a fraction at the head of an answer."""
_WILDCARD = {ord("*"): "\\*"}


def write(exercises: Sequence[Exercise], options: ExportOptions) -> Export:
    forms = [form(exercise, options) for exercise in exercises]
    provisional: list[Remark] = []
    left_out: list[Remark] = []
    notes: list[str] = []
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n', _category(forms)]
    for each in forms:
        chosen = [part for part in each.questions if not (options.faithful_only and part.provisional)]
        provisional += each.provisional
        left_out += each.left_out
        if not chosen:
            notes.append(f"{each.exercise.id}: nothing of it can be exported")
            continue
        unit = _unit(chosen)
        parts.append(_question(each, chosen, unit))
        if unit != 1:
            marks = sum((part.question.marks for part in chosen), Fraction(0))
            notes.append(
                f"{each.exercise.id}: Moodle counts whole points only, {number_text(marks * unit)} here; "
                f"set the question's maximum mark in the quiz to {number_text(marks)}"
            )
    parts.append("</quiz>\n")
    return Export("".join(parts).encode(), tuple(provisional), tuple(left_out), tuple(notes))


MOODLE = Exporter("moodle", ".xml", write)


def cloze_text(text: str) -> str:
    """An answer or feedback, so that nothing in it means something to the cloze grammar."""
    return text.translate(_ENTITIES)


def _category(forms: Sequence[Form]) -> str:
    title = forms[0].exercise.title or forms[0].exercise.id if forms else "Plymark"
    # A slash would open a category inside the category.
    path = f"$course$/top/Plymark/{title.replace('/', '//')}"
    return f'<question type="category"><category><text>{xml_text(path)}</text></category></question>\n'


def _unit(chosen: Sequence[Carried]) -> int:
    """By what marks are multiplied, since Moodle's weights are whole numbers."""
    return math.lcm(*(box.worth.denominator for each in chosen for box in each.boxes))


def _question(of: Form, chosen: Sequence[Carried], unit: int) -> str:
    body = "".join(_body(of, chosen, unit))
    picture = base64.b64encode(of.picture()).decode()
    return (
        '<question type="cloze">\n'
        f"<name><text>{xml_text(of.title)}</text></name>\n"
        f'<questiontext format="html"><text>{_cdata(body)}</text>\n'
        f'<file name="{PICTURE}" path="/" encoding="base64">{picture}</file></questiontext>\n'
        '<generalfeedback format="html"><text></text></generalfeedback>\n'
        f"<penalty>0</penalty><hidden>0</hidden><idnumber>{xml_text(of.exercise.id)}</idnumber>\n"
        "</question>\n"
    )


def _body(of: Form, chosen: Sequence[Carried], unit: int) -> Iterator[str]:
    yield from introduction(of, f"@@PLUGINFILE@@/{PICTURE}", html)
    for each in chosen:
        yield question_title(of, each, html)
        yield labelled(each, [_cloze(box, unit) for box in each.boxes], html)


def html(text: str) -> str:
    """Text of the page; a brace in it could open a box."""
    return escape(text).replace("{", "&#123;").replace("}", "&#125;")


def _cloze(box: Box, unit: int) -> str:
    weight = int(box.worth * unit)
    if not weight:
        # Nothing is marked here, so everything is right.
        return "{0:SHORTANSWER:=*}"
    if box.kind == CHOICE:
        return f"{{{weight}:MULTICHOICE:{'~'.join(_choices(box))}}}"
    if box.kind == NUMBER:
        return f"{{{weight}:NUMERICAL:{'~'.join(_numbers(box))}}}"
    return f"{{{weight}:SHORTANSWER:{'~'.join(_texts(box))}}}"


def _choices(box: Box) -> Iterator[str]:
    told = {text: wrong.feedback for wrong in box.wrong for text in wrong.texts}
    for choice in box.choices:
        right = choice in box.accepted
        hint = f"#{cloze_text(told[choice])}" if choice in told and not right else ""
        yield f"{'=' if right else ''}{cloze_text(choice)}{hint}"


def _numbers(box: Box) -> Iterator[str]:
    yield f"={box.number}:{box.tolerance}"
    for wrong in box.wrong:
        number = parse_number(wrong.texts[0].replace("−", "-"))
        if number is not None and "/" not in (text := number_text(number)):
            yield f"%0%{text}:{box.tolerance}#{cloze_text(wrong.feedback)}"


def _texts(box: Box) -> Iterator[str]:
    taken = set()
    for text in box.accepted:
        taken.add(text.casefold())
        yield f"={cloze_text(text.translate(_WILDCARD))}"
    for wrong in box.wrong:
        for text in wrong.texts:
            if text.casefold() not in taken:
                taken.add(text.casefold())
                yield f"%0%{cloze_text(text.translate(_WILDCARD))}#{cloze_text(wrong.feedback)}"


def _cdata(text: str) -> str:
    return f"<![CDATA[{text.replace(']]>', ']]&gt;')}]]>"
