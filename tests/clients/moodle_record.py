"""Records what a real Moodle makes of the exports, for tests where there is no Moodle.

    python tests/clients/moodle_record.py MOODLE_FOLDER [EXERCISE ...]

Without exercises, those of `exercises/` and `tests/clients/moodle/` are taken and `moodle.json` is written; with
exercises, nothing is. Either way every difference between Moodle's marks and plymark's is printed.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from grader.delivery.systems.base import ExportOptions
from grader.delivery.systems.boxes import CHOICE, Box, assembled
from grader.delivery.systems.forms import Carried, form
from grader.delivery.systems.moodle import MOODLE, is_numerical
from grader.documents.answer import Answer
from grader.documents.exercise import load_exercise
from grader.marking.grader import Grader
from grader.questions.exercise import Exercise

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
RECORD = HERE / "moodle.json"
LANGUAGES = ("en", "pt", "es", "fa")
KEPT = 3
"""Of how many attempts one is recorded in the other languages."""
PERSIAN = str.maketrans("0123456789.", "۰۱۲۳۴۵۶۷۸۹٫")
RIGHT, WRONG, TOLD, BLANK = "1", "0", "m", "-"
"""What Moodle makes of a box: a known mistake is wrong and told."""


@dataclass(frozen=True)
class Case:
    path: str
    """From the repository's root, or anywhere."""
    language: str

    @property
    def options(self) -> ExportOptions:
        return ExportOptions(language=self.language)

    @property
    def grader(self) -> Grader:
        return _grader(self.path)

    @property
    def exercise(self) -> Exercise:
        return self.grader.exercise

    @property
    def carried(self) -> Sequence[Carried]:
        return _carried(self)

    @property
    def boxes(self) -> list[Box]:
        return [box for each in self.carried for box in each.boxes]


@cache
def _grader(path: str) -> Grader:
    return Grader(load_exercise(ROOT / path))


@cache
def _carried(case: Case) -> Sequence[Carried]:
    return form(case.exercise, case.options).questions


def cases(paths: Sequence[str] = ()) -> list[Case]:
    """Every exercise in every language."""
    own = [*(ROOT / "exercises").glob("*.yaml"), *(HERE / "moodle").glob("*.yaml")]
    found = paths or sorted(path.relative_to(ROOT).as_posix() for path in own)
    return [Case(path, language) for path in found for language in LANGUAGES]


def cloze_text(content: bytes) -> str:
    """The text of the question in an export, without its picture."""
    (question,) = ElementTree.fromstring(content).findall("question[@type='cloze']")
    return question.findtext("questiontext/text") or ""


@cache
def exported(case: Case) -> bytes:
    content = MOODLE.write([case.exercise], case.options).content
    assert isinstance(content, bytes)
    return content


def digest(text: str) -> str:
    """Of the boxes alone: what stands around them decides no mark, and braces stand nowhere else."""
    return hashlib.sha256("\n".join(re.findall(r"\{[^{}]*\}", text)).encode()).hexdigest()


def otherwise(key: str) -> Iterator[str]:
    """A key as people may write it, and what only looks like it."""
    yield key.replace("−", "-")
    yield key.replace(".", ",")
    yield key.replace("-", "−")
    yield key.translate(PERSIAN)
    yield f"  {key} "
    yield f"+{key}"
    yield f"{key}.0" if key.isdigit() else f"{key}0"
    yield f"{key}/1"
    yield f"{key}/4"
    yield f"{key} or 5"
    yield f"{key}e3"
    yield f"{key}?"
    yield f"<b>{key}</b>"
    yield key.upper()
    yield key.lower()
    yield key.replace("∞", "inf")
    yield key.replace(" ", "")
    yield key.replace(", ", "; ")
    yield key if "→" in key else key.strip("()")
    yield f"≤ {key}"
    yield f">={key}"
    yield f"-{key}"


HOSTILE = (
    "*",
    "∞",
    "inf",
    "1e3",
    "<script>alert(1)</script>",
    "&lt;= 2",
    "}",
    "=",
    "%100%3",
    "\\",
    "–",
    "0",
    "nan",
    "٣",
)


def responses(boxes: Sequence[Box]) -> list[list[str]]:
    """The key first, then blanks, spellings, known mistakes, partly right ones, and what nobody should write."""
    chance = random.Random(6)
    keys = [_key(box) for box in boxes]
    found = [keys, [""] * len(boxes)]
    found += [
        [_fitting(box, text) for box, text in zip(boxes, each, strict=True)]
        for each in zip(*map(_ways, boxes), strict=True)
    ]
    found += [[_fitting(box, text) for box in boxes] for text in HOSTILE]
    found += [[_any(box, chance) for box in boxes] for _ in range(10)]
    for place in range(3):
        found.append([_mistaken(box, place) for box in boxes])
    return found


def _key(box: Box) -> str:
    return box.accepted[0] if box.accepted else ""


def _ways(box: Box) -> Iterator[str]:
    return otherwise(_key(box) or "-")


def _fitting(box: Box, text: str) -> str:
    """Of a list only what it offers can be chosen."""
    return text if box.kind != CHOICE or text in box.choices else ""


def _any(box: Box, chance: random.Random) -> str:
    if box.kind == CHOICE:
        return chance.choice([*box.choices, ""])
    right = list(box.spellings or box.accepted) or ["-"]
    wrong = [text for each in box.wrong for text in each.texts]
    return chance.choice(
        [chance.choice(right), chance.choice(right), chance.choice(wrong or ["99"]), "7", "(1, 2)", ""]
    )


def _mistaken(box: Box, place: int) -> str:
    known = [each.texts[0] for each in box.wrong]
    return _fitting(box, known[place % len(known)]) if known else _key(box)


