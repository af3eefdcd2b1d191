"""exam/1: from text to an exam, or every problem of it at its place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.documents.exam import Exam, Variants, set_name
from grader.documents.exercise_file import EXERCISE, load_exercise, load_exercise_inside
from grader.kernel.document_fields import Fields, data_bytes
from grader.questions.exercise import Exercise, Question
from solver.documents import Document
from solver.jobs import carries, read_source, sources
from solver.kernel import DEFAULT_LIMITS, DocumentError, Limits, ProblemLog, UsageError, number_text, quoted
from solver.pipeline import read_document, read_file

EXAM = "exam/1"
MOST_PARTS = 100


def load_exam(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Exam:
    """The exam in a file, with all its exercises; DocumentError with every problem of it otherwise."""
    return load_exam_bytes(read_file(path, limits), str(path), limits, Path(path).parent)


def load_exam_bytes(raw: bytes, name: str = "", limits: Limits = DEFAULT_LIMITS, base: Path | None = None) -> Exam:
    """The exam in a file's bytes; paths to its exercises start from `base`, and are refused where there is none."""
    problems = ProblemLog(limits.problems)
    document = read_document(raw, name, EXAM, limits, problems)
    exam = None if document is None else _ExamBuilder(document, name, limits, base, problems).read()
    if exam is None or problems:
        raise DocumentError(sorted(problems.kept), problems.total)
    return exam


def load_exam_data(
    data: Mapping[str, Any], name: str = "", limits: Limits = DEFAULT_LIMITS, base: Path | None = None
) -> Exam:
    """The exam that plain data describes, checked as a file is; see `load_exercise_data`."""
    return load_exam_bytes(data_bytes(data), name, limits, base)


def exam_of(exercises: Sequence[Exercise], title: str | None = None) -> Exam:
    """An exam whose parts are these exercises, the same for all; UsageError if two have one id."""
    ids = [each.id for each in exercises]
    if twice := next((each for each in ids if ids.count(each) > 1), None):
        raise UsageError(f"two exercises have the id {twice!r}, and a part is known by its id")
    parts = {each.id: Variants({each.id: each}) for each in exercises}
    return Exam("-".join(ids)[:64], title, exercises[0].language, parts)


def scaled(exercise: Exercise, marks: Fraction) -> Exercise:
    """The same exercise for so many marks: each question keeps its share, exactly."""
    factor = marks / exercise.out_of
    questions = tuple(_scaled(question, factor) for question in exercise.questions)
    return exercise if factor == 1 else replace(exercise, questions=questions, out_of=marks)


def _scaled(question: Question, factor: Fraction) -> Question:
    """With its rubric, as far as that speaks of marks; weights and costs are shares already."""
    rubric = question.rubric
    each, cap = (None if amount is None else amount * factor for amount in (rubric.each, rubric.cap))
    rubric = replace(rubric, each=each, cap=cap, floor=rubric.floor * factor)
    return replace(question, marks=question.marks * factor, rubric=rubric)


