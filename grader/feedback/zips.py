"""Feedback files in one archive, named so that a learning system gives each to its student.

Moodle's assignments take files from folders `Full name_participant_plugin type_plugin`, the participant being a number
that Moodle gave the student in this very assignment. Canvas takes files named as those it gave out itself, with its own
numbers of the student and of the file that was handed in. Both numbers are in the names of what was downloaded from
there; Moodle's is also in its grading worksheet, which can be the roster.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import PurePath

from grader.delivery.systems.exporter import file_name, pack
from grader.documents.answer_file import Answer
from grader.feedback.files import FeedbackFile
from grader.people.roster import Roster

LONGEST_NAME = 80
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*_\u200e\u200f\u202a-\u202e\u2066-\u2069]+')
"""What a folder's name has not; an underscore would end the student's name."""
_FIELDS = 5
_LATE, _ANONYMOUS = "LATE", "anon"

Placing = Callable[[Answer, Roster, str], str | None]
"""Where a file goes in the archive; None where nobody knows."""


def moodle_place(answer: Answer, roster: Roster, file: str) -> str | None:
    for part in PurePath(answer.source).parts:
        # As Moodle takes such names apart itself.
        fields = part.split("_", _FIELDS - 1)
        if len(fields) >= _FIELDS - 1 and _is_number(fields[1]) and fields[2].startswith("assign"):
            return _in_moodle(fields[0], fields[1], file)
    student = roster.student([answer.student], [answer.name or ""]) or answer.student
    if student not in roster.participants:
        return None
    return _in_moodle(roster.names.get(student) or answer.name or student, roster.participants[student], file)


def _in_moodle(name: str, participant: str, file: str) -> str:
    plain = " ".join(_UNSAFE.sub(" ", name).split())[:LONGEST_NAME].strip(" .~")
    return f"{plain or 'student'}_{participant}_assignfeedback_file/{file}"


def canvas_place(answer: Answer, _roster: Roster, file: str) -> str | None:
    parts = PurePath(answer.source).name.split("_")
    fields = [place for place, part in enumerate(parts) if part != _LATE]
    if parts[0] == _ANONYMOUS and len(fields) > 3:
        last = fields[2]
    else:
        numbers = [place for place in fields if _is_number(parts[place])]
        if len(numbers) < 2:
            return None
        last = numbers[1]
    # What comes after the number of the file that was handed in is nothing to Canvas.
    return "_".join([*parts[: last + 1], file])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


PLACES: dict[str, tuple[Placing, str]] = {
    "moodle": (
        moodle_place,
        "neither the answer's folder nor the roster has Moodle's number of the participant",
    ),
    "canvas": (
        canvas_place,
        "the answer is not a file that was downloaded from Canvas, with Canvas' numbers in its name",
    ),
}
"""By system, and what is wrong where there is no place."""


class FeedbackZip:
    """An archive that takes files one after another."""

    def __init__(self, system: str, roster: Roster | None) -> None:
        self.place, self.without = PLACES[system]
        self.roster = roster or Roster()
        self.left_out: list[str] = []
        """The students whose feedback has no place."""
        self._buffer = io.BytesIO()
        self._archive = zipfile.ZipFile(self._buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self._taken: set[str] = set()

    def add(self, file: FeedbackFile) -> None:
        if file.answer is None:
            return
        name = f"feedback-{file_name(file.answer.exercise)}{PurePath(file.name).suffix}"
        path = self.place(file.answer, self.roster, name)
        if path is None or path.casefold() in self._taken:
            self.left_out.append(file.answer.student)
            return
        self._taken.add(path.casefold())
        pack(self._archive, path, file.content)

    def finished(self) -> bytes:
        self._archive.close()
        return self._buffer.getvalue()
