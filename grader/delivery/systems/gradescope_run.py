"""What runs inside Gradescope: one submission in, results.json out, whatever was submitted."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.documents.answer import Answer, load_answer_bytes
from grader.documents.exam_file import load_exam
from grader.documents.exercise import load_exercise
from grader.languages.words import words_of
from grader.marking.exam_report import AnyReport
from grader.marking.grader import Grader
from grader.marking.graders import ExamGrader
from grader.reports.gradescope import gradescope
from grader.reports.options import Options
from grader.reports.told_exam import told_any
from solver.kernel import DEFAULT_LIMITS, DocumentError
from solver.pipeline import read_file
from solver.render import json_bytes

EXAM_FILE = "exam.json"
"""Beside the exercises, where they are the parts of one."""
ENDINGS = (".yaml", ".yml", ".json")
PREFERRED = ("answer.yaml", "answer.yml", "answer.json")


class NotMarked(Exception):
    """What a student has to fix before anything can be marked."""


def main(root: Path) -> None:
    (root / "results").mkdir(parents=True, exist_ok=True)
    (root / "results" / "results.json").write_bytes(results(root))


def results(root: Path) -> bytes:
    """A submission that cannot be marked is answered with the reason, and may be handed in again."""
    settings = json.loads((root / "source" / "settings.json").read_bytes())
    try:
        report, language = _marked(root)
        words = words_of(settings["language"] or report.answer.language or language)
        options = Options(words, settings["level"], visibility=settings["visibility"], several=False)
        return gradescope(told_any(report, settings["level"]), words, options)
    except NotMarked as problem:
        return _refusal(f"{problem}\nNothing is lost: correct the file and submit it again.")
    except Exception:
        # The teacher sees what is written here, students do not: it may quote the key.
        traceback.print_exc()
        return _refusal("the autograder failed. That is not your fault; please tell your teacher.")


def _refusal(reason: str) -> bytes:
    refused: dict[str, Any] = {
        "score": 0,
        "output": f"Not marked: {reason}",
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
    }
    return bytes(json_bytes(refused))


def _marked(root: Path) -> tuple[AnyReport, str]:
    """The report, and the language of what was answered."""
    answer, source = _answer(root / "submission"), root / "source"
    if (source / EXAM_FILE).is_file():
        exam = load_exam(source / EXAM_FILE)
        try:
            return ExamGrader(exam).grade(answer), exam.language
        except DocumentError as error:
            raise NotMarked("; ".join(problem.message for problem in error.problems)) from None
    exercises = {each.id: each for each in map(load_exercise, sorted((source / "exercises").glob("*.json")))}
    if answer.exercise not in exercises:
        names = ", ".join(exercises)
        raise NotMarked(f"the file answers {answer.exercise!r}, but the exercises here are: {names}")
    exercise = exercises[answer.exercise]
    return Grader(exercise).grade(answer), exercise.language


def _answer(folder: Path) -> Answer:
    files = sorted(_files(folder))
    named = [file for file in files if file.name.lower() in PREFERRED] or files
    if len(named) != 1:
        count = "no file" if not named else "more than one file"
        raise NotMarked(f"found {count} of answers; hand in one, called answer.yaml or answer.json")
    try:
        return load_answer_bytes(read_file(named[0], DEFAULT_LIMITS), named[0].name)
    except DocumentError as error:
        raise NotMarked("\n".join(f"{named[0].name}:{problem}" for problem in error.problems)) from None


def _files(folder: Path) -> Iterator[Path]:
    """What may be answers, in folders too: Gradescope unpacks archives. A link could lead to the exercises."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__MACOSX" and not name.startswith(".")]
        for file in (Path(place) / name for name in names if not name.startswith(".")):
            if file.suffix.lower() in ENDINGS and file.is_file() and not file.is_symlink():
                yield file


if __name__ == "__main__":
    main(Path(sys.argv[1]))
