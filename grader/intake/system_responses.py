"""Answers that learning systems collected, as answers again: Moodle's and Canvas' sheets, Gradescope's folders.

Boxes come in the order in which they were exported, so the same exercises must be given. What cannot be told for
certain is a broken row with its line, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from grader.answers import without_direction_marks
from grader.delivery.systems.answer_boxes import answer_in
from grader.delivery.systems.canvas import texts_of_cell
from grader.delivery.systems.exercise_forms import CarriedQuestion, Form, exercise_form
from grader.delivery.systems.exporter import IN_CANVAS, IN_MOODLE, ExportOptions, System
from grader.delivery.systems.gradescope_run import ENDINGS
from grader.documents.answer_file import Answer, load_answer_bytes
from grader.documents.exam import Exam
from grader.kernel.csv_sheets import CsvRows, RowError
from grader.marking.run import Broken
from grader.people.roster import ADDRESS, LOGIN_COLUMNS, Roster
from grader.questions.exercise import Exercise, Question
from solver.kernel import DEFAULT_LIMITS, DocumentError, Limits, Place, Problem

MOODLE, CANVAS = "moodle", "canvas"
METADATA = "submission_metadata.yml"
_NUMBERED = re.compile(r"(?P<word>\D+?) (?P<number>\d+)")
_CANVAS_COLUMN = re.compile(r"\d+: ")
_PART = re.compile(r"(?:^|; )[^\W\d_]+ (\d+): ?")
NOTHING = "-"
"""Moodle's word for a student who opened the quiz and saved nothing."""


class _Unidentified(Exception):
    """What cannot be determined for certain."""


def kind_of(header: Sequence[str]) -> str | None:
    """Whose sheet has these columns; None if it is neither's."""
    if any(_CANVAS_COLUMN.match(cell) for cell in header):
        return CANVAS
    numbered = [cell for cell in header if _NUMBERED.fullmatch(cell.strip())]
    return MOODLE if numbered and not any("." in cell for cell in numbered) else None


def read_responses(
    rows: CsvRows,
    name: str,
    exercises: Sequence[Exercise],
    roster: Roster | None = None,
    exam: Exam | None = None,
) -> Iterator[Answer | Broken]:
    """The answers in a sheet of responses, or broken rows with their lines. A row is one answer to the exam that the
    exercises are parts of, if there is one."""
    _, header = rows.header() or (1, [])
    header = [without_direction_marks(cell).strip() for cell in header]
    kind = kind_of(header)
    if kind is None:
        yield _broken(name, 1, "this is not a sheet of responses from Moodle or Canvas")
        return
    read = (_Moodle if kind == MOODLE else _Canvas)(header, exercises, roster or Roster())
    for row in rows:
        if isinstance(row, RowError):
            yield Broken(name, (row.problem,))
        else:
            yield from _row(read, name, *row, exam)


def _row(read: _Sheet, name: str, line: int, cells: Sequence[str], exam: Exam | None) -> Iterator[Answer | Broken]:
    try:
        found = list(read.answers([without_direction_marks(cell) for cell in cells]))
        if exam is not None:
            found = list(read.as_exam(found, exam, cells))
        for answer in found:
            yield replace(answer, source=name, place=Place(line, 1))
    except _Unidentified as problem:
        yield _broken(name, line, str(problem))


class _Sheet:
    system: System
    blank_rows = False
    """Whether a row without any answer is somebody's who handed in an empty form."""

    def __init__(self, header: Sequence[str], exercises: Sequence[Exercise], roster: Roster) -> None:
        self.header, self.roster = list(header), roster
        self.exercises = {exercise.id: exercise for exercise in exercises}
        self._forms: dict[str, Form] = {}

    def answers(self, cells: Sequence[str]) -> Iterator[Answer]:
        raise NotImplementedError

    def as_exam(self, found: Sequence[Answer], exam: Exam, cells: Sequence[str]) -> Iterator[Answer]:
        """The answers of a row to single exercises as one answer to the exam."""
        if found or self.blank_rows:
            student = self.student(cells)
            answers = {each.exercise: each.answers for each in found}
            yield Answer(exam.id, student, answers, name=self.roster.names.get(student))

    def form(self, name: str) -> Form:
        if name not in self._forms:
            self._forms[name] = exercise_form(self.exercises[name], ExportOptions(), self.system)
        return self._forms[name]

    def student(self, cells: Sequence[str]) -> str:
        """Who a row is about: whom the roster knows by an id, a login or an address, then by the full name."""
        ids, names = self.told(cells)
        if self.roster.ids:
            known = self.roster.student(ids, names)
            if known is None:
                raise _Unidentified(f"{next(iter(ids or names), 'somebody')} is not in the roster")
            return known
        if not ids and not names:
            raise _Unidentified("the row does not say who the student is")
        return next(iter(ids or names))

    def told(self, cells: Sequence[str]) -> tuple[list[str], list[str]]:
        """What a row says of its student: ids, logins and addresses; and the full name, in either order."""
        raise NotImplementedError

    def answer(self, exercise: Exercise, student: str, written: Mapping[str, Any]) -> Answer:
        name = self.roster.names.get(student)
        return Answer(exercise.id, student, written, name=name, variant=exercise.id)


