"""The list of who got which variant, as a sheet: written beside the variants, and obeyed from then on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.kernel.rows import RowError, Rows
from grader.kernel.sheets import sheet
from grader.people.dealing import Dealt
from solver.kernel import DEFAULT_LIMITS, UsageError

ENDING = ".students.csv"
COLUMNS = ("student", "name", "variant")
PART = "part"


def record_sheet(lines: Sequence[Dealt]) -> bytes:
    """CSV with a line for each student, in the order in which they were dealt; exams have a column for the part."""
    if any(line.part for line in lines):
        return sheet([(*COLUMNS, PART), *((line.student, line.name, line.variant, line.part) for line in lines)])
    return sheet([COLUMNS, *((line.student, line.name, line.variant) for line in lines)])


def read_record(raw: bytes, name: str) -> list[Dealt]:
    """UsageError for a sheet that says not who got which variant, or twice who did."""
    rows = Rows(iter(raw.splitlines(keepends=True)), DEFAULT_LIMITS.yaml_bytes)
    found: list[Dealt] = []
    seen: dict[tuple[str, str], int] = {}
    try:
        _, header = rows.header() or (1, [])
        places = _places([cell.strip().casefold() for cell in header], name)
        for row in rows:
            if isinstance(row, RowError):
                raise row
            line, cells = row
            student, called, variant, part = (_cell(cells, place) for place in places)
            each = Dealt(student, called, variant, part)
            if not each.key or not variant:
                raise UsageError(f"{name}:{line}: the row does not say who got which variant")
            if (first := seen.setdefault((each.key, part), line)) != line:
                raise UsageError(f"{name}:{line}: {student or called} appears twice, first at line {first}")
            found.append(each)
    except RowError as error:
        raise UsageError(f"{name}:{error.problem}") from None
    return found


def find_record(folder: Path | None, variants: Sequence[str]) -> tuple[Path, list[Dealt]] | None:
    """The list in a folder of variants that is about these; UsageError if there are two."""
    about: list[tuple[Path, list[Dealt]]] = []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder is not None else ():
        lines = read_record(path.read_bytes(), str(path))
        if {line.variant for line in lines} & set(variants):
            about.append((path, lines))
    if len(about) > 1:
        raise UsageError(f"{about[0][0]} and {about[1][0].name} both say who got these variants; keep one of them")
    return about[0] if about else None


def exam_record(name: str, folder: Path) -> tuple[Path, list[Dealt]]:
    """The list of an exam, which is beside it and has its name; no lines where there is none yet."""
    path = folder / f"{name}{ENDING}"
    return path, read_record(path.read_bytes(), str(path)) if path.is_file() else []


def _places(header: Sequence[str], name: str) -> list[int | None]:
    if "variant" not in header or not {"student", "name"} & set(header):
        raise UsageError(f"{name}: a list of students has the columns student, name and variant")
    return [header.index(each) if each in header else None for each in (*COLUMNS, PART)]


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""
