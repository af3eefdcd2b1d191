"""Which variant was whose, as far as a list, a roster or a secret tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.documents.exam import set_name
from grader.people.roster import Roster, Student
from grader.people.variant_allocation import Allocation, assign, deal, require_parts, student_key, variants_by_student


class VariantOwnership:
    """The list that was written is believed first; whom it does not name was dealt a variant after it, if the roster
    and the secret are known. Without a list and a roster the secret and the student's id decide."""

    def __init__(
        self,
        variants: Sequence[str],
        roster: Roster | None = None,
        secret: bytes = b"",
        record: Sequence[Allocation] = (),
        folder: str = "",
    ) -> None:
        self._variants, self._roster, self._secret = list(variants), roster or Roster(), secret
        lines = list(record)
        if secret and self._roster.ids:
            students = [Student(self._roster.names.get(each) or each, each) for each in self._roster.ids]
            lines = deal(students, self._variants, secret, folder or set_name(self._variants), record)
        self._dealt = variants_by_student(lines)

    @property
    def tells(self) -> bool:
        """Whether anything is known."""
        return bool(self._dealt or self._secret)

    def variant(self, student: str) -> str | None:
        """The id of the student's variant; None if nothing tells it."""
        known = self._roster.student([student], [student]) or student
        if self._dealt:
            return self._dealt.get(student_key(known))
        return self._variants[assign(student, self._secret, len(self._variants))] if self._secret else None


class ExamOwnership:
    """The same of every part of an exam that has variants, each of which was dealt by itself."""

    def __init__(
        self,
        parts: Mapping[str, Sequence[str]],
        roster: Roster | None = None,
        secret: bytes = b"",
        record: Sequence[Allocation] = (),
    ) -> None:
        require_parts(parts, record)
        self._of = {
            name: VariantOwnership(variants, roster, secret, [line for line in record if line.part == name], name)
            for name, variants in parts.items()
        }

    @property
    def tells(self) -> bool:
        return any(ownership.tells for ownership in self._of.values())

    def variants(self, student: str) -> dict[str, str]:
        """The ids of the student's variants, by part; only those that are known."""
        variants = {name: ownership.variant(student) for name, ownership in self._of.items()}
        return {name: variant for name, variant in variants.items() if variant is not None}
