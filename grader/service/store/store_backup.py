"""Backups: one SQLite file, whatever the store runs on, made while it runs and restored into an empty store only."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, Engine, MetaData, Table, func, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError

from grader.service.base.service_problems import StoreRefused
from grader.service.store.engine import open_backup, open_engine
from grader.service.store.schema_migration import is_current, migrate, revision
from grader.service.store.tables import meta
from grader.service.store.transaction import broken_at

ROWS_AT_ONCE = 500


def back_up(engine: Engine, out: Path) -> None:
    """Writes the store as it is at one moment; the file is complete or not there."""
    if out.exists():
        raise StoreRefused(f"{out} exists already; a backup never overwrites a file")
    part = out.with_name(f"{out.name}.part")
    part.unlink(missing_ok=True)
    try:
        if engine.dialect.name == "sqlite":
            with engine.connect() as connection:
                connection.exec_driver_sql("VACUUM INTO ?", (str(part),))
        else:
            _copy_to_file(engine, part)
        _flush(part)
        os.replace(part, out)
    finally:
        for each in (part, part.with_name(f"{part.name}-wal"), part.with_name(f"{part.name}-shm")):
            each.unlink(missing_ok=True)


def restore(engine: Engine, backup: Path) -> None:
    """Fills an empty store, of either kind, from a backup."""
    if not backup.is_file():
        raise StoreRefused(f"{backup} is not a file")
    if _is_older(backup):
        with TemporaryDirectory() as folder:
            copy = Path(shutil.copy(backup, Path(folder) / "backup"))
            older = open_engine(URL.create("sqlite", database=str(copy)))
            migrate(older)
            older.dispose()
            restore(engine, copy)
        return
    with engine.connect() as writing:
        if revision(writing) is not None and count_rows(writing):
            raise StoreRefused("the store is not empty; a backup is restored into an empty store only")
    migrate(engine)
    source = open_backup(backup)
    try:
        with source.connect() as reading, engine.connect() as writing:
            writing.exec_driver_sql("BEGIN")
            _copy(reading, writing)
            writing.exec_driver_sql("COMMIT")
    finally:
        source.dispose()


def _is_older(backup: Path) -> bool:
    source = open_backup(backup)
    try:
        with source.connect() as reading:
            if revision(reading) is not None:
                return not is_current(reading)
    except DatabaseError:
        pass
    finally:
        source.dispose()
    raise StoreRefused(f"{backup} is not a backup of a Plymark store")


def check(engine: Engine) -> Iterator[str]:
    """What is wrong with the store: nothing, if it is whole."""
    with engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            for (line,) in connection.exec_driver_sql("PRAGMA integrity_check"):
                if line != "ok":
                    yield f"SQLite: {line}"
            for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
                yield f"a row of {row[0]} refers to a row of {row[2]} that is not there"
        if (number := broken_at(connection)) is not None:
            yield f"the audit log does not follow from itself at entry {number}"


def count_rows(connection: Connection) -> int:
    """In all tables, but for what the store knows of itself."""
    tables = (table for table in _tables_of(connection) if table.name != meta.name)
    return sum(connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables)


def _copy_to_file(engine: Engine, out: Path) -> None:
    target = open_engine(URL.create("sqlite", database=str(out)))
    try:
        with engine.connect() as reading:
            migrate(target, revision(reading) or "head")
            with target.connect() as writing:
                reading.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                writing.exec_driver_sql("BEGIN IMMEDIATE")
                _copy(reading, writing)
                writing.exec_driver_sql("COMMIT")
                reading.exec_driver_sql("ROLLBACK")
                writing.exec_driver_sql("PRAGMA journal_mode = DELETE")
    finally:
        target.dispose()


def _copy(reading: Connection, writing: Connection) -> None:
    """All rows, into a store of the same schema, whether or not it is today's."""
    writing.execute(meta.delete())
    for table in _tables_of(writing):
        rows_read = reading.execute(select(table), execution_options={"yield_per": ROWS_AT_ONCE})
        for rows in rows_read.mappings().partitions(ROWS_AT_ONCE):
            writing.execute(table.insert(), [dict(row) for row in rows])


def _tables_of(connection: Connection) -> list[Table]:
    """As the database has them, those that others refer to first; not where its steps are counted."""
    there = MetaData()
    there.reflect(connection)
    return [table for table in there.sorted_tables if table.name != "alembic_version"]


def _flush(file: Path) -> None:
    """The file and its name in the folder survive a power cut."""
    for path in (file, file.parent):
        if path.is_dir() and os.name == "nt":
            continue
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
