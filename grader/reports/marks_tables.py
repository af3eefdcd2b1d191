"""The marks of a class, by student: as a table in a terminal, and as a gradebook takes them (CSV).

Canvas wants the columns Student, ID, SIS Login ID and Section before the assignment, and finds students by the login;
ID is Canvas' own number, which nobody else knows. Moodle maps a column with the username or the e-mail address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from grader.kernel.csv_sheets import csv_bytes
from grader.kernel.display_text import WIDEST, aligned_columns, directed_lines, marks_shown, marks_text, terminal_text
from grader.marking.exam_report import AnyReport, ExamReport
from grader.marking.report import Report
from grader.people.roster import Roster
from grader.reports.feedback_sentences import counted_as
from grader.reports.output_options import CANVAS, MOODLE, PLAIN, OutputOptions
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


def marks_table_part(report: AnyReport, options: OutputOptions) -> TablePart:
    words, diagnosed = options.words, options.level in ("hints", "full")
    # The variants of an exam's parts would need a column each.
    asked, named = report.columns(), options.name_variants and isinstance(report, Report)
    header = (
        words.say("output.student"),
        *([words.say("output.variant")] if named else []),
        *(f"{terminal_text(each.name, 16)} /{words.number(each.out_of)}" for each in asked),
        f"{words.say('output.total')} /{words.number(report.out_of)}",
        *([words.say("output.mistake"), words.say("output.convention")] if diagnosed else []),
    )
    answer = report.answer
    found = (_mistakes, lambda each: _convention(each, words)) if diagnosed else ()
    why = [_by_part(report, each) for each in found]
    cells = (
        words.name(terminal_text(answer.student, WIDEST)),
        *([words.name(report.id)] if named else []),
        *(marks_shown(each.marks, words) for each in asked),
        marks_shown(report.marks, words),
        *why,
    )
    names, told = [False] * (2 if named else 1), [False] * len(why)
    is_number = (*names, *[True] * (len(header) - len(names) - len(told)), *told)
    return TablePart(_TableRow(answer.student, answer.source, answer.place, cells), header, is_number)


def marks_table(parts: Iterable[TablePart], options: OutputOptions) -> Iterator[bytes]:
    """Sorted by student. Of each report only its line is kept."""
    rows: list[_TableRow] = []
    first: TablePart | None = None
    for part in parts:
        first = first or part
        rows.append(part.row)
    if first is None:
        return
    lines = aligned_columns([first.header, *(row.cells for row in sorted(rows))], first.is_number)
    yield ("\n".join(directed_lines(lines, options.words)) + "\n").encode("utf-8", "replace")


def _by_part(report: AnyReport, say: Callable[[Report], str]) -> str:
    """What is said of a report; of an exam's parts, of each that something is said of."""
    if not isinstance(report, ExamReport):
        return say(report)
    return "; ".join(f"{terminal_text(part.name, 16)}: {said}" for part in report.parts if (said := say(part.report)))


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


CANVAS_COLUMNS = ("Student", "ID", "SIS Login ID", "Section")
MOODLE_COLUMNS = ("Username", "Email address", "Full name")


@dataclass(frozen=True, slots=True)
class GradebookRow:
    student: str
    name: str
    login: str | None
    """As the system knows its students; so is the next."""
    address: str | None
    total: Fraction
    questions: tuple[Fraction, ...]
    """Or parts."""
    variants: tuple[str, ...] = ()
    source: tuple[Any, ...] = ()
    """Where the answer is, which decides about the order of one student's rows."""


@dataclass(frozen=True, slots=True)
class GradebookPart:
    """What a gradebook needs of one report: its row, and what its columns are."""

    row: GradebookRow
    title: str
    out_of: Fraction
    columns: tuple[str, ...]
    variant_columns: tuple[str, ...]


def gradebook_part(report: AnyReport, options: OutputOptions) -> GradebookPart:
    """The total is what the report says; a question's marks are rounded like it."""
    roster, answer, columns = options.roster or Roster(), report.answer, report.columns()
    row = GradebookRow(
        student=answer.student,
        name=answer.name or roster.names.get(answer.student, ""),
        login=roster.logins.get(answer.student),
        address=roster.addresses.get(answer.student),
        total=report.marks,
        questions=() if options.gradebook == CANVAS else tuple(each.marks for each in columns),
        variants=variants_had(report) if options.name_variants else (),
        source=(answer.source, answer.place),
    )
    title = options.grade_item or options.title or report.title or report.id
    names = tuple(each.name for each in columns)
    return GradebookPart(row, title, report.out_of, names, tuple(_variant_columns(report, options)))


def gradebook(parts: Iterable[GradebookPart], options: OutputOptions) -> Iterator[bytes]:
    """Sorted by student."""
    rows: list[GradebookRow] = []
    last: GradebookPart | None = None
    for last in parts:
        rows.append(last.row)
    if last is not None:
        kind = options.gradebook
        yield gradebook_sheet(rows, kind, last.title, last.out_of, last.columns, last.variant_columns)


def variants_had(report: AnyReport) -> tuple[str, ...]:
    """Which were answered: the exercise, or one of every part that has several."""
    if not isinstance(report, ExamReport):
        return (report.id,)
    several = report.exam.several
    return tuple(part.exercise if part.known else "" for part in report.parts if part.name in several)


def _variant_columns(report: AnyReport, options: OutputOptions) -> list[str]:
    if not options.name_variants:
        return []
    return [f"{name} variant" for name in report.exam.several] if isinstance(report, ExamReport) else ["Variant"]


def gradebook_sheet(
    rows: Iterable[GradebookRow],
    kind: str,
    title: str,
    out_of: Fraction,
    questions: Sequence[str],
    variants: Sequence[str] = (),
) -> bytes:
    """The same from marks that are known; `variants` are the names of columns."""
    lines = sorted(((each.student, each.source), [*_who(each, kind), *_marks(each, kind)]) for each in rows)
    return csv_bytes([*_header(kind, title, out_of, questions, variants), *(row for _, row in lines)])


def _header(
    kind: str, title: str, out_of: Fraction, questions: Sequence[str], variants: Sequence[str]
) -> Iterator[Sequence[str]]:
    if kind == MOODLE:
        yield [*MOODLE_COLUMNS, title, *questions]
    elif kind == CANVAS:
        yield [*CANVAS_COLUMNS, title]
        # Canvas reads the marks that can be had from a row of this name.
        yield ["    Points Possible", "", "", "", marks_text(out_of)]
    else:
        yield [*CANVAS_COLUMNS, "Total", *questions, *variants]


def _who(row: GradebookRow, kind: str) -> list[str]:
    """By what the system knows its students: a login or an address of the roster's, else the student's id."""
    student, login, address = row.student, row.login, row.address
    if kind == MOODLE:
        if login is None and address is None:
            login, address = ("", student) if "@" in student else (student, "")
        return [login or "", address or "", row.name]
    return [row.name or student, "", login or student, ""]


def _marks(row: GradebookRow, kind: str) -> Iterator[str]:
    yield marks_text(row.total)
    if kind != CANVAS:
        yield from map(marks_text, row.questions)
    if kind == PLAIN:
        yield from row.variants
