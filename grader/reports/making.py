"""answer → what is made of its report: a part of the output, what it adds to the class, and what to look at.

All of it is small beside the report, which holds the whole key, and can be handed to another process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.documents.answer import Answer
from grader.marking.exam_report import AnyReport
from grader.marking.graders import HandedOut, grader_of
from grader.marking.overrides import Overrides
from grader.marking.report import Chosen
from grader.marking.review import KeyedRow, Review
from grader.reports.class_exam import ExamTally, tally_of
from grader.reports.class_summary import Tally
from grader.reports.options import Options


@dataclass(frozen=True, slots=True)
class ReportParts:
    student: str
    output: Any
    """As the output's `part` makes it."""
    counts: Any
    """As the tally gives and takes them; None if there is to be no summary."""
    rows: list[KeyedRow]
    """For review."""


class ReportMaking:
    """A grader, and what is wanted of its reports; made once for each process."""

    def __init__(
        self,
        handed_out: HandedOut,
        options: Options,
        part: Callable[[AnyReport, Options], Any],
        theirs: Callable[[str], Mapping[str, str]] | None = None,
        counts: bool = False,
        reviews: bool = False,
    ) -> None:
        self._grader, self._options, self._part = grader_of(handed_out, theirs), options, part
        self._tally: Tally | ExamTally | None = tally_of(handed_out, options.level) if counts else None
        self._review = Review(several=handed_out.has_variants) if reviews else None

    def __call__(
        self, answer: Answer, chosen: Chosen | None = None, overrides: Overrides | None = None
    ) -> tuple[ReportParts, Fraction]:
        report: AnyReport = self._grader.grade(answer)
        if overrides is not None:
            report = overrides.apply(report)
        report = report if chosen is None else replace(report, chosen=chosen)
        if self._tally is not None:
            self._tally.add(report)
        if self._review is not None:
            self._review.add(report)
        counts = None if self._tally is None else self._tally.taken()
        rows = [] if self._review is None else self._review.taken()
        return ReportParts(answer.student, self._part(report, self._options), counts, rows), report.exact_marks
