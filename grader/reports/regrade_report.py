"""What a corrected exercise changes, student by student, before anybody applies it; as text and as CSV. No mark is
changed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.documents.answer_file import Answer
from grader.documents.exam import Exam, Variants
from grader.kernel.csv_sheets import csv_bytes
from grader.kernel.display_text import (
    WIDEST,
    aligned_columns,
    cut_off,
    directed_lines,
    marks_shown,
    marks_text,
    terminal_text,
)
from grader.kernel.display_text import terminal_sentence as safe
from grader.marking.exam_report import AnyReport
from grader.marking.graders import HandedOut, grader_of
from grader.marking.overrides import Overrides
from grader.marking.report import Chosen
from grader.questions.ask import Ask
from grader.questions.exercise import Exercise
from grader.questions.registry import ask_of
from grader.reports.feedback_facts import FULL, AnyFeedbackFacts, FeedbackFacts, any_facts_at_level
from grader.reports.feedback_sentences import VERDICT_KEYS
from grader.reports.output_options import OutputOptions
from solver.kernel import UsageError
from solver.languages import Language


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
class RegradeReport:
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


def report_regrade(before: HandedOut, after: HandedOut, found: Iterable[Change]) -> RegradeReport:
    """Every student's marks by both exercises or exams, sorted by student. Of several answers by one student the best
    counts, before and after."""
    changes: dict[str, Change] = {}
    for change in found:
        changes[change.student] = _best(changes.get(change.student), change)
    return RegradeReport(before, after, tuple(sorted(changes.values(), key=lambda each: each.student)))


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
    was, now = any_facts_at_level(old, level), any_facts_at_level(new, level)
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


def _questions(old: AnyFeedbackFacts, new: AnyFeedbackFacts) -> Iterator[QuestionChange]:
    before, after = _marks_by_column(old), _marks_by_column(new)
    for name in dict.fromkeys((*after, *before)):
        if before.get(name) != after.get(name):
            yield QuestionChange(name, before.get(name), after.get(name))


def _marks_by_column(found: AnyFeedbackFacts) -> dict[str, Fraction]:
    if isinstance(found, FeedbackFacts):
        return {each.question.id: each.marks for each in found.questions}
    return {name: part.marks for name, part in zip(found.names, found.parts, strict=True)}


def _items(old: AnyFeedbackFacts, new: AnyFeedbackFacts) -> Iterator[ItemChange]:
    before, after = _marked(old), _marked(new)
    for key in dict.fromkeys((*after, *before)):
        was, now = before.get(key, (None, None)), after.get(key, (None, None))
        if was != now:
            part, question, item = key
            yield ItemChange(question, item, was[0], now[0], was[1], now[1], part)


def _marked(found: AnyFeedbackFacts) -> dict[tuple[str, str, str], tuple[str | None, Fraction]]:
    parts = {"": found} if isinstance(found, FeedbackFacts) else dict(zip(found.names, found.parts, strict=True))
    return {
        (part, each.question.id, item.name): (item.verdict, item.marks)
        for part, here in parts.items()
        for each in here.questions
        for item in each.items
    }


MOST_ITEMS = 4
"""Of one student, in text; CSV has them all."""
_HEADINGS = ("regrade.student", "regrade.before", "regrade.after", "regrade.difference", "regrade.why")


def changes_text(report: RegradeReport, options: OutputOptions) -> bytes:
    """Those whose marks change, and how many do not."""
    return ("\n".join(directed_lines(_change_lines(report, options.words), options.words)) + "\n").encode(
        "utf-8", "replace"
    )


def _change_lines(report: RegradeReport, words: Language) -> Iterator[str]:
    if report.old.out_of != report.new.out_of:
        yield words.say("regrade.out-of", before=report.old.out_of, after=report.new.out_of)
        yield ""
    changed = [each for each in report.changes if each.difference]
    if changed:
        header = [words.say(key) for key in _HEADINGS]
        asks = {
            (part, question.id): ask_of(question)
            for handed_out in (report.old, report.new)
            for part, exercise in _by_part(handed_out)
            for question in exercise.questions
        }
        rows = [header, *([*_marks(each, words), _why(each, asks, words)] for each in changed)]
        yield from aligned_columns(rows, [False, True, True, True, False])
        yield ""
    yield words.say("regrade.up", report.up)
    yield words.say("regrade.down", report.down)
    yield words.say("regrade.same", report.same)


def _marks(each: Change, words: Language) -> list[str]:
    difference = marks_shown(each.difference, words)
    return [
        words.name(terminal_text(each.student, WIDEST)),
        marks_shown(each.before, words),
        marks_shown(each.after, words),
        f"+{difference}" if each.difference > 0 else difference,
    ]


def _why(each: Change, asks: Mapping[tuple[str, str], Ask], words: Language) -> str:
    """The items whose marks change; those with another verdict, where a rubric does not go by items."""
    items = [item for item in each.items if item.marks_before != item.marks_after] or list(each.items)
    changes = [_item(item, asks[item.part, item.question], words) for item in items[:MOST_ITEMS]]
    return "; ".join(changes + (["…"] if len(items) > MOST_ITEMS else []))


def _item(item: ItemChange, ask: Ask, words: Language) -> str:
    where = " ".join(terminal_text(name, 16) for name in (item.part, item.question) if name)
    if item.item != item.question:
        where += f" {cut_off(safe(words.show(ask.called(item.item))), WIDEST, words)}"
    if item.before == item.after:
        return f"{where}: {_amount(item.marks_before, words)} → {_amount(item.marks_after, words)}"
    return f"{where}: {_verdict(item.before, words)} → {_verdict(item.after, words)}"


def _verdict(verdict: str | None, words: Language) -> str:
    return "—" if verdict is None else words.say(VERDICT_KEYS[verdict])


def _amount(marks: Fraction | None, words: Language) -> str:
    return "—" if marks is None else marks_shown(marks, words)


def changes_sheet(report: RegradeReport, _options: OutputOptions) -> bytes:
    """A row for each answer, changed or not; a question's cell is empty where its marks stay."""
    names = list(dict.fromkeys((*_column_names(report.new), *_column_names(report.old))))
    header = ["Student", "Name", "Before", "After", "Difference", *names, "Items"]
    return csv_bytes([header, *(_sheet_row(each, names) for each in report.changes)])


