"""An answer marked without any state, as `plymark grade` does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grader.kernel.choices import LEVELS
from grader.languages.words import words_of
from grader.marking.from_data import answer_from, exercise_from
from grader.marking.grader import Grader
from grader.reports.data import report_data
from grader.service.tasks.bodies import Spelling, document_bytes, read_body
from grader.service.tasks.refusing import refusing
from solver.kernel import UsageError, one_of
from solver.languages import LANGUAGES
from solver.render import json_bytes


def grade(body: bytes) -> bytes:
    """report/1 as JSON, from `{exercise, answer, language, feedback}`; documents are objects or text."""
    with refusing():
        data = read_body(body, ("exercise", "answer", "language", "feedback"))
        level = _named(data, "feedback", LEVELS) or "full"
        language = _named(data, "language", LANGUAGES)
        exercise_raw, exercise_placed = _document(data, "exercise")
        answer_raw, answer_placed = _document(data, "answer")
    with refusing({"document": "exercise"}, exercise_placed):
        exercise = exercise_from(exercise_raw)
    with refusing({"document": "answer"}, answer_placed):
        answer = answer_from(answer_raw, exercise)
        report = Grader(exercise).grade(answer)
        return json_bytes(report_data(report, level, words_of(language or answer.language or exercise.language)))


def _document(data: dict[str, Any], name: str) -> tuple[bytes, bool]:
    if name not in data:
        raise UsageError(f"the field {name!r} is missing")
    return document_bytes(data[name])


def _named(data: dict[str, Any], name: str, names: Iterable[str]) -> str | None:
    written = data.get(name)
    if written is not None and (not isinstance(written, str) or isinstance(written, Spelling)):
        raise UsageError(f"{name} must be one of {', '.join(names)}")
    return None if written is None else one_of(name, written, names)
