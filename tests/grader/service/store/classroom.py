"""Rows of a small course, written straight into a store."""

from __future__ import annotations

from typing import Any

from grader.service.base.clock import DAY
from grader.service.base.ids import new_id
from grader.service.features.accounts.queries import new_person
from grader.service.features.courses.queries import new_course
from grader.service.features.exercises.queries import Upload, new_exercise
from grader.service.features.members.queries import put_members
from grader.service.store import tables
from grader.service.store.tables import assignment, attempt, marking, member, report, submission, variant, version
from grader.service.store.transaction import Transaction
from grader.service.workers.task_results import ExerciseIntake, PartIntake, VariantIntake


def intake_of(*variants: VariantIntake, seed: str | None = None) -> ExerciseIntake:
    return ExerciseIntake("two", None, "en", "exercise", (PartIntake(None, variants),), seed)


class Classroom:
    """A course in Lisbon with students s1, s2, …, an exercise out of 10 and an assignment due at `due`."""

    def __init__(self, tx: Transaction, students: int = 2, **fields: Any) -> None:
        self.due = fields.get("due") or tx.now + DAY
        self.who = new_person(tx, "Ada", teaches=True, login="ada")
        self.course = new_course(tx, self.who, {"title": "T", "zone": "Europe/Lisbon", "language": "en"}, new_id())
        wanted = [{"id": f"s{number}", "name": None, "role": None} for number in range(1, students + 1)]
        put_members(tx, self.who, self.course, wanted)
        ids = tx.execute(member.select().where(member.c.course == self.course)).all()
        self.members = {row.code: row.id for row in ids}
        upload = Upload(b"raw", intake_of(VariantIntake("two", b"{}", "v" * 64, "10")))
        self.exercise = new_exercise(tx, self.who, self.course, upload)
        self.version = tx.execute(version.select().where(version.c.exercise == self.exercise)).one().id
        self.variant = tx.execute(variant.select()).first()
        row = {
            "id": new_id(), "course": self.course, "exercise": self.exercise, "version": self.version, "opens": 0,
            "due": self.due, "closes": None, "minutes": None, "attempts": None, "counts": "best", "late": None,
            "variants": "same", "feedback_before": "receipt", "feedback_after": "full", "released": False,
            "secret": "x", "created": tx.now,
        }  # fmt: skip
        self.assignment = new_id()
        tx.execute(assignment.insert(), {**row, "id": self.assignment, **fields})

    def hands_in(
        self, tx: Transaction, code: str, number: int, received: int, marks: str | None, readable: bool = True
    ) -> str:
        """The submission; it is marked unless marks are None."""
        row = {"id": new_id(), "assignment": self.assignment, "member": self.members[code], "number": number}
        begun = {"trial": False, "version": self.version, "variants": "[]", "language": "en", "started": 0}
        tx.execute(attempt.insert(), {**row, **begun, "reopened": 0})
        submitted = new_id()
        sent = {"id": submitted, "attempt": row["id"], "reopened": 0, "key": "k", "raw": b"{}", "sha256": "s"}
        sent["received"] = received
        tx.execute(submission.insert(), sent)
        state = "received" if marks is None else "marked"
        assert self.variant is not None
        of = {"submission": submitted, "part": 1, "version": self.version, "variant": self.variant.id}
        key = {"variant_sha256": self.variant.sha256, "canonical_sha256": new_id(), "program": "1"}
        at = {"state": state, "stale": False, "tries": 0, "lease": 0, "readable": readable, "error": None}
        tx.execute(marking.insert(), {**of, **key, "overrides_sha256": "", **at})
        if marks is not None:
            told = {"told": b"", "questions": "[]", "review": "[]", "created": 0}
            earned = {"readable": readable, "marks": marks, "out_of": "10"}
            tx.execute(report.insert(), {**key, "overrides_sha256": "", **earned, **told})
        return submitted

    def decides(self, tx: Transaction, code: str, marks: str) -> None:
        """The total, by hand."""
        row = {"id": new_id(), "assignment": self.assignment, "member": self.members[code], "question": "", "item": ""}
        tx.execute(tables.override.insert(), {**row, "marks": marks, "reason": "", "by": self.who, "created": tx.now})

    def grades(self, tx: Transaction) -> dict[str, tuple[str | None, str, int, bool]]:
        codes = {member_id: code for code, member_id in self.members.items()}
        rows = tx.execute(tables.grade.select().where(tables.grade.c.assignment == self.assignment))
        return {codes[row.member]: (row.marks, row.out_of, row.late, row.overridden) for row in rows}
