"""A report on an exam: a report on each of its parts, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.documents.answer_file import Answer
from grader.documents.exam import Exam
from grader.kernel.verdicts import rounded
from grader.marking.report import Chosen, MarksColumn, Override, Report


@dataclass(frozen=True, slots=True)
class PartReport:
    name: str
    report: Report
    known: bool = True
    """Whether the report is on the exercise that the student had. Else nothing was answered, nobody knows which variant
    it was, and the report is on the first one: only its marks may be told."""
    not_theirs: bool = False
    """Whether the student had been given another variant."""

    @property
    def exercise(self) -> str:
        """What it is told as: the exercise's id, or the part's name."""
        return self.report.exercise.id if self.known else self.name


@dataclass(frozen=True, slots=True)
class ExamReport:
    exam: Exam
    answer: Answer
    parts: Sequence[PartReport]
    """As the exam has them, those that were left blank as well."""
    override: Override | None = None
    """Of the total."""
    chosen: Chosen | None = None
    """Why this answer counts, where the student gave several."""

    @property
    def id(self) -> str:
        return self.exam.id

    @property
    def title(self) -> str | None:
        return self.exam.title

    @property
    def out_of(self) -> Fraction:
        return self.exam.out_of

    @property
    def exact_marks(self) -> Fraction:
        if self.override is not None:
            return self.override.marks
        return sum((part.report.exact_marks for part in self.parts), Fraction(0))

    @property
    def marks(self) -> Fraction:
        """The total, rounded half up to two decimals."""
        return rounded(self.exact_marks)

    def columns(self) -> list[MarksColumn]:
        """A part each."""
        return [MarksColumn(part.name, part.report.exact_marks, part.report.out_of) for part in self.parts]

    @property
    def ignored(self) -> tuple[str, ...]:
        """What of the answer means nothing, and which variants were not the student's."""
        return (*self.exam.left_aside(self.answer), *self.not_theirs)

    @property
    def not_theirs(self) -> tuple[str, ...]:
        return tuple(part.exercise for part in self.parts if part.not_theirs)


AnyReport = Report | ExamReport