def _by_part(handed_out: HandedOut) -> list[tuple[str, Exercise]]:
    """An exercise of each part, all of whose variants ask the same."""
    if isinstance(handed_out, Exam):
        return [(name, part.first) for name, part in handed_out.parts.items()]
    return [("", handed_out.first)]


def _column_names(handed_out: HandedOut) -> list[str]:
    if isinstance(handed_out, Exam):
        return list(handed_out.parts)
    return [question.id for question in handed_out.first.questions]


def _sheet_row(each: Change, names: list[str]) -> list[str]:
    questions = {
        change.id: f"{_plain_marks(change.before)} → {_plain_marks(change.after)}" for change in each.questions
    }
    items = "; ".join(f"{_named(item)}: {_was_and_is(item)}" for item in each.items)
    marks = [marks_text(number) for number in (each.before, each.after, each.difference)]
    return [each.student, each.name or "", *marks, *(questions.get(name, "") for name in names), items]


def _named(item: ItemChange) -> str:
    return " ".join(filter(None, (item.part, item.question, item.item)))


def _was_and_is(item: ItemChange) -> str:
    """Its verdicts; its marks, where verdicts are not told."""
    if item.before is None and item.after is None:
        return f"{_plain_marks(item.marks_before)} → {_plain_marks(item.marks_after)}"
    return f"{item.before or '—'} → {item.after or '—'}"


def _plain_marks(marks: Fraction | None) -> str:
    return "—" if marks is None else marks_text(marks)
