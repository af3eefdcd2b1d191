"""Canvas: a QTI 1.2 package with a quiz for each exercise and an item for each of its questions.

Variants of a single question become one quiz, which draws one of them for each student.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from xml.sax.saxutils import escape as xml_text
from xml.sax.saxutils import quoteattr

from grader.delivery.systems.base import IN_CANVAS, Export, Exporter, ExportOptions, Remark
from grader.delivery.systems.canvas_items import (
    MOST_TEXT,
    CanvasItem,
    ident,
    items_of,
    material,
    points_text,
    start_of_item,
    why_provisional,
)
from grader.delivery.systems.forms import Carried, Form, all_forms
from grader.delivery.systems.packing import zipped
from grader.delivery.systems.pages import introduction
from grader.documents.exam import Exam
from grader.questions.exercise import Exercise
from solver.kernel import UsageError

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
        return [each for made in self.forms for each in made.provisional if (each.exercise, each.question) not in gone]


def write(exercises: Sequence[Exercise], options: ExportOptions) -> Export:
    found = _items(exercises, options)
    if found.drawn and found.kept:
        quizzes = [_drawing(found.kept)]
        found.notes.append(f"one quiz, which gives each student one of {len(found.kept)} variants")
    else:
        quizzes = [_quiz(made, items) for made, items in found.kept]
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
            parts += (_quiz(made, items) for made, items in here.kept)
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
    chosen = [made.chosen(options.faithful_only) for made in forms]
    drawn = _is_one_question(chosen)
    found = _Items(forms, [], drawn, [remark for made in forms for remark in made.left_out], [])
    for made, questions in zip(forms, chosen, strict=True):
        items = list(items_of(made, questions, _address(made) if drawn else None))
        short = [item for item in items if len(item.text) <= MOST_TEXT]
        found.left_out.extend(Remark(made.exercise.id, item.question, _TOO_LONG) for item in items if item not in short)
        if short:
            found.kept.append((made, short))
        else:
            found.notes.append(f"{made.exercise.id}: none of its questions can be exported")
    return found


def _export(quizzes: Sequence[Quiz], found: Sequence[_Items]) -> Export:
    files = {"imsmanifest.xml": _manifest(quizzes).encode()}
    for quiz in quizzes:
        files[f"{quiz.name}/{quiz.name}.xml"] = _assessment(quiz).encode()
        files[f"{quiz.name}/assessment_meta.xml"] = _meta(quiz).encode()
    files |= {_picture(made): made.picture() for each in found for made, _ in each.kept}
    return Export(
        zipped(files),
        tuple(remark for each in found for remark in each.provisional),
        tuple(remark for each in found for remark in each.left_out),
        tuple(note for each in found for note in each.notes),
        is_empty=not quizzes,
    )


CANVAS = Exporter("canvas", write, write_exam)


def as_canvas_marks(made: Form) -> Form:
    """The same form, with what Canvas in particular cannot mark added to what is provisional."""
    questions = tuple(replace(each, provisional=each.provisional or why_provisional(each)) for each in made.questions)
    return replace(made, questions=questions)


def _is_one_question(chosen: Sequence[Sequence[Carried]]) -> bool:
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
    name = ident(*(made.exercise.id for made, _ in kept), "quiz")
    written = "".join(item.xml() for _, items in kept for item in items)
    group = (
        f'<section ident="{name}s" title={quoteattr(title)}>\n<selection_ordering><selection>'
        "<selection_number>1</selection_number></selection></selection_ordering>\n"
        f"{written}</section>\n"
    )
    return Quiz(name, title, group, kept[0][1][0].marks, tuple(_picture(made) for made, _ in kept))


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
