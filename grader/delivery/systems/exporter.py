"""What every exporter is: a name, and a way to write exercises that says what it could not do faithfully.

It writes archives with the same bytes every time, and exercises in files that need no other.
"""

from __future__ import annotations

import io
import json
import re
import uuid
import zipfile
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.documents.exam import Exam
from grader.documents.exercise_file import EXERCISE, load_exercise_bytes
from grader.questions.exercise import Exercise
from grader.reports.output_options import AFTER_PUBLISHED
from solver.kernel import DEFAULT_LIMITS, Limits, ProblemLog, UsageError, number_text
from solver.pipeline import read_document, read_file


@dataclass(frozen=True, slots=True)
class ExportOptions:
    language: str | None = None
    """Of what is written around the exercise; without it, the exercise's own."""
    faithful_only: bool = False
    """Leave out what the target can mark by the key only."""
    wheels: Path | None = None
    """A folder with the wheels that an autograder needs, to be packed with it."""
    level: str = "hints"
    """How much a target that is graded by plymark tells, of `grader.marking.report.LEVELS`."""
    visibility: str = AFTER_PUBLISHED
    limits: Limits = DEFAULT_LIMITS
    jobs: int = 1
    """Processes."""
    heard: Callable[[], None] | None = None
    """Called for each exercise that is done."""


@dataclass(frozen=True, slots=True)
class System:
    """What a learning system can do with what a student chooses or writes."""

    name: str
    marks_itself: bool = True
    """By the key, without plymark."""
    fatal_ticks: bool = False
    """Whether one wrong tick may cost all that the right ones earn."""
    part_choices: bool = False
    """Whether a choice may earn a part of what its list is worth."""
    free_boxes: bool = False
    """Whether a box may be there and not count."""
    mixes: bool = False
    """Whether lists and boxes for text may stand in one question."""


IN_MOODLE = System("Moodle", fatal_ticks=True, part_choices=True, free_boxes=True, mixes=True)
IN_CANVAS = System("Canvas")
BY_PLYMARK = System("plymark", marks_itself=False)


@dataclass(frozen=True, slots=True)
class Remark:
    """A question, and why it is not exported as it is marked here."""

    exercise: str
    question: str
    reason: str

    def __str__(self) -> str:
        return f"{self.exercise}: {self.question}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Export:
    content: bytes | Mapping[str, bytes]
    """A file, or files by their paths below a folder."""
    provisional: tuple[Remark, ...] = ()
    """Marked by the key only, until the answers are brought back; left out where only faithful ones are wanted."""
    left_out: tuple[Remark, ...] = ()
    """What the target cannot carry at all."""
    notes: tuple[str, ...] = ()
    """What the teacher has to know."""
    is_empty: bool = False
    """Whether nothing of any exercise can be exported."""


@dataclass(frozen=True, slots=True)
class Exporter:
    name: str
    write: Callable[[Sequence[Exercise], ExportOptions], Export]
    write_exam: Callable[[Exam, ExportOptions], Export]
    """UsageError, in words, for an exam that the system cannot give to students as it is."""


NAMESPACE = uuid.UUID("8a1c5c7e-6b0e-5d6a-9a3e-2f8f0f1f7a11")
"""Ids in other systems are made from exercises' ids below it."""
_BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can say."""


def zipped(files: Mapping[str, bytes], executable: tuple[str, ...] = ()) -> bytes:
    """An archive of files by path, in that order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in files.items():
            pack(archive, path, content, path in executable)
    return buffer.getvalue()


def pack(archive: zipfile.ZipFile, path: str, content: bytes, executable: bool = False) -> None:
    """Put a file into an archive, without the time or the machine's own ways."""
    info = zipfile.ZipInfo(path, _BEGINNING)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = (0o100755 if executable else 0o100644) << 16
    archive.writestr(info, content)


def file_name(name: str) -> str:
    """A file's name, without ending, of an id that may have any character."""
    plain = re.sub(r"[^\w.-]+", "-", name).strip(".-") or "exercise"
    return plain if plain == name else f"{plain}-{uuid.uuid5(NAMESPACE, name).hex[:8]}"


def standalone(exercise: Exercise, limits: Limits) -> bytes:
    """The exercise's document as JSON with its game inside; read again, it has the same questions and marks."""
    data = _document(exercise, limits)
    _scale(data, exercise)
    content = (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
    again = load_exercise_bytes(content, f"{exercise.id}.json", limits)
    assert again.questions == exercise.questions and again.out_of == exercise.out_of, exercise.id
    return content


def _document(exercise: Exercise, limits: Limits) -> Any:
    """Its data, from its file or from the exam that it stands in; what stands inside an exam has its game inside."""
    if exercise.written is not None:
        return deepcopy(exercise.written)
    path = Path(exercise.source)
    if not path.is_file():
        raise UsageError(f"the exercise {exercise.id} is in no file, so it cannot be packed; write it to one")
    data = _data(path, EXERCISE, limits)
    if isinstance(data["game"], str):
        game = _data(path.parent / data["game"], "game/1", limits)
        data["game"] = {key: value for key, value in game.items() if key != "plymark"}
    return data


def _scale(data: Any, exercise: Exercise) -> None:
    """Write the marks that an exam gave the exercise in place of its own."""
    if "out_of" in data:
        data["out_of"] = number_text(exercise.out_of)
    for written, question in zip(data["questions"], exercise.questions, strict=True):
        written["marks"] = number_text(question.marks)
        rubric = written.get("rubric", {})
        for key in {"each", "floor", "cap"} & rubric.keys():
            rubric[key] = number_text(getattr(question.rubric, key))


def _data(path: Path, kind: str, limits: Limits) -> Any:
    """A valid document's data; every scalar is a string."""
    problems = ProblemLog(limits.problems)
    document = read_document(read_file(path, limits), str(path), kind, limits, problems)
    assert document is not None and not problems, f"{path} was read before"
    return document.data
