"""Lists in pages: `items` and where the next page begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select


@dataclass(frozen=True, slots=True)
class Page:
    limit: int = 50
    after: str | None = None


def page_of(
    connection: Connection,
    statement: Select[Any],
    key: ColumnElement[Any],
    page: Page,
    made: Callable[[Row[Any]], Any],
    read_key: Callable[[str], Any] = str,
) -> dict[str, Any]:
    """Rows by a column that is unique among them and never changes; `next` is null at the end. The statement labels
    the column `page_key` if it has no other name."""
    if page.after is not None:
        statement = statement.where(key > read_key(page.after))
    rows: Sequence[Row[Any]] = connection.execute(statement.order_by(key).limit(page.limit + 1)).all()
    kept = rows[: page.limit]
    more = len(rows) > page.limit
    return {"items": [made(row) for row in kept], "next": str(getattr(kept[-1], key.name)) if more else None}
