"""What a teacher uploads, as what is stored: every exercise in it, checked, with its game inside."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from grader.documents.exam_file import EXAM, load_exam_bytes
from grader.documents.exercise import EXERCISE, load_exercise_inside
from grader.documents.variants import variants_of
from grader.generating.recipe.read import RECIPE, load_recipe_bytes
from grader.marking.verify import verified, verified_exam
from grader.questions.exercise import Exercise
from grader.service.tasks.making import exercises_of
from grader.service.tasks.refusing import refusing
from grader.service.work.records import ExerciseIntake, PartIntake, VariantIntake
from solver.documents import Document, read_raw
from solver.kernel import DEFAULT_LIMITS, DocumentError, ProblemLog, UsageError

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
