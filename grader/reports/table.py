"""Many reports as a table in a terminal: a line for each answer, by student."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from grader.kernel.cells import WIDEST, columns, directed, marks_shown, terminal
from grader.marking.exam_report import AnyReport, ExamReport
from grader.marking.report import Report
from grader.reports.labels import counted_as
from grader.reports.options import Options
from solver.languages import Language


class _TableRow(NamedTuple):
    """The order of students, files and places is the order of the table, whatever the order of input."""

    student: str
    source: str
    place: tuple[int, int]
    cells: tuple[str, ...]


class TablePart(NamedTuple):
    """What a table needs of one report."""

    row: _TableRow
    header: tuple[str, ...]
    is_number: tuple[bool, ...]
    """By column."""


def table_part(report: AnyReport, options: Options) -> TablePart:
    words, diagnosed = options.words, options.level in ("hints", "full")
    # The variants of an exam's parts would need a column each.
    asked, named = report.columns(), options.name_variants and isinstance(report, Report)
    header = (
        words.say("output.student"),
        *([words.say("output.variant")] if named else []),
        *(f"{terminal(each.name, 16)} /{words.number(each.out_of)}" for each in asked),
        f"{words.say('output.total')} /{words.number(report.out_of)}",
        *([words.say("output.mistake"), words.say("output.convention")] if diagnosed else []),
    )
    answer = report.answer
    found = (_mistakes, lambda each: _convention(each, words)) if diagnosed else ()
    why = [_by_part(report, each) for each in found]
    cells = (
        words.name(terminal(answer.student, WIDEST)),
        *([words.name(report.id)] if named else []),
        *(marks_shown(each.marks, words) for each in asked),
        marks_shown(report.marks, words),
        *why,
    )
    names, told = [False] * (2 if named else 1), [False] * len(why)
    is_number = (*names, *[True] * (len(header) - len(names) - len(told)), *told)
    return TablePart(_TableRow(answer.student, answer.source, answer.place, cells), header, is_number)


def table(parts: Iterable[TablePart], options: Options) -> Iterator[bytes]:
    """Sorted by student. Of each report only its line is kept."""
    rows: list[_TableRow] = []
    first: TablePart | None = None
    for part in parts:
        first = first or part
        rows.append(part.row)
    if first is None:
        return
    lines = columns([first.header, *(row.cells for row in sorted(rows))], first.is_number)
    yield ("\n".join(directed(lines, options.words)) + "\n").encode("utf-8", "replace")


def _by_part(report: AnyReport, say: Callable[[Report], str]) -> str:
    """What is said of a report; of an exam's parts, of each that something is said of."""
    if not isinstance(report, ExamReport):
        return say(report)
    return "; ".join(f"{terminal(part.name, 16)}: {said}" for part in report.parts if (said := say(part.report)))


def _convention(report: Report, words: Language) -> str:
    return words.show(counted_as(report).called) if report.other_convention else ""


def _mistakes(report: Report) -> str:
    """The mistake that explains the answer, with those that look the same here."""
    if not report.diagnosis:
        return ""
    found = report.diagnosis[0]
    same = found.same_here[:3]
    return (
        f"{found.mistake} (= {', '.join(same)}{', …' if len(found.same_here) > 3 else ''})" if same else found.mistake
    )
