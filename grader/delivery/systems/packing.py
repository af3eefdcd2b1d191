"""Archives with the same bytes every time, and exercises in files that need no other."""

from __future__ import annotations

import io
import json
import re
import uuid
import zipfile
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from grader.documents.exercise import EXERCISE, load_exercise_bytes
from grader.questions.exercise import Exercise
from solver.kernel import Limits, ProblemLog, UsageError, number_text
from solver.pipeline import read_document, read_file

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
