"""Marks as a gradebook takes them (CSV), by student.

Canvas wants the columns Student, ID, SIS Login ID and Section before the assignment, and finds students by the login;
ID is Canvas' own number, which nobody else knows. Moodle maps a column with the username or the e-mail address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.kernel.cells import marks_text
from grader.kernel.sheets import sheet
from grader.marking.exam_report import AnyReport, ExamReport
from grader.people.roster import Roster
from grader.reports.options import CANVAS, MOODLE, PLAIN, Options

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


def gradebook_part(report: AnyReport, options: Options) -> GradebookPart:
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


def gradebook(parts: Iterable[GradebookPart], options: Options) -> Iterator[bytes]:
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


def _variant_columns(report: AnyReport, options: Options) -> list[str]:
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
    made = sorted(((each.student, each.source), [*_who(each, kind), *_marks(each, kind)]) for each in rows)
    return sheet([*_header(kind, title, out_of, questions, variants), *(row for _, row in made)])


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
