"""Canvas: a QTI 1.2 package with a quiz for each exercise and an item for each of its questions.

Canvas marks every blank of an item alike and knows one right choice in a list. What does not fit is provisional.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from xml.sax.saxutils import escape as xml_text
from xml.sax.saxutils import quoteattr

from grader.exercise import Exercise
from grader.exporters.base import Export, Exporter, ExportOptions, Remark
from grader.exporters.boxes import CHOICE, NUMBER, Box
from grader.exporters.forms import Carried, Form, form
from grader.exporters.packing import zipped
from grader.exporters.pages import introduction, labelled, question_title
from solver import number_text, parse_number

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
CANVAS_FIELDS = "http://canvas.instructure.com/xsd/cccv1p0"
PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_OUTCOMES = '<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>'


def write(exercises: Sequence[Exercise], options: ExportOptions) -> Export:
    files: dict[str, bytes] = {}
    resources: list[str] = []
    provisional: list[Remark] = []
    left_out: list[Remark] = []
    notes: list[str] = []
    for exercise in exercises:
        made = as_canvas_marks(form(exercise, options))
        provisional += made.provisional
        left_out += made.left_out
        chosen = [each for each in made.questions if not (options.faithful_only and each.provisional)]
        if not chosen:
            notes.append(f"{exercise.id}: nothing of it can be exported")
            continue
        name, picture = ident(exercise.id, "quiz"), f"pictures/{ident(exercise.id, 'picture')}.svg"
        files[f"{name}/{name}.xml"] = _assessment(made, chosen, name, picture).encode()
        files[f"{name}/assessment_meta.xml"] = _meta(made, chosen, name).encode()
        files[picture] = made.picture()
        resources.append(_resources(name, picture))
    content = zipped({"imsmanifest.xml": _manifest(resources).encode(), **files})
    return Export(content, tuple(provisional), tuple(left_out), tuple(notes))


CANVAS = Exporter("canvas", ".zip", write)


def ident(*parts: str) -> str:
    """A name that is the same for the same thing every time."""
    return "g" + hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def as_canvas_marks(made: Form) -> Form:
    """The same form, with what Canvas in particular cannot mark added to what is provisional."""
    questions = tuple(replace(each, provisional=each.provisional or _why(each)) for each in made.questions)
    return replace(made, questions=questions)


def _why(each: Carried) -> str | None:
    if any(not box.worth for box in each.boxes):
        return "Canvas marks boxes that do not count here"
    if len({box.worth for box in each.boxes}) > 1:
        return "Canvas marks every box alike"
    if _kind(each) == "fill_in_multiple_blanks_question" and any(
        box.kind == NUMBER and box.tolerance != "0" for box in each.boxes
    ):
        return "Canvas compares texts here, and rounded numbers are right too"
    return None


def _kind(each: Carried) -> str:
    if len(each.boxes) == 1 and each.boxes[0].kind == NUMBER:
        return "numerical_question"
    if all(box.kind == CHOICE and len(box.accepted) == 1 for box in each.boxes):
        return "multiple_dropdowns_question"
    return "fill_in_multiple_blanks_question"


def html(text: str) -> str:
    """Text of the page; a bracket in it could be a blank."""
    return escape(text).replace("[", "&#91;").replace("]", "&#93;")


def _assessment(of: Form, chosen: Sequence[Carried], name: str, picture: str) -> str:
    address = f"%24IMS-CC-FILEBASE%24/{picture}"
    first = _item(ident(of.exercise.id, "text"), of.title, "text_only_question", "0")
    start = first + f"<presentation>{_material(''.join(introduction(of, address, html)))}</presentation></item>\n"
    items = "".join(_question(of, each) for each in chosen)
    return (
        f'{_HEAD}<questestinterop xmlns="{QTI}">\n'
        f"<assessment ident={quoteattr(name)} title={quoteattr(of.title)}>\n"
        "<qtimetadata><qtimetadatafield><fieldlabel>cc_maxattempts</fieldlabel><fieldentry>1</fieldentry>"
        f'</qtimetadatafield></qtimetadata>\n<section ident="root_section">\n{start}{items}'
        "</section>\n</assessment>\n</questestinterop>\n"
    )


def _item(name: str, title: str, kind: str, points: str) -> str:
    fields = {"question_type": kind, "points_possible": points, "assessment_question_identifierref": f"{name}q"}
    metadata = "".join(
        f"<qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{entry}</fieldentry></qtimetadatafield>"
        for label, entry in fields.items()
    )
    return (
        f"<item ident={quoteattr(name)} title={quoteattr(title)}>\n"
        f"<itemmetadata><qtimetadata>{metadata}</qtimetadata></itemmetadata>\n"
    )


def _question(of: Form, each: Carried) -> str:
    kind, code = _kind(each), f"{of.exercise.id}/{each.question.id}"
    head = _item(ident(of.exercise.id, each.question.id), code, kind, _points(each))
    title = f"{question_title(of, each, html)}<p><small>({html(code)})</small></p>"
    if kind == "numerical_question":
        return f"{head}{_numerical(title, each.boxes[0])}</item>\n"
    blanks = [f"b{place}" for place in range(1, len(each.boxes) + 1)]
    text = title + labelled(each, [f"[{blank}]" for blank in blanks], html)
    boxes = list(zip(blanks, each.boxes, strict=True))
    responses = "".join(_response(blank, box) for blank, box in boxes)
    conditions = "".join(_conditions(blank, box, len(boxes)) for blank, box in boxes)
    return (
        f"{head}<presentation>{_material(text)}{responses}</presentation>\n"
        f"<resprocessing>{_OUTCOMES}{conditions}</resprocessing></item>\n"
    )


def _points(each: Carried) -> str:
    text = number_text(each.question.marks)
    return text if "/" not in text else f"{float(each.question.marks):.6f}"


def _numerical(title: str, box: Box) -> str:
    number, around = parse_number(box.number), parse_number(box.tolerance)
    assert number is not None and around is not None
    low, high = number_text(number - around), number_text(number + around)
    return (
        f'<presentation>{_material(title)}<response_str ident="response1" rcardinality="Single">'
        '<render_fib fibtype="Decimal"><response_label ident="answer1"/></render_fib></response_str></presentation>\n'
        f'<resprocessing>{_OUTCOMES}<respcondition continue="No"><conditionvar><or>'
        f'<varequal respident="response1">{box.number}</varequal><and><vargte respident="response1">{low}</vargte>'
        f'<varlte respident="response1">{high}</varlte></and></or></conditionvar>'
        '<setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing>'
    )


def _offered(blank: str, box: Box) -> Iterator[tuple[str, str, bool]]:
    """What a blank lists: an id, a text, and whether it is right."""
    texts = box.choices if box.kind == CHOICE and len(box.accepted) == 1 else spelt(box)
    for text in texts:
        yield ident(blank, text), text, text in box.accepted or not box.choices


def spelt(box: Box) -> tuple[str, ...]:
    """What Canvas accepts in a blank; where nothing counts, what stands for nothing."""
    if box.kind == NUMBER:
        plain = box.key.replace("−", "-")
        return tuple(dict.fromkeys((box.number, box.key, plain, plain.replace(".", ","), *_trailing(box.number))))
    return box.accepted if box.worth else ("-",)


def _trailing(number: str) -> Iterator[str]:
    """A decimal as it is often written."""
    yield f"{number}.0" if "." not in number else f"{number}0"
    if not number.startswith("-"):
        yield f"+{number}"


def _response(blank: str, box: Box) -> str:
    labels = "".join(
        f'<response_label ident="{name}"><material><mattext texttype="text/plain">{xml_text(text)}</mattext></material>'
        "</response_label>"
        for name, text, _ in _offered(blank, box)
    )
    return (
        f'<response_lid ident="response_{blank}"><material><mattext>{blank}</mattext></material>'
        f"<render_choice>{labels}</render_choice></response_lid>"
    )


def _conditions(blank: str, box: Box, count: int) -> str:
    share = f"{100 / count:.2f}"
    return "".join(
        f'<respcondition><conditionvar><varequal respident="response_{blank}">{name}</varequal></conditionvar>'
        f'<setvar action="Add" varname="SCORE">{share}</setvar></respcondition>'
        for name, _, right in _offered(blank, box)
        if right
    )


def _material(page: str) -> str:
    return f'<material><mattext texttype="text/html">{xml_text(page)}</mattext></material>'


def _meta(of: Form, chosen: Sequence[Carried], name: str) -> str:
    points = sum(each.question.marks for each in chosen)
    return (
        f'{_HEAD}<quiz xmlns="{CANVAS_FIELDS}" identifier={quoteattr(name)}>\n'
        f"<title>{xml_text(of.title)}</title>\n<description></description>\n<quiz_type>assignment</quiz_type>\n"
        f"<points_possible>{float(points):.6f}</points_possible>\n<shuffle_answers>false</shuffle_answers>\n"
        "<scoring_policy>keep_highest</scoring_policy>\n<allowed_attempts>1</allowed_attempts>\n"
        "<show_correct_answers>false</show_correct_answers>\n</quiz>\n"
    )


def _resources(name: str, picture: str) -> str:
    meta, meta_file = f"{name}m", f"{name}/assessment_meta.xml"
    return (
        f'<resource identifier="{name}" type="imsqti_xmlv1p2"><file href="{name}/{name}.xml"/>'
        f'<dependency identifierref="{meta}"/></resource>\n'
        f'<resource identifier="{meta}" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" '
        f'href="{meta_file}"><file href="{meta_file}"/></resource>\n'
        f'<resource identifier="{name}p" type="webcontent" href="{picture}"><file href="{picture}"/></resource>\n'
    )


def _manifest(resources: Sequence[str]) -> str:
    return (
        f'{_HEAD}<manifest identifier="plymark" xmlns="{PACKAGE}">\n'
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n"
        f"<organizations/>\n<resources>\n{''.join(resources)}</resources>\n</manifest>\n"
    )
