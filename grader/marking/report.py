"""A report: what one answer earned, item by item, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.documents.answer import Answer
from grader.kernel.numbers import rounded
from grader.kernel.verdicts import OTHER_CONVENTION, RIGHT, Verdict
from grader.marking.conventions import Candidate
from grader.marking.mark import MarkedAnswer
from grader.mistakes.diagnosis import Diagnosis
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Given
from grader.questions.exercise import Exercise, Question
from grader.questions.items import Item
from grader.questions.registry import ask_of
from solver.languages import Sentence

LEVELS = ("none", "marks", "hints", "full")
"""How much a report tells the student."""


@dataclass(frozen=True, slots=True)
class ReportedItem:
    question: KeyedQuestion
    item: Item
    verdict: Verdict
    marks: Fraction

    def why(self) -> Sequence[Sentence]:
        """What decides about the item."""
        if self.item.why is not None:
            return self.item.why
        ask = ask_of(self.question)
        known = self.item.name in ask.keyed(self.question)
        return ask.why(self.question, self.item.name) if known else ()


@dataclass(frozen=True, slots=True)
class ReportedQuestion:
    question: Question
    keyed: KeyedQuestion
    """Beside the key that counts."""
    marks: Fraction
    items: Sequence[ReportedItem]
    rows: Mapping[str, Verdict]
    """What became of what the student did, where that is no item."""
    refused: bool
    """Whether follow-through was refused."""
    given: Mapping[str, Given]

    @property
    def answered(self) -> bool:
        """Whether anything was written that could be read."""
        return any(here.read for here in self.given.values())


@dataclass(frozen=True, slots=True)
class Report:
    exercise: Exercise
    answer: Answer
    best: MarkedAnswer
    """Under the convention that counts."""
    declared: MarkedAnswer
    counted: Candidate
    diagnosis: Sequence[Diagnosis]

    @property
    def exact_marks(self) -> Fraction:
        return self.best.marks * self.counted.share

    @property
    def marks(self) -> Fraction:
        """The total, rounded half up to two decimals."""
        return rounded(self.exact_marks)

    @property
    def other_convention(self) -> bool:
        return self.best is not self.declared

    def questions(self) -> Iterator[ReportedQuestion]:
        """Each question with its items. What is right only under the convention that counts says so."""
        share = self.counted.share
        for here, there in zip(self.best.questions, self.declared.questions, strict=True):
            keyed, marked = self.best.answer_key.of(here.question), here.marked
            declared = {item.name: item.verdict for item in there.marked.items}
            items = [
                ReportedItem(keyed, item, self._verdict(item.verdict, declared.get(item.name)), marks * share)
                for item, marks in zip(marked.items, map(marked.marks_of, range(len(marked.items))), strict=True)
            ]
            rows = {name: self._verdict(each, there.marked.rows.get(name)) for name, each in marked.rows.items()}
            given = self.best.given[here.question.id]
            yield ReportedQuestion(here.question, keyed, here.marks * share, items, rows, marked.refused, given)

    def _verdict(self, verdict: Verdict, declared: Verdict | None) -> Verdict:
        return OTHER_CONVENTION if self.other_convention and verdict == RIGHT != declared else verdict
