"""What a report tells at one level of feedback. Every output is made from this, so none tells more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.documents.answer import Answer
from grader.kernel.verdicts import Verdict
from grader.marking.report import Report, ReportedItem, ReportedQuestion
from grader.mistakes.diagnosis import Diagnosis
from grader.questions.exercise import Question
from grader.questions.registry import ask_of
from grader.reports.feedback import feedback, note
from solver.game import Convention
from solver.languages import Fact, Sentence


@dataclass(frozen=True, slots=True)
class ToldItem:
    name: str
    """As report/1 has it, whatever the language."""
    called: Fact
    """What it is called where people read of it."""
    given: Fact | None
    expected: Fact | None
    verdict: Verdict | None
    """None where it is not told."""
    marks: Fraction
    note: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class ToldQuestion:
    question: Question
    marks: Fraction
    items: tuple[ToldItem, ...]
    refused: Sentence | None
    """Why follow-through was refused, where it was and may be told."""


@dataclass(frozen=True, slots=True)
class Told:
    exercise: str
    title: str | None
    answer: Answer
    level: str
    marks: Fraction
    """Rounded, as all totals are."""
    out_of: Fraction
    convention: Convention
    questions: tuple[ToldQuestion, ...]
    diagnosis: Sequence[Diagnosis] | None
    """None where it is not told."""
    feedback: tuple[Sentence, ...]


def told(report: Report, level: str) -> Told:
    """`none`: the total and each question's marks; `marks`: each item's too; `hints`: verdicts and what to study, but
    never the key; `full`: everything."""
    return Told(
        report.exercise.id,
        report.exercise.title,
        report.answer,
        level,
        report.marks,
        report.exercise.out_of,
        report.counted.convention,
        tuple(_question(each, level) for each in report.questions()),
        tuple(report.diagnosis) if level in ("hints", "full") else None,
        tuple(feedback(report, level)),
    )


def _question(found: ReportedQuestion, level: str) -> ToldQuestion:
    refused = None
    if found.refused and level == "full":
        refused = Sentence("feedback.refused", None, {"question": found.question.id})
    items = () if level == "none" else tuple(_items(found, level))
    return ToldQuestion(found.question, found.marks, items, refused)


def _items(found: ReportedQuestion, level: str) -> Iterator[ToldItem]:
    for each in found.items:
        name = each.item.name if level == "full" else each.item.public_name
        if name is not None:
            yield _item(each, name, found.answered, level)


def _item(each: ReportedItem, name: str, answered: bool, level: str) -> ToldItem:
    return ToldItem(
        name,
        ask_of(each.question).called(name),
        each.item.given,
        each.item.expected if level == "full" else None,
        each.verdict if level in ("hints", "full") else None,
        each.marks,
        tuple(note(each, answered, level)),
    )
