"""Answers in a sheet (CSV): a row for each student and a column for each item.

The header names the column with the student (`student`, `id`, `login`, `e-mail`, …) and, for each item, the question
or `question.item`: `values.A`, `windows.C`, `pruned`, `move`. Of an exam, the part or the exercise stands before:
`two-ply.values.A`, and `alpha-beta.variant` is a column that says which variant a student had. An empty cell is
missing. Commas, semicolons or tabs separate. Rows are read one at a time, whatever the size of the sheet.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.answers import without_direction_marks
from grader.documents.answer_file import Answer
from grader.documents.exam import Exam, Variants
from grader.kernel.csv_sheets import CsvRows, RowError
from grader.marking.run import Broken
from grader.questions.exercise import Exercise
from grader.questions.registry import ask_of
from solver.documents import FORBIDDEN_CHARACTERS
from solver.kernel import DEFAULT_LIMITS, Limits, Place, Problem, quoted
from solver.languages import LANGUAGES


@dataclass(frozen=True, slots=True)
class CollectionNote:
    """Something in a sheet that was passed over, and should not be in silence."""

    name: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{_shown(self.name)}:{self.line}: {self.text}"


def _shown(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name)


STUDENT_COLUMNS = ("student", "id", "student id", "login", "username", "e-mail", "email", "email address")
"""By preference. Canvas writes the name below Student, and who it is below SIS Login ID."""
CANVAS_LOGIN = "sis login id"
OTHER_COLUMNS = ("name", "submitted", "variant", "language", "exercise")
MOST_NOTES = 50


@dataclass(frozen=True, slots=True)
class Column:
    """Where a cell goes: a field of the answer, or an item of a question."""

    field: str = ""
    question: str = ""
    path: tuple[str, ...] = ()
    part: str = ""
    """Of an exam: a part, or an exercise of it. Without a question, the cell says which variant of the part it is."""


class AnswerSheet:
    """`theirs` tells, by part of an exam, which variant a student had."""

    def __init__(
        self,
        rows: CsvRows,
        name: str,
        handed_out: Variants | Exam,
        limits: Limits = DEFAULT_LIMITS,
        theirs: Callable[[str], Mapping[str, str]] | None = None,
    ) -> None:
        self.name, self.handed_out, self.limits, self._theirs = name, handed_out, limits, theirs
        self.notes: list[CollectionNote] = []
        """Known once the header is read."""
        self._rows = rows
        self._columns: list[Column] = []

    def answers(self) -> Iterator[Answer | Broken]:
        try:
            header = self._header()
        except RowError as error:
            yield Broken(self.name, (error.problem,))
            return
        if header is None:
            yield Broken(self.name, (Problem(Place(1, 1), "empty-document", "there is nothing in this sheet"),))
            return
        for row in self._rows:
            try:
                if isinstance(row, RowError):
                    raise row
                yield self._answer(*row)
            except RowError as error:
                yield Broken(self.name, (error.problem,))

    def _header(self) -> Sequence[str] | None:
        found = self._rows.header()
        if found is None:
            return None
        line, cells = found
        names = [unicodedata.normalize("NFC", without_direction_marks(cell).strip()) for cell in cells]
        folded = [name.casefold() for name in names]
        for place, name in enumerate(folded):
            if name and name in folded[:place]:
                raise RowError(line, "duplicate-key", f"two columns are called {quoted(names[place])}")
        student = next((name for name in (CANVAS_LOGIN, *STUDENT_COLUMNS) if name in folded), None)
        if student is None:
            expected = "one is called student, id, login or e-mail"
            raise RowError(line, "missing-key", "no column says who the student is", expected)
        if self.handed_out.answered_as is None and not {"exercise", "variant"} & set(folded):
            expected = "add a column called variant, with the exercise's id"
            raise RowError(line, "missing-key", "no column says which variant is answered", expected)
        scopes = sorted(_scopes(self.handed_out), key=lambda scope: -len(scope[0]))
        self._columns = [self._column(name, student, scopes) for name in names]
        self._note_what_is_missing(names, line)
        return names

    def _column(self, name: str, student: str, scopes: Sequence[tuple[str, Exercise]]) -> Column:
        folded = name.casefold()
        if folded == student:
            return Column("student")
        if folded == "student" and student == CANVAS_LOGIN:
            return Column("name")
        for part, exercise in scopes:
            before = f"{part}." if part else ""
            if folded.startswith(before.casefold()):
                column = _item_column(name[len(before) :], exercise)
                if column is not None:
                    return replace(column, part=part)
                if part and folded == f"{before}variant".casefold():
                    return Column(part=part)
        return Column(folded) if folded in OTHER_COLUMNS else Column()

    def _note_what_is_missing(self, names: Sequence[str], line: int) -> None:
        for name, column in zip(names, self._columns, strict=True):
            if name and column == Column() and len(self.notes) < MOST_NOTES:
                message = f"the column {quoted(name)} belongs to no question and is ignored"
                self.notes.append(CollectionNote(self.name, line, message))
        for missing in self._not_asked():
            if len(self.notes) < MOST_NOTES:
                self.notes.append(
                    CollectionNote(self.name, line, f"no column for {missing}: it counts as missing for everybody")
                )

    def _not_asked(self) -> Iterator[str]:
        """The questions that no column is for; of an exam the parts, whose variants may have columns of their own."""
        if isinstance(self.handed_out, Exam):
            asked = {column.part for column in self._columns if column.question}
            parts = self.handed_out.parts.items()
            yield from (f"the part {quoted(name)}" for name, part in parts if asked.isdisjoint({name, *part.exercises}))
            return
        asked = {column.question for column in self._columns}
        questions = self.handed_out.first.questions
        yield from (f"the question {quoted(question.id)}" for question in questions if question.id not in asked)

    def _answer(self, line: int, cells: Sequence[str]) -> Answer:
        if any(cell.strip() for cell in cells[len(self._columns) :]):
            message = f"the row has {len(cells):,} cells, the header {len(self._columns):,}"
            raise RowError(line, "syntax", message, "put a cell that contains the separator in quotes")
        fields: dict[str, str] = {}
        answers: dict[str, Any] = {}
        variants: dict[str, str] = {}
        for column, cell in zip(self._columns, cells, strict=False):
            text = unicodedata.normalize("NFC", without_direction_marks(cell).strip())
            if found := FORBIDDEN_CHARACTERS.search(text):
                raise RowError(line, "character", f"U+{ord(found.group()):04X} is not allowed", "delete it")
            if text and column.field:
                fields[column.field] = text
            elif text and column.question:
                below = (column.part,) if column.part else ()
                _put(answers, (*below, column.question, *column.path), text)
            elif text and column.part:
                variants[column.part] = text
        student = fields.get("student")
        if student is None:
            raise RowError(line, "missing-key", "the row does not say who the student is")
        if len(student) > self.limits.text_length:
            raise RowError(line, "long-text", f"the student's name has {len(student):,} characters")
        language = fields.get("language")
        if isinstance(self.handed_out, Exam):
            answers = self._by_exercise(self.handed_out, answers, variants, student, line)
        return Answer(
            exercise=fields.get("exercise") or self.handed_out.answered_as or fields.get("variant", ""),
            student=student,
            answers=answers,
            name=self._short(fields.get("name")),
            submitted=self._short(fields.get("submitted")),
            variant=self._short(fields.get("variant")),
            language=language if language in LANGUAGES else None,
            source=self.name,
            place=Place(line, 1),
        )

    def _by_exercise(
        self, exam: Exam, answers: Mapping[str, Any], variants: Mapping[str, str], student: str, line: int
    ) -> dict[str, Any]:
        """What stands under a part's name, under the id of the exercise that the student had."""
        found: dict[str, Any] = {name: written for name, written in answers.items() if name not in exam.several}
        theirs = {} if self._theirs is None else self._theirs(student)
        for part in exam.several:
            variant = variants.get(part) or theirs.get(part)
            if variant is None and part in answers:
                expected = f"add a column called {part}.variant, with the exercise's id"
                message = f"the row does not say which variant of {quoted(part)} is answered"
                raise RowError(line, "missing-key", message, expected)
            if variant is not None and (part in answers or part in variants):
                found[variant] = answers.get(part, {})
        return found

    def _short(self, text: str | None) -> str | None:
        return text if text is not None and len(text) <= self.limits.text_length else None


