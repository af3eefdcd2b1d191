"""The items of a Canvas quiz: a question with its boxes in QTI 1.2, and the spellings that Canvas is to accept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from xml.sax.saxutils import escape as xml_text
from xml.sax.saxutils import quoteattr

from grader.delivery.systems.boxes import CHOICE, TICKED, TICKS, Box
from grader.delivery.systems.forms import Carried, Form
from grader.delivery.systems.pages import introduction, item_label, question_title
from solver.kernel import number_text

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


def kind_of(each: Carried) -> str:
    """The type of item that Canvas has for a question's boxes.

    A number is a blank: as a number Canvas would read 1,5 as 15 and whatever it cannot read as 0.
    """
    if each.boxes[0].kind == TICKS:
        return TICKED_NAMES
    return LISTS if all(box.kind == CHOICE for box in each.boxes) else BLANKS


def why_provisional(each: Carried) -> str | None:
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


def items_of(of: Form, questions: Sequence[Carried], picture: str | None) -> Iterator[CanvasItem]:
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


def texts_of_cell(each: Carried, cell: str) -> list[str]:
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


def _labelled(of: Form, each: Carried, blanks: Sequence[str]) -> str:
    """The blanks with what is beside each, left to right in every language; Canvas keeps few styles."""
    labels = (f"{escape(item_label(of, each, box.item))}:&nbsp;" if box.item else "" for box in each.boxes)
    cells = (f"{label}[{blank}]" for label, blank in zip(labels, blanks, strict=True))
    return f'<p dir="ltr">{" &emsp;".join(cells)}</p>'


def spelt(box: Box, most: int) -> tuple[str, ...]:
    """What Canvas accepts in a blank, without regard to case."""
    found: dict[str, str] = {}
    for text in box.accepted:
        found.setdefault(text.lower(), text)
    return tuple(found.values())[:most]


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
