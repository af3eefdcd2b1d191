"""The exercises that were answered, kept with what was found out about them: marking the next answer is then fast."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from grader.documents.answer import Answer
from grader.documents.exam import Exam
from grader.documents.exam_file import EXAM, load_exam_bytes
from grader.documents.exercise import load_exercise_bytes
from grader.documents.variants import Variants, variants_of
from grader.marking.from_data import answer_from
from grader.marking.grader import Grader
from grader.service.tasks.bodies import read_body
from grader.service.tasks.refusing import WRONG
from grader.service.work.problems import Refused
from solver.kernel import LruCache, UsageError

MOST_GRADERS, MOST_EXAMS = 64, 8
NOBODY = "-"
"""In place of the student, of whom marking knows nothing."""


class _Known(NamedTuple):
    grader: Grader
    part: str
    """The number of the exam's part that it is; empty for an exercise by itself."""


_GRADERS: LruCache[bytes, _Known] = LruCache(MOST_GRADERS)
_EXAMS: LruCache[bytes, Exam] = LruCache(MOST_EXAMS)
_STARTS_EXAM = b'{"plymark":"%s",' % EXAM.encode()
"""How a variant is kept that belongs to an exam."""


def grader_of(variant_raw: bytes) -> Grader:
    """For an exercise that was checked when it was taken in."""
    return _known(variant_raw).grader


def part_of(variant_raw: bytes) -> str:
    """The number of the exam's part that a variant belongs to; empty for one of an exercise."""
    return _known(variant_raw).part


def exam_of(exam_raw: bytes) -> Exam:
    """An exam as it was uploaded, with all its variants."""
    return _EXAMS.get(hashlib.sha256(exam_raw).digest(), lambda: load_exam_bytes(exam_raw))


def handed_out_of(raws: Sequence[bytes] | bytes) -> Variants | Exam:
    """All variants of an exercise; or an exam, of its one document."""
    if isinstance(raws, bytes):
        return exam_of(raws)
    if not raws:
        raise UsageError("there is no exercise to sum up")
    return variants_of([grader_of(raw).exercise for raw in raws])


def _known(variant_raw: bytes) -> _Known:
    return _GRADERS.get(hashlib.sha256(variant_raw).digest(), lambda: _read(variant_raw))


def _read(variant_raw: bytes) -> _Known:
    if not variant_raw.startswith(_STARTS_EXAM):
        return _Known(Grader(load_exercise_bytes(variant_raw)), "")
    exam = load_exam_bytes(variant_raw)
    return _Known(Grader(next(iter(exam))), exam.id)


def answer_to(variant_raw: bytes, body: bytes, language: str | None) -> Answer:
    """The answer to a variant in `{answers}`: of an exam, what stands below the variant's id; DocumentError for what no
    document may hold."""
    known, answers = _known(variant_raw), answers_in(body)
    name = known.grader.exercise.id
    if known.part:
        own = {unicodedata.normalize("NFC", each): written for each, written in answers.items()}.get(name)
        answers = own if isinstance(own, dict) else {}
    return _answer(name, answers, language)


def answer_of(body: bytes, exercise: str, language: str | None) -> Answer:
    """The whole answer in `{answers}`, as answer/1 has it; DocumentError for what no document may hold."""
    return _answer(exercise, answers_in(body), language)


def answers_in(body: bytes) -> dict[str, Any]:
    answers = read_body(body, ("answers",)).get("answers")
    if answers is not None and not isinstance(answers, dict):
        raise Refused(WRONG, "wrong-type", '"answers" must be a mapping from questions')
    return answers or {}


def _answer(exercise: str, answers: dict[str, Any], language: str | None) -> Answer:
    document = {"plymark": "answer/1", "exercise": exercise, "student": NOBODY, "answers": answers}
    # As text: of data, numbers would have to be spelt again.
    found = answer_from(json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return replace(found, language=language)
