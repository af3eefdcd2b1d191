"""Marks that people gave by hand, read from a sheet and put in place of those that were computed.

A line overrides an item, a question or the total of one student, or, for the student `*`, every equal answer to a
question or item. Whatever marks an answer applies the same lines to its report, so they outlive every correction.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import overload

from grader.answers import Unreadable, number
from grader.kernel.csv_sheets import CsvRows, RowError, safe_cell
from grader.marking.exam_report import AnyReport
from grader.marking.report import TOTAL, Override, Report
from grader.marking.review import given_text
from solver.kernel import DEFAULT_LIMITS, DocumentError, Limits, Place, Problem, ProblemLog, number_text, quoted

EVERYBODY = "*"
NEEDED = ("student", "question", "item", "marks", "reason")
OPTIONAL = ("part", "given")


@dataclass(frozen=True, slots=True)
class OverrideLine:
    line: int
    student: str
    question: str
    item: str
    override: Override
    part: str = ""
    given: str = ""

    @property
    def target(self) -> tuple[str, str]:
        return self.question, self.item

    def __str__(self) -> str:
        return " ".join(filter(None, (self.student, self.part, self.question, self.item)))


def read_overrides(raw: bytes, limits: Limits = DEFAULT_LIMITS) -> list[OverrideLine]:
    """The lines with marks; DocumentError with every line that makes no sense. Lines without marks are passed over."""
    rows = CsvRows(iter(raw.splitlines(keepends=True)), limits.yaml_bytes)
    problems = ProblemLog(limits.problems)
    found: dict[tuple[str, ...], OverrideLine] = {}
    try:
        places = _places(rows)
    except RowError as error:
        raise DocumentError([error.problem]) from None
    for row in rows:
        try:
            if isinstance(row, RowError):
                raise row
            each = _line(row[0], {key: _cell(row[1], place) for key, place in places.items()})
            if each is not None:
                key = (each.student, each.part, *each.target, each.given if each.student == EVERYBODY else "")
                if (first := found.setdefault(key, each)) is not each:
                    raise RowError(each.line, "override", f"this is overridden already, at line {first.line}")
        except RowError as error:
            problem = error.problem
            problems.add(problem.place, problem.code, problem.message, problem.hint)
    if problems:
        raise DocumentError(problems.kept, problems.total)
    return list(found.values())


def _places(rows: CsvRows) -> dict[str, int | None]:
    line, cells = rows.header() or (1, [])
    header = [cell.strip().casefold() for cell in cells]
    if missing := [name for name in NEEDED if name not in header]:
        message = f"there is no column called {' or '.join(missing)}"
        raise RowError(line, "missing-key", message, f"the columns are {', '.join(NEEDED)}")
    return {name: header.index(name) if name in header else None for name in (*NEEDED, *OPTIONAL)}


def _cell(cells: Sequence[str], place: int | None) -> str:
    return unicodedata.normalize("NFC", cells[place].strip()) if place is not None and place < len(cells) else ""


def _line(line: int, cells: Mapping[str, str]) -> OverrideLine | None:
    if not cells["marks"]:
        return None
    student, question, item, given = (cells[name] for name in ("student", "question", "item", "given"))
    if not student:
        raise RowError(line, "override", "the line does not say whose marks these are", "* means everybody")
    if item and not question:
        raise RowError(line, "override", f"the line does not say to which question {quoted(item)} belongs")
    if student == EVERYBODY and not (question and given):
        message = "a line for everybody says which question, and what was given"
        raise RowError(line, "override", message, "equal answers get these marks")
    override = Override(_marks(line, cells["marks"]), cells["reason"])
    return OverrideLine(line, student, question, item, override, cells["part"], given)


def _marks(line: int, written: str) -> Fraction:
    try:
        marks = Fraction(number(written))
    except Unreadable:
        raise RowError(line, "override", f"{quoted(written)} is not a number of marks") from None
    if marks < 0:
        raise RowError(line, "override", f"marks are not below 0; this is {number_text(marks)}")
    return marks


@dataclass(frozen=True, slots=True)
class OverrideUse:
    """By their numbers, which lines were about something, and what is wrong with some of them."""

    matched: frozenset[int]
    beyond: Mapping[int, Problem]


class Overrides:
    """Applies lines to reports, and remembers which of them matched something."""

    def __init__(self, lines: Iterable[OverrideLine] = ()) -> None:
        self._lines = list(lines)
        self._of: dict[str, list[OverrideLine]] = {}
        for line in self._lines:
            self._of.setdefault(_same(line.student), []).append(line)
        self._matched: set[int] = set()
        self._beyond: dict[int, Problem] = {}

    def unused(self) -> Overrides:
        """The same lines, none of which was applied."""
        return Overrides(self._lines)

    def taken(self) -> OverrideUse | None:
        """What was applied since this was last asked, for the same lines in another process."""
        if not self._matched and not self._beyond:
            return None
        found = OverrideUse(frozenset(self._matched), dict(self._beyond))
        self._matched.clear()
        self._beyond.clear()
        return found

    def add_use(self, use: OverrideUse) -> None:
        self._matched |= use.matched
        self._beyond |= use.beyond

    def __bool__(self) -> bool:
        return bool(self._lines)

    @overload
    def apply(self, report: Report) -> Report: ...

    @overload
    def apply(self, report: AnyReport) -> AnyReport: ...

    def apply(self, report: AnyReport) -> AnyReport:
        """The report with the marks that were given by hand; a student's own line goes before one for everybody."""
        lines = (*self._of.get(EVERYBODY, ()), *self._of.get(_same(report.answer.student), ()))
        if not lines:
            return report
        if isinstance(report, Report):
            return self._applied(report, [line for line in lines if line.part in ("", report.exercise.id)])
        parts = [part.report for part in report.parts]
        of_part: list[list[OverrideLine]] = [[] for _ in parts]
        whole: Override | None = None
        for line in lines:
            if line.target == TOTAL and not line.part:
                whole = line.override if self._fits(line, report.out_of) else whole
                continue
            here = [place for place, part in enumerate(report.parts) if line.part in ("", part.name, part.exercise)]
            about = [place for place in here if _out_of(line, parts[place]) is not None]
            if len(about) > 1 and line.student != EVERYBODY:
                names = " and ".join(report.parts[place].exercise for place in about[:2])
                message = f"{line}: both {names} have this question; say which in the column part"
                self._beyond[line.line] = Problem(Place(line.line, 1), "override", message)
                continue
            for place in about:
                of_part[place].append(line)
        applied = [self._applied(part, lines) for part, lines in zip(parts, of_part, strict=True)]
        changed = (replace(part, report=here) for part, here in zip(report.parts, applied, strict=True))
        return replace(report, parts=tuple(changed), override=whole)

    def _applied(self, report: Report, lines: Iterable[OverrideLine]) -> Report:
        found: dict[tuple[str, str], Override] = {}
        for line in lines:
            out_of = _out_of(line, report)
            if out_of is not None and self._fits(line, out_of):
                found[line.target] = line.override
        return replace(report, overrides=found) if found else report

    def _fits(self, line: OverrideLine, out_of: Fraction) -> bool:
        """Whether its marks are not more than there are; either way the line is about something."""
        self._matched.add(line.line)
        if line.override.marks <= out_of:
            return True
        message = f"{line}: {number_text(line.override.marks)} marks, out of {number_text(out_of)}"
        self._beyond[line.line] = Problem(Place(line.line, 1), "override", message)
        return False

    def problems(self) -> Iterator[Problem]:
        """The lines that were not applied, once all reports were made: beyond what is out of, or about nothing."""
        for line in self._lines:
            if line.line in self._beyond:
                yield self._beyond[line.line]
            elif line.line not in self._matched:
                yield Problem(Place(line.line, 1), "override", f"{line}: there is no such answer to override")


def _out_of(line: OverrideLine, report: Report) -> Fraction | None:
    """What the marks that a line is about are out of; None where it is about nothing in this report."""
    if line.target == TOTAL:
        return report.exercise.out_of
    if not any(question.id == line.question for question in report.exercise.questions):
        return None
    if line.student == EVERYBODY and _same(given_text(report, line.question, line.item)) != _same(line.given):
        return None
    for found in report.questions():
        if found.question.id == line.question:
            if not line.item:
                return found.question.marks
            return next((each.out_of for each in found.items if each.item.name == line.item), None)
    return None


def _same(text: str) -> str:
    """What is left of a text in a sheet that was saved and read again: quotes before formulas may be there or not."""
    return safe_cell(safe_cell(unicodedata.normalize("NFC", text)))
