"""The students of a class, and who gets which variant."""

from __future__ import annotations

from dataclasses import dataclass

from grader.exporters.roster import read_roster
from grader.generating.assigning import assign
from solver import UsageError

NO_SECRET = "plymark"
"""Where the teacher gives none: the same student still gets the same variant, but anybody can find out which."""


@dataclass(frozen=True, slots=True)
class Student:
    name: str
    id: str = ""
    """Printed beside the name, and what the variant depends on; the name without it."""


def variant_for(student: Student, variants: int, secret: str | bytes = "") -> int:
    """The place of the student's variant."""
    return assign(student.id or student.name, secret or NO_SECRET, variants)


def roster_from(raw: bytes, name: str = "roster") -> list[Student]:
    """From a CSV sheet with columns for the id and the name, if its name ends so; else from a text, a name a line."""
    if name.casefold().endswith(".csv"):
        read = read_roster(raw, name)
        found = [Student(read.names.get(each) or each, each) for each in dict.fromkeys(read.students.values())]
    else:
        try:
            lines = [line.strip() for line in raw.decode("utf-8-sig").splitlines()]
        except UnicodeDecodeError:
            raise UsageError(f"the roster {name} is not UTF-8 text") from None
        found = [Student(line) for line in lines if line and not line.startswith("#")]
    if not found:
        raise UsageError(f"the roster {name} names nobody")
    return found