class _ExamBuilder:
    def __init__(self, document: Document, name: str, limits: Limits, base: Path | None, problems: ProblemLog) -> None:
        self.document, self.name, self.limits, self.base, self.problems = document, name, limits, base, problems
        self.fields = Fields(document, limits, problems)
        self.seen: dict[str, int] = {}
        """By id, the number of the part that has the exercise."""

    def read(self) -> Exam | None:
        """Everything is looked at before the first problem makes it nothing."""
        data: Any = self.document.data
        name, language = self.fields.id(data, "id"), self.fields.text(data, "language")
        listed = data.get("parts") if isinstance(data.get("parts"), list) else []
        if len(listed) > MOST_PARTS:
            self.fields.report(data, "parts", "part", f"at most {MOST_PARTS} parts are allowed, not {len(listed):,}")
            listed = []
        written = [each for each in listed if isinstance(each, dict)]
        parts = [self.part(raw, number) for number, raw in enumerate(written, 1)]
        if self.problems or name is None or not parts:
            return None
        whole = [part for part in parts if part is not None]
        names = list(_names(whole))
        places = [self.document.place(raw, _key(raw)) for raw in written]
        return Exam(
            id=name,
            title=self.fields.own_text(data, "title", language),
            language=language or whole[0].first.language,
            parts=dict(zip(names, whole, strict=True)),
            source=self.name,
            places=dict(zip(names, places, strict=True)),
        )

    def part(self, raw: dict[str, Any], number: int) -> Variants | None:
        before = self.problems.total
        marks = self.fields.number(raw, "marks", above=0)
        key = _key(raw)
        exercises = list(self.exercises(raw, key))
        self.require_new(raw, key, exercises, number)
        if self.problems.total > before or not exercises:
            return None
        if marks is not None:
            exercises = [scaled(exercise, marks) for exercise in exercises]
        self.require_alike(raw, key, exercises)
        return Variants({exercise.id: exercise for exercise in exercises})

    def exercises(self, raw: dict[str, Any], key: str) -> Iterator[Exercise]:
        written = raw.get(key)
        if isinstance(written, dict | list):
            inside = [written] if isinstance(written, dict) else written
            for place, data in enumerate(inside):
                if isinstance(data, dict) and data.get("plymark") != EXERCISE:
                    holder, at = (raw, key) if isinstance(written, dict) else (written, place)
                    message = f"an exercise inside an exam starts with plymark: {EXERCISE}"
                    self.fields.report(holder, at, "part", message)
                elif isinstance(data, dict):
                    yield from self.inside(data)
            return
        path = self.fields.text(raw, key)
        if path is None:
            return
        if self.base is None:
            self.fields.report(raw, key, "part", "a path is not followed here", "write the exercise itself")
        elif key == "exercise":
            yield from self.file(raw, path)
        else:
            yield from self.folder(raw, path)

    def inside(self, data: dict[str, Any]) -> Iterator[Exercise]:
        """Its problems are at their own places."""
        try:
            yield load_exercise_inside(self.document, data, self.limits)
        except DocumentError as error:
            for problem in error.problems:
                self.problems.add(problem.place, problem.code, problem.message, problem.hint)
            self.problems.total += error.total - len(error.problems)

    def file(self, raw: dict[str, Any], path: str) -> Iterator[Exercise]:
        assert self.base is not None
        if os.path.isdir(self.base / path):
            message = f"{_shown(path)} is a folder; an exercise is a file"
            self.fields.report(raw, "exercise", "part", message, f"write variants: {_shown(path)}")
            return
        try:
            yield load_exercise(self.base / path, self.limits)
        except DocumentError as error:
            self.broken(raw, "exercise", path, error)

    def folder(self, raw: dict[str, Any], path: str) -> Iterator[Exercise]:
        """Its exercises, as everywhere else; what is of another kind is passed over."""
        assert self.base is not None
        place = self.base / path
        if not os.path.isdir(place):
            what, hint = "is not a folder of variants", ""
            if os.path.isfile(place):
                what, hint = "is a file; variants are in a folder", f"write exercise: {_shown(path)}"
            self.fields.report(raw, "variants", "part", f"{_shown(path)} {what}", hint)
            return
        count = 0
        for source in sources([str(place)]):
            shown = os.path.join(path, source.relative)
            try:
                if not holds_exercise(read_source(source, self.limits)):
                    continue
                count += 1
                yield load_exercise(source.path or source.name, self.limits)
            except DocumentError as error:
                count += 1
                self.broken(raw, "variants", shown, error)
        if not count:
            self.fields.report(raw, "variants", "part", f"there is no exercise in {_shown(path)}")

    def broken(self, raw: dict[str, Any], key: str, path: str, error: DocumentError) -> None:
        first, more = error.problems[0], error.total - 1
        rest = f", and {more:,} more problem{'' if more == 1 else 's'}" if more > 0 else ""
        self.fields.report(raw, key, "part", f"{_shown(path)}:{first}{rest}", first.hint)

    def require_new(self, raw: dict[str, Any], key: str, exercises: Sequence[Exercise], number: int) -> None:
        """The first that was there before is named: a whole folder may be there twice."""
        known = [exercise.id for exercise in exercises if self.seen.setdefault(exercise.id, number) != number]
        ids = [exercise.id for exercise in exercises]
        twice = [name for name in ids if ids.count(name) > 1]
        for name in [*known, *twice][:1]:
            where = f"in part {self.seen[name]} already" if known else "twice in this part"
            hint = "answers are told apart by the exercise's id: give every exercise its own"
            self.fields.report(raw, key, "duplicate-exercise", f"the exercise {quoted(name)} is {where}", hint)

    def require_alike(self, raw: dict[str, Any], key: str, exercises: Sequence[Exercise]) -> None:
        first = exercises[0]
        for exercise in exercises[1:]:
            if _asked(exercise) != _asked(first):
                message = f"{quoted(first.id)} and {quoted(exercise.id)} ask different questions"
                self.fields.report(raw, key, "variants", message, "the variants of a part ask the same")
                return
            if exercise.out_of != first.out_of:
                marks = f"{number_text(first.out_of)} and {number_text(exercise.out_of)} marks"
                message = f"{quoted(first.id)} and {quoted(exercise.id)} have {marks}"
                self.fields.report(raw, key, "variants", message, "say what the part is worth, for example marks: 10")
                return


def holds_exercise(raw: bytes) -> bool:
    """Whether a file of a folder is an exercise, and no exam with exercises inside; broken ones as well."""
    return carries(raw, EXERCISE) and not carries(raw, EXAM)


def _key(raw: Mapping[str, Any]) -> str:
    return "exercise" if "exercise" in raw else "variants"


def _asked(exercise: Exercise) -> list[tuple[str, str]]:
    return [(question.id, question.ask) for question in exercise.questions]


def _names(parts: Iterable[Variants]) -> Iterator[str]:
    """Of each part: the exercise's id, or how the ids of its variants start, made unlike all others."""
    listed = list(parts)
    names_used = {exercise.id.casefold() for part in listed for exercise in part}
    for part in listed:
        if part.only is not None:
            yield part.only.id
            continue
        base = name = set_name(list(part.exercises))
        number = 1
        while name.casefold() in names_used:
            number += 1
            name = f"{base}-{number}"
        names_used.add(name.casefold())
        yield name


def _shown(path: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in path)
