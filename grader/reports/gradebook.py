"""Marks as a gradebook takes them (CSV), by student.

Canvas wants the columns Student, ID, SIS Login ID and Section before the assignment, and finds students by the login;
ID is Canvas' own number, which nobody else knows. Moodle maps a column with the username or the e-mail address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader.kernel.cells import marks_text, sheet
from grader.marking.report import Report
from grader.people.roster import Roster
from grader.questions.exercise import Exercise
from grader.reports.options import CANVAS, MOODLE, PLAIN, Options

CANVAS_COLUMNS = ("Student", "ID", "SIS Login ID", "Section")
MOODLE_COLUMNS = ("Username", "Email address", "Full name")


def gradebook(reports: Iterable[Report], options: Options) -> Iterator[bytes]:
    """Sorted by student. The total is what the report says; a question's marks are rounded like it."""
    rows: list[tuple[tuple[object, ...], list[str]]] = []
    exercise: Exercise | None = None
    for report in reports:
        exercise, answer = report.exercise, report.answer
        key = (answer.student, answer.source, answer.place)
        rows.append((key, [*_who(report, options), *_marks(report, options)]))
    if exercise is not None:
        rows.sort()
        yield sheet([*_header(exercise, options), *(row for _, row in rows)])


def _header(exercise: Exercise, options: Options) -> Iterator[Sequence[str]]:
    total = options.title or exercise.title or exercise.id
    questions = [question.id for question in exercise.questions]
    if options.gradebook == MOODLE:
        yield [*MOODLE_COLUMNS, total, *questions]
    elif options.gradebook == CANVAS:
        yield [*CANVAS_COLUMNS, total]
        # Canvas reads the marks that can be had from a row of this name.
        yield ["    Points Possible", "", "", "", marks_text(exercise.out_of)]
    else:
        yield [*CANVAS_COLUMNS, "Total", *questions, *(["Variant"] if options.name_variants else [])]


def _who(report: Report, options: Options) -> list[str]:
    """By what the system knows its students: a login or an address of the roster's, else the student's id."""
    student, name = report.answer.student, report.answer.name or ""
    roster = options.roster or Roster()
    login, address = roster.logins.get(student), roster.addresses.get(student)
    if options.gradebook == MOODLE:
        if login is None and address is None:
            login, address = ("", student) if "@" in student else (student, "")
        return [login or "", address or "", name]
    return [name or student, "", login or student, ""]


def _marks(report: Report, options: Options) -> Iterator[str]:
    yield marks_text(report.marks)
    if options.gradebook != CANVAS:
        yield from (marks_text(each.marks) for each in report.questions())
    if options.gradebook == PLAIN and options.name_variants:
        yield report.exercise.id
