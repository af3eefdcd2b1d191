"""The sheet of typed answers that belongs to a paper: `plymark grade` reads it once it is filled in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader.documents.exam import Exam
from grader.kernel.sheets import sheet
from grader.people.roster import Student
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise
from grader.questions.presentation import Field
from grader.questions.registry import ask_of

WHO = ("student", "name", "variant")


def column_of(question: KeyedQuestion, field: Field) -> str:
    """`values.A`, or the question alone where it has one box."""
    return f"{question.id}.{field.item}" if field.item else question.id


def answer_form(dealt: Iterable[tuple[Student, Exercise]]) -> bytes:
    """CSV with a row for each student and a column for each box; the cells of the boxes are empty."""
    rows = list(dealt)
    columns: dict[str, None] = {}
    for exercise in {each.id: each for _, each in rows}.values():
        columns.update(dict.fromkeys(_columns(exercise)))
    blank = [""] * len(columns)
    return sheet([(*WHO, *columns), *((who.id or who.name, who.name, exercise.id, *blank) for who, exercise in rows)])


def exam_form(given: Sequence[tuple[Student, Sequence[Exercise]]], exam: Exam) -> bytes:
    """The same for an exam: columns have the part before them, and of variants one says which the student has."""
    part_of = {exercise.id: name for name, part in exam.parts.items() for exercise in part}
    columns: dict[str, dict[str, None]] = {name: {} for name in exam.parts}
    for name in exam.several:
        columns[name][variant_column(name)] = None
    for exercise in {each.id: each for _, group in given for each in group}.values():
        name = part_of[exercise.id]
        columns[name].update(dict.fromkeys(f"{name}.{column}" for column in _columns(exercise)))
    header = [column for part in columns.values() for column in part]
    rows = []
    for who, group in given:
        theirs = {variant_column(part_of[each.id]): each.id for each in group}
        rows.append((who.id or who.name, who.name, *(theirs.get(column, "") for column in header)))
    return sheet([(*WHO[:2], *header), *rows])


def variant_column(part: str) -> str:
    return f"{part}.variant"


def _columns(exercise: Exercise) -> Iterator[str]:
    for question in AnswerKey(exercise).questions:
        ask = ask_of(question)
        for field in ask.paper_fields(question, ask.blank(question)):
            yield column_of(question, field)
