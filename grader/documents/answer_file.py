"""answer/1: what a student wrote, by question.

A student cannot fix a file that a form or a script made, so only what marking needs is insisted on: an answer with
unknown keys, empty cells or over-long strings is marked all the same. `plymark check` is strict.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from solver.documents import REPORTED, Document, read_raw
from solver.kernel import DEFAULT_LIMITS, WHOLE_FILE, DocumentError, Limits, Place, Problem, ProblemLog, quoted
from solver.languages import LANGUAGES
from solver.pipeline import read_file

ANSWER = "answer/1"
NEEDED = ("plymark", "exercise", "student", "answers")
OPTIONAL = ("name", "submitted", "variant", "language")
# In UTF-8, and as escapes: not those whose backslash is itself escaped.
_DIRECTION_MARKS = re.compile(rb"\xe2\x80[\x8e\x8f]|\xe2\x81[\xa6-\xa9]|(?<!\\)((?:\\\\)*)\\u(?:200[eEfF]|206[6-9])")


@dataclass(frozen=True, slots=True)
class Answer:
    exercise: str
    student: str
    answers: Mapping[str, Any]
    """By question: strings, lists and mappings of them. What was left empty in a mapping is not there."""
    name: str | None = None
    submitted: str | None = None
    variant: str | None = None
    language: str | None = None
    ignored: tuple[str, ...] = ()
    """Keys that mean nothing, or hold what they cannot."""
    source: str = ""
    """The name of its file."""
    place: Place = field(default=WHOLE_FILE, compare=False)
    """Where the exercise is named."""


def load_answer(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Answer:
    """The answer in a file; DocumentError if it cannot be read or lacks what marking needs."""
    return load_answer_bytes(read_file(path, limits), str(path), limits)


def load_answer_bytes(raw: bytes, name: str = "", limits: Limits = DEFAULT_LIMITS) -> Answer:
    """The answer in a file's bytes; DocumentError if it cannot be read or lacks what marking needs."""
    raw = without_direction_bytes(raw)
    # JSON takes much longer to read with places than without; there is seldom a need for them.
    without_places = raw.lstrip().startswith(b"{")
    problems, answer = _read(raw, name, limits, careful=not without_places)
    if problems and without_places:
        problems, answer = _read(raw, name, limits, careful=True)
    if problems or answer is None:
        raise DocumentError(sorted(problems.kept), problems.total)
    return answer


def without_direction_bytes(raw: bytes) -> bytes:
    """The bytes of an answer without the marks and isolates that steer how a text runs: what Plymark prints in Persian
    has them, and may be pasted back. Whatever else hides or reorders text is still refused."""
    return raw if raw.isascii() and b"\\u20" not in raw else _DIRECTION_MARKS.sub(rb"\1", raw)


def require_answer_to(name: str, answer: Answer) -> None:
    """DocumentError for an answer to anything but the exercise or exam of this id."""
    if answer.exercise != name:
        message = f"this answers the exercise {quoted(answer.exercise)}, not {quoted(name)}"
        raise DocumentError([Problem(answer.place, "other-exercise", message)])


def _read(raw: bytes, name: str, limits: Limits, careful: bool) -> tuple[ProblemLog, Answer | None]:
    lenient = replace(limits, text_length=max(limits.yaml_bytes, limits.json_bytes), problems=_ALL)
    log = ProblemLog(_ALL)
    document = read_raw(raw, name, lenient, log, careful)
    problems = ProblemLog(limits.problems)
    for problem in log.kept:
        if problem.code != "null":
            problems.add(problem.place, problem.code, problem.message, problem.hint)
    if log.total > len(log.kept):
        problems.add(WHOLE_FILE, "null", f"more than {_ALL:,} values are missing")
    return problems, None if document is None else _answer(document, name, limits, problems)


_ALL = 100_000
"""Problems kept while those that do not count here are sorted out."""


def _answer(document: Document, name: str, limits: Limits, problems: ProblemLog) -> Answer | None:
    data = document.data
    if not isinstance(data, dict) or document.kind != ANSWER:
        what = f"this is {quoted(document.kind)}" if document.kind else "the document does not say what it is"
        problems.add(document.place_of_root(), "kind", what, f"an answer starts with plymark: {ANSWER}")
        return None
    texts = {key: _text(document, data, key, limits, problems) for key in ("exercise", "student")}
    answers = data.get("answers")
    if "answers" not in data:
        problems.add(document.place_of_root(), "missing-key", 'key "answers" is missing')
    elif not isinstance(answers, dict) and answers not in (REPORTED, None):
        problems.add(document.place(data, "answers"), "wrong-type", '"answers" must be a mapping from questions')
    optional = {key: text for key in OPTIONAL if (text := _optional(data, key, limits)) is not None}
    if problems or texts["exercise"] is None or texts["student"] is None:
        return None
    return Answer(
        exercise=texts["exercise"],
        student=texts["student"],
        answers=_without_blanks(answers) if isinstance(answers, dict) else {},
        **optional,
        ignored=tuple(key for key in data if key not in NEEDED and key not in optional),
        source=name,
        place=document.place(data, "exercise"),
    )


def _text(document: Document, data: dict[str, Any], key: str, limits: Limits, problems: ProblemLog) -> str | None:
    written = data.get(key)
    if key not in data:
        problems.add(document.place_of_root(), "missing-key", f"key {quoted(key)} is missing")
    elif written in (REPORTED, None):
        problems.add(document.place(data, key), "null", f"{quoted(key)} is empty")
    elif not isinstance(written, str):
        problems.add(document.place(data, key), "wrong-type", f"{quoted(key)} must be a string")
    elif len(written) > limits.text_length:
        message = f"a string of {len(written):,} characters; at most {limits.text_length:,} are allowed"
        problems.add(document.place(data, key), "long-text", message)
    else:
        return unicodedata.normalize("NFC", written)
    return None


def _optional(data: dict[str, Any], key: str, limits: Limits) -> str | None:
    written = data.get(key)
    if not isinstance(written, str) or written == REPORTED or len(written) > limits.text_length:
        return None
    return None if key == "language" and written not in LANGUAGES else written


def _without_blanks(answers: dict[str, Any]) -> dict[str, Any]:
    """Empty cells are as if they were not there, in mappings at any depth; in a list each place counts."""
    pending: list[Any] = [answers]
    while pending:
        here = pending.pop()
        if isinstance(here, dict):
            for key in [key for key, item in here.items() if item in (REPORTED, None)]:
                del here[key]
        pending.extend(item for item in (here.values() if isinstance(here, dict) else here) if _is_container(item))
    return answers


def _is_container(item: Any) -> bool:
    return isinstance(item, dict | list)
