"""What a function that writes is given: statements, rows that may be there already, and the audit log, a chain of
hashes over everything that was done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, CursorResult, Executable, Table, select, text
from sqlalchemy.dialects import postgresql, sqlite

from grader.service.base.clock import now
from grader.service.store.prepared_statements import PreparedStatement
from grader.service.store.tables import audit


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


def insert_missing(tx: Transaction, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Those whose key is not there yet."""
    if rows:
        tx.execute(_kind(tx)(table).on_conflict_do_nothing(), rows)


def put(tx: Transaction, table: Table, row: Mapping[str, Any], keys: Sequence[str], kept: Sequence[str] = ()) -> None:
    """In place of the row with the same keys; of that one, what is `kept` stays."""
    statement = _kind(tx)(table).values(**row)
    changed = {name: statement.excluded[name] for name in row if name not in keys and name not in kept}
    tx.execute(statement.on_conflict_do_update(index_elements=list(keys), set_=changed))


def _kind(tx: Transaction) -> Any:
    return sqlite.insert if tx.connection.dialect.name == "sqlite" else postgresql.insert


FIRST = "0" * 64
_last = PreparedStatement(select(audit.c.number, audit.c.hash).order_by(audit.c.number.desc()).limit(1))
_insert = PreparedStatement(audit.insert())
LOCK = 0x706C796D61726B
"""Several servers on one PostgreSQL append in turn."""


def append(connection: Connection, entries: Sequence[AuditEntry]) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    last = _last.first(connection)
    number, previous = (last.number, last.hash) if last else (0, FIRST)
    rows = []
    for entry in entries:
        number += 1
        row = {
            "number": number,
            "at": entry.at,
            "course": entry.course,
            "who": entry.who,
            "what": entry.what,
            "subject": entry.subject,
            "detail": json.dumps(entry.detail, sort_keys=True, ensure_ascii=False, separators=(",", ":")),
            "previous": previous,
        }
        previous = row["hash"] = row_hash(row)
        rows.append(row)
    _insert.run_each(connection, rows)


def row_hash(row: Mapping[str, Any]) -> str:
    covered = [row[name] for name in ("number", "at", "course", "who", "what", "subject", "detail", "previous")]
    return hashlib.sha256(json.dumps(covered, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def broken_at(connection: Connection) -> int | None:
    """The number of the first row that does not follow from the one before; None if the chain is whole."""
    previous, expected = FIRST, 1
    for entry in connection.execute(select(audit).order_by(audit.c.number)):
        row = entry._asdict()
        if row["number"] != expected or row["previous"] != previous or row["hash"] != row_hash(row):
            return expected
        previous, expected = row["hash"], expected + 1
    return None
