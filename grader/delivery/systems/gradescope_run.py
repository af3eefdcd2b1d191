"""What runs inside Gradescope: one submission in, results.json out, whatever was submitted."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.documents.answer_file import Answer, load_answer_bytes
from grader.documents.exam import Exam
from grader.documents.exam_file import load_exam
from grader.documents.exercise_file import load_exercise
from grader.languages import words_of
from grader.marking.exam_report import AnyReport
from grader.marking.grader import Grader
from grader.marking.graders import ExamGrader
from grader.questions.exercise import Exercise
from grader.reports.feedback_facts import any_facts_at_level
from grader.reports.output_options import OutputOptions
from grader.reports.report_formats import gradescope_results
from solver.kernel import DEFAULT_LIMITS, DocumentError
from solver.languages import Language, Sentence
from solver.pipeline import read_file
from solver.render import json_bytes

EXAM_FILE = "exam.json"
"""Beside the exercises, where they are the parts of one."""
ENDINGS = (".yaml", ".yml", ".json")
PREFERRED = ("answer.yaml", "answer.yml", "answer.json")


class NotMarked(Exception):
    """What a student has to fix before anything can be marked: an entry of the catalogues, or problems of a document,
    which are in English everywhere."""

    def __init__(self, reason: Sentence | str) -> None:
        super().__init__(reason)
        self.reason = reason


def main(root: Path) -> None:
    (root / "results").mkdir(parents=True, exist_ok=True)
    (root / "results" / "results.json").write_bytes(results(root))


def results(root: Path) -> bytes:
    """A submission that cannot be marked is answered with the reason, and may be handed in again."""
    settings = json.loads((root / "source" / "settings.json").read_bytes())
    spoken = words_of(settings["language"] or "en")
    try:
        handed_out = _handed_out(root / "source")
        first = handed_out if isinstance(handed_out, Exam) else next(iter(handed_out.values()))
        spoken = words_of(settings["language"] or first.language)
        report = _marked(_answer(root / "submission"), handed_out)
        words = words_of(settings["language"] or report.answer.language or _language(report, handed_out))
        options = OutputOptions(words, settings["level"], visibility=settings["visibility"], several=False)
        return gradescope_results(any_facts_at_level(report, settings["level"]), words, options)
    except NotMarked as problem:
        return _refusal(problem.reason, spoken, "\n" + spoken.say("gradescope.again"))
    except Exception:
        # The teacher sees what is written here, students do not: it may quote the key.
        traceback.print_exc()
        return _refusal(Sentence("gradescope.failed"), spoken)


def _refusal(reason: Sentence | str, words: Language, more: str = "") -> bytes:
    refused: dict[str, Any] = {
        "score": 0,
        "output": words.say("gradescope.not-marked", reason=reason) + more,
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
    }
    return bytes(json_bytes(refused))


def _handed_out(source: Path) -> Exam | dict[str, Exercise]:
    """What is marked here: an exam, or exercises by id."""
    if (source / EXAM_FILE).is_file():
        return load_exam(source / EXAM_FILE)
    return {each.id: each for each in map(load_exercise, sorted((source / "exercises").glob("*.json")))}


def _marked(answer: Answer, handed_out: Exam | Mapping[str, Exercise]) -> AnyReport:
    if isinstance(handed_out, Exam):
        try:
            return ExamGrader(handed_out).grade(answer)
        except DocumentError as error:
            raise NotMarked("; ".join(problem.message for problem in error.problems)) from None
    if answer.exercise not in handed_out:
        facts = {"exercise": answer.exercise, "exercises": ", ".join(handed_out)}
        raise NotMarked(Sentence("gradescope.other-exercise", None, facts))
    return Grader(handed_out[answer.exercise]).grade(answer)


def _language(report: AnyReport, handed_out: Exam | Mapping[str, Exercise]) -> str:
    """Of what was answered."""
    return handed_out.language if isinstance(handed_out, Exam) else handed_out[report.answer.exercise].language


def _answer(folder: Path) -> Answer:
    files = sorted(_files(folder))
    named = [file for file in files if file.name.lower() in PREFERRED] or files
    if len(named) != 1:
        raise NotMarked(Sentence("gradescope.several-files" if named else "gradescope.no-file"))
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
