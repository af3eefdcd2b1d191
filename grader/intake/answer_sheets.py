"""Answers in a sheet (CSV): a row for each student and a column for each item.

The header names the column with the student (`student`, `id`, `login`, `e-mail`, …) and, for each item, the question
or `question.item`: `values.A`, `windows.C`, `pruned`, `move`. An empty cell is missing. Commas, semicolons or tabs
separate. Rows are read one at a time, whatever the size of the sheet.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grader.answers import without_direction_marks
from grader.documents.answer import Answer
from grader.intake.found import Note
from grader.kernel.rows import RowError, Rows
from grader.marking.run import Broken
from grader.people.variants import Variants
from grader.questions.exercise import Question
from grader.questions.registry import ask_of
from solver.documents import FORBIDDEN_CHARACTERS
from solver.kernel import DEFAULT_LIMITS, Limits, Place, Problem, quoted
from solver.languages import LANGUAGES

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


class AnswerSheet:
    def __init__(self, rows: Rows, name: str, variants: Variants, limits: Limits = DEFAULT_LIMITS) -> None:
        self.name, self.variants, self.limits = name, variants, limits
        self.notes: list[Note] = []
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
        if self.variants.only is None and not {"exercise", "variant"} & set(folded):
            expected = "add a column called variant, with the exercise's id"
            raise RowError(line, "missing-key", "no column says which variant is answered", expected)
        questions = {question.id.casefold(): question for question in self.variants.first.questions}
        self._columns = [self._column(name, student, questions) for name in names]
        self._note_what_is_missing(names, line)
        return names

    def _column(self, name: str, student: str, questions: dict[str, Question]) -> Column:
        folded = name.casefold()
        if folded == student:
            return Column("student")
        if folded == "student" and student == CANVAS_LOGIN:
            return Column("name")
        # The longest question first: an id may contain points.
        for known in sorted(questions, key=len, reverse=True):
            question = questions[known]
            if folded == known:
                return Column(question=question.id)
            if folded.startswith(f"{known}."):
                rest = name[len(known) + 1 :]
                path = rest.split(".", 1) if ask_of(question).nested else [rest]
                return Column(question=question.id, path=tuple(path))
        return Column(folded) if folded in OTHER_COLUMNS else Column()

    def _note_what_is_missing(self, names: Sequence[str], line: int) -> None:
        for name, column in zip(names, self._columns, strict=True):
            if name and column == Column() and len(self.notes) < MOST_NOTES:
                message = f"the column {quoted(name)} belongs to no question and is ignored"
                self.notes.append(Note(self.name, line, message))
        asked = {column.question for column in self._columns}
        for question in self.variants.first.questions:
            if question.id not in asked:
                message = f"no column for the question {quoted(question.id)}: it counts as missing for everybody"
                self.notes.append(Note(self.name, line, message))

    def _answer(self, line: int, cells: Sequence[str]) -> Answer:
        if any(cell.strip() for cell in cells[len(self._columns) :]):
            message = f"the row has {len(cells):,} cells, the header {len(self._columns):,}"
            raise RowError(line, "syntax", message, "put a cell that contains the separator in quotes")
        fields: dict[str, str] = {}
        answers: dict[str, Any] = {}
        for column, cell in zip(self._columns, cells, strict=False):
            text = unicodedata.normalize("NFC", without_direction_marks(cell).strip())
            if found := FORBIDDEN_CHARACTERS.search(text):
                raise RowError(line, "character", f"U+{ord(found.group()):04X} is not allowed", "delete it")
            if text and column.field:
                fields[column.field] = text
            elif text and column.question:
                _put(answers, (column.question, *column.path), text)
        student = fields.get("student")
        if student is None:
            raise RowError(line, "missing-key", "the row does not say who the student is")
        if len(student) > self.limits.text_length:
            raise RowError(line, "long-text", f"the student's name has {len(student):,} characters")
        language, only = fields.get("language"), self.variants.only
        exercise = fields.get("exercise") or (fields.get("variant", "") if only is None else only.id)
        return Answer(
            exercise=exercise,
            student=student,
            answers=answers,
            name=self._short(fields.get("name")),
            submitted=self._short(fields.get("submitted")),
            variant=self._short(fields.get("variant")),
            language=language if language in LANGUAGES else None,
            source=self.name,
            place=Place(line, 1),
        )

    def _short(self, text: str | None) -> str | None:
        return text if text is not None and len(text) <= self.limits.text_length else None


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
