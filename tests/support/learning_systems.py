"""Learning systems as their documentation and sources describe them, to judge exports independently of the exporters.

Moodle's cloze grammar and its marking of boxes; Canvas' marking of QTI 1.2 items.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

FRACTION = r"=|%(-?[0-9]+(?:[.,][0-9]*)?)%"
# Python wants each look-behind of one width.
ANSWER = r".+?(?<!\\)(?<!&)(?<!&amp;)(?=[~#}]|$)"
FEEDBACK = r".*?(?<!\\)(?=[~}]|$)"
ALTERNATIVE = rf"({FRACTION})?({ANSWER})(#({FEEDBACK}))?"
TYPES = "NUMERICAL|NM|MULTICHOICE|MC|SHORTANSWER|SA|MW|SHORTANSWER_C|SAC|MWC|MULTIRESPONSE|MR"
CLOZE = re.compile(rf"\{{([0-9]*):({TYPES}):((?:{ALTERNATIVE})(?:~(?:{ALTERNATIVE}))*)\}}", re.DOTALL)
NUMBER = r"-?(?:(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?)"


@dataclass
class SubQuestion:
    weight: Fraction
    type: str
    answers: list[tuple[Fraction, str, str, str]] = field(default_factory=list)
    """Share, answer, tolerance, feedback."""

    @property
    def right(self) -> list[str]:
        """The responses that earn everything; of ticks, all that are right together."""
        if self.type == "MULTIRESPONSE":
            return ["; ".join(answer for share, answer, *_ in self.answers if share > 0)]
        return [answer for share, answer, *_ in self.answers if share == 1]

    def matched(self, response: str) -> tuple[Fraction, str]:
        """The first answer that a response is, as Moodle looks for it; of ticks, what they add up to."""
        if self.type == "MULTIRESPONSE":
            ticked = response.split("; ")
            earned = sum((share for share, answer, *_ in self.answers if answer in ticked), Fraction(0))
            whole = sum(share for share, *_ in self.answers if share > 0)
            lost = sum((share for share, answer, *_ in self.answers if answer in ticked and share < 0), Fraction(0))
            return max(Fraction(0), (earned - lost) / whole + lost), ""
        for share, answer, tolerance, feedback in self.answers:
            if self._is(response, answer, tolerance):
                return share, feedback
        return Fraction(0), ""

    def _is(self, response: str, answer: str, tolerance: str) -> bool:
        if self.type == "NUMERICAL":
            written = response.strip().replace(",", ".")
            if not re.fullmatch(NUMBER, written):
                return False
            return abs(Fraction(written) - Fraction(answer)) <= Fraction(tolerance)
        if self.type in ("MULTICHOICE", "MULTIRESPONSE"):
            return response == answer
        pattern = ".*".join(re.escape(part.replace("\\*", "*")) for part in re.split(r"(?<!\\)\*", answer))
        return re.fullmatch(pattern, response.strip(), re.IGNORECASE | re.DOTALL) is not None


def cloze(text: str) -> list[SubQuestion]:
    found: list[SubQuestion] = []
    for box in CLOZE.finditer(text):
        weight, kind, rest = box.group(1), box.group(2), box.group(3)
        made = SubQuestion(Fraction(weight or 1), kind)
        while each := re.match("~?" + ALTERNATIVE, rest, re.DOTALL):
            share = Fraction(1) if each.group(1) == "=" else Fraction(each.group(2) or 0) / 100
            # Moodle decodes once, and shows feedback and choices as HTML.
            written, feedback = each.group(3), html.unescape(html.unescape(each.group(5) or ""))
            tolerance = "0"
            if kind == "NUMERICAL":
                number = re.fullmatch(rf"({NUMBER})(?::({NUMBER}))?", written)
                assert number, f"not a number: {written}"
                written, tolerance = number.group(1), number.group(2) or "0"
            written = html.unescape(written).replace("\\}", "}").replace("\\#", "#")
            if kind in ("MULTICHOICE", "MULTIRESPONSE"):
                written = html.unescape(written)
            made.answers.append((share, written, tolerance, feedback))
            rest = rest[each.end() :]
        assert not rest, rest
        # What Moodle's own form validation asks for.
        positive = [share for share, *_ in made.answers if share > 0]
        assert abs(sum(positive, Fraction(-1))) < Fraction(1, 10**5) if kind == "MULTIRESPONSE" else 1 in positive
        assert kind not in ("MULTICHOICE", "MULTIRESPONSE") or len(made.answers) > 1
        found.append(made)
    leftover = CLOZE.sub("", text)
    assert "{" not in leftover and "}" not in leftover, leftover
    return found


def moodle_questions(content: bytes) -> dict[str, list[SubQuestion]]:
    """By its name; the first question is the category."""
    assert content.startswith(b"<?xml")
    root = ElementTree.fromstring(content)
    assert root.tag == "quiz" and root[0].get("type") == "category"
    found = {}
    for question in root[1:]:
        assert question.get("type") == "cloze"
        text = question.findtext("questiontext/text") or ""
        file = question.find("questiontext/file")
        assert file is not None and f"@@PLUGINFILE@@/{file.get('name')}" in text
        found[question.findtext("name/text") or ""] = cloze(text)
    return found


QTI = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


@dataclass
class CanvasItem:
    type: str
    points: Fraction
    title: str
    text: str
    blanks: dict[str, dict[str, str]]
    """By blank the texts of what it lists, by id."""
    right: dict[str, set[str]]

    def marks(self, responses: list[str]) -> Fraction:
        if self.type == "multiple_answers_question":
            # What is right less what is wrong, over all that is right.
            ((blank, listed),) = self.blanks.items()
            ticked = {name for name, text in listed.items() if text in responses[0].split("; ")}
            hits = len(ticked & self.right[blank]) - len(ticked - self.right[blank])
            return max(Fraction(0), self.points * hits / len(self.right[blank]))
        # Canvas: each blank has the same share; texts are compared without case and outer blanks.
        hits = 0
        for (blank, listed), response in zip(self.blanks.items(), responses, strict=True):
            accepted = {listed[name].strip().lower() for name in self.right[blank]}
            if self.type == "multiple_dropdowns_question":
                # Where there are several lists, a choice says whose it is.
                accepted |= {text.partition(": ")[2] or text for text in accepted}
            hits += response.strip().lower() in accepted
        return self.points * hits / len(self.blanks)


def canvas_quizzes(content: bytes) -> dict[str, list[CanvasItem]]:
    archive = zipfile.ZipFile(io.BytesIO(content))
    manifest = ElementTree.fromstring(archive.read("imsmanifest.xml"))
    space = manifest.tag.partition("}")[0] + "}"
    for file in manifest.iter(f"{space}file"):
        assert file.get("href") in archive.namelist()
    identifiers = [each.get("identifier") for each in manifest.iter(f"{space}resource")]
    assert len(set(identifiers)) == len(identifiers)
    found: dict[str, list[CanvasItem]] = {}
    for resource in manifest.iter(f"{space}resource"):
        if resource.get("type") == "imsqti_xmlv1p2":
            (file,) = resource.findall(f"{space}file")
            root = ElementTree.fromstring(archive.read(str(file.get("href"))))
            assert root.tag == f"{QTI}questestinterop"
            for assessment in root.iter(f"{QTI}assessment"):
                items = [_item(each) for each in assessment.iter(f"{QTI}item")]
                found[str(assessment.get("title"))] = [each for each in items if each.type != "text_only_question"]
    return found


def _item(item: ElementTree.Element) -> CanvasItem:
    fields: dict[Any, str] = {
        each.findtext(f"{QTI}fieldlabel"): each.findtext(f"{QTI}fieldentry") or ""
        for each in item.iter(f"{QTI}qtimetadatafield")
    }
    text = item.findtext(f"{QTI}presentation/{QTI}material/{QTI}mattext") or ""
    made = CanvasItem(
        fields["question_type"], Fraction(fields["points_possible"]), str(item.get("title")), text, {}, {}
    )
    for response in item.iter(f"{QTI}response_lid"):
        blank = str(response.get("ident")).removeprefix("response_")
        assert f"[{blank}]" in text or made.type == "multiple_answers_question"
        labels = response.iter(f"{QTI}response_label")
        made.blanks[blank] = {
            str(label.get("ident")): label.findtext(f"{QTI}material/{QTI}mattext") or "" for label in labels
        }
    for condition in item.iter(f"{QTI}respcondition"):
        denied = [each for beside in condition.iter(f"{QTI}not") for each in beside]
        for equal in condition.iter(f"{QTI}varequal"):
            blank = str(equal.get("respident")).removeprefix("response_")
            assert equal.text in made.blanks[blank]
            if equal not in denied:
                made.right.setdefault(blank, set()).add(equal.text or "")
    assert all(made.right[blank] for blank in made.blanks)
    return made
