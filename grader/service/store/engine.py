"""Opens databases: SQLite as safe as it goes, PostgreSQL only if it keeps its promises; and the lock by which one
server alone has a data folder.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from grader.service.base.service_problems import StoreRefused

SQLITE_FILE = "plymark.sqlite3"
BUSY_SECONDS = 30
READERS = 8
OLDEST_SQLITE, OLDEST_POSTGRESQL = (3, 35), 13


def sqlite_url(data: Path) -> URL:
    return URL.create("sqlite", database=str(data / SQLITE_FILE))


def database_url(text: str) -> URL:
    """`postgresql://…` as people write it, with the driver that we install."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise StoreRefused("the database is not given as a URL, such as postgresql://user@host/plymark") from None
    if url.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database:
        return url
    raise StoreRefused(f"databases are postgresql://… or sqlite:///FILE; {url.drivername} is not supported")


def open_engine(url: URL) -> Engine:
    """An engine whose connections commit by themselves: transactions are begun where they are needed."""
    if url.get_backend_name() == "sqlite":
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise StoreRefused(f"SQLite {sqlite3.sqlite_version} is too old; 3.35 or newer is needed")
        engine = create_engine(
            url,
            isolation_level="AUTOCOMMIT",
            pool_size=READERS,
            max_overflow=READERS,
            connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
        )
        event.listen(engine, "connect", _make_safe)
        return engine
    try:
        return create_engine(
            url,
            isolation_level="AUTOCOMMIT",
            pool_size=READERS,
            max_overflow=READERS,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 10, "options": "-c timezone=UTC -c synchronous_commit=on"},
        )
    except (NoSuchModuleError, ImportError):
        raise StoreRefused("PostgreSQL needs its driver: pip install 'psycopg[binary]'") from None


def open_backup(file: Path) -> Engine:
    """For reading alone."""
    url = URL.create("sqlite", database=f"file:{file.resolve()}", query={"mode": "ro", "uri": "true"})
    return create_engine(url, isolation_level="AUTOCOMMIT")


def _make_safe(connection: Any, _record: Any) -> None:
    """A commit returns only when the disk has it; readers never wait for the writer."""
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {pragma}").close()


def require_durable(connection: Connection) -> None:
    """StoreRefused for a database that may forget what it has committed."""
    if connection.dialect.name == "sqlite":
        mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
        if mode != "wal":
            raise StoreRefused(
                f"SQLite cannot use its write-ahead log here (journal_mode is {mode}); put the data on a local disk"
            )
        return
    server = int(connection.exec_driver_sql("SHOW server_version_num").scalar_one()) // 10_000
    if server < OLDEST_POSTGRESQL:
        raise StoreRefused(f"PostgreSQL {server} is too old; {OLDEST_POSTGRESQL} or newer is needed")
    for setting in ("fsync", "full_page_writes"):
        if connection.exec_driver_sql(f"SHOW {setting}").scalar_one() != "on":
            raise StoreRefused(f"PostgreSQL runs with {setting} off: it may lose what it has acknowledged; turn it on")


def is_lost(error: BaseException) -> bool:
    """Whether an error means that the connection is gone, not that a statement was wrong."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FILE = "plymark.lock"
LONGEST = 4_096
BYTE = 1 << 30
"""The byte that Windows locks: beyond the text, which stays readable."""


class DataLock:
    """Held while a server runs on the folder; the file says at which address."""

    def __init__(self, data: Path) -> None:
        self._path = data / FILE
        self._descriptor: int | None = None

    def try_to_take(self) -> bool:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor)
        except OSError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def say(self, address: str) -> None:
        assert self._descriptor is not None
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, address.encode())

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> DataLock:
        if not self.try_to_take():
            at = address_of_server(self._path.parent)
            where = f" (at {at})" if at else ""
            raise StoreRefused(f"another Plymark runs on {self._path.parent}{where}; stop it, or give another --data")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.release()


def address_of_server(data: Path) -> str | None:
    """Where the server of a folder is, or was when it ran last."""
    try:
        with open(data / FILE, encoding="utf-8", errors="replace") as file:
            return file.read(LONGEST).strip() or None
    except OSError:
        return None


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        os.lseek(descriptor, BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
