"""What a function that writes is given: statements, and the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, CursorResult, Executable

from grader.service.clock import now


@dataclass(frozen=True, slots=True)
class AuditEntry:
    at: int
    course: str | None
    who: str | None
    what: str
    subject: str
    detail: Mapping[str, Any]


@dataclass(slots=True)
class Transaction:
    """One of those that are committed together; if its function raises, nothing of it remains."""

    connection: Connection
    now: int = field(default_factory=now)
    entries: list[AuditEntry] = field(default_factory=list)

    def execute(
        self, statement: Executable, values: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        return self.connection.execute(statement, values)

    def audit(self, who: str | None, what: str, subject: str, course: str | None = None, **detail: Any) -> None:
        """Ids and numbers only: what is written here is never erased."""
        self.entries.append(AuditEntry(self.now, course, who, what, subject, detail))
