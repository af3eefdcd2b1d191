"""Opens the store of a folder or a URL: checked, brought up to date, and never by two servers at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.exc import DBAPIError, OperationalError

from grader.service.clock import now
from grader.service.store.backup import back_up
from grader.service.store.engine import database_url, open_engine, require_durable, sqlite_url
from grader.service.store.errors import StoreRefused
from grader.service.store.migrating import is_current, migrate, revision
from grader.service.store.store import Store

BACKUPS = "backups"


def open_store(
    data: Path, database: str | None = None, committed: Callable[[int], None] = lambda _count: None
) -> Store:
    """Makes the folder if it is new; a store of an older program is backed up, then brought up to date."""
    make_folder(data)
    engine = open_engine(database_url(database) if database else sqlite_url(data))
    try:
        with engine.connect() as connection:
            require_durable(connection)
            current, before = is_current(connection), revision(connection)
        if not current:
            if before is not None:
                (data / BACKUPS).mkdir(exist_ok=True)
                back_up(engine, data / BACKUPS / f"before-upgrade-{before}-{now()}.sqlite3")
            migrate(engine)
    except (OperationalError, DBAPIError) as error:
        engine.dispose()
        raise StoreRefused(f"the database cannot be opened: {_first_line(error)}") from error
    except BaseException:
        engine.dispose()
        raise
    return Store(engine, committed)


def make_folder(data: Path) -> bool:
    """Whether it is new, or has nothing in it. What is in it is nobody else's business."""
    try:
        new = not data.exists() or not any(data.iterdir())
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(data, os.W_OK):
            raise StoreRefused(f"{data} cannot be written; choose another folder with --data")
    except OSError as error:
        raise StoreRefused(f"the folder {data} cannot be used: {error.strerror or error}") from None
    return new


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).strip().splitlines()[0]
