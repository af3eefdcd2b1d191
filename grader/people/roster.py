"""The students of a class, and who an id, a login, an e-mail address or a name belongs to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grader.kernel.csv_sheets import CsvRows, RowError
from solver.kernel import DEFAULT_LIMITS, UsageError

ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
ACCOUNTS = (
    *("sis login id", "login", "username", "nome de usuário", "nome de utilizador", "nombre de usuario", "usuario"),
    "نام کاربری",
)
LOGIN_COLUMNS = (
    *("sis login id", "sis_id", "sis user id", "student id", "student number", "id number", "sid", "id", *ACCOUNTS),
    *("identificador", "identificación", "número de identificação", "número de id", "matrícula", "شناسه"),
    *("شماره دانشجویی", "e-mail", "email", "email address", "e-mail address", "endereço de email"),
    *("dirección de correo", "correo electrónico", "correo", "نشانی ایمیل", "ایمیل"),
)
"""Whose cells tell one student from another; the first of a sheet's are the ids."""
STUDENT = "student"
"""Also the id; but where a sheet has one beside it, as Canvas' gradebook has, the name."""
NAME_COLUMNS = ("name", "full name", "nome", "nome completo", "nombre", "nombre completo", "نام", "نام و نام خانوادگی")
FIRST_NAMES = ("first name", "given name", "firstname", "nombre(s)", "nome próprio", "نام")
PARTICIPANT_COLUMNS = ("identifier", "identificador", "شناسه", "participant", "participante", "شرکت‌کننده")
"""Of Moodle's grading worksheet: cells such as Participant 4711."""
_PARTICIPANT = re.compile(r"[^\W\d]+ ?(\d+)")
LAST_NAMES = ("last name", "surname", "family name", "lastname", "apellido(s)", "apellidos", "sobrenome", "apelido")


@dataclass(frozen=True, slots=True)
class Student:
    name: str
    id: str = ""
    """Printed beside the name, and what the variant depends on; the name without it."""


@dataclass(frozen=True, slots=True)
class Roster:
    ids: tuple[str, ...] = ()
    """Each once, in the order of the sheet; of a student without one, the name."""
    keys: dict[str, str] = field(default_factory=dict)
    """Ids by whatever tells one student from another; what two of them have is not there."""
    called: dict[str, str] = field(default_factory=dict)
    """Ids by full name, in either order; what two of them are called is not there."""
    names: dict[str, str] = field(default_factory=dict)
    logins: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    participants: dict[str, str] = field(default_factory=dict)
    """The numbers that Moodle gave students in one assignment, as its grading worksheet has them."""

    def student(self, keys: Iterable[str], names: Iterable[str] = ()) -> str | None:
        """Whom an id, login or address belongs to; only if none is known, who is called so."""
        for known, texts in ((self.keys, keys), (self.called, names)):
            if found := next((known[_folded(text)] for text in texts if _folded(text) in known), None):
                return found
        return None


def read_roster(raw: bytes, name: str = "roster") -> Roster:
    """A CSV sheet with a column for the id and others for names, logins and addresses."""
    rows = CsvRows(iter(raw.splitlines(keepends=True)), DEFAULT_LIMITS.yaml_bytes)
    try:
        _, cells = rows.header() or (1, [])
    except RowError as error:
        raise UsageError(f"{name}:{error.problem}") from None
    columns = _Columns([_folded(cell) for cell in cells], name)
    ids: dict[str, int] = {}
    keys: dict[str, str | None] = {}
    called: dict[str, str | None] = {}
    names: dict[str, str] = {}
    logins: dict[str, str] = {}
    addresses: dict[str, str] = {}
    participants: dict[str, str] = {}
    for row in rows:
        if isinstance(row, RowError):
            raise UsageError(f"{name}:{row.problem}")
        line, cells = row
        full = columns.names(cells)
        student = columns.id(cells) or next(iter(full), "")
        if not student:
            raise UsageError(f"{name}:{line}: the row does not say who the student is")
        if student in ids:
            raise UsageError(f"{name}:{line}: {student} appears twice, first at line {ids[student]}")
        ids[student] = line
        if full:
            names[student] = full[0]
        if login := columns.login(cells):
            logins[student] = login
        if address := next((cell.strip() for cell in cells if ADDRESS.fullmatch(cell.strip())), None):
            addresses[student] = address
        if participant := columns.participant(cells):
            participants[student] = participant
        for known, texts in ((keys, [student, *columns.keys(cells)]), (called, full)):
            for text in filter(None, map(_folded, texts)):
                known[text] = student if known.get(text, student) == student else None
    return Roster(tuple(ids), _told(keys), _told(called), names, logins, addresses, participants)


class _Columns:
    def __init__(self, header: Sequence[str], sheet: str) -> None:
        has_login = any(name in header for name in LOGIN_COLUMNS)
        self._id = next((header.index(each) for each in (STUDENT, *LOGIN_COLUMNS) if each in header), None)
        if has_login and STUDENT in header and any(each in header for each in ("id", "sis login id")):
            self._id = next(header.index(each) for each in LOGIN_COLUMNS if each in header)
        named = [STUDENT, *NAME_COLUMNS] if self._id != _place(header, (STUDENT,)) else NAME_COLUMNS
        self._name = _place(header, named)
        self._first, self._last = _place(header, FIRST_NAMES), _place(header, LAST_NAMES)
        self._login = _place(header, ACCOUNTS)
        self._participant = _place(header, PARTICIPANT_COLUMNS)
        self._keys = [place for place, name in enumerate(header) if name in LOGIN_COLUMNS]
        if self._id is None:
            raise UsageError(f"{sheet}: no column says who the student is; one is called student, id, login or e-mail")

    def id(self, cells: Sequence[str]) -> str:
        return _cell(cells, self._id)

    def login(self, cells: Sequence[str]) -> str:
        return _cell(cells, self._login)

    def participant(self, cells: Sequence[str]) -> str:
        found = _PARTICIPANT.fullmatch(_cell(cells, self._participant))
        return str(int(found[1])) if found else ""

    def keys(self, cells: Sequence[str]) -> list[str]:
        return [
            *(_cell(cells, place) for place in self._keys),
            *(cell.strip() for cell in cells if ADDRESS.fullmatch(cell.strip())),
        ]

    def names(self, cells: Sequence[str]) -> list[str]:
        """The full name, and its parts in either order."""
        parts = [_cell(cells, self._first), _cell(cells, self._last)]
        both = [" ".join(parts), " ".join(reversed(parts))] if all(parts) else []
        return [name for name in (_cell(cells, self._name), *both) if name]


def _place(header: Sequence[str], names: Iterable[str]) -> int | None:
    return next((header.index(each) for each in names if each in header), None)


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""


def _told(known: dict[str, str | None]) -> dict[str, str]:
    return {text: student for text, student in known.items() if student is not None}


def roster_from(raw: bytes, name: str = "roster") -> list[Student]:
    """From a CSV sheet with columns for the id and the name, if its name ends so; else from a string, a name a line."""
    if name.casefold().endswith((".csv", ".tsv")):
        read = read_roster(raw, name)
        found = [Student(read.names.get(each) or each, each) for each in read.ids]
    else:
        try:
            lines = [line.strip() for line in raw.decode("utf-8-sig").splitlines()]
        except UnicodeDecodeError:
            raise UsageError(f"the roster {name} is not UTF-8 text") from None
        found = [Student(line) for line in lines if line and not line.startswith("#")]
    if not found:
        raise UsageError(f"the roster {name} names nobody")
    return found


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()
