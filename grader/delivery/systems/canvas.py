"""Canvas: a QTI 1.2 package with a quiz for each exercise and an item for each of its questions.

An item has its boxes and the spellings that Canvas is to accept. Variants of a single question become one quiz, which
draws one of them for each student.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from xml.sax.saxutils import escape as xml_text
from xml.sax.saxutils import quoteattr

from grader.delivery.systems.answer_boxes import CHOICE, TICKED, TICKS, Box
from grader.delivery.systems.exercise_forms import (
    CarriedQuestion,
    Form,
    all_forms,
    introduction,
    item_label,
    question_title,
)
from grader.delivery.systems.exporter import IN_CANVAS, Export, Exporter, ExportOptions, Remark, zipped
from grader.documents.exam import Exam
from grader.questions.exercise import Exercise
from solver.kernel import UsageError, number_text

BLANKS, LISTS = "fill_in_multiple_blanks_question", "multiple_dropdowns_question"
TICKED_NAMES = "multiple_answers_question"
MOST_TEXT = 16 * 1024
"""Characters of an item's text; Canvas throws a longer one away."""
MOST_LISTED, FEWEST_LISTED = 2000, 40
"""Spellings in an item, and in each of many blanks: Canvas keeps all of them with every attempt."""
_OUTCOMES = '<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>'


def ident(*parts: str) -> str:
    """A name that is the same for the same thing every time."""
    return "g" + hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def kind_of(each: CarriedQuestion) -> str:
    """The type of item that Canvas has for a question's boxes.

    A number is a blank: as a number Canvas would read 1,5 as 15 and whatever it cannot read as 0.
    """
    if each.boxes[0].kind == TICKS:
        return TICKED_NAMES
    return LISTS if all(box.kind == CHOICE for box in each.boxes) else BLANKS


def why_provisional(each: CarriedQuestion) -> str | None:
    """Why Canvas in particular cannot give the marks that plymark gives."""
    if any(not box.worth for box in each.boxes):
        return "Canvas counts the box of a node that is never visited, where only – is right"
    if len({box.worth for box in each.boxes}) > 1:
        return "Canvas marks every box alike"
    return None


@dataclass(frozen=True, slots=True)
class CanvasItem:
    """A question as Canvas shows it."""

    exercise: str
    question: str
    kind: str
    marks: Fraction
    text: str
    boxes: Mapping[str, Box]
    """By the names that the blanks have in the text."""
    accepted: Mapping[str, tuple[str, ...]]

    def xml(self) -> str:
        name, code = ident(self.exercise, self.question), f"{self.exercise}/{self.question}"
        head = start_of_item(name, code, self.kind, points_text(self.marks))
        if self.kind == TICKED_NAMES:
            return f"{head}{self._ticks()}</item>\n"
        responses = "".join(map(self._response, self.boxes))
        conditions = "".join(map(self._conditions, self.boxes))
        return (
            f"{head}<presentation>{material(self.text)}{responses}</presentation>\n"
            f"<resprocessing>{_OUTCOMES}{conditions}</resprocessing></item>\n"
        )

    def _ticks(self) -> str:
        """What Canvas itself writes: exactly these are right, and those are not."""
        ((blank, box),) = self.boxes.items()
        tests = "".join(
            f'<varequal respident="response1">{ident(blank, name)}</varequal>'
            if name in box.accepted
            else f'<not><varequal respident="response1">{ident(blank, name)}</varequal></not>'
            for name in box.choices
        )
        labels = "".join(_label(ident(blank, name), name) for name in box.choices)
        return (
            f'<presentation>{material(self.text)}<response_lid ident="response1" rcardinality="Multiple">'
            f"<render_choice>{labels}</render_choice></response_lid></presentation>\n"
            f'<resprocessing>{_OUTCOMES}<respcondition continue="No"><conditionvar><and>{tests}</and></conditionvar>'
            '<setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing>'
        )

    def _offered(self, blank: str) -> Iterator[tuple[str, str, bool]]:
        """What a blank lists: an id, a string, and whether it is right."""
        accepted, box = self.accepted[blank], self.boxes[blank]
        for text in box.choices if self.kind == LISTS else accepted:
            shown = f"{box.item}: {text}" if self.kind == LISTS and len(self.boxes) > 1 else text
            yield ident(blank, text), shown, text in accepted

    def _response(self, blank: str) -> str:
        labels = "".join(_label(name, text) for name, text, _ in self._offered(blank))
        return (
            f'<response_lid ident="response_{blank}"><material><mattext>{blank}</mattext></material>'
            f"<render_choice>{labels}</render_choice></response_lid>"
        )

    def _conditions(self, blank: str) -> str:
        share = f"{100 / len(self.boxes):.2f}"
        return "".join(
            f'<respcondition><conditionvar><varequal respident="response_{blank}">{name}</varequal></conditionvar>'
            f'<setvar action="Add" varname="SCORE">{share}</setvar></respcondition>'
            for name, _, right in self._offered(blank)
            if right
        )


