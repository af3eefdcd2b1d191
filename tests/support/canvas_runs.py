"""What Canvas' own code was run on: exports, responses to every item, and the marks that plymark gives them."""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any
from xml.etree import ElementTree

from grader.delivery.systems.answer_boxes import CHOICE, TEXT, TICKS, Box, answer_in
from grader.delivery.systems.exercise_forms import CarriedQuestion
from grader.delivery.systems.exporter import IN_CANVAS, ExportOptions
from grader.delivery.systems.system_registry import EXPORTERS
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise, load_exercise_bytes
from grader.marking.grader import Grader
from grader.questions.exercise import Exercise, Policy
from tests.support.agreement import Asked, Difference, compared
from tests.support.paths import ROOT

LANGUAGES = ("en", "pt", "es", "fa")
PLAIN = Policy(follow_through=Fraction(0), other_convention="none")
"""Without what Canvas cannot do, so that most questions are not provisional."""
NEGATIVE = """
plymark: exercise/1
id: negative
title: "Signs <b> & \\" [x]"
text: "Write [b1], <b> & ]]> as they stand."
game: {tree: [[-3, 12.5, 0.25], [-2, 4, -6], [1.5, 5, 0]]}
convention: aima3
questions:
  - {id: values, ask: values, of: minimax, nodes: [A, B, C, D], marks: 4, text: "The values [b1] & <b>?"}
  - {id: one, ask: values, of: minimax, nodes: [D], marks: 1}
  - {id: half, ask: values, of: minimax, nodes: [B], marks: 1/3}
  - {id: windows, ask: windows, marks: 2}
  - {id: bounds, ask: inequalities, nodes: [C, D], marks: 1}
  - {id: count, ask: count, marks: 1}
  - {id: prunable, ask: prunable, nodes: [L1, L5], marks: 1}
  - {id: doubled, ask: transform, by: "2*v + 3", marks: 1}
"""
FRACTIONS = """
plymark: exercise/1
id: fractions
game:
  tree:
    turn: chance
    children:
      - {p: 1/3, id: B, turn: min, children: [1, -2.5]}
      - {p: 2/3, id: C, turn: min, children: [4, 7]}
questions:
  - {id: values, ask: values, marks: 3}
"""
ROUNDED = """
plymark: exercise/1
id: rounded
game: {tree: {turn: chance, children: [{p: 1/4, value: 1}, {p: 3/4, value: 2.5}]}}
questions: [{id: values, ask: values, digits: 1, marks: 1}]
"""
TIES = """
plymark: exercise/1
id: ties-{number}
title: Ties
game: {{tree: [[{number}, 5], [{number}, 7], [1, 2]]}}
questions: [{{id: move, ask: move, marks: 1}}]
"""


@dataclass(frozen=True, eq=False)
class Run:
    """An export, and what is answered to its items by their titles."""

    name: str
    exercises: tuple[Exercise, ...]
    language: str

    @property
    def content(self) -> bytes:
        made = EXPORTERS["canvas"].write(self.exercises, ExportOptions(language=self.language)).content
        assert isinstance(made, bytes)
        return made

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        return tuple(Asked(exercise, IN_CANVAS, self.language) for exercise in self.exercises)

    def carried(self) -> Iterator[tuple[Exercise, CarriedQuestion]]:
        for asked in self.asked:
            yield from ((asked.exercise, each) for each in asked.carried)

    def responses(self) -> Iterator[tuple[Asked, int, Sequence[Sequence[str]]]]:
        """To each question of each exercise, what is answered."""
        for asked in self.asked:
            yield from ((asked, place, given) for place, given in enumerate(asked.responses))


def plain(exercise: Exercise) -> Exercise:
    return replace(exercise, marking=PLAIN)


def written(text: str, name: str) -> Exercise:
    return load_exercise_bytes(text.encode(), f"{name}.yaml")


def runs() -> Iterator[Run]:
    files = sorted((ROOT / "exercises").glob("*.yaml"))
    for language in LANGUAGES:
        for file in files:
            yield Run(f"{file.stem} {language}", (plain(load_exercise(file)),), language)
        for name, text in (("negative", NEGATIVE), ("fractions", FRACTIONS), ("rounded", ROUNDED)):
            exercise = written(text.replace("game:", f"language: {language}\ngame:"), name)
            yield Run(f"{name} {language}", (plain(exercise),), language)
    variants = tuple(plain(written(TIES.format(number=number), "ties")) for number in (3, 4))
    yield Run("ties en", variants, "en")


