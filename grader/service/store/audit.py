"""The audit log: a chain of hashes over everything that was done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select, text

from grader.service.store.prepared import Prepared
from grader.service.store.schema import audit
from grader.service.store.transaction import AuditEntry

FIRST = "0" * 64
_last = Prepared(select(audit.c.number, audit.c.hash).order_by(audit.c.number.desc()).limit(1))
_insert = Prepared(audit.insert())
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
    for found in connection.execute(select(audit).order_by(audit.c.number)):
        row = found._asdict()
        if row["number"] != expected or row["previous"] != previous or row["hash"] != row_hash(row):
            return expected
        previous, expected = row["hash"], expected + 1
    return None
