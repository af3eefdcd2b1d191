"""Moodle XML: a category, and in it a cloze question for each exercise with a box, a list or ticks for each item.

Special characters are written as entities: Moodle decodes them in answers and feedback, but undoes only two kinds of
backslash escapes. A wrong answer that a known mistake leads to gets no marks and a hint naming the mistake.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from html import escape
from xml.sax.saxutils import escape as xml_text

from grader.delivery.systems.answer_boxes import CHOICE, TEXT, TICKS, Box
from grader.delivery.systems.exercise_forms import (
    CarriedQuestion,
    Form,
    all_forms,
    introduction,
    labelled,
    question_title,
)
from grader.delivery.systems.exporter import Export, Exporter, ExportOptions, Remark
from grader.documents.exam import Exam
from grader.questions.exercise import Exercise
from solver.kernel import number_text

Hint = Callable[[str], str]
PICTURE, PHONE_PICTURE = "tree.svg", "tree-narrow.svg"
_ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in "{}#~/\"\\'&<>=%"}
"""Also = and %, which would start a fraction at the head of an answer."""
_WILDCARD = {ord("*"): "\\*"}
_LONGEST_TITLE = 180
_FILLER = "…"
_WIDTH_STEP = 6
_LIST_WIDTH = 36
"""Where a box takes a whole list."""
_WIDEST = 60
"""Moodle makes no box wider."""


def write(exercises: Sequence[Exercise], options: ExportOptions) -> Export:
    forms = all_forms(exercises, options)
    return _export([(_category(forms), forms)], options)


def write_exam(exam: Exam, options: ExportOptions) -> Export:
    """A category for each part, below the exam's: a quiz takes one question at random from each."""
    groups = []
    for number, part in enumerate(exam.parts.values(), 1):
        forms = all_forms(list(part), options)
        words = forms[0].words
        title = f"{number}. {_kept(words.own(part.title))}"
        if part.only is None:
            title = f"{title} ({', '.join(_set(forms))})"
        name = f"{_kept(words.own(exam.title or exam.id))} ({exam.id}, {words.code})"
        groups.append((_category_at(name, title), forms))
    how = "in the quiz, add one random question from each category of the exam" if exam.has_variants else ""
    whole = _export(groups, options)
    return replace(whole, notes=(*whole.notes, *([how] if how else [])))


def _export(groups: Sequence[tuple[str, Sequence[Form]]], options: ExportOptions) -> Export:
    """Categories with their questions."""
    provisional: list[Remark] = []
    left_out: list[Remark] = []
    notes: list[str] = []
    is_empty = True
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n']
    for category, forms in groups:
        parts.append(category)
        for each in forms:
            chosen = each.chosen(options.faithful_only)
            provisional += each.provisional
            left_out += each.left_out
            if not chosen:
                notes.append(f"{each.exercise.id}: none of its questions can be exported")
                continue
            unit, is_empty = _unit(chosen), False
            parts.append(_question(each, chosen, unit))
            if unit != 1:
                marks = sum((part.question.marks for part in chosen), Fraction(0))
                notes.append(
                    f"{each.exercise.id}: Moodle counts whole points only, {number_text(marks * unit)} here; "
                    f"set the question's maximum mark in the quiz to {number_text(marks)}"
                )
    parts.append("</quiz>\n")
    return Export("".join(parts).encode(), tuple(provisional), tuple(left_out), tuple(notes), is_empty)


MOODLE = Exporter("moodle", write, write_exam)


def cloze_text(text: str) -> str:
    """An answer or feedback, so that nothing in it means something to the cloze grammar."""
    return text.translate(_ENTITIES)


def _category(forms: Sequence[Form]) -> str:
    """Named by the title and by what tells one set from another of that title: the codes, and the language."""
    title = forms[0].words.own(forms[0].exercise.title or forms[0].exercise.id) if forms else "Plymark"
    about = ", ".join([*_set(forms), *(each.words.code for each in forms[:1])])
    return _category_at(f"{_kept(title)} ({about})")


def _set(forms: Sequence[Form]) -> list[str]:
    """What tells a set of variants from one of another seed: the first and the last code, and how many there are."""
    codes = [each.exercise.id for each in forms]
    return [*dict.fromkeys([*codes[:1], *codes[-1:]]), *([str(len(codes))] if len(codes) > 2 else [])]


def _category_at(*names: str) -> str:
    """A category inside others. A slash in a name would open one more."""
    path = "/".join(["$course$/top/Plymark", *(name.replace("/", "//") for name in names)])
    return f'<question type="category"><category><text>{_cdata(path)}</text></category></question>\n'


def _name(of: Form) -> str:
    """With the variant's code, whatever Moodle does to the title."""
    title, code = of.exercise.title, of.exercise.id
    return f"{_kept(of.words.own(title))} ({code})" if title else code


def _kept(title: str) -> str:
    """A title of which Moodle takes nothing away: it shortens names, and drops what follows `<`."""
    text = title.replace("<", "‹")
    return text if len(text) <= _LONGEST_TITLE else f"{text[: _LONGEST_TITLE - 1]}…"


