"""Which student gets which variant; nobody without the secret can tell.

With a roster variants are dealt in blocks of as many students as there are variants: everyone in a block gets another
one, and neighbours in the list never have the same. The list that was written beside the variants is the record: it is
obeyed, and students who are new are dealt after those it names. Without a roster a variant depends on the student's id
alone.
"""

from __future__ import annotations

import hmac
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from grader.kernel.csv_sheets import CsvRows, RowError, csv_bytes, safe_cell
from grader.people.roster import Student
from solver.kernel import DEFAULT_LIMITS, UsageError


def secret_key(secret: str | bytes) -> bytes:
    key = secret.encode() if isinstance(secret, str) else secret
    if not key:
        raise UsageError("variants are assigned by a secret; it is empty")
    return key


def block_order(key: bytes, folder: str, block: int, variants: Sequence[str], before: str) -> list[str]:
    """The variants as a block has them; drawn again as long as the first would be its neighbour's."""
    for draw in count():
        drawn = order_by_secret(key, variants, folder, block, draw)
        if drawn[0] != before or len(variants) == 1:
            return drawn
    raise AssertionError


def order_by_secret(key: bytes, variants: Sequence[str], *facts: object) -> list[str]:
    """In an order that the key draws for these facts, in whatever order they come."""
    return sorted(variants, key=lambda variant: _keyed_number(key, *facts, variant))


