"""Which student gets which variant; nobody without the secret can tell.

With a roster variants are dealt: in each block of as many students as there are variants everyone gets another one, and
neighbours in the list never have the same. The list that was written is the record: it is obeyed, and students who are
new are dealt after those it names. Without a roster a variant depends on the student's id alone.
"""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader.kernel.sheets import spreadsheet
from grader.people.blocks import block_order, secret_key
from grader.people.roster import Student
from solver.kernel import UsageError

NO_SECRET = "plymark"
"""Where the teacher gives none: the same student still gets the same variant, but anybody can find out which."""


@dataclass(frozen=True, slots=True)
class Dealt:
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
    return _folded(spreadsheet(student))


def assign(student: str, secret: str | bytes, variants: int) -> int:
    """The number of a student's variant, from 0, by the id alone."""
    if variants < 1:
        raise UsageError("there are no variants to assign")
    return int.from_bytes(hmac.digest(secret_key(secret), _folded(student).encode(), "blake2b"), "big") % variants


def deal(
    students: Sequence[Student], variants: Sequence[str], secret: str | bytes, folder: str, record: Sequence[Dealt] = ()
) -> list[Dealt]:
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
        lines.append(Dealt(student.id, student.name, next(each for each in order if each not in used)))
    return lines


def deal_parts(
    students: Sequence[Student],
    parts: Mapping[str, Sequence[str]],
    secret: str | bytes,
    record: Sequence[Dealt] = (),
) -> list[Dealt]:
    """The same for an exam, of whose parts each is dealt by itself: part after part."""
    require_parts(parts, record)
    return [
        replace(line, part=name)
        for name, variants in parts.items()
        for line in deal(students, variants, secret, name, [each for each in record if each.part == name])
    ]


def require_parts(parts: Mapping[str, Sequence[str]], record: Sequence[Dealt]) -> None:
    """UsageError for a record of other parts than these."""
    if odd := next((line.part for line in record if line.part not in parts), None):
        raise UsageError(f"the list of students is about the part {odd!r}, which the exam does not have")


def variants_by_student(lines: Sequence[Dealt]) -> Mapping[str, str]:
    """The variants by what `student_key` makes of ids, or of names where there are none."""
    return {line.key: line.variant for line in lines}


def _folded(student: str) -> str:
    return unicodedata.normalize("NFC", student).strip().casefold()


def _require_known(record: Sequence[Dealt], variants: Sequence[str]) -> None:
    there = set(variants)
    for line in record:
        if line.variant not in there:
            who = line.student or line.name
            raise UsageError(
                f"the list of students gives {who} the variant {line.variant!r}, which is not among these exercises"
            )
