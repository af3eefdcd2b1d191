"""The audit log as a teacher reads it."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Row, select

from grader.service.rules.times import moment_text
from grader.service.store.paging import Page, page_of
from grader.service.store.schema import audit


def entries_of(connection: Connection, course_id: str, page: Page) -> dict[str, Any]:
    """Those of a course. Their numbers have gaps, where something was done elsewhere."""
    return page_of(connection, select(audit).where(audit.c.course == course_id), audit.c.number, page, _data, int)


def _data(row: Row[Any]) -> dict[str, Any]:
    return {
        "number": row.number,
        "at": moment_text(row.at),
        "who": row.who,
        "what": row.what,
        "subject": row.subject,
        "detail": json.loads(row.detail),
        "hash": row.hash,
    }
