"""A report: what one answer earned, item by item, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.documents.answer import Answer
from grader.kernel.numbers import rounded
from grader.kernel.verdicts import OTHER_CONVENTION, RIGHT, Verdict
from grader.marking.conventions import Candidate
from grader.marking.mark import MarkedAnswer
from grader.mistakes.diagnosis import Diagnosis
from grader.questions.answer_key import KeyedQuestion
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
    marks: Fraction
    items: Sequence[ReportedItem]
    refused: bool
    """Whether follow-through was refused."""
    answered: bool
    """Whether anything was written that could be read."""


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
            by_declared = {item.name: item.verdict for item in there.marked.items}
            keyed = self.best.answer_key.of(here.question)
            items = []
            for place, item in enumerate(here.marked.items):
                verdict = item.verdict
                if self.other_convention and verdict == RIGHT and by_declared.get(item.name) != RIGHT:
                    verdict = OTHER_CONVENTION
                marks = here.marked.marks_of(place) * share
                items.append(ReportedItem(keyed, item, verdict, marks))
            answered = any(given.read for given in self.best.given[here.question.id].values())
            yield ReportedQuestion(here.question, here.marks * share, items, here.marked.refused, answered)
