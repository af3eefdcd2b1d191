"""Canvas: packages as its importer reads them, and the points that its own code gave, which are plymark's marks.

Canvas itself was run elsewhere and its points written down (clients/canvas.md); what it read is what is exported today.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
import zipfile
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from grader.delivery.systems.answer_boxes import TICKS, answer_in
from grader.delivery.systems.canvas import MOST_TEXT
from grader.delivery.systems.exporter import ExportOptions
from grader.delivery.systems.system_registry import EXPORTERS
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise
from grader.intake.system_responses import read_responses
from grader.kernel.csv_sheets import CsvRows
from grader.marking.grader import Grader
from tests.support.canvas_runs import (
    SHEETS,
    TIES,
    Run,
    assessments,
    digest,
    disagreements,
    items,
    marks,
    plain,
    runs,
    students,
    written,
)
from tests.support.machine import missing, needs
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

RECORDED = json.loads((ROOT / "tests" / "clients" / "canvas.json").read_text("utf-8"))
RUNS = {run.name: run for run in runs()}
NAMES = sorted(RUNS)
DOWNLOADS = ROOT / "tests" / "downloads"
QTI = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


@cache
def content(name: str) -> bytes:
    return RUNS[name].content


def export(*texts: str, **options: Any) -> tuple[str, Any]:
    """The quizzes of exercises, and what was said of them."""
    exercises = [written(text, "exercise") for text in texts]
    made = EXPORTERS["canvas"].write(exercises, ExportOptions(**options))
    assert isinstance(made.content, bytes)
    return "".join(assessments(made.content)), made


def test_the_record_is_of_what_is_exported() -> None:
    assert sorted(RECORDED["runs"]) == NAMES and sorted(RECORDED["sheets"]) == sorted(SHEETS)
    assert all(len(commit) == 40 for commit in RECORDED["commits"].values())


@pytest.mark.parametrize("name", NAMES)
def test_canvas_read_what_is_exported_today(name: str) -> None:
    recorded = RECORDED["runs"][name]
    assert {title: item["sha256"] for title, item in recorded.items()} == items(content(name)), "record it anew"


@pytest.mark.parametrize("name", NAMES)
def test_canvas_points_are_plymarks_marks(name: str) -> None:
    """At full marks and at none, in every spelling; and everywhere, where a question is not provisional."""
    run, recorded = RUNS[name], RECORDED["runs"][name]
    found = disagreements(run, recorded)
    assert [each for each in found if not each.excused] == []
    for asked, place, given in run.responses():
        each = asked.carried[place]
        item = recorded[f"{asked.exercise.id}/{each.question.id}"]
        assert abs(Fraction(item["points"]) - each.question.marks) < Fraction(1, 1000)
        assert item["inputs"] == (0 if item["type"] == "multiple_answers_question" else len(each.boxes))
        assert item["responses"] == digest(given), "record it anew"
        free = any(not box.worth for box in each.boxes)
        assert free or item["marks"][0] == item["points"]
        assert each.boxes[0].kind == TICKS or item["marks"][-1] == 0
        for texts, points in zip(given, item["marks"], strict=True):
            if not each.provisional:
                assert abs(Fraction(points) - asked.marks(place, texts)) < Fraction(1, 1000), (each.question.id, texts)
    # What is left is the text with the tree.
    titles = {f"{asked.exercise.id}/{asked.carried[place].question.id}" for asked, place, _ in run.responses()}
    assert {item["type"] for title, item in recorded.items() if title not in titles} <= {"text_only_question"}


def test_the_record_has_every_kind_of_response() -> None:
    given = Counter(
        (item["type"], 0 if not points else 1 if points == item["points"] else "part")
        for run in RECORDED["runs"].values()
        for item in run.values()
        for points in item["marks"]
    )
    for kind in ("fill_in_multiple_blanks_question", "multiple_dropdowns_question", "multiple_answers_question"):
        assert all(given[kind, share] > 10 for share in (0, 1, "part")), given
    faithful = sum(not each.provisional for run in RUNS.values() for _, each in run.carried())
    assert faithful > 60


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_canvas_own_sheet_of_responses_comes_back(name: str) -> None:
    run = RUNS[name]
    graders = {of.id: Grader(of) for of in run.exercises}
    (sheet,) = RECORDED["sheets"][name]
    found = list(read_responses(CsvRows(io.BytesIO(sheet.encode()), 10**6), "c.csv", run.exercises))
    expected = []
    for student in students(run):
        given: Any = student["responses"]
        for of in run.exercises:
            answers = {
                each.question.id: answer_in(each.question, each.boxes, texts)
                for mine, each in run.carried()
                if mine is of and (texts := given.get(f"{of.id}/{each.question.id}"))
            }
            if len(run.exercises) == 1 or any(answer is not None for answer in answers.values()):
                told = {key: answer for key, answer in answers.items() if answer is not None}
                expected.append((of.id, graders[of.id].grade(Answer(of.id, "s", told)).exact_marks))
    answers_back = [each for each in found if isinstance(each, Answer)]
    assert [(each.exercise, graders[each.exercise].grade(each).exact_marks) for each in answers_back] == expected
    assert len(found) == len(answers_back)
    # The first two have an id of the institution's, the others Canvas' own.
    assert [each.student for each in answers_back][:3] == ["s1", "s2", "102"]


# Each element's children in order, and its attributes: of QTI 1.2, what Canvas' importer looks at.
GRAMMAR: dict[str, tuple[str, str]] = {
    "questestinterop": ("assessment", ""),
    "assessment": ("qtimetadata section", "ident title"),
    "section": ("(item )+|section|selection_ordering (item )+", "ident title?"),
    "selection_ordering": ("selection", ""),
    "selection": ("selection_number", ""),
    "selection_number": ("", ""),
    "item": ("itemmetadata presentation( resprocessing)?", "ident title"),
    "itemmetadata": ("qtimetadata", ""),
    "qtimetadata": ("(qtimetadatafield )+", ""),
    "qtimetadatafield": ("fieldlabel fieldentry", ""),
    "fieldlabel": ("", ""),
    "fieldentry": ("", ""),
    "presentation": ("material( response_lid)*", ""),
    "material": ("mattext", ""),
    "mattext": ("", "texttype?"),
    "response_lid": ("(material )?render_choice", "ident rcardinality?"),
    "render_choice": ("(response_label )+", ""),
    "response_label": ("(material)?", "ident"),
    "resprocessing": ("outcomes( respcondition)+", ""),
    "outcomes": ("decvar", ""),
    "decvar": ("", "maxvalue minvalue varname vartype"),
    "respcondition": ("conditionvar setvar", "continue?"),
    "conditionvar": ("varequal|and", ""),
    "and": ("((varequal|not) ?)+", ""),
    "not": ("varequal", ""),
    "varequal": ("", "respident"),
    "setvar": ("", "action varname"),
}


def follows_grammar(root: ElementTree.Element) -> None:
    for element in root.iter():
        name = element.tag.removeprefix(QTI)
        order, attributes = GRAMMAR[name]
        children = " ".join(child.tag.removeprefix(QTI) for child in element)
        pattern = "|".join(part.strip().replace(" )+", "(?: |$))+") for part in order.split("|"))
        assert re.fullmatch(pattern, children), (name, children)
        allowed = attributes.replace("?", "").split()
        assert set(element.attrib) <= set(allowed), (name, element.attrib)
        assert {each for each in attributes.split() if not each.endswith("?")} <= set(element.attrib), name
        assert not (len(element) and (element.text or "").strip()), f"text beside the children of {name}"


def is_read_whole(item: ElementTree.Element) -> None:
    """What the importer looks for in an item is there: blanks by their names, right answers by their ids."""
    fields = {each[0].text: each[1].text for each in item.iter(f"{QTI}qtimetadatafield")}
    kind, text = fields["question_type"], item.findtext(f"{QTI}presentation/{QTI}material/{QTI}mattext") or ""
    assert Fraction(fields["points_possible"] or "") >= 0 and len(text) <= MOST_TEXT
    blanks = {str(each.get("ident")): each for each in item.iter(f"{QTI}response_lid")}
    # Answers are looked up by their ids alone, whatever the blank.
    ids = [label.get("ident") for label in item.iter(f"{QTI}response_label")]
    assert len(set(ids)) == len(ids)
    for name, response in blanks.items():
        blank = name.removeprefix("response_")
        if kind == "multiple_answers_question":
            continue
        # The name is put into a regular expression, and only the first place becomes a box.
        assert name.startswith("response_") and re.fullmatch(r"\w+", blank) and text.count(f"[{blank}]") == 1
        mine = {label.get("ident") for label in response.iter(f"{QTI}response_label")}
        right = {each.text for each in item.iter(f"{QTI}varequal") if each.get("respident") == name}
        texts = [each.text for each in response.iter(f"{QTI}mattext")][1:]
        assert right and right <= mine and all(text and text.strip() == text for text in texts)
        # In a blank everything that is listed counts as right.
        assert kind == "multiple_dropdowns_question" or right == mine
    ticks = kind == "multiple_answers_question"
    assert all(each.get("action") == ("Set" if ticks else "Add") for each in item.iter(f"{QTI}setvar"))
    assert bool(blanks) == (kind != "text_only_question")


@pytest.mark.parametrize("name", NAMES)
def test_packages_are_what_the_importer_reads(name: str) -> None:
    for text in assessments(content(name)):
        root = ElementTree.fromstring(text)
        follows_grammar(root)
        for item in root.iter(f"{QTI}item"):
            is_read_whole(item)
    with zipfile.ZipFile(io.BytesIO(content(name))) as archive:
        files = archive.namelist()
        manifest = ElementTree.fromstring(archive.read("imsmanifest.xml"))
    listed = [each.get("href") for each in manifest.iter() if each.tag.endswith("}file")]
    assert sorted([*map(str, listed), "imsmanifest.xml"]) == sorted(files)
    # The importer finds a quiz's settings by this path.
    for quiz in (each for each in manifest.iter() if each.get("type") == "imsqti_xmlv1p2"):
        assert f"{quiz.get('identifier')}/assessment_meta.xml" in files
    pictures = re.findall(r"%24IMS-CC-FILEBASE%24/([^&\"]+)", "".join(assessments(content(name))))
    assert sorted(pictures) == sorted(file for file in files if file.endswith(".svg")) != []


def test_the_grammar_can_fail() -> None:
    (text,) = assessments(content("two-ply en"))
    follows_grammar(ElementTree.fromstring(text))
    for old, new in (
        ("<outcomes>", "<outcomes><setvar/>"),
        ("<conditionvar>", "<conditionvar><not/>"),
        ('<section ident="root_section">', "<section>"),
        ("<itemmetadata>", "x<itemmetadata>"),
    ):
        assert old in text
        with pytest.raises((AssertionError, KeyError)):
            follows_grammar(ElementTree.fromstring(text.replace(old, new, 1)))


def dtd(folder: Path) -> Path:
    """The 1EdTech consortium's DTD of QTI 1.2.1, from the sources of pyslet."""
    sources = sorted(DOWNLOADS.glob("pyslet-*.tar.gz"))
    if not sources:
        missing("pyslet's source archive")
    with tarfile.open(sources[0]) as archive:
        member = next(each for each in archive.getmembers() if each.name.endswith("1p2p1/ims_qtiasiv1p2p1.dtd"))
        file = archive.extractfile(member)
        assert file is not None
        (folder / "qti.dtd").write_bytes(file.read())
    return folder / "qti.dtd"


