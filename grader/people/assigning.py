"""Which student gets which variant: always the same one, and nobody without the secret can tell which."""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Sequence

from grader.kernel.cells import sheet
from grader.people.roster import Student
from solver.kernel import UsageError

NO_SECRET = "plymark"
"""Where the teacher gives none: the same student still gets the same variant, but anybody can find out which."""


def assign(student: str, secret: str | bytes, count: int) -> int:
    """The number of the student's variant, from 0; spaces around the name and its case do not matter."""
    if count < 1:
        raise UsageError("there are no variants to assign")
    key = secret.encode() if isinstance(secret, str) else secret
    if not key:
        raise UsageError("variants are assigned by a secret; it is empty")
    name = unicodedata.normalize("NFC", student).strip().casefold()
    return int.from_bytes(hmac.digest(key, name.encode(), "blake2b"), "big") % count


def variant_for(student: Student, variants: int, secret: str | bytes = "") -> int:
    """The position of the student's variant among this many."""
    return assign(student.id or student.name, secret or NO_SECRET, variants)


def assigned_sheet(students: Sequence[tuple[str, str]], secret: str | bytes, variants: Sequence[str]) -> bytes:
    """A CSV sheet that says who gets which variant: a line for each student, given as id and name. A line depends on
    the student, the secret and the variants alone, not on the other students or on their order."""
    rows = [(student, name, variants[assign(student or name, secret, len(variants))]) for student, name in students]
    return sheet([("student", "name", "variant"), *rows])
