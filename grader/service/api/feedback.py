"""How much somebody is told of a submission now."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from grader.service.clock import now
from grader.service.rules.feedback import FULL, level_due
from grader.service.store.assignments import closing_of, feedback_rule
from grader.service.store.schema import assignment

_assignment = select(assignment).where(assignment.c.id == bindparam("assignment_id"))


def due_level(connection: Connection, assignment_id: str, role: str) -> str:
    """Staff are told everything."""
    if role != "student":
        return FULL
    row = connection.execute(_assignment, {"assignment_id": assignment_id}).one()
    return level_due(feedback_rule(row), closing_of(connection, row), now())
