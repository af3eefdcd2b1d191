"""`plymark check` for documents of every kind: exercises are checked against their games, too."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from grader.documents.answer_file import ANSWER, without_direction_bytes
from grader.documents.exam_file import EXAM, load_exam_bytes
from grader.documents.exercise_file import EXERCISE, load_exercise_bytes
from grader.generating.recipe_file import RECIPE, load_recipe_bytes
from grader.marking.verify import verified, verified_exam
from solver.documents import read_raw
from solver.jobs import Result, Source, carries, read_source, result_of
from solver.kernel import DEFAULT_LIMITS, DocumentError, Limits, ProblemLog, number_text
from solver.pipeline import check_bytes, read_document
from solver.render import json_bytes

KINDS = (EXERCISE, EXAM, ANSWER, RECIPE)


@dataclass(frozen=True, slots=True)
class CheckedDocument:
    """What a valid document is."""

    kind: str
    said: str
    """The same in words, with what it holds."""
    id: str | None = None
    """Of an exercise, an exam or a recipe."""


@dataclass(frozen=True, slots=True)
class CheckTask:
    """Check a document of any kind; the output is a line that says what it is, in words or as JSON."""

    limits: Limits = DEFAULT_LIMITS
    format: str = "text"

    def __call__(self, source: Source) -> Result:
        return result_of(source, self._checked)

    def _checked(self, source: Source) -> bytes | None:
        raw = read_source(source, self.limits)
        if source.in_folder and not carries(raw, ""):
            return None
        document = self.checked(raw, source)
        if self.format == "json":
            return json_bytes({"file": source.name, "kind": document.kind, "id": document.id})
        return f"{source.name}: valid {document.said}\n".encode()

    def checked(self, raw: bytes, source: Source) -> CheckedDocument:
        """What the document in a source is; DocumentError with every problem of it otherwise."""
        match self._kind(raw, source.name):
            case "exercise/1":
                return self._exercise(raw, source)
            case "answer/1":
                return self._answer(raw, source)
            case "recipe/1":
                return self._recipe(raw, source)
            case "exam/1":
                return self._exam(raw, source)
        kind, game = check_bytes(raw, source.name, self.limits)
        if game is None:
            return CheckedDocument(kind, kind)
        tree = game.tree
        size = f"{len(tree):,} nodes, {len(tree.leaves):,} leaves, depth {max(tree.depth):,}"
        return CheckedDocument(kind, f"{kind}, {size}")

    def _kind(self, raw: bytes, name: str) -> str | None:
        """Of those that need more than a look at their schema; others, which may be large, are not read twice."""
        if not any(carries(raw, kind) for kind in KINDS):
            return None
        document = read_raw(raw, name, self.limits, ProblemLog(1))
        kind = None if document is None else document.kind
        return kind if kind in KINDS else None

    def _exercise(self, raw: bytes, source: Source) -> CheckedDocument:
        exercise = verified(load_exercise_bytes(raw, source.name, self.limits, _base_folder(source)))
        said = f"{EXERCISE}, {_counted(len(exercise.questions), 'question')}, {_marks(exercise.out_of)}"
        return CheckedDocument(EXERCISE, said, exercise.id)

    def _exam(self, raw: bytes, source: Source) -> CheckedDocument:
        exam = verified_exam(load_exam_bytes(raw, source.name, self.limits, _base_folder(source)))
        exercises = _counted(sum(1 for _ in exam), "exercise")
        said = f"{EXAM}, {_counted(len(exam.parts), 'part')}, {exercises}, {_marks(exam.out_of)}"
        return CheckedDocument(EXAM, said, exam.id)

    def _recipe(self, raw: bytes, source: Source) -> CheckedDocument:
        # Imported only here: other documents need no generator.
        from grader.generating.generation import check_recipe

        recipe = load_recipe_bytes(raw, source.name, self.limits)
        check_recipe(recipe)
        said = f"{RECIPE}, {_counted(len(recipe.questions), 'question')}, {_counted(recipe.count, 'exercise')}"
        return CheckedDocument(RECIPE, said, recipe.id)

    def _answer(self, raw: bytes, source: Source) -> CheckedDocument:
        problems = ProblemLog(self.limits.problems)
        document = read_document(without_direction_bytes(raw), source.name, ANSWER, self.limits, problems)
        if problems or document is None or not isinstance(document.data, dict):
            raise DocumentError(sorted(problems.kept), problems.total)
        answers = document.data["answers"]
        return CheckedDocument(ANSWER, f"{ANSWER}, {_counted(len(answers or ()), 'answer')}")


def _base_folder(source: Source) -> Path | None:
    """Where the paths in a document start; nowhere for one that is in no file."""
    return Path() if source.is_stdin else Path(source.path or source.name).parent if source.raw is None else None


def _marks(marks: Fraction) -> str:
    return f"{number_text(marks)} mark{'' if marks == 1 else 's'}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