def _unit(chosen: Sequence[CarriedQuestion]) -> int:
    """By what marks are multiplied, since Moodle's weights are whole numbers."""
    return math.lcm(*(box.worth.denominator for each in chosen for box in each.boxes))


def _question(of: Form, chosen: Sequence[CarriedQuestion], unit: int) -> str:
    body = "".join(_body(of, chosen, unit))
    phone = of.phone_picture()
    files = _file(PICTURE, of.picture()) + ("" if phone is None else _file(PHONE_PICTURE, phone.content))
    return (
        '<question type="cloze">\n'
        f"<name><text>{_cdata(_name(of))}</text></name>\n"
        f'<questiontext format="html"><text>{_cdata(body)}</text>\n'
        f"{files}</questiontext>\n"
        '<generalfeedback format="html"><text></text></generalfeedback>\n'
        f"<penalty>0</penalty><hidden>0</hidden><idnumber>{xml_text(of.exercise.id)}</idnumber>\n"
        "</question>\n"
    )


def _file(name: str, content: bytes) -> str:
    return f'<file name="{name}" path="/" encoding="base64">{base64.b64encode(content).decode()}</file>'


def _body(of: Form, chosen: Sequence[CarriedQuestion], unit: int) -> Iterator[str]:
    yield from introduction(of, f"@@PLUGINFILE@@/{PICTURE}", html, f"@@PLUGINFILE@@/{PHONE_PICTURE}")
    for each in chosen:
        width, hint = _width(each), partial(_hint, of)
        yield question_title(of, each, html)
        yield labelled(of, each, [_cloze(box, unit, width, hint) for box in each.boxes], html)


def html(text: str) -> str:
    """Text of the page; a brace in it could open a box."""
    return escape(text).replace("{", "&#123;").replace("}", "&#125;")


def _cloze(box: Box, unit: int, width: int, hint: Hint) -> str:
    weight = int(box.worth * unit)
    if box.kind == TICKS:
        return f"{{{weight}:MULTIRESPONSE:{'~'.join(_ticks(box))}}}"
    if box.kind == CHOICE:
        return f"{{{weight}:MULTICHOICE:{'~'.join(_choices(box, hint))}}}"
    return f"{{{weight}:SHORTANSWER:{'~'.join(_texts(box, hint))}~%0%{_FILLER * width}}}"


def _ticks(box: Box) -> Iterator[str]:
    """Moodle adds up what is ticked, and gives no less than 0."""
    for name, share in zip(box.choices, box.shares, strict=True):
        yield f"%{_percent(share)}%{cloze_text(escape(name))}"


def _percent(share: Fraction) -> str:
    """Seven digits of a share are kept; what is taken away is rounded up, so that it never leaves a crumb."""
    parts = share * 10**7
    whole = math.floor(parts) if share < 0 else round(parts)
    return number_text(Fraction(whole, 10**5))


def _width(each: CarriedQuestion) -> int:
    """Moodle makes a box as wide as the longest answer that is foreseen in it, which would tell something about it.

    So in all boxes of a question an answer is foreseen that nobody gives.
    """
    if len(each.boxes) == 1 and not each.boxes[0].item and each.boxes[0].kind == TEXT:
        return _LIST_WIDTH
    longest = max((len(text) for box in each.boxes for text in _foreseen(box)), default=0)
    return min(-(-max(longest, 1) // _WIDTH_STEP) * _WIDTH_STEP, _WIDEST)


def _foreseen(box: Box) -> Iterator[str]:
    if box.kind == TEXT:
        yield from box.accepted
        yield from (text for wrong in box.wrong for text in wrong.texts)


def _choices(box: Box, hint: Hint) -> Iterator[str]:
    told = {text: wrong.feedback for wrong in box.wrong for text in wrong.texts}
    shares = dict(zip(box.choices, box.shares, strict=False))
    for choice in box.choices:
        right = choice in box.accepted
        earns = "=" if right else f"%{_percent(shares[choice])}%" if shares.get(choice) else ""
        tells = hint(told[choice]) if choice in told and not right else ""
        yield f"{earns}{cloze_text(escape(choice))}{tells}"


def _hint(of: Form, feedback: str) -> str:
    """Unlike the answers of a text box, feedback and choices are HTML."""
    told = "<br>".join(map(escape, feedback.splitlines()))
    if of.words.direction == "rtl":
        # Moodle's own words around it run in the direction of its own language.
        told = f'<span dir="rtl" lang="{of.words.code}" style="display:block;text-align:start">{told}</span>'
    return f"#{cloze_text(told)}"


def _texts(box: Box, hint: Hint) -> Iterator[str]:
    taken = set()
    for text in box.accepted:
        taken.add(text.casefold())
        yield f"={cloze_text(text.translate(_WILDCARD))}"
    for wrong in box.wrong:
        for text in wrong.texts:
            if text.casefold() not in taken:
                taken.add(text.casefold())
                yield f"%0%{cloze_text(text.translate(_WILDCARD))}{hint(wrong.feedback)}"


def _cdata(text: str) -> str:
    """Moodle's reader drops spaces between entities, so there are none."""
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"
