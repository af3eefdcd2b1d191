"""Exercises from documents: generated from a recipe, taken in as what is stored, and given out again as
papers or for a learning system.
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.delivery.papers.paper_registry import FORMATS, paper
from grader.delivery.systems.exporter import ExportOptions
from grader.delivery.systems.system_registry import export as export_to
from grader.documents.exam import Exam, variants_of
from grader.documents.exam_file import EXAM, load_exam, load_exam_bytes
from grader.documents.exercise_file import EXERCISE, load_exercise, load_exercise_inside
from grader.generating.generation import Generation
from grader.generating.quality_card import Generated
from grader.generating.recipe_file import MOST_EXERCISES, RECIPE, load_recipe_bytes
from grader.marking.verify import verified, verified_exam
from grader.questions.exercise import Exercise
from grader.service.tasks.task_input import handed_out_of, refusing
from grader.service.workers.task_results import ExerciseIntake, PartIntake, VariantIntake
from solver.documents import Document, read_raw
from solver.kernel import DEFAULT_LIMITS, DocumentError, ProblemLog, UsageError, one_of
from solver.render import json_bytes


def generate_few(raw: bytes, count: int | None, seed: str | None, most: int) -> bytes | int:
    """`generate`; but if more than `most` are wanted, none is made, and the answer is how many."""
    with refusing():
        recipe = load_recipe_bytes(raw)
        wanted = recipe.count if count is None else count
        return wanted if most < wanted <= MOST_EXERCISES else generate(raw, count, seed)


def generate(raw: bytes, count: int | None = None, seed: str | None = None) -> bytes:
    """`{seed, exercises}` as JSON: what `plymark generate` writes into a folder, without the cards. Without a seed one
    is drawn."""
    with refusing():
        drawn, generated = exercises_of(raw, count, seed)
        return json_bytes({"seed": drawn, "exercises": [each.data for each in generated]})


def exercises_of(raw: bytes, count: int | None, seed: str | None) -> tuple[str, list[Generated]]:
    """The exercises of a recipe, and the seed that they were made with; UsageError for a count that cannot be made."""
    if count is not None and not 1 <= count <= MOST_EXERCISES:
        raise UsageError(f"so many exercises cannot be made: count is from 1 to {MOST_EXERCISES:,}")
    generation = Generation(load_recipe_bytes(raw), count, seed)
    return generation.seed.text, list(generation)


VARIANTS = "variants"
MOST_VARIANTS = 10_000


def take_in(raw: bytes, count: int | None = None, seed: str | None = None) -> ExerciseIntake:
    """Of an exercise, of `{variants}`, of a recipe, whose exercises are made here, or of an exam with its exercises
    inside."""
    with refusing():
        document = _read(raw)
        if document.kind == RECIPE:
            return _recipe(raw, count, seed)
        if count is not None or seed is not None:
            raise UsageError("count and seed are for recipes")
        if document.kind == EXAM:
            return _exam(raw, document)
        if document.kind is None and isinstance(document.data, dict) and VARIANTS in document.data:
            return _variants(document)
        assert isinstance(document.data, dict | list | str)
        exercise = verified(_inside(document, document.data))
        return _intake(exercise.id, exercise.title, "exercise", [(exercise, _spelt(document.data))])


def _read(raw: bytes) -> Document:
    problems = ProblemLog(DEFAULT_LIMITS.problems)
    document = read_raw(raw, "", DEFAULT_LIMITS, problems, careful=True)
    if problems or document is None:
        raise DocumentError(sorted(problems.kept), problems.total)
    return document


def _recipe(raw: bytes, count: int | None, seed: str | None) -> ExerciseIntake:
    recipe = load_recipe_bytes(raw)
    drawn, made = exercises_of(raw, count, seed)
    found = []
    for each in made:
        document = _read(each.document)
        found.append((_inside(document, document.data), _spelt(document.data)))
    return replace(_intake(recipe.id, recipe.title, "recipe", found), seed=drawn)


def _variants(document: Document) -> ExerciseIntake:
    assert isinstance(document.data, dict)
    for name in document.data:
        if name != VARIANTS:
            raise UsageError(f"beside {VARIANTS} there is {name[:40]!r}, which has no meaning there")
    written = document.data[VARIANTS]
    if not isinstance(written, list) or not 1 <= len(written) <= MOST_VARIANTS:
        raise UsageError(f"{VARIANTS} is a list of exercises, from 1 to {MOST_VARIANTS:,}")
    found = list(_each(document, written))
    names = [exercise.id for exercise, _ in found]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two variants are called {name!r}; each needs an id of its own")
    together = variants_of([exercise for exercise, _ in found])
    return _intake(together.id, together.title, VARIANTS, found)


def _exam(raw: bytes, document: Document) -> ExerciseIntake:
    """Each variant is kept as an exam of this one part, so that its marks are those of the part, and its answers are
    found below its id. The part's number is the id of that exam."""
    exam = verified_exam(load_exam_bytes(raw))
    assert isinstance(document.data, dict)
    listed: Any = document.data["parts"]
    parts = []
    for number, (part, written) in enumerate(zip(exam.parts.values(), listed, strict=True), start=1):
        worth = {"marks": written["marks"]} if "marks" in written else {}
        inside = [written["exercise"]] if "exercise" in written else written[VARIANTS]
        alone = (
            _spelt({"plymark": EXAM, "id": str(number), "parts": [{"exercise": each, **worth}]}) for each in inside
        )
        parts.append(PartIntake(None, _kept(zip(part, alone, strict=True))))
    return ExerciseIntake(exam.id, exam.title and str(exam.title), exam.language, "exam", tuple(parts))


def _each(document: Document, written: list[Any]) -> Iterator[tuple[Exercise, bytes]]:
    for number, data in enumerate(written, start=1):
        with refusing({"variant": number}):
            yield verified(_inside(document, data)), _spelt(data)


def _inside(document: Document, data: Any) -> Exercise:
    if not isinstance(data, dict):
        raise UsageError(f"an exercise is a mapping that starts with plymark: {EXERCISE}")
    return load_exercise_inside(document, data)


def _spelt(data: Any) -> bytes:
    """In the order in which it was written; numbers are texts, which mean the same."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _intake(name: str, title: str | None, kind: str, found: list[tuple[Exercise, bytes]]) -> ExerciseIntake:
    language = found[0][0].language
    return ExerciseIntake(name, title and str(title), language, kind, (PartIntake(None, _kept(found)),))


def _kept(found: Iterable[tuple[Exercise, bytes]]) -> tuple[VariantIntake, ...]:
    return tuple(
        VariantIntake(exercise.id, raw, hashlib.sha256(raw).hexdigest(), str(exercise.out_of))
        for exercise, raw in found
    )


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
