"""What a report on an exam tells at one level of feedback: what each part's report tells, and no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.documents.answer import Answer
from grader.kernel.numbers import rounded
from grader.marking.exam_report import AnyReport, ExamReport, PartReport
from grader.marking.report import Chosen, Override, Report
from grader.reports.feedback import over_all, total_said
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


def told_together(
    about: Answer, title: str | None, level: str, marks: Fraction, parts: Iterable[tuple[str, Told]], odd: Sequence[str]
) -> ToldExam:
    """What is told of an exam whose parts were marked each by itself, all at one level; `odd` is what of the answer
    belongs to none of them."""
    names, told = zip(*parts, strict=True)
    total, out_of = rounded(marks), sum((part.out_of for part in told), Fraction(0))
    said = () if level == NONE else (total_said(total, out_of), *_odd(odd))
    ignored = (*odd, *_below(told))
    return ToldExam(about.exercise, title, about, level, total, out_of, names, told, said, ignored=ignored)


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
        (*report.ignored, *_below(parts)),
    )


def _feedback(report: ExamReport, level: str) -> Iterator[Sentence]:
    yield from over_all(report, level)
    if level == NONE:
        return
    for name in report.not_theirs:
        yield Sentence("feedback.not-theirs", None, {"name": name})
    yield from _odd(report.exam.left_aside(report.answer))


def _odd(names: Sequence[str]) -> Iterator[Sentence]:
    if names:
        yield Sentence("feedback.ignored", None, {"names": Items(tuple(names), len(names))})


def _below(parts: Iterable[Told]) -> Iterator[str]:
    """What the parts left aside, each with the part's name."""
    return (f"{part.exercise}.{each.text}" for part in parts for each in part.ignored)