class _Moodle(_Sheet):
    """Each slot of a quiz has up to three columns: question, response and right answer, in this order."""

    system = IN_MOODLE

    def __init__(self, header: Sequence[str], exercises: Sequence[Exercise], roster: Roster) -> None:
        super().__init__(header, exercises, roster)
        self.slots: dict[str, list[int]] = {}
        for place, cell in enumerate(header):
            # In every language `right answer` is more than one word. It must not be taken for what a student wrote.
            if (found := _NUMBERED.fullmatch(cell)) and " " not in found["word"].strip():
                self.slots.setdefault(found["number"], []).append(place)
        self.before = min((place for places in self.slots.values() for place in places), default=0)

    def answers(self, cells: Sequence[str]) -> Iterator[Answer]:
        for places in self.slots.values():
            here = [cells[place] for place in places if place < len(cells)]
            response = here[-1].strip() if here else ""
            if not response or (response == NOTHING and not any(cells[1:3])):
                # A slot with a description, or the averages below the table.
                continue
            # What a student writes must not tell which variant it answers.
            exercise = self._exercise(here[:-1])
            if exercise is None:
                continue
            parts = _parts(response)
            if parts is None and response != NOTHING:
                raise _Unidentified(f"no column has responses to {exercise.id}; download them with response ticked")
            written = {} if parts is None else self._written(exercise, parts)
            yield self.answer(exercise, self.student(cells), written)

    def told(self, cells: Sequence[str]) -> tuple[list[str], list[str]]:
        """The first two columns are the names; which comes first depends on the site."""
        about = [cell.strip() for cell in cells[: self.before]]
        header = [cell.casefold() for cell in self.header[: self.before]]
        logins = [cell for name, cell in zip(header, about, strict=False) if name in LOGIN_COLUMNS and cell]
        addresses = [cell for cell in about if ADDRESS.fullmatch(cell)]
        names = [" ".join(filter(None, each)) for each in (about[:2], about[1::-1])]
        return list(dict.fromkeys([*logins, *addresses])), [name for name in names if name]

    def _exercise(self, cells: Sequence[str]) -> Exercise | None:
        """By the code in the question's text, if that was downloaded too; None for another slot's question."""
        for name, exercise in self.exercises.items():
            if any(f"({name})" in cell for cell in cells):
                return exercise
        if len(self.exercises) == 1:
            return None if any(re.search(r"\(\S+\)", cell) for cell in cells) else next(iter(self.exercises.values()))
        raise _Unidentified("no column says which variant this is; download the responses with the question's text")

    def _written(self, exercise: Exercise, parts: Sequence[str]) -> dict[str, Any]:
        made = self.form(exercise.id).questions
        faithful = tuple(each for each in made if not each.provisional)
        for carried in (made, faithful):
            if sum(len(each.boxes) for each in carried) == len(parts):
                return _by_question(carried, parts)
        raise _Unidentified(f"{len(parts)} parts were answered, and {exercise.id} has another number of boxes")


def _parts(cell: str) -> list[str] | None:
    """`part 1: 3; part 2: 4`, in any language; None if the string is not such a list."""
    texts: list[str] = []
    starts: list[re.Match[str]] = []
    for found in _PART.finditer(cell):
        # What a student wrote may look like a part as well: only the next number counts.
        if int(found.group(1)) == len(starts) + 1 and (starts or found.start() == 0):
            starts.append(found)
    if not starts:
        return None
    for here, after in zip(starts, [*starts[1:], None], strict=True):
        texts.append(cell[here.end() : len(cell) if after is None else after.start()].strip())
    return texts


