"""Records what a real Moodle makes of the exports, for tests where there is no Moodle.

    python tests/clients/moodle_record.py MOODLE_FOLDER [EXERCISE ...]

Without exercises, those of `exercises/` and `tests/clients/moodle/` are taken and `moodle.json` is written; with
exercises, nothing is. Either way every difference between Moodle's marks and plymark's is printed.
"""

from __future__ import annotations

import hashlib
import json
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

from grader.delivery.systems.answer_boxes import Box, answer_in
from grader.delivery.systems.exercise_forms import CarriedQuestion
from grader.delivery.systems.exporter import IN_MOODLE, ExportOptions
from grader.delivery.systems.moodle import MOODLE
from grader.marking.grader import Grader
from grader.questions.exercise import Exercise
from tests.support.agreement import Asked, Difference, compared, exercise_at, exercises

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
RECORD = HERE / "moodle.json"
LANGUAGES = ("en", "pt", "es", "fa")
WHOLLY, SOME = ("en", "fa"), 3
"""The languages in which every response is tried; in the others, which write like English, one of so many is."""
RIGHT, WRONG, TOLD, BLANK = "1", "0", "m", "-"
"""What Moodle makes of a box: a known mistake is wrong and told. A part of the marks is written in brackets."""
VERDICT = re.compile(r"\(([0-9.]+)\)|(.)")
CRUMB = Fraction(1, 10**5)


@dataclass(frozen=True)
class Case:
    path: str
    """From the repository's root, or anywhere."""
    language: str

    @property
    def options(self) -> ExportOptions:
        return ExportOptions(language=self.language)

    @property
    def exercise(self) -> Exercise:
        return exercise_at(self.path)

    @property
    def asked(self) -> Asked:
        return _asked(self)

    @property
    def carried(self) -> Sequence[CarriedQuestion]:
        return self.asked.carried

    @property
    def boxes(self) -> list[Box]:
        return [box for each in self.carried for box in each.boxes]

    @property
    def attempts(self) -> list[list[str]]:
        """Texts for all boxes: the first response to each question, then the second to each, and so on."""
        by_question = self.asked.responses
        places = range(0, max(map(len, by_question)), 1 if self.language in WHOLLY else SOME)
        return [[text for each in by_question for text in each[place % len(each)]] for place in places]


@cache
def _asked(case: Case) -> Asked:
    return Asked(case.exercise, IN_MOODLE, case.language)


@cache
def _grader(path: str) -> Grader:
    return Grader(exercise_at(path))


def cases(paths: Sequence[str] = ()) -> list[Case]:
    """Every exercise in every language."""
    return [Case(path, language) for path in paths or exercises() for language in LANGUAGES]


def cloze_text(content: bytes) -> str:
    """The text of the question in an export, without its picture."""
    (question,) = ElementTree.fromstring(content).findall("question[@type='cloze']")
    return question.findtext("questiontext/text") or ""


@cache
def exported(case: Case) -> bytes:
    content = MOODLE.write([case.exercise], case.options).content
    assert isinstance(content, bytes)
    return content


_HINT = re.compile(r"(?<!\\)#(?:\\.|[^~}\\])*")
"""What a box says to a student; it changes no mark."""


def digest(text: str) -> str:
    """Of the boxes alone: what stands around them decides no mark, and braces stand nowhere else."""
    boxes = "\n".join(re.findall(r"\{[^{}]*\}", text))
    return hashlib.sha256(_HINT.sub("#", boxes).encode()).hexdigest()


def digest_of_attempts(case: Case) -> str:
    return hashlib.sha256(json.dumps(case.attempts).encode()).hexdigest()


def by_question(case: Case, texts: Sequence[str]) -> list[list[str]]:
    rest = iter(texts)
    return [[next(rest) for _ in each.boxes] for each in case.carried]


def by_plymark(case: Case, texts: Sequence[str]) -> list[Fraction]:
    """The marks of each question by the same texts in the boxes, with all that the exercise's marking allows."""
    pairs = zip(case.carried, by_question(case, texts), strict=True)
    written = {each.question.id: answer_in(each.question, each.boxes, mine) for each, mine in pairs}
    answers = {name: answer for name, answer in written.items() if answer is not None}
    best, _, counted = _grader(case.path).marked(answers)
    marks = {found.question.id: found.marks * counted.share for found in best.questions}
    return [marks[each.question.id] for each in case.carried]


