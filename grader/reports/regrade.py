"""What a corrected exercise changes, student by student, before anybody applies it. Nothing is written anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.documents.answer import Answer
from grader.marking.grader import Grader
from grader.marking.overrides import Overrides
from grader.marking.report import Report
from grader.people.variants import Variants
from grader.questions.exercise import Exercise
from grader.reports.told import FULL, Told, told
from solver.kernel import UsageError


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
    difference: Fraction
    """Of the exact marks: that of the rounded ones can be a hundredth off."""


@dataclass(frozen=True, slots=True)
class Regraded:
    old: Exercise
    """This and the next are the first of all variants, which ask the same."""
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


def regraded(
    before: Variants,
    after: Variants,
    answers: Iterable[Answer],
    level: str = FULL,
    overrides: Overrides | None = None,
) -> Regraded:
    """Every student's marks by both exercises, sorted by student, with as much of the reason as a level of feedback
    tells; UsageError for a variant that is no longer there.

    Marks that were given by hand stay as they are. Of several answers by one student the best counts, before and after.
    """
    by_hand = overrides or Overrides()
    if before.only is None and (gone := next((name for name in before.exercises if name not in after.exercises), None)):
        raise UsageError(f"there is no {gone} among the corrected exercises")
    graders: dict[str, tuple[Grader, Grader]] = {}
    changes: dict[str, Change] = {}
    for answer in answers:
        old = before.of(answer)
        if old.id not in graders:
            new = after.exercises[old.id] if before.only is None else after.first
            graders[old.id] = Grader(old), Grader(new)
        was, now = graders[old.id]
        corrected = replace(answer, exercise=now.exercise.id)
        change = _change(answer, by_hand.apply(was.grade(answer)), by_hand.apply(now.grade(corrected)), level)
        changes[change.student] = _best(changes.get(change.student), change)
    sorted_changes = sorted(changes.values(), key=lambda each: each.student)
    return Regraded(before.first, after.first, tuple(sorted_changes))


def _best(earlier: Change | None, change: Change) -> Change:
    if earlier is None:
        return change
    better, other = (earlier, change) if earlier.after > change.after else (change, earlier)
    if better.before >= other.before:
        return better
    return replace(better, before=other.before, difference=better.after - other.before)


def _change(answer: Answer, old: Report, new: Report, level: str) -> Change:
    was, now = told(old, level), told(new, level)
    return Change(
        answer.student,
        answer.name,
        answer.source,
        answer.place.line,
        old.marks,
        new.marks,
        tuple(_questions(was, now)),
        tuple(_items(was, now)),
        new.exact_marks - old.exact_marks,
    )


def _questions(old: Told, new: Told) -> Iterator[QuestionChange]:
    before = {each.question.id: each.marks for each in old.questions}
    after = {each.question.id: each.marks for each in new.questions}
    for name in dict.fromkeys((*after, *before)):
        if before.get(name) != after.get(name):
            yield QuestionChange(name, before.get(name), after.get(name))


def _items(old: Told, new: Told) -> Iterator[ItemChange]:
    before, after = _marked(old), _marked(new)
    for question, item in dict.fromkeys((*after, *before)):
        was, now = before.get((question, item), (None, None)), after.get((question, item), (None, None))
        if was != now:
            yield ItemChange(question, item, was[0], now[0], was[1], now[1])


def _marked(found: Told) -> dict[tuple[str, str], tuple[str | None, Fraction]]:
    return {
        (each.question.id, item.name): (item.verdict, item.marks) for each in found.questions for item in each.items
    }
