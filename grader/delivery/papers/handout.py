"""What is printed: variants, each on a sheet of its own, or an exam, whose parts are on one sheet.

With it goes a sheet of typed answers, which `plymark grade` reads once it is filled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.documents.exam import Exam, set_name
from grader.kernel.csv_sheets import csv_bytes
from grader.people.roster import Student
from grader.people.variant_allocation import NO_SECRET, Allocation, deal, deal_parts, student_key, variants_by_student
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise
from grader.questions.presentation import Field
from grader.questions.registry import ask_of

StudentExercises = tuple[Student, list[Exercise]]
"""A student, and the exercises on their sheet."""


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """What has a key or a solution of its own."""

    exercises: list[Exercise]
    part: int = 0
    """The number of the part that it is a variant of; 0 where all parts stand together, or there are none."""


class Handout:
    def __init__(self, handed_out: Sequence[Exercise] | Exam) -> None:
        self.exam = handed_out if isinstance(handed_out, Exam) else None
        self.exercises = list(handed_out)

    @property
    def language(self) -> str:
        return self.exercises[0].language if self.exam is None else self.exam.language

    @property
    def sheets(self) -> list[list[Exercise]]:
        """Every variant at least once; those of an exam's parts side by side."""
        if self.exam is None:
            return [[each] for each in self.exercises]
        parts = [list(part) for part in self.exam.parts.values()]
        return [[part[number % len(part)] for part in parts] for number in range(max(map(len, parts)))]

    @property
    def keys(self) -> list[KeyGroup]:
        """Every exercise once: which variants come together on a sheet is different for every student."""
        if self.exam is None:
            return [KeyGroup([each]) for each in self.exercises]
        if not self.exam.has_variants:
            return [KeyGroup(self.exercises)]
        parts = enumerate(self.exam.parts.values(), 1)
        return [KeyGroup([each], number) for number, part in parts for each in part]

    @property
    def parts(self) -> list[list[Exercise]]:
        """Of an exam."""
        return [] if self.exam is None else [list(part) for part in self.exam.parts.values()]

    @property
    def part_names(self) -> dict[str, str]:
        """By exercise, what the part is called in a sheet of typed answers; empty where there are no parts."""
        parts = {} if self.exam is None else self.exam.parts
        return {exercise.id: name for name, part in parts.items() for exercise in part}

    def deal(
        self, students: Sequence[Student], secret: str | bytes, record: Sequence[Allocation]
    ) -> list[StudentExercises]:
        by_id = {each.id: each for each in self.exercises}
        if self.exam is None:
            ids = list(by_id)
            theirs = variants_by_student(deal(students, ids, secret or NO_SECRET, set_name(ids), record))
            return [(student, [by_id[theirs[_key(student)]]]) for student in students]
        lines = deal_parts(students, self.exam.several, secret or NO_SECRET, record)
        dealt = {name: variants_by_student([line for line in lines if line.part == name]) for name in self.exam.several}
        return [(student, [by_id[each] for each in self._parts_of(student, dealt)]) for student in students]

    def _parts_of(self, student: Student, dealt: dict[str, Mapping[str, str]]) -> Iterable[str]:
        assert self.exam is not None
        for name, part in self.exam.parts.items():
            yield dealt[name][_key(student)] if name in dealt else part.first.id

    def told(self, given: Sequence[Exercise]) -> str:
        """What tells one student's sheet from another's."""
        several = () if self.exam is None else self.exam.several
        names = self.part_names
        return " + ".join(each.id for each in given if self.exam is None or names[each.id] in several)


def _key(student: Student) -> str:
    return student_key(student.id or student.name)


WHO = ("student", "name", "variant")


def column_of(question: KeyedQuestion, field: Field) -> str:
    """`values.A`, or the question alone where it has one box."""
    return f"{question.id}.{field.item}" if field.item else question.id


def answer_form(dealt: Iterable[tuple[Student, Exercise]]) -> bytes:
    """CSV with a row for each student and a column for each box; the cells of the boxes are empty."""
    rows = list(dealt)
    columns: dict[str, None] = {}
    for exercise in {each.id: each for _, each in rows}.values():
        columns.update(dict.fromkeys(_columns(exercise)))
    blank = [""] * len(columns)
    return csv_bytes(
        [(*WHO, *columns), *((who.id or who.name, who.name, exercise.id, *blank) for who, exercise in rows)]
    )


def exam_form(given: Sequence[tuple[Student, Sequence[Exercise]]], exam: Exam) -> bytes:
    """The same for an exam: columns have the part before them, and of variants one says which the student has."""
    part_of = {exercise.id: name for name, part in exam.parts.items() for exercise in part}
    columns: dict[str, dict[str, None]] = {name: {} for name in exam.parts}
    for name in exam.several:
        columns[name][variant_column(name)] = None
    for exercise in {each.id: each for _, group in given for each in group}.values():
        name = part_of[exercise.id]
        columns[name].update(dict.fromkeys(f"{name}.{column}" for column in _columns(exercise)))
    header = [column for part in columns.values() for column in part]
    rows = []
    for who, group in given:
        theirs = {variant_column(part_of[each.id]): each.id for each in group}
        rows.append((who.id or who.name, who.name, *(theirs.get(column, "") for column in header)))
    return csv_bytes([(*WHO[:2], *header), *rows])


def variant_column(part: str) -> str:
    return f"{part}.variant"


def _columns(exercise: Exercise) -> Iterator[str]:
    for question in AnswerKey(exercise).questions:
        ask = ask_of(question)
        for field in ask.paper_fields(question, ask.blank(question)):
            yield column_of(question, field)