def shares(verdicts: str) -> list[tuple[str, Fraction]]:
    """Of each box the sign, and what part of its marks was earned."""
    found = VERDICT.findall(verdicts)
    return [(sign or "(", Fraction(part) if part else Fraction(sign == RIGHT)) for part, sign in found]


def by_moodle(carried: Sequence[CarriedQuestion], verdicts: str) -> list[Fraction]:
    rest = iter(shares(verdicts))
    return [sum((box.worth * next(rest)[1] for box in each.boxes), Fraction(0)) for each in carried]


def verdict(part: Sequence[Any]) -> str:
    share, told = part
    if share is None:
        return BLANK
    if share in (0, 1):
        return RIGHT if share else TOLD if told else WRONG
    return f"({share:.7f})"


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


def disagreements(case: Case, verdicts: Sequence[str]) -> Iterator[Difference]:
    """What is fully right or worth nothing here, and not there."""
    for texts, found in zip(case.attempts, verdicts, strict=True):
        pairs = zip(by_question(case, texts), by_moodle(case.carried, found), strict=True)
        for place, (mine, theirs) in enumerate(pairs):
            yield from compared(case.asked, place, mine, theirs)


def unequal(case: Case, verdicts: Sequence[str]) -> Iterator[str]:
    """Where Moodle's marks are not plymark's at all, among the questions that are not provisional."""
    if all(each.provisional for each in case.carried):
        return
    for texts, found in zip(case.attempts, verdicts, strict=True):
        ours, theirs = by_plymark(case, texts), by_moodle(case.carried, found)
        for each, mine, here, there in zip(case.carried, by_question(case, texts), ours, theirs, strict=True):
            if not each.provisional and abs(here - there) > CRUMB * each.question.marks:
                yield f"{case.path} {case.language} {each.question.id}: plymark {here}, Moodle {there}: {mine}"


def recorded(moodle: str, wanted: Sequence[Case]) -> tuple[dict[str, Any], list[str], int]:
    contents = [exported(case) for case in wanted]
    found = marks_of(moodle, merged(contents), [case.attempts for case in wanted])
    differences = [f"Moodle says: {found['said']}"] if found["said"] else []
    questions, excused = [], 0
    for case, content, made in zip(wanted, contents, found["questions"], strict=True):
        verdicts = ["".join(map(verdict, each["parts"])) for each in made["attempts"]]
        differences += [*amiss(case, made, verdicts), *unequal(case, verdicts)]
        for each in disagreements(case, verdicts):
            excused += each.excused
            if not each.excused:
                differences.append(f"{each}")
        about = {"exercise": case.path, "language": case.language, "sha256": digest(cloze_text(content))}
        questions.append(about | {"attempts": digest_of_attempts(case), "marks": verdicts})
    attempts = sum(len(case.attempts) for case in wanted)
    return {"moodle": found["moodle"], "attempts": attempts, "questions": questions}, differences, excused


def amiss(case: Case, made: dict[str, Any], verdicts: Sequence[str]) -> Iterator[str]:
    """What is wrong with a question as a whole: its picture, its code, a total that is not that of its parts."""
    code = f"({case.exercise.id})"
    names = [name for name, kind, _ in made["files"] if kind == "image/svg+xml"]
    if len(names) != len(made["files"]) or names not in (["tree.svg"], ["tree.svg", "tree-narrow.svg"]):
        yield f"{case}: the files are {made['files']}"
    if code not in made["summary"] or code not in made["name"]:
        yield f"{case}: the code does not stand in the question"
    whole = sum((box.worth for box in case.boxes), Fraction(0))
    for marks, attempt in zip(verdicts, made["attempts"], strict=True):
        earned = sum(by_moodle(case.carried, marks), Fraction(0))
        if abs(earned / whole - Fraction(attempt["mark"]) / Fraction(made["max"])) > CRUMB:
            yield f"{case}: the parts {marks} do not add up to {attempt['mark']}"


def main(moodle: str, *paths: str) -> int:
    about, differences, excused = recorded(moodle, cases(paths))
    print(*differences, sep="\n")
    print(f"Moodle {about['moodle']}: {len(about['questions'])} questions, {about['attempts']} attempts", end=", ")
    print(f"{len(differences)} differences, {excused} that docs/exporting.md names")
    if not paths:
        lines = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in about["questions"])
        head = json.dumps({"moodle": about["moodle"], "attempts": about["attempts"]})[:-1]
        RECORD.write_text(f'{head}, "questions": [\n' + ",\n".join(lines) + "\n]}\n", "utf-8")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