SHEETS = {"two-ply en": "en", "deep-cut pt": "pt", "negative es": "es", "two-ply fa": "fa", "ties en": "en"}
"""Exports whose sheet of responses is wanted, with the language of the teacher's Canvas."""


def digest(given: Sequence[Sequence[str]]) -> str:
    return hashlib.sha256(json.dumps(given).encode()).hexdigest()


def disagreements(run: Run, recorded: Mapping[str, Any]) -> Iterator[Difference]:
    """What is fully right or worth nothing here, and not in Canvas."""
    for asked, place, given in run.responses():
        item = recorded[f"{asked.exercise.id}/{asked.carried[place].question.id}"]
        for texts, points in zip(given, item["marks"], strict=True):
            yield from compared(asked, place, texts, Fraction(points))


def _right(box: Box) -> str:
    return box.right if box.worth else ""


def _wrong(box: Box) -> str:
    if box.kind != TEXT:
        return next((each for each in box.choices if each not in box.accepted), "")
    return next((text for each in box.wrong for text in each.texts), "99")


def students(run: Run) -> list[dict[str, object]]:
    """Three attempts: all right, half of the boxes, and odd texts; the fourth student hands in nothing."""
    people = [("Ana Silva", "s1"), ('Bo "B" Chen, Jr.', "s2"), ("سارا", None), ("Nobody", "s4")]
    found: list[dict[str, object]] = []
    for place, (name, sis_id) in enumerate(people):
        # Where variants are drawn, each student has one of them.
        of = run.exercises[place % len(run.exercises)]
        mine = [(exercise, each) for exercise, each in run.carried() if exercise is of]
        answered = {f"{of.id}/{each.question.id}": _answered(place, each) for _, each in mine}
        found.append({"name": name, "sis_id": sis_id, "responses": answered if place < 3 else {}})
    return found


def _answered(way: int, each: CarriedQuestion) -> list[str]:
    right = [_right(box) for box in each.boxes]
    if way == 1:
        return [text if place % 2 == 0 else "" for place, text in enumerate(right)]
    if way == 2:
        odd = ("3.0", "<= 2, or so", "a < b & c", "-")
        return [_wrong(box) if box.kind in (CHOICE, TICKS) else odd[place % 4] for place, box in enumerate(each.boxes)]
    return right


def marks(grader: Grader, each: CarriedQuestion, texts: Sequence[str]) -> Fraction:
    """Plymark's, for one question alone."""
    answer = answer_in(each.question, each.boxes, texts)
    answers = {} if answer is None else {each.question.id: answer}
    report = grader.grade(Answer(grader.exercise.id, "s", answers))
    return next(found.marks for found in report.questions() if found.question.id == each.question.id)


_ITEM = re.compile(r"<item ident=.*?</item>", re.DOTALL)
_PAGE = re.compile(r'(<mattext texttype="text/html">)(.*?)(</mattext>)', re.DOTALL)
_ALT = re.compile(r' alt="[^"]*"')
_PROSE = re.compile(r"(?:^|(?<=>)|(?<=\]))[^<>\[]+(?=[<\[]|$)")


def _wordless(page: str) -> str:
    return _PROSE.sub("", _ALT.sub("", page))


def items(content: bytes) -> dict[str, str]:
    """By its title, the hash of an item's XML; pictures are other files, and the wording of a page is left out."""
    found = {}
    for text in assessments(content):
        for item in _ITEM.findall(text):
            title = ElementTree.fromstring(item).get("title", "")
            bare = _PAGE.sub(lambda page: page[1] + _wordless(html.unescape(page[2])) + page[3], item)
            found[title] = hashlib.sha256(bare.encode()).hexdigest()
    return found


def assessments(content: bytes) -> list[str]:
    """The quizzes of a package."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        manifest = ElementTree.fromstring(archive.read("imsmanifest.xml"))
        quizzes = (each for each in manifest.iter() if each.get("type") == "imsqti_xmlv1p2")
        return [archive.read(str(quiz[0].get("href"))).decode() for quiz in quizzes]
