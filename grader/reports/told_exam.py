"""What a report on an exam tells at one level of feedback: what each part's report tells, and no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.documents.answer import Answer
from grader.marking.exam_report import AnyReport, ExamReport, PartReport
from grader.marking.report import Chosen, Override, Report
from grader.reports.feedback import over_all
from grader.reports.told import NONE, Told, told_at
from solver.languages import Items, Sentence


@dataclass(frozen=True, slots=True)
class ToldExam:
    exercise: str
    """The exam's id."""
    title: str | None
    answer: Answer
    level: str
    marks: Fraction
    """Rounded, as all totals are."""
    out_of: Fraction
    names: tuple[str, ...]
    """Of the parts, whichever exercises they had."""
    parts: tuple[Told, ...]
    feedback: tuple[Sentence, ...]
    """On the whole; each part has its own."""
    overridden: Override | None = None
    chosen: Chosen | None = None
    ignored: tuple[str, ...] = ()
    """What was answered and nobody asked, of all parts, and which variants were not the student's."""


AnyTold = Told | ToldExam


def told_any(report: AnyReport, level: str) -> AnyTold:
    return told_any_at(report, [level])[level]


def told_any_at(report: AnyReport, levels: Iterable[str]) -> dict[str, AnyTold]:
    """What is told at each of several levels."""
    listed = list(levels)
    if isinstance(report, Report):
        return dict(told_at(report, listed))
    parts = [_part_at(part, listed) for part in report.parts]
    return {level: _exam(report, level, tuple(part[level] for part in parts)) for level in listed}


def _part_at(part: PartReport, levels: Iterable[str]) -> dict[str, Told]:
    found = told_at(part.report, levels)
    if part.known:
        return found
    # Which exercise it was is not known: of the one that stands in for it nothing is told but what it is worth.
    return {
        level: replace(each, exercise=part.name, title=None, convention=None, questions=(), diagnosis=None, feedback=())
        for level, each in found.items()
    }


def _exam(report: ExamReport, level: str, parts: tuple[Told, ...]) -> ToldExam:
    below = (f"{part.exercise}.{each.text}" for part in parts for each in part.ignored)
    return ToldExam(
        report.id,
        report.title,
        report.answer,
        level,
        report.marks,
        report.out_of,
        tuple(part.name for part in report.parts),
        parts,
        tuple(_feedback(report, level)),
        report.override,
        report.chosen,
        (*report.ignored, *below),
    )


def _feedback(report: ExamReport, level: str) -> Iterator[Sentence]:
    yield from over_all(report, level)
    if level == NONE:
        return
    for name in report.not_theirs:
        yield Sentence("feedback.not-theirs", None, {"name": name})
    if odd := report.exam.left_aside(report.answer):
        yield Sentence("feedback.ignored", None, {"names": Items(odd, len(odd))})
