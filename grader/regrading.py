"""What a corrected exercise changes, student by student, before anybody applies it. Nothing is written anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.answer import Answer
from grader.exercise import Exercise
from grader.grading import Grader
from grader.report import Report


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """A question whose marks change; None where only one of the two exercises asks it."""

    id: str
    before: Fraction | None
    after: Fraction | None


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An item with another verdict, or other marks; None where only one of the two exercises has it."""

    question: str
    item: str
    before: str | None
    after: str | None
    marks_before: Fraction | None
    marks_after: Fraction | None


@dataclass(frozen=True, slots=True)
class Change:
    student: str
    name: str | None
    source: str
    line: int
    before: Fraction
    after: Fraction
    questions: tuple[QuestionChange, ...]
    items: tuple[ItemChange, ...]

    @property
    def difference(self) -> Fraction:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Regraded:
    old: Exercise
    new: Exercise
    changes: tuple[Change, ...]
    """Of every answer, sorted by student; `questions` and `items` are empty where nothing changes."""

    @property
    def up(self) -> int:
        return sum(each.difference > 0 for each in self.changes)

    @property
    def down(self) -> int:
        return sum(each.difference < 0 for each in self.changes)

    @property
    def same(self) -> int:
        return sum(each.difference == 0 for each in self.changes)


def regraded(old: Exercise, new: Exercise, answers: Iterable[Answer]) -> Regraded:
    return Regraded(old, new, tuple(regrade(old, new, answers)))


def regrade(old: Exercise, new: Exercise, answers: Iterable[Answer]) -> Iterator[Change]:
    """Every answer's marks by both exercises, sorted by student."""
    before, after = Grader(old), Grader(new)
    changes = []
    for answer in answers:
        changes.append(_change(answer, before.grade(answer), after.grade(replace(answer, exercise=new.id))))
    yield from sorted(changes, key=lambda each: (each.student, each.source, each.line))


def _change(answer: Answer, old: Report, new: Report) -> Change:
    return Change(
        answer.student,
        answer.name,
        answer.source,
        answer.place.line,
        old.marks,
        new.marks,
        tuple(_questions(old, new)),
        tuple(_items(old, new)),
    )


def _questions(old: Report, new: Report) -> Iterator[QuestionChange]:
    before = {each.question.id: each.marks for each in old.questions()}
    after = {each.question.id: each.marks for each in new.questions()}
    for name in dict.fromkeys((*after, *before)):
        if before.get(name) != after.get(name):
            yield QuestionChange(name, before.get(name), after.get(name))


def _items(old: Report, new: Report) -> Iterator[ItemChange]:
    before, after = _marked(old), _marked(new)
    for question, item in dict.fromkeys((*after, *before)):
        was, now = before.get((question, item), (None, None)), after.get((question, item), (None, None))
        if was != now:
            yield ItemChange(question, item, was[0], now[0], was[1], now[1])


def _marked(report: Report) -> dict[tuple[str, str], tuple[str, Fraction]]:
    return {
        (each.question.id, found.item.name): (found.verdict, found.marks)
        for each in report.questions()
        for found in each.items
    }
