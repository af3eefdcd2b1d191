"""How a class did in an exam: over all, and in each part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.documents.exam import Exam
from grader.documents.variants import Variants
from grader.marking.exam_report import AnyReport, ExamReport
from grader.reports.class_summary import ClassSummary, Figures, Tally, is_blank, statistics
from grader.reports.counting import Counts, add_counts, taken
from grader.reports.told import FULL


@dataclass(frozen=True, slots=True)
class PartSummary:
    name: str
    title: str | None
    full: int
    """Answers with all of its marks."""
    blank: int
    """Answers that left all of it empty."""
    summary: ClassSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamSummary(Figures):
    exam: Exam
    parts: tuple[PartSummary, ...]


ExamCounts = tuple[Counts, Mapping[str, Counts]]
"""Of the whole, and of each part."""


class ExamTally:
    """Counts that grow with the trees and with the marks there are, never with the number of answers."""

    def __init__(self, exam: Exam, level: str = FULL) -> None:
        self.exam = exam
        self.totals: Counter[Fraction] = Counter()
        self.parts = {name: Tally(part.first, level) for name, part in exam.parts.items()}
        self.blank: Counter[str] = Counter()
        self.full: Counter[str] = Counter()

    def add(self, report: AnyReport) -> None:
        assert isinstance(report, ExamReport)
        self.totals[report.marks] += 1
        for part in report.parts:
            tally = self.parts[part.name]
            if part.known:
                tally.add(part.report)
            else:
                tally.add_blank(part.report.marks)
            self.blank[part.name] += is_blank(part.report)
            self.full[part.name] += part.report.exact_marks == part.report.out_of

    def taken(self) -> ExamCounts:
        """What was counted since this was last asked."""
        return taken(self), {name: tally.taken() for name, tally in self.parts.items()}

    def add_counts(self, counts: ExamCounts) -> None:
        add_counts(self, counts[0])
        for name, counted in counts[1].items():
            self.parts[name].add_counts(counted)

    def summary(self, broken: int = 0, duplicates: int = 0) -> ExamSummary:
        parts = tuple(
            PartSummary(name, tally.exercise.title, self.full[name], self.blank[name], tally.summary())
            for name, tally in self.parts.items()
        )
        found = statistics(self.totals, self.exam.out_of)
        return ExamSummary(**found, exam=self.exam, parts=parts, broken=broken, duplicates=duplicates)


def tally_of(handed_out: Variants | Exam, level: str = FULL) -> Tally | ExamTally:
    return ExamTally(handed_out, level) if isinstance(handed_out, Exam) else Tally(handed_out.first, level)
