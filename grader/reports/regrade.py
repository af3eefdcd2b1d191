"""What a corrected exercise changes, student by student, before anybody applies it. Nothing is written anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.documents.answer import Answer
from grader.documents.exam import Exam
from grader.documents.variants import Variants
from grader.marking.exam_report import AnyReport
from grader.marking.graders import HandedOut, grader_of
from grader.marking.overrides import Overrides
from grader.marking.report import Chosen
from grader.reports.told import FULL, Told
from grader.reports.told_exam import AnyTold, told_any
from solver.kernel import UsageError


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """A question, or a part of an exam, whose marks change; None where only one of the two exercises asks it."""

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
    part: str = ""
    """Of an exam."""


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
    old: HandedOut
    new: HandedOut
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


class Regrading:
    """A grader for before and one for after, made once for each process; UsageError for a variant that is no longer
    there. Marks that were given by hand stay as they are."""

    def __init__(
        self,
        before: HandedOut,
        after: HandedOut,
        level: str = FULL,
        theirs: Callable[[str], Mapping[str, str]] | None = None,
    ) -> None:
        self._renamed, self._after, self._level = _renamed(before, after), after, level
        self._was, self._now = grader_of(before, theirs), grader_of(after, theirs)

    def __call__(self, answer: Answer, _chosen: Chosen | None, overrides: Overrides) -> tuple[Change, Fraction]:
        """With as much of the reason as the level of feedback tells."""
        old: AnyReport = overrides.apply(self._was.grade(answer))
        new: AnyReport = overrides.apply(self._now.grade(_corrected(answer, old, self._after, self._renamed)))
        return _change(answer, old, new, self._level), new.exact_marks


def regraded(before: HandedOut, after: HandedOut, found: Iterable[Change]) -> Regraded:
    """Every student's marks by both exercises or exams, sorted by student. Of several answers by one student the best
    counts, before and after."""
    changes: dict[str, Change] = {}
    for change in found:
        changes[change.student] = _best(changes.get(change.student), change)
    return Regraded(before, after, tuple(sorted(changes.values(), key=lambda each: each.student)))


def _renamed(before: HandedOut, after: HandedOut) -> dict[str, str]:
    """What each exercise is called after the correction. Variants keep their ids; one alone may have another."""
    old_parts, new_parts = _parts(before), _parts(after)
    if isinstance(before, Exam) != isinstance(after, Exam) or len(old_parts) != len(new_parts):
        raise UsageError("an exam is corrected by an exam with as many parts")
    found: dict[str, str] = {}
    for old, new in zip(old_parts, new_parts, strict=True):
        if old.only is None and (gone := next((name for name in old.exercises if name not in new.exercises), None)):
            raise UsageError(f"there is no {gone} among the corrected exercises")
        found |= {name: name if name in new.exercises else new.first.id for name in old.exercises}
    return found


def _parts(handed_out: HandedOut) -> list[Variants]:
    return list(handed_out.parts.values()) if isinstance(handed_out, Exam) else [handed_out]


def _corrected(answer: Answer, old: AnyReport, after: HandedOut, renamed: Mapping[str, str]) -> Answer:
    """The same answer, to what was corrected."""
    if isinstance(after, Exam):
        answers = {renamed.get(name, name): written for name, written in answer.answers.items()}
        return replace(answer, exercise=after.id, answers=answers)
    return replace(answer, exercise=renamed[old.id], variant=None)


def _best(earlier: Change | None, change: Change) -> Change:
    if earlier is None:
        return change
    better, other = (earlier, change) if earlier.after > change.after else (change, earlier)
    if better.before >= other.before:
        return better
    return replace(better, before=other.before, difference=better.after - other.before)


def _change(answer: Answer, old: AnyReport, new: AnyReport, level: str) -> Change:
    was, now = told_any(old, level), told_any(new, level)
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


def _questions(old: AnyTold, new: AnyTold) -> Iterator[QuestionChange]:
    before, after = _columns(old), _columns(new)
    for name in dict.fromkeys((*after, *before)):
        if before.get(name) != after.get(name):
            yield QuestionChange(name, before.get(name), after.get(name))


def _columns(found: AnyTold) -> dict[str, Fraction]:
    if isinstance(found, Told):
        return {each.question.id: each.marks for each in found.questions}
    return {name: part.marks for name, part in zip(found.names, found.parts, strict=True)}


def _items(old: AnyTold, new: AnyTold) -> Iterator[ItemChange]:
    before, after = _marked(old), _marked(new)
    for key in dict.fromkeys((*after, *before)):
        was, now = before.get(key, (None, None)), after.get(key, (None, None))
        if was != now:
            part, question, item = key
            yield ItemChange(question, item, was[0], now[0], was[1], now[1], part)


def _marked(found: AnyTold) -> dict[tuple[str, str, str], tuple[str | None, Fraction]]:
    parts = {"": found} if isinstance(found, Told) else dict(zip(found.names, found.parts, strict=True))
    return {
        (part, each.question.id, item.name): (item.verdict, item.marks)
        for part, here in parts.items()
        for each in here.questions
        for item in each.items
    }
