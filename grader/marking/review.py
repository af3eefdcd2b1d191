"""What a person should look at: answers that could not be read, or that were not marked as they were meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from fractions import Fraction

from grader.answers import raw_text
from grader.kernel.csv_sheets import csv_bytes
from grader.kernel.verdicts import UNREADABLE
from grader.marking.exam_report import AnyReport
from grader.marking.report import Report, ReportedItem, ReportedQuestion
from grader.questions.shown import spelt
from solver.kernel import number_text

IGNORED, REFUSED, AMBIGUOUS = "ignored", "follow-through refused", "ambiguous"
TWO_READINGS = {"unreadable.name.ambiguous", "unreadable.thousands"}
"""Why an answer that could be read in two ways was not."""


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A line of the list; filled in, it is an override."""

    student: str
    part: str
    """Which of several exercises was answered; empty where there is only one."""
    question: str
    item: str
    """Empty: the whole question."""
    given: str
    why: str
    marks: str
    """To be filled in, as the reason is."""
    out_of: str
    reason: str = ""


KeyedRow = tuple[tuple[object, ...], ReviewRow]
"""With what it is sorted by."""
COLUMNS = tuple(field.name for field in fields(ReviewRow))


class Review:
    """Gathers the lines of many reports; they are sorted so that equal answers stand together."""

    def __init__(self, several: bool = False) -> None:
        self._several = several
        """Whether there are several exercises to tell apart."""
        self._rows: list[KeyedRow] = []

    def add(self, report: AnyReport) -> None:
        self._rows += _all_keyed(report, self._several)

    def taken(self) -> list[KeyedRow]:
        """What was added since this was last asked, for a list in another process."""
        found, self._rows = self._rows, []
        return found

    def add_rows(self, rows: Iterable[KeyedRow]) -> None:
        self._rows += rows

    @property
    def rows(self) -> list[ReviewRow]:
        """By question and item as the exercise has them, then by what was given."""
        return [row for _, row in sorted(self._rows, key=lambda each: each[0])]

    def sheet(self) -> bytes:
        """As CSV, with every cell guarded against being taken for a formula."""
        return csv_bytes([COLUMNS, *(tuple(map(str, astuple(row))) for row in self.rows)])


def review_rows(report: AnyReport, several: bool = False) -> list[ReviewRow]:
    """What of one report a person should look at."""
    return [row for _, row in sorted(_all_keyed(report, several), key=lambda each: each[0])]


def given_text(report: Report, question: str, item: str = "") -> str:
    """What a student wrote for a question, or for an item of it, as the list has it; empty for nothing."""
    if not item:
        written = report.answer.answers.get(question)
        return "" if written is None else raw_text(written)
    here = report.best.given.get(question, {}).get(item)
    return "" if here is None or here.text is None else here.text


def _all_keyed(report: AnyReport, several: bool) -> Iterator[KeyedRow]:
    """By part, where there are parts; what belongs to none of them comes last."""
    if isinstance(report, Report):
        yield from _keyed(report, report.exercise.id if several else "")
        return
    for number, part in enumerate(report.parts):
        yield from (((number, *key), row) for key, row in _keyed(part.report, part.exercise))
    for name in report.ignored:
        row = ReviewRow(report.answer.student, "", "", "", name, IGNORED, "", number_text(report.out_of))
        yield (len(report.parts), name, report.answer.student), row


def _keyed(report: Report, part: str) -> Iterator[KeyedRow]:
    student = report.answer.student
    for place, found in enumerate(report.questions()):
        for at, item, given, why, out_of in _looked_at(report, found):
            row = ReviewRow(student, part, found.question.id, item, given, why, "", number_text(out_of))
            yield (place, part, at, item, given, student), row
    for name in report.answer.ignored:
        row = ReviewRow(student, part, "", "", name, IGNORED, "", number_text(report.exercise.out_of))
        yield (len(report.exercise.questions), part, -1, "", name, student), row
    yield from _ignored(report, part)


def _looked_at(report: Report, found: ReportedQuestion) -> Iterator[tuple[int, str, str, str, Fraction]]:
    """Where among the items, which item, what was given, why to look at it, and what it is worth. What cannot be
    judged item by item is one line for the question."""
    whole, worth = given_text(report, found.question.id), found.question.marks
    unread = [(at, each) for at, each in enumerate(found.items) if each.verdict == UNREADABLE]
    alike = len({_given(report, each) for _, each in unread}) == 1 and len(unread) == len(found.items)
    together = [each for _, each in unread if alike or each.out_of == 0]
    if together:
        yield -1, "", whole, _why(together), worth
    elif found.refused:
        yield -1, "", whole, REFUSED, worth
    for at, each in unread:
        if each not in together:
            yield at, each.item.name, _given(report, each), _why([each]), each.out_of


def _given(report: Report, each: ReportedItem) -> str:
    """The raw text; of what is no item of its own, such as a stop, what the report says of it."""
    text = given_text(report, each.question.id, each.item.name)
    return text or ("" if each.item.given is None else spelt(each.item.given))


def _why(items: Iterable[ReportedItem]) -> str:
    said = {each.item.hint.key for each in items if each.item.hint is not None}
    return AMBIGUOUS if said and said <= TWO_READINGS else UNREADABLE


def _ignored(report: Report, part: str) -> Iterator[KeyedRow]:
    """What was answered and nobody asked: below its question, or below the one that is nearest in name."""
    asked = {question.id: (place, question.marks) for place, question in enumerate(report.exercise.questions)}
    for each in report.best.ignored:
        written = report.answer.answers.get(each.question or each.name)
        if each.question and isinstance(written, dict):
            written = written.get(each.name)
        given = each.name if written is None else f"{each.name}: {raw_text(written)}"
        question = each.question or each.nearest or ""
        place, worth = asked.get(question, (len(asked), report.exercise.out_of))
        row = ReviewRow(report.answer.student, part, question, "", given, IGNORED, "", number_text(worth))
        yield (place, part, -1, "", given, report.answer.student), row