def deal_places(variants: Sequence[str], secret: str | bytes, folder: str, places: int) -> list[str]:
    """What that many places are dealt, one after another."""
    if not variants:
        raise UsageError("there are no variants to assign")
    key, dealt = secret_key(secret), list[str]()
    while len(dealt) < places:
        before = dealt[-1] if dealt else ""
        dealt += block_order(key, folder, len(dealt) // len(variants), variants, before)
    return dealt[:places]


def _keyed_number(key: bytes, *facts: object) -> bytes:
    return hmac.digest(key, json.dumps(facts).encode(), "blake2b")


NO_SECRET = "plymark"
"""Where the teacher gives none: the same student still gets the same variant, but anybody can find out which."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """A line of the list: who got which variant."""

    student: str
    """The id; empty where there is only a name."""
    name: str
    variant: str
    part: str = ""
    """Of the exam, where there are several."""

    @property
    def key(self) -> str:
        return student_key(self.student or self.name)


def student_key(student: str) -> str:
    """What tells students apart: the case of an id or a name does not matter, nor spaces around it, nor whether a sheet
    has guarded it against being taken for a formula."""
    return _folded(safe_cell(student))


def assign(student: str, secret: str | bytes, variants: int) -> int:
    """The number of a student's variant, from 0, by the id alone."""
    if variants < 1:
        raise UsageError("there are no variants to assign")
    return int.from_bytes(hmac.digest(secret_key(secret), _folded(student).encode(), "blake2b"), "big") % variants


def deal(
    students: Sequence[Student],
    variants: Sequence[str],
    secret: str | bytes,
    folder: str,
    record: Sequence[Allocation] = (),
) -> list[Allocation]:
    """The whole list: the record's lines as they are, then a line for each student that they do not name.

    A line depends on the secret, the folder's id, the variants and the lines before it: a student who is appended
    changes nobody else's.
    """
    if not variants:
        raise UsageError("there are no variants to assign")
    _require_known(record, variants)
    key, lines = secret_key(secret), list(record)
    known = {line.key for line in lines}
    order: list[str] = []
    for student in students:
        name = student_key(student.id or student.name)
        if name in known:
            continue
        known.add(name)
        start = len(lines) - len(lines) % len(variants)
        if not order or start == len(lines):
            order = block_order(
                key, folder, start // len(variants), variants, lines[start - 1].variant if start else ""
            )
        used = {line.variant for line in lines[start:]}
        # The next of the block, unless a record was changed by hand.
        lines.append(Allocation(student.id, student.name, next(each for each in order if each not in used)))
    return lines


def deal_parts(
    students: Sequence[Student],
    parts: Mapping[str, Sequence[str]],
    secret: str | bytes,
    record: Sequence[Allocation] = (),
) -> list[Allocation]:
    """The same for an exam, of whose parts each is dealt by itself: part after part."""
    require_parts(parts, record)
    return [
        replace(line, part=name)
        for name, variants in parts.items()
        for line in deal(students, variants, secret, name, [each for each in record if each.part == name])
    ]


def require_parts(parts: Mapping[str, Sequence[str]], record: Sequence[Allocation]) -> None:
    """UsageError for a record of other parts than these."""
    if odd := next((line.part for line in record if line.part not in parts), None):
        raise UsageError(f"the list of students is about the part {odd!r}, which the exam does not have")


def variants_by_student(lines: Sequence[Allocation]) -> Mapping[str, str]:
    """The variants by what `student_key` makes of ids, or of names where there are none."""
    return {line.key: line.variant for line in lines}


def _folded(student: str) -> str:
    return unicodedata.normalize("NFC", student).strip().casefold()


def _require_known(record: Sequence[Allocation], variants: Sequence[str]) -> None:
    there = set(variants)
    for line in record:
        if line.variant not in there:
            who = line.student or line.name
            raise UsageError(
                f"the list of students gives {who} the variant {line.variant!r}, which is not among these exercises"
            )


RECORD_ENDING = ".students.csv"
RECORD_COLUMNS = ("student", "name", "variant")
PART_COLUMN = "part"


def record_sheet(lines: Sequence[Allocation]) -> bytes:
    """CSV with a line for each student, in the order in which they were dealt; exams have a column for the part."""
    if any(line.part for line in lines):
        return csv_bytes(
            [(*RECORD_COLUMNS, PART_COLUMN), *((line.student, line.name, line.variant, line.part) for line in lines)]
        )
    return csv_bytes([RECORD_COLUMNS, *((line.student, line.name, line.variant) for line in lines)])


def read_record(raw: bytes, name: str) -> list[Allocation]:
    """UsageError for a sheet that says not who got which variant, or twice who did."""
    rows = CsvRows(iter(raw.splitlines(keepends=True)), DEFAULT_LIMITS.yaml_bytes)
    lines: list[Allocation] = []
    first_lines: dict[tuple[str, str], int] = {}
    try:
        _, header = rows.header() or (1, [])
        places = _column_places([cell.strip().casefold() for cell in header], name)
        for row in rows:
            if isinstance(row, RowError):
                raise row
            line, cells = row
            student, called, variant, part = (_cell(cells, place) for place in places)
            each = Allocation(student, called, variant, part)
            if not each.key or not variant:
                raise UsageError(f"{name}:{line}: the row does not say who got which variant")
            if (first := first_lines.setdefault((each.key, part), line)) != line:
                raise UsageError(f"{name}:{line}: {student or called} appears twice, first at line {first}")
            lines.append(each)
    except RowError as error:
        raise UsageError(f"{name}:{error.problem}") from None
    return lines


def find_record(folder: Path | None, variants: Sequence[str]) -> tuple[Path, list[Allocation]] | None:
    """The list in a folder of variants that is about these; UsageError if there are two."""
    about: list[tuple[Path, list[Allocation]]] = []
    for path in sorted(folder.glob(f"*{RECORD_ENDING}")) if folder is not None else ():
        lines = read_record(path.read_bytes(), str(path))
        if {line.variant for line in lines} & set(variants):
            about.append((path, lines))
    if len(about) > 1:
        raise UsageError(f"{about[0][0]} and {about[1][0].name} both say who got these variants; keep one of them")
    return about[0] if about else None


def exam_record(name: str, folder: Path) -> tuple[Path, list[Allocation]]:
    """The list of an exam, which is beside it and has its name; no lines where there is none yet."""
    path = folder / f"{name}{RECORD_ENDING}"
    return path, read_record(path.read_bytes(), str(path)) if path.is_file() else []


def _column_places(header: Sequence[str], name: str) -> list[int | None]:
    if "variant" not in header or not {"student", "name"} & set(header):
        raise UsageError(f"{name}: a list of students has the columns student, name and variant")
    return [header.index(each) if each in header else None for each in (*RECORD_COLUMNS, PART_COLUMN)]


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""