def _scopes(handed_out: Variants | Exam) -> Iterator[tuple[str, Exercise]]:
    """What may stand before a question in a column's name, and an exercise that asks the questions."""
    if isinstance(handed_out, Variants):
        yield "", handed_out.first
        return
    for name, part in handed_out.parts.items():
        yield from {name: part.first, **part.exercises}.items()


def _item_column(name: str, exercise: Exercise) -> Column | None:
    """The column of a question or of an item of one; the longest question first, since an id may contain points."""
    folded = name.casefold()
    for question in sorted(exercise.questions, key=lambda each: -len(each.id)):
        known = question.id.casefold()
        if folded == known:
            return Column(question=question.id)
        if folded.startswith(f"{known}."):
            rest = name[len(known) + 1 :]
            path = rest.split(".", 1) if ask_of(question).nested else [rest]
            return Column(question=question.id, path=tuple(path))
    return None


def _put(answers: dict[str, Any], path: Sequence[str], text: str) -> None:
    """A cell at its place. Where a question has a column of its own and others for its items, the items count."""
    here = answers
    for step in path[:-1]:
        inner = here.get(step)
        if not isinstance(inner, dict):
            inner = here[step] = {}
        here = inner
    if not isinstance(here.get(path[-1]), dict):
        here[path[-1]] = text