def items_of(of: Form, questions: Sequence[CarriedQuestion], picture: str | None) -> Iterator[CanvasItem]:
    """The items of an exercise; `picture`: each has the exercise's text and its tree, at this address."""
    start = "".join(introduction(of, picture, escape)) if picture else ""
    for each in questions:
        kind, text = kind_of(each), start + question_title(of, each, escape)
        blanks = _names(len(each.boxes), text)
        if kind != TICKED_NAMES:
            text += _labelled(of, each, blanks)
        # The code comes back in the sheet of responses.
        text += f"<p><small>({escape(of.exercise.id)}/{escape(each.question.id)})</small></p>"
        boxes = dict(zip(blanks, each.boxes, strict=True))
        most = max(FEWEST_LISTED, MOST_LISTED // len(boxes))
        accepted = {blank: spelt(box, most) for blank, box in boxes.items()}
        yield CanvasItem(of.exercise.id, each.question.id, kind, each.question.marks, text, boxes, accepted)


def texts_of_cell(each: CarriedQuestion, cell: str) -> list[str]:
    """What is in the boxes, by a cell of Canvas' sheet of responses."""
    if len(each.boxes) == 1 and each.boxes[0].kind != TICKS:
        return [cell.replace("\\,", ",")]
    parts = [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", cell)]
    if kind_of(each) == TICKED_NAMES:
        return [TICKED.join(parts)]
    if kind_of(each) == LISTS:
        # Lists that were left alone are not in the cell; so each choice says whose it is.
        chosen = dict(part.split(": ", 1) for part in parts if ": " in part)
        if len(chosen) == len(parts) and chosen.keys() <= {box.item for box in each.boxes}:
            return [chosen.get(box.item, "") for box in each.boxes]
    return parts


def points_text(marks: Fraction) -> str:
    text = number_text(marks)
    return text if "/" not in text else f"{float(marks):.6f}"


def _names(count: int, text: str) -> list[str]:
    """Names of blanks that are not in the text already."""
    letter = "b"
    while f"[{letter}" in text:
        letter += "b"
    return [f"{letter}{place}" for place in range(1, count + 1)]


def _labelled(of: Form, each: CarriedQuestion, blanks: Sequence[str]) -> str:
    """The blanks with what is beside each, left to right in every language; Canvas keeps few styles."""
    labels = (f"{escape(item_label(of, each, box.item))}:&nbsp;" if box.item else "" for box in each.boxes)
    cells = (f"{label}[{blank}]" for label, blank in zip(labels, blanks, strict=True))
    return f'<p dir="ltr">{" &emsp;".join(cells)}</p>'


def spelt(box: Box, most: int) -> tuple[str, ...]:
    """What Canvas accepts in a blank, without regard to case."""
    distinct: dict[str, str] = {}
    for text in box.accepted:
        distinct.setdefault(text.lower(), text)
    return tuple(distinct.values())[:most]


def _label(name: str, text: str) -> str:
    written = f'<mattext texttype="text/plain">{xml_text(text)}</mattext>'
    return f'<response_label ident="{name}"><material>{written}</material></response_label>'


def start_of_item(name: str, title: str, kind: str, points: str) -> str:
    fields = {"question_type": kind, "points_possible": points, "assessment_question_identifierref": f"{name}q"}
    metadata = "".join(
        f"<qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{entry}</fieldentry></qtimetadatafield>"
        for label, entry in fields.items()
    )
    return (
        f"<item ident={quoteattr(name)} title={quoteattr(title)}>\n"
        f"<itemmetadata><qtimetadata>{metadata}</qtimetadata></itemmetadata>\n"
    )


def material(page: str) -> str:
    return f'<material><mattext texttype="text/html">{xml_text(page)}</mattext></material>'


QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
CANVAS_FIELDS = "http://canvas.instructure.com/xsd/cccv1p0"
PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_TOO_LONG = "its text is longer than Canvas allows"


@dataclass(frozen=True, slots=True)
class Quiz:
    name: str
    title: str
    items: str
    """In QTI."""
    points: Fraction
    pictures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Items:
    """What Canvas can carry of some exercises."""

    forms: list[Form]
    kept: list[tuple[Form, list[CanvasItem]]]
    drawn: bool
    """Whether they are variants of one question, of which each student gets one."""
    left_out: list[Remark]
    notes: list[str]

    @property
    def provisional(self) -> list[Remark]:
        gone = {(each.exercise, each.question) for each in self.left_out}
        return [each for form in self.forms for each in form.provisional if (each.exercise, each.question) not in gone]


def write(exercises: Sequence[Exercise], options: ExportOptions) -> Export:
    found = _items(exercises, options)
    if found.drawn and found.kept:
        quizzes = [_drawing(found.kept)]
        found.notes.append(f"one quiz, which gives each student one of {len(found.kept)} variants")
    else:
        quizzes = [_quiz(form, items) for form, items in found.kept]
    return _export(quizzes, [found])


def write_exam(exam: Exam, options: ExportOptions) -> Export:
    """One quiz: each part with its text and its items, or a group from which one item is drawn."""
    found: list[_Items] = []
    parts: list[Quiz] = []
    for name, part in exam.parts.items():
        here = _items(list(part), options)
        if part.only is None and not here.drawn:
            raise UsageError(
                f"Canvas draws single questions, so it cannot give each student one variant of {name}, whose variants "
                "have several questions: use one exercise in that part, or variants with one question; Moodle, "
                "PrairieLearn, Gradescope and papers can carry the exam as it is"
            )
        found.append(here)
        if here.drawn and here.kept:
            parts.append(_drawing(here.kept))
        else:
            parts += (_quiz(form, items) for form, items in here.kept)
    whole = Quiz(
        ident(exam.id, *(each.id for each in exam), "quiz"),
        found[0].forms[0].words.own(exam.title or exam.id),
        "".join(part.items for part in parts),
        sum((part.points for part in parts), Fraction(0)),
        tuple(picture for part in parts for picture in part.pictures),
    )
    return _export([whole] if parts else [], found)


def _items(exercises: Sequence[Exercise], options: ExportOptions) -> _Items:
    forms = [as_canvas_marks(each) for each in all_forms(exercises, options, IN_CANVAS)]
    chosen = [form.chosen(options.faithful_only) for form in forms]
    drawn = _is_one_question(chosen)
    found = _Items(forms, [], drawn, [remark for form in forms for remark in form.left_out], [])
    for form, questions in zip(forms, chosen, strict=True):
        items = list(items_of(form, questions, _address(form) if drawn else None))
        short = [item for item in items if len(item.text) <= MOST_TEXT]
        found.left_out.extend(Remark(form.exercise.id, item.question, _TOO_LONG) for item in items if item not in short)
        if short:
            found.kept.append((form, short))
        else:
            found.notes.append(f"{form.exercise.id}: none of its questions can be exported")
    return found


def _export(quizzes: Sequence[Quiz], found: Sequence[_Items]) -> Export:
    files = {"imsmanifest.xml": _manifest(quizzes).encode()}
    for quiz in quizzes:
        files[f"{quiz.name}/{quiz.name}.xml"] = _assessment(quiz).encode()
        files[f"{quiz.name}/assessment_meta.xml"] = _meta(quiz).encode()
    files |= {_picture(form): form.picture() for each in found for form, _ in each.kept}
    return Export(
        zipped(files),
        tuple(remark for each in found for remark in each.provisional),
        tuple(remark for each in found for remark in each.left_out),
        tuple(note for each in found for note in each.notes),
        is_empty=not quizzes,
    )


def as_canvas_marks(form: Form) -> Form:
    """The same form, with what Canvas in particular cannot mark added to what is provisional."""
    questions = tuple(replace(each, provisional=each.provisional or why_provisional(each)) for each in form.questions)
    return replace(form, questions=questions)


def _is_one_question(chosen: Sequence[Sequence[CarriedQuestion]]) -> bool:
    """Whether these are variants of one question: Canvas draws single items, none that belong together."""
    alike = {(each.question.id, each.question.ask, each.question.marks) for questions in chosen for each in questions}
    return len(chosen) > 1 and len(alike) == 1


def _picture(of: Form) -> str:
    return f"pictures/{ident(of.exercise.id, 'picture')}.svg"


def _address(of: Form) -> str:
    return f"%24IMS-CC-FILEBASE%24/{_picture(of)}"


def _quiz(of: Form, items: Sequence[CanvasItem]) -> Quiz:
    """The text with the tree, and an item for each question."""
    text = start_of_item(ident(of.exercise.id, "text"), of.title, "text_only_question", "0")
    page = "".join(introduction(of, _address(of), escape))
    written = f"{text}<presentation>{material(page)}</presentation></item>\n" + "".join(item.xml() for item in items)
    points = sum((item.marks for item in items), Fraction(0))
    return Quiz(ident(of.exercise.id, "quiz"), of.title, written, points, (_picture(of),))


def _drawing(kept: Sequence[tuple[Form, Sequence[CanvasItem]]]) -> Quiz:
    """A group from which each student gets one item; an item has its own text and tree."""
    first = kept[0][0]
    title = first.words.own(first.exercise.title or first.exercise.id)
    name = ident(*(form.exercise.id for form, _ in kept), "quiz")
    written = "".join(item.xml() for _, items in kept for item in items)
    group = (
        f'<section ident="{name}s" title={quoteattr(title)}>\n<selection_ordering><selection>'
        "<selection_number>1</selection_number></selection></selection_ordering>\n"
        f"{written}</section>\n"
    )
    return Quiz(name, title, group, kept[0][1][0].marks, tuple(_picture(form) for form, _ in kept))


def _assessment(quiz: Quiz) -> str:
    return (
        f'{_HEAD}<questestinterop xmlns="{QTI}">\n'
        f"<assessment ident={quoteattr(quiz.name)} title={quoteattr(quiz.title)}>\n"
        "<qtimetadata><qtimetadatafield><fieldlabel>cc_maxattempts</fieldlabel><fieldentry>1</fieldentry>"
        f'</qtimetadatafield></qtimetadata>\n<section ident="root_section">\n{quiz.items}'
        "</section>\n</assessment>\n</questestinterop>\n"
    )


def _meta(quiz: Quiz) -> str:
    """Students see neither the key nor marks that may still change, until the teacher lets them."""
    return (
        f'{_HEAD}<quiz xmlns="{CANVAS_FIELDS}" identifier={quoteattr(quiz.name)}>\n'
        f"<title>{xml_text(quiz.title)}</title>\n<description></description>\n<quiz_type>assignment</quiz_type>\n"
        f"<points_possible>{points_text(quiz.points)}</points_possible>\n<shuffle_answers>false</shuffle_answers>\n"
        "<scoring_policy>keep_highest</scoring_policy>\n<hide_results>always</hide_results>\n"
        "<allowed_attempts>1</allowed_attempts>\n<show_correct_answers>false</show_correct_answers>\n</quiz>\n"
    )


def _resources(quiz: Quiz) -> str:
    name, meta, meta_file = quiz.name, f"{quiz.name}m", f"{quiz.name}/assessment_meta.xml"
    pictures = "".join(
        f'<resource identifier="{name}p{place}" type="webcontent" href="{file}"><file href="{file}"/></resource>\n'
        for place, file in enumerate(quiz.pictures, 1)
    )
    return (
        f'<resource identifier="{name}" type="imsqti_xmlv1p2"><file href="{name}/{name}.xml"/>'
        f'<dependency identifierref="{meta}"/></resource>\n'
        f'<resource identifier="{meta}" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" '
        f'href="{meta_file}"><file href="{meta_file}"/></resource>\n{pictures}'
    )


def _manifest(quizzes: Sequence[Quiz]) -> str:
    return (
        f'{_HEAD}<manifest identifier="plymark" xmlns="{PACKAGE}">\n'
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n"
        f"<organizations/>\n<resources>\n{''.join(map(_resources, quizzes))}</resources>\n</manifest>\n"
    )


CANVAS = Exporter("canvas", write, write_exam)
