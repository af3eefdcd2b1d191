"""A report: what one answer earned, item by item, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from grader.documents.answer_file import Answer
from grader.kernel.verdicts import OTHER_CONVENTION, RIGHT, Verdict, rounded
from grader.marking.conventions import Candidate
from grader.marking.mark import MarkedAnswer, MarkedQuestion
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
class Override:
    """Marks that a person gave in place of those that were computed, and why."""

    marks: Fraction
    reason: str = ""


TOTAL = ("", "")
"""Overrides go by question and item: without an item they are of the question, without both of the total."""


@dataclass(frozen=True, slots=True)
class ReportedItem:
    question: KeyedQuestion
    item: Item
    verdict: Verdict
    marks: Fraction
    out_of: Fraction
    """What it is worth; 0 for what can only lose marks."""
    override: Override | None = None

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
    override: Override | None = None

    @property
    def answered(self) -> bool:
        """Whether anything was written that could be read."""
        return any(here.read for here in self.given.values())


@dataclass(frozen=True, slots=True)
class MarksColumn:
    """What a table of many reports has a column for: a question, or a part of an exam."""

    name: str
    marks: Fraction
    out_of: Fraction


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of several answers by the same student."""

    by: str
    """`latest` or `best`."""
    among: int


@dataclass(frozen=True)
class Report:
    exercise: Exercise
    answer: Answer
    best: MarkedAnswer
    """Under the convention that counts."""
    declared: MarkedAnswer
    counted: Candidate
    diagnosis: Sequence[Diagnosis]
    overrides: Mapping[tuple[str, str], Override] = field(default_factory=dict)
    """By question and item."""
    chosen: Chosen | None = None
    """Why this answer counts, where the student gave several."""

    @property
    def id(self) -> str:
        """This, the title and what it is out of are the exercise's."""
        return self.exercise.id

    @property
    def title(self) -> str | None:
        return self.exercise.title

    @property
    def out_of(self) -> Fraction:
        return self.exercise.out_of

    def columns(self) -> list[MarksColumn]:
        return [MarksColumn(each.question.id, each.marks, each.question.marks) for each in self.questions()]

    @property
    def override(self) -> Override | None:
        """Of the total."""
        return self.overrides.get(TOTAL)

    @property
    def exact_marks(self) -> Fraction:
        if self.override is not None:
            return self.override.marks
        if self.overrides:
            return sum((each.marks for each in self.questions()), Fraction(0))
        return self.best.marks * self.counted.share

    @property
    def marks(self) -> Fraction:
        """The total, rounded half up to two decimals."""
        return rounded(self.exact_marks)

    @property
    def other_convention(self) -> bool:
        return self.best is not self.declared

    def questions(self) -> Sequence[ReportedQuestion]:
        """Each question with its items. What is right only under the convention that counts says so."""
        return self._reported

    @cached_property
    def _reported(self) -> Sequence[ReportedQuestion]:
        return list(self._report())

    def _report(self) -> Iterator[ReportedQuestion]:
        share = self.counted.share
        for here, there in zip(self.best.questions, self.declared.questions, strict=True):
            keyed, marked = self.best.answer_key.of(here.question), here.marked
            declared = {item.name: item.verdict for item in there.marked.items}
            items = []
            for place, item in enumerate(marked.items):
                override = self.overrides.get((here.question.id, item.name))
                marks = override.marks if override is not None else marked.marks_of(place)
                if override is None and share != 1:
                    marks *= share
                verdict = self._verdict(item.verdict, declared.get(item.name))
                items.append(ReportedItem(keyed, item, verdict, marks, marked.worth[place], override))
            rows = {name: self._verdict(each, there.marked.rows.get(name)) for name, each in marked.rows.items()}
            given = self.best.given[here.question.id]
            override = self.overrides.get((here.question.id, ""))
            marks = self._marks(here, items) if override is None else override.marks
            yield ReportedQuestion(here.question, keyed, marks, items, rows, marked.refused, given, override)

    def _marks(self, here: MarkedQuestion, items: Sequence[ReportedItem]) -> Fraction:
        """A question's, with what was overridden in its items."""
        share = self.counted.share
        computed = here.marks if share == 1 else here.marks * share
        if all(each.override is None for each in items):
            return computed
        before = sum((here.marked.marks_of(place) * share for place in range(len(items))), Fraction(0))
        after = sum((each.marks for each in items), Fraction(0))
        # Where the question is worth what its items come to, never below 0, it goes on to be; else the items change it
        # by as much as they change.
        found = after if computed == max(before, Fraction(0)) else computed + after - before
        return min(max(found, Fraction(0)), here.question.marks)

    def _verdict(self, verdict: Verdict, declared: Verdict | None) -> Verdict:
        return OTHER_CONVENTION if self.other_convention and verdict == RIGHT != declared else verdict
