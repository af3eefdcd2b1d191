"""Who a name, a login or an e-mail address belongs to."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from solver import UsageError

ID_COLUMNS = ("student", "id", "student id", "sis_id", "sid", "login", "username", "e-mail", "email", "email address")
"""By preference: whose cells are the students' ids."""
NAME_COLUMN = "name"


@dataclass(frozen=True, slots=True)
class Roster:
    students: dict[str, str] = field(default_factory=dict)
    """By anything that names them; what names two of them is not there."""
    names: dict[str, str] = field(default_factory=dict)

    def student(self, cells: Iterable[str]) -> str | None:
        """The first that one of these texts names."""
        return next((found for cell in cells if (found := self.students.get(_folded(cell))) is not None), None)


def read_roster(raw: bytes, name: str = "roster") -> Roster:
    """A CSV sheet with a column for the id and others for names, logins and addresses."""
    try:
        rows = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{name} is no CSV sheet in UTF-8: {error}") from None
    header = [cell.strip().casefold() for cell in rows[0]] if rows else []
    column = next((header.index(each) for each in ID_COLUMNS if each in header), None)
    if column is None:
        raise UsageError(f"{name}: no column says who the student is; one is called student, id, login or e-mail")
    students: dict[str, str | None] = {}
    names: dict[str, str] = {}
    for row in rows[1:]:
        if len(row) <= column or not (student := row[column].strip()):
            continue
        if NAME_COLUMN in header and header.index(NAME_COLUMN) < len(row):
            names[student] = row[header.index(NAME_COLUMN)].strip()
        for cell in filter(None, map(_folded, row)):
            students[cell] = student if students.get(cell, student) == student else None
    return Roster({cell: student for cell, student in students.items() if student is not None}, names)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()
