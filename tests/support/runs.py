"""Answers marked in one process, as the commands mark them in any number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from grader.documents.answer_file import Answer
from grader.marking.duplicates import Attempts
from grader.marking.exam_report import ExamReport
from grader.marking.graders import HandedOut
from grader.marking.overrides import Overrides
from grader.marking.report import Chosen, Report
from grader.marking.run import Broken, Marking, Run
from grader.reports.regrade_report import RegradeReport, Regrading, report_regrade

Reported = TypeVar("Reported", Report, ExamReport)


def marked(
    answers: Sequence[Answer | Broken], grade: Callable[[Answer], Reported], by: str = "latest"
) -> tuple[Run[Reported], list[Reported | Broken]]:
    def make(answer: Answer, chosen: Chosen | None, _overrides: Overrides) -> tuple[Reported, Fraction]:
        report = grade(answer)
        return replace(report, chosen=chosen), report.exact_marks

    run = Run[Reported](answers, Attempts(answers), by)
    return run, list(run.results(map(Marking(make), run.turns())))


def changed(before: HandedOut, after: HandedOut, answers: Iterable[Answer], level: str = "full") -> RegradeReport:
    regrading = Regrading(before, after, level)
    return report_regrade(before, after, (regrading(answer, None, Overrides())[0] for answer in answers))