class _Canvas(_Sheet):
    system = IN_CANVAS
    blank_rows = True

    def __init__(self, header: Sequence[str], exercises: Sequence[Exercise], roster: Roster) -> None:
        super().__init__(header, exercises, roster)
        self.columns: list[tuple[int, Exercise, Question]] = []
        for place, cell in enumerate(header):
            for exercise in exercises:
                for question in exercise.questions:
                    if _CANVAS_COLUMN.match(cell) and f"({exercise.id}/{question.id})" in cell:
                        self.columns.append((place, exercise, question))
        self.before = next((place for place, cell in enumerate(header) if _CANVAS_COLUMN.match(cell)), len(header))

    def answers(self, cells: Sequence[str]) -> Iterator[Answer]:
        written: dict[str, dict[str, Any]] = {}
        for place, exercise, question in self.columns:
            cell = cells[place].strip() if place < len(cells) else ""
            if cell:
                written.setdefault(exercise.id, {}).update(self._written(exercise, question, cell))
        if not written and len({exercise.id for _, exercise, _ in self.columns}) == 1:
            # Somebody who handed in an empty form.
            written = {self.columns[0][1].id: {}}
        for name, answers in written.items():
            yield self.answer(self.exercises[name], self.student(cells), answers)

    def told(self, cells: Sequence[str]) -> tuple[list[str], list[str]]:
        """Name, Canvas' own number and the institution's id, in this order in every language. A roster's numbers are
        not Canvas', so that one counts only where there is no roster."""
        name, number, own = (cell.strip() for cell in [*cells[:3], "", "", ""][:3])
        ids = [own, *([] if self.roster.ids else [number])]
        return [each for each in ids if each], [name] if name else []

    def _written(self, exercise: Exercise, question: Question, cell: str) -> dict[str, Any]:
        carried = next(each for each in self.form(exercise.id).questions if each.question.id == question.id)
        count = len(carried.boxes)
        texts = texts_of_cell(carried, cell)
        if len(texts) != count:
            raise _Unidentified(
                f"{question.id}: {len(texts)} answers for {count} boxes, since Canvas leaves out empty ones; "
                "put commas where they are missing"
            )
        return _by_question([carried], texts)


def _by_question(carried: Sequence[CarriedQuestion], texts: Sequence[str]) -> dict[str, Any]:
    rest = iter(texts)
    found: dict[str, Any] = {}
    for each in carried:
        answer = answer_in(each.question, each.boxes, [next(rest) for _ in each.boxes])
        if answer is not None:
            found[each.question.id] = answer
    return found


def is_export(path: Path) -> bool:
    """Whether a folder is Gradescope's export of submissions."""
    return (path / METADATA).is_file()


def read_submissions(
    folder: Path, roster: Roster | None = None, limits: Limits = DEFAULT_LIMITS
) -> Iterator[Answer | Broken]:
    """The answers in Gradescope's export of submissions: a folder each, and who submitted it in one file. What a group
    submitted is the answer of each of them."""
    groups = _submitters(folder / METADATA)
    people = roster or Roster()
    for each in sorted(path for path in folder.iterdir() if path.is_dir()):
        group = groups.get(each.name, [])
        files = sorted(file for file in each.iterdir() if file.suffix.lower() in ENDINGS)
        if len(files) != 1:
            who = ", ".join(next(filter(None, told), "") for told in group) or "somebody"
            what = "no file of answers" if not files else f"{len(files)} files of answers"
            yield _broken(str(each), 1, f"{who} submitted {what}")
            continue
        try:
            answer = load_answer_bytes(files[0].read_bytes(), str(files[0]), limits)
        except DocumentError as error:
            yield Broken(str(files[0]), tuple(error.problems), error.total)
            continue
        for told in group or [(answer.student, "", "")]:
            *ids, name = told
            known = people.student(ids, [name])
            name = next(iter(filter(None, told)), answer.student)
            student = known or (None if people.ids else name)
            if student is None:
                yield _broken(str(files[0]), 1, f"{name} is not in the roster")
            else:
                yield replace(answer, student=student, name=people.names.get(student, answer.name))


def _submitters(path: Path) -> dict[str, list[tuple[str, ...]]]:
    """By submission: each submitter's id, address and name, as far as they are known."""
    try:
        data = yaml.load(path.read_text("utf-8"), getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # strings only
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}
    found: dict[str, list[tuple[str, ...]]] = {}
    for name, about in data.items() if isinstance(data, dict) else ():
        people = about.get(":submitters") if isinstance(about, dict) else None
        for person in people if isinstance(people, list) else ():
            if isinstance(person, dict):
                told = tuple(str(person.get(key) or "") for key in (":sid", ":email", ":name"))
                found.setdefault(name, []).append(told)
    return found


def _broken(name: str, line: int, message: str) -> Broken:
    return Broken(name, (Problem(Place(line, 1), "syntax", message),))
