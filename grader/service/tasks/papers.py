"""An exercise on paper, or as a learning system takes it: one file, packed where there are several."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.delivery.papers.registry import FORMATS, paper
from grader.delivery.systems.base import ExportOptions
from grader.delivery.systems.registry import export as export_to
from grader.documents.exam import Exam
from grader.documents.exam_file import load_exam
from grader.documents.exercise import load_exercise
from grader.questions.exercise import Exercise
from grader.service.tasks.refusing import refusing
from grader.service.tasks.variants import handed_out_of
from solver.kernel import UsageError, one_of

STAMP = (1980, 1, 1, 0, 0, 0)
"""Of what is packed: the same content is the same file."""
KINDS = ("sheet", "key", "solution")


def paper_file(handed_out: Sequence[bytes] | bytes, kind: str, to: str, language: str) -> tuple[str, bytes]:
    """The ending of a file, and what is in it."""
    with refusing():
        one_of("kind", kind, KINDS)
        one_of("to", to, FORMATS)
        made = paper(_papered(handed_out), kind, language, to)
        return _one_file(made, FORMATS[to][0])


def export(handed_out: Sequence[bytes] | bytes, to: str, language: str) -> tuple[str, bytes]:
    """The same for a learning system."""
    with refusing():
        with tempfile.TemporaryDirectory() as folder:
            # Some systems are given the document itself, which they look for in its file.
            made = export_to(_in_files(Path(folder), handed_out), to, ExportOptions(language=language))
        if made.is_empty:
            raise UsageError("nothing of the exercise can be exported there")
        if isinstance(made.content, bytes):
            return (".zip" if made.content.startswith(b"PK") else ".xml"), made.content
        return _one_file(made.content, ".txt")


def _papered(handed_out: Sequence[bytes] | bytes) -> list[Exercise] | Exam:
    found = handed_out_of(handed_out)
    return found if isinstance(found, Exam) else list(found)


def _in_files(folder: Path, handed_out: Sequence[bytes] | bytes) -> list[Exercise] | Exam:
    if isinstance(handed_out, bytes):
        return load_exam(_written(folder, 0, handed_out))
    return [load_exercise(_written(folder, number, raw)) for number, raw in enumerate(handed_out)]


def _written(folder: Path, number: int, raw: bytes) -> Path:
    path = folder / f"{number}.yaml"
    path.write_bytes(raw)
    return path


def _one_file(made: Mapping[str, bytes], ending: str) -> tuple[str, bytes]:
    if len(made) == 1:
        return ending, next(iter(made.values()))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in made.items():
            archive.writestr(zipfile.ZipInfo(name, STAMP), content)
    return ".zip", packed.getvalue()
