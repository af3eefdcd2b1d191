"""Rows that may be there already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite

from grader.service.store.transaction import Transaction


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
