"""A course copied for another term."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, select

from grader.service.store.assignments import new_assignment
from grader.service.store.courses import copy_course
from grader.service.store.schema import assignment, version
from grader.service.store.transaction import Transaction

OWN = ("id", "course", "exercise", "version", "secret", "created", "released")
"""Of an assignment: what its copy has anew."""


def copy_with_assignments(tx: Transaction, who: str, of: Row[Any], title: str, code: str) -> str:
    """Exercises in their newest version, and what was assigned with the same rules and dates: what was closed stays
    closed until the teacher gives it new dates. Nothing is released, and variants are dealt anew. No people."""
    copied, exercises = copy_course(tx, who, of, title, code)
    for each in tx.execute(select(assignment).where(assignment.c.course == of.id).order_by(assignment.c.created)).all():
        exercise_id = exercises[each.exercise]
        newest = tx.execute(select(version.c.id).where(version.c.exercise == exercise_id)).scalar_one()
        kept = {name: value for name, value in each._asdict().items() if name not in OWN}
        new_assignment(tx, who, copied, {**kept, "exercise": exercise_id, "version": newest, "released": False})
    return copied