def by_plymark(case: Case, texts: Sequence[str]) -> list[Fraction]:
    """The marks of each question by the same texts in the boxes."""
    rest = iter(texts)
    written = {
        each.question.id: assembled(each.question, {box.item: next(rest) for box in each.boxes})
        for each in case.carried
    }
    answers = {name: answer for name, answer in written.items() if answer is not None}
    report = case.grader.grade(Answer(case.exercise.id, "s", answers))
    marks = {found.question.id: found.marks for found in report.questions()}
    return [marks[each.question.id] for each in case.carried]


def by_moodle(carried: Sequence[Carried], verdicts: str) -> list[Fraction]:
    rest = iter(verdicts)
    return [sum((box.worth for box in each.boxes if next(rest) == RIGHT), Fraction(0)) for each in carried]


def verdict(part: Sequence[Any]) -> str:
    share, told = part
    if share is None:
        return BLANK
    assert share in (0, 1), share
    return RIGHT if share else TOLD if told else WRONG


def marks_of(moodle: str, content: bytes, texts: Sequence[Sequence[Sequence[str]]]) -> dict[str, Any]:
    """What Moodle says about a file and the responses to each of its questions."""
    with tempfile.TemporaryDirectory() as folder:
        quiz, given = Path(folder, "quiz.xml"), Path(folder, "responses.json")
        quiz.write_bytes(content)
        given.write_text(json.dumps(texts), "utf-8")
        command = ["php", str(HERE / "moodle_marks.php"), moodle, str(quiz), str(given)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    found: dict[str, Any] = json.loads(ran.stdout[ran.stdout.index('{"moodle"') :])
    return found


def merged(contents: Sequence[bytes]) -> bytes:
    """Several exports as one file, so that Moodle need not start for each; every question as it was exported."""
    start, end = b"<quiz>\n", b"</quiz>\n"
    inside = [content.partition(start)[2].removesuffix(end) for content in contents]
    return contents[0].partition(start)[0] + start + b"".join(inside) + end


PLAIN = re.compile(r"\s*[-+]?[0-9]+(\.[0-9]+)?\s*|")


def plain(box: Box, text: str) -> bool:
    """Whether Moodle reads a text as plymark does: of a number it reads the beginning, and a comma as its own language
    has it."""
    return not is_numerical(box) or PLAIN.fullmatch(text) is not None


def compared(case: Case, texts: Sequence[Sequence[str]], verdicts: Sequence[str]) -> Iterator[str]:
    """Where Moodle's marks are not plymark's, among the questions that are not provisional."""
    carried = case.carried
    for place, (written, found) in enumerate(zip(texts, verdicts, strict=True)):
        pairs = zip(carried, by_plymark(case, written), by_moodle(carried, found), strict=True)
        start = 0
        for each, ours, theirs in pairs:
            end = start + len(each.boxes)
            sure = not each.provisional and all(map(plain, each.boxes, written[start:end]))
            if (sure or not place) and ours != theirs:
                shown = list(zip((box.key for box in each.boxes), written[start:end], found[start:end], strict=True))
                yield f"{case.path} {case.language} {each.question.id}: plymark {ours}, Moodle {theirs}: {shown}"
            start = end


def recorded(moodle: str, wanted: Sequence[Case]) -> tuple[dict[str, Any], list[str]]:
    contents = [exported(case) for case in wanted]
    texts = [responses(case.boxes) for case in wanted]
    found = marks_of(moodle, merged(contents), texts)
    differences = [f"Moodle says: {found['said']}"] if found["said"] else []
    questions = []
    for case, content, written, made in zip(wanted, contents, texts, found["questions"], strict=True):
        verdicts = ["".join(map(verdict, each["parts"])) for each in made["attempts"]]
        differences += amiss(case, made, verdicts)
        differences += compared(case, written, verdicts)
        about = {"exercise": case.path, "language": case.language, "sha256": digest(cloze_text(content))}
        step = 1 if case.language == LANGUAGES[0] else KEPT
        questions.append(about | {"responses": written[::step], "marks": verdicts[::step]})
    return {"moodle": found["moodle"], "attempts": sum(map(len, texts)), "questions": questions}, differences


def amiss(case: Case, made: dict[str, Any], verdicts: Sequence[str]) -> Iterator[str]:
    """What is wrong with a question as a whole: its picture, its code, a total that is not that of its parts."""
    code = f"({case.exercise.id})"
    if [file[:2] for file in made["files"]] != [["tree.svg", "image/svg+xml"]]:
        yield f"{case}: the files are {made['files']}"
    if code not in made["summary"] or code not in made["name"]:
        yield f"{case}: the code does not stand in the question"
    boxes = case.boxes
    whole = sum(box.worth for box in boxes)
    for marks, attempt in zip(verdicts, made["attempts"], strict=True):
        earned = sum((box.worth for box, mark in zip(boxes, marks, strict=True) if mark == RIGHT), Fraction(0))
        if abs(earned / whole - Fraction(attempt["mark"]) / Fraction(made["max"])) > Fraction(1, 100000):
            yield f"{case}: the parts {marks} do not add up to {attempt['mark']}"


def main(moodle: str, *paths: str) -> int:
    about, differences = recorded(moodle, cases(paths))
    print(*differences, sep="\n")
    print(f"Moodle {about['moodle']}: {len(about['questions'])} questions, {about['attempts']} attempts", end=", ")
    print(f"{len(differences)} differences")
    if not paths:
        lines = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in about["questions"])
        head = json.dumps({"moodle": about["moodle"], "attempts": about["attempts"]})[:-1]
        RECORD.write_text(f'{head}, "questions": [\n' + ",\n".join(lines) + "\n]}\n", "utf-8")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
