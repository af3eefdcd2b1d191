"""What Canvas' own code was run on: exports, responses to every item, and the marks that plymark gives them."""

from __future__ import annotations

import hashlib
import html
import io
import random
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

from grader.delivery.systems.base import ExportOptions
from grader.delivery.systems.boxes import CHOICE, Box, assembled
from grader.delivery.systems.canvas import as_canvas_marks
from grader.delivery.systems.forms import Carried, form
from grader.delivery.systems.registry import EXPORTERS
from grader.documents.answer import Answer
from grader.documents.exercise import load_exercise, load_exercise_bytes
from grader.marking.grader import Grader
from grader.questions.exercise import Exercise, Policy

ROOT = Path(__file__).parent.parent
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


@dataclass(frozen=True)
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

    def carried(self) -> Iterator[tuple[Exercise, Carried]]:
        for exercise in self.exercises:
            for each in as_canvas_marks(form(exercise, ExportOptions(language=self.language))).questions:
                yield exercise, each


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


def responses(name: str, each: Carried) -> list[list[str]]:
    """Right, partly right, wrong and empty, and other spellings of what is right."""
    chance = random.Random(f"{name} {each.question.id}")
    right = [_right(box) for box in each.boxes]
    found = [right, [""] * len(right), [_wrong(box) for box in each.boxes]]
    found += [[text] * len(right) for text in ("x", "15", "1,500") if all(box.kind != CHOICE for box in each.boxes)]
    if len(right) > 1:
        found.append([text if place % 2 else "" for place, text in enumerate(right)])
        found.append([text if place % 2 == 0 else _wrong(each.boxes[place]) for place, text in enumerate(right)])
        found.append(right[1:] + right[:1] if all(box.kind != CHOICE for box in each.boxes) else right)
    if any(box.kind != CHOICE for box in each.boxes):
        for _ in range(3):
            found.append([chance.choice(list(_spellings(box))) for box in each.boxes])
        for way in range(8):
            found.append([_way(box, way) for box in each.boxes])
    return [list(texts) for texts in dict.fromkeys(map(tuple, found))]


def _right(box: Box) -> str:
    if not box.worth:
        return ""
    return box.accepted[0] if box.kind == CHOICE else box.key


def _wrong(box: Box) -> str:
    if box.kind == CHOICE:
        return next((each for each in box.choices if each not in box.accepted), "")
    return next((text for each in box.wrong for text in each.texts), "99")


def _way(box: Box, way: int) -> str:
    ways = list(_spellings(box))
    return ways[way % len(ways)]


def _spellings(box: Box) -> Iterator[str]:
    """How people write a key; from the key alone, so that it is not what the export lists."""
    key = _right(box)
    yield key
    if box.kind == CHOICE or not key:
        return
    ascii_key = key.replace("−", "-").replace("∞", "inf")
    yield ascii_key
    yield f" {ascii_key.upper()} "
    yield key.replace("-", "−").replace("inf", "∞")
    number = re.fullmatch(r"(-?)(\d+)(\.\d+)?", ascii_key)
    if number:
        sign, whole, after = number.groups()
        yield ascii_key.replace(".", ",") if after else f"{ascii_key}.0"
        yield f"+{ascii_key}" if not sign else f"−{whole}{after or ''}"
        value = Fraction(ascii_key)
        yield f"{value.numerator}/{value.denominator}" if after else f"{ascii_key},0"
        yield ascii_key.translate(str.maketrans("0123456789.", "۰۱۲۳۴۵۶۷۸۹٫"))
    elif key.startswith(("≤", "≥")):
        yield key.replace(" ", "")
        yield ascii_key.replace("≤ ", "<=").replace("≥ ", ">=")


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


def _answered(way: int, each: Carried) -> list[str]:
    right = [_right(box) for box in each.boxes]
    if way == 1:
        return [text if place % 2 == 0 else "" for place, text in enumerate(right)]
    if way == 2:
        odd = ("3.0", "<= 2, or so", "a < b & c", "-")
        return [_wrong(box) if box.kind == CHOICE else odd[place % 4] for place, box in enumerate(each.boxes)]
    return right


def marks(grader: Grader, each: Carried, texts: Sequence[str]) -> Fraction:
    """Plymark's, for one question alone."""
    answer = assembled(each.question, {box.item: text for box, text in zip(each.boxes, texts, strict=True)})
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
