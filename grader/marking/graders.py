"""One way to mark whatever was handed out: an exercise, variants of it, or an exam."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grader.documents.answer_file import Answer
from grader.documents.exam import Exam, Variants
from grader.marking.exam_report import ExamReport, PartReport
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.questions.exercise import Exercise

MOST_GRADERS = 100
"""Each keeps what it has found out about its exercise."""


class Graders:
    """A grader for each exercise, made when it is first needed; memory does not grow with the number of variants."""

    def __init__(self) -> None:
        self._kept: dict[str, Grader] = {}

    def of(self, exercise: Exercise) -> Grader:
        if exercise.id not in self._kept:
            if len(self._kept) == MOST_GRADERS:
                del self._kept[next(iter(self._kept))]
            self._kept[exercise.id] = Grader(exercise)
        return self._kept[exercise.id]


class VariantsGrader:
    def __init__(self, variants: Variants) -> None:
        self._variants, self._graders = variants, Graders()

    def grade(self, answer: Answer) -> Report:
        """DocumentError for an answer to none of the variants."""
        return self._graders.of(self._variants.of(answer)).grade(answer)


class ExamGrader:
    """Marks answers to an exam. `theirs` tells by part which variant a student had been given, where that is known."""

    def __init__(self, exam: Exam, theirs: Callable[[str], Mapping[str, str]] | None = None) -> None:
        self.exam, self._theirs, self._graders = exam, theirs, Graders()

    def grade(self, answer: Answer) -> ExamReport:
        """DocumentError for an answer to another exam, to an exercise in no part, or to two variants of one part."""
        theirs = {} if self._theirs is None else self._theirs(answer.student)
        parts = tuple(
            PartReport(each.part, self._graders.of(each.exercise).grade(each.answer), each.known, each.not_theirs)
            for each in self.exam.split(answer, theirs)
        )
        return ExamReport(self.exam, answer, parts)


HandedOut = Variants | Exam
AnyGrader = VariantsGrader | ExamGrader


def grader_of(handed_out: HandedOut, theirs: Callable[[str], Mapping[str, str]] | None = None) -> AnyGrader:
    return ExamGrader(handed_out, theirs) if isinstance(handed_out, Exam) else VariantsGrader(handed_out)
