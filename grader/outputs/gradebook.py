"""Marks as a gradebook takes them (CSV), by student.

Canvas wants the columns Student, ID, SIS Login ID and Section before the assignment, and finds students by the login;
ID is Canvas' own number, which nobody else knows. Moodle maps a column with the username or the e-mail address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from grader.exercise import Exercise
from grader.outputs.cells import marks_text, sheet
from grader.outputs.options import CANVAS, MOODLE, Options
from grader.report import Report

CANVAS_COLUMNS = ("Student", "ID", "SIS Login ID", "Section")
MOODLE_COLUMNS = ("Username", "Email address", "Full name")


def gradebook(reports: Iterable[Report], options: Options) -> Iterator[bytes]:
    """Sorted by student. The total is what the report says; a question's marks are rounded like it."""
    rows: list[tuple[tuple[object, ...], list[str]]] = []
    exercise: Exercise | None = None
    for report in reports:
        exercise, answer = report.exercise, report.answer
        key = (answer.student, answer.source, answer.place)
        rows.append((key, [*_who(report, options.gradebook), *_marks(report, options.gradebook)]))
    if exercise is not None:
        rows.sort()
        yield sheet([*_header(exercise, options.gradebook), *(row for _, row in rows)])


def _header(exercise: Exercise, variant: str) -> Iterator[Sequence[str]]:
    total, questions = exercise.title or exercise.id, [question.id for question in exercise.questions]
    if variant == MOODLE:
        yield [*MOODLE_COLUMNS, total, *questions]
    elif variant == CANVAS:
        yield [*CANVAS_COLUMNS, total]
        # Canvas reads the marks that can be had from a row of this name.
        yield ["    Points Possible", "", "", "", marks_text(exercise.out_of)]
    else:
        yield [*CANVAS_COLUMNS, "Total", *questions]


def _who(report: Report, variant: str) -> list[str]:
    student, name = report.answer.student, report.answer.name
    if variant == MOODLE:
        return ["", student, name or ""] if "@" in student else [student, "", name or ""]
    return [name or student, "", student, ""]


def _marks(report: Report, variant: str) -> list[str]:
    questions: list[Fraction] = [] if variant == CANVAS else [each.marks for each in report.questions()]
    return [marks_text(report.marks), *map(marks_text, questions)]
