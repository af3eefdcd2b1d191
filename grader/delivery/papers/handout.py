"""What is printed: variants, each on a sheet of its own, or an exam, whose parts are on one sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.documents.exam import Exam
from grader.documents.variants import set_name
from grader.people.dealing import NO_SECRET, Dealt, deal, deal_parts, student_key, variants_by_student
from grader.people.roster import Student
from grader.questions.exercise import Exercise

Given = tuple[Student, list[Exercise]]
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

    def deal(self, students: Sequence[Student], secret: str | bytes, record: Sequence[Dealt]) -> list[Given]:
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