def test_packages_are_valid_by_the_dtd_of_qti(tmp_path: Path) -> None:
    xmllint, grammar = needs("xmllint"), dtd(tmp_path)
    files = []
    for name in NAMES:
        for number, text in enumerate(assessments(content(name))):
            file = tmp_path / f"{name} {number}.xml".replace(" ", "-")
            # Canvas wants a namespace, and the DTD has none.
            file.write_text(text.replace(f' xmlns="{QTI[1:-1]}"', ""), "utf-8")
            files.append(str(file))
    ran = subprocess.run(
        [xmllint, "--nonet", "--noout", "--dtdvalid", str(grammar), *files], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[:2000]
    Path(files[0]).write_text(Path(files[0]).read_text("utf-8").replace("</outcomes>", "</outcomes><varequal/>", 1))
    assert subprocess.run(
        [xmllint, "--nonet", "--noout", "--dtdvalid", str(grammar), files[0]], capture_output=True, check=False
    ).returncode


def test_variants_of_one_question_are_drawn() -> None:
    text, made = export(*(TIES.format(number=number) for number in (3, 4)))
    assert made.notes == ("one quiz, which gives each student one of 2 variants",)
    assert text.count("<assessment ") == 1 and text.count("<item ") == 2
    assert "<selection_number>1</selection_number>" in text and "text_only_question" not in text
    assert text.count("<img ") == 0 and text.count("&lt;img ") == 2
    other, made = export(TIES.format(number=3), TIES.format(number=4).replace("marks: 1", "marks: 2"))
    assert not made.notes and other.count("<assessment ") == 2 and "selection" not in other


def test_a_list_does_not_tell_that_two_choices_are_right() -> None:
    text, _ = export(TIES.format(number=3))
    assert "multiple_dropdowns_question" in text and text.count("<response_label") == 3
    assert text.count("<respcondition>") == 2


def test_blanks_have_names_that_the_text_has_not() -> None:
    (text,) = assessments(content("negative en"))
    values = next(
        each for each in ElementTree.fromstring(text).iter(f"{QTI}item") if each.get("title") == "negative/values"
    )
    assert [each.get("ident") for each in values.iter(f"{QTI}response_lid")] == [f"response_bb{n}" for n in range(1, 5)]


def test_what_canvas_would_throw_away_is_named() -> None:
    long = TIES.format(number=3).replace("ask: move", f'ask: move, text: "{"&" * 4000}"')
    text, made = export(long)
    assert text == "" and [str(each) for each in made.left_out] == [
        "ties-3: move: its text is longer than Canvas allows"
    ]
    assert made.provisional == () and made.notes == ("ties-3: none of its questions can be exported",)


def test_every_spelling_that_is_listed_is_right_here_too() -> None:
    run = Run("x", (plain(load_exercise(ROOT / "exercises" / "two-ply.yaml")), RUNS["negative en"].exercises[0]), "en")
    graders = {of.id: Grader(of) for of in run.exercises}
    listed: dict[str, list[list[str]]] = {}
    for text in assessments(run.content):
        for item in ElementTree.fromstring(text).iter(f"{QTI}item"):
            listed[str(item.get("title"))] = [
                [str(each.text) for each in response.iter(f"{QTI}mattext")][1:]
                for response in item.iter(f"{QTI}response_lid")
            ]
    checked = 0
    for of, each in run.carried():
        for place, texts in enumerate(listed[f"{of.id}/{each.question.id}"]):
            if each.provisional or each.boxes[place].choices:
                continue
            for text in texts:
                alone = [text if place == other else "" for other in range(len(each.boxes))]
                assert marks(graders[of.id], each, alone) == each.boxes[place].worth, (each.question.id, text)
                checked += 1
    assert checked > 200
