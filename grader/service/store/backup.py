"""Backups: one SQLite file, whatever the store runs on, made while it runs and restored into an empty store only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine, Table, func, inspect, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError

from grader.service.store.audit import broken_at
from grader.service.store.engine import open_backup, open_engine
from grader.service.store.errors import StoreRefused
from grader.service.store.migrating import is_current, migrate, revision
from grader.service.store.schema import meta, metadata

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
    source = open_backup(backup)
    try:
        with source.connect() as reading:
            try:
                made_by = revision(reading)
            except DatabaseError:
                made_by = None
            if made_by is None:
                raise StoreRefused(f"{backup} is not a backup of a Plymark store")
            is_current(reading)
            with engine.connect() as writing:
                if revision(writing) is not None and count_rows(writing):
                    raise StoreRefused("the store is not empty; a backup is restored into an empty store only")
            migrate(engine, made_by)
            with engine.connect() as writing:
                writing.exec_driver_sql("BEGIN")
                writing.execute(meta.delete())
                _copy(reading, writing)
                writing.exec_driver_sql("COMMIT")
            migrate(engine)
    finally:
        source.dispose()


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
    tables = (table for table in _tables_of(connection) if table is not meta)
    return sum(connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables)


def _copy_to_file(engine: Engine, out: Path) -> None:
    target = open_engine(URL.create("sqlite", database=str(out)))
    try:
        migrate(target)
        with engine.connect() as reading, target.connect() as writing:
            reading.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            writing.exec_driver_sql("BEGIN IMMEDIATE")
            writing.execute(meta.delete())
            _copy(reading, writing)
            writing.exec_driver_sql("COMMIT")
            reading.exec_driver_sql("ROLLBACK")
            writing.exec_driver_sql("PRAGMA journal_mode = DELETE")
    finally:
        target.dispose()


def _copy(reading: Connection, writing: Connection) -> None:
    for table in _tables_of(reading):
        found = reading.execute(select(table), execution_options={"yield_per": ROWS_AT_ONCE})
        for rows in found.mappings().partitions(ROWS_AT_ONCE):
            writing.execute(table.insert(), [dict(row) for row in rows])
        key = table.c.get("id")
        if writing.dialect.name == "postgresql" and key is not None and key.autoincrement is True:
            name = f"pg_get_serial_sequence('{table.name}', 'id')"
            writing.exec_driver_sql(f"SELECT setval({name}, (SELECT max(id) FROM {table.name}))")


def _tables_of(connection: Connection) -> list[Table]:
    """Those of ours that a store has: one of an earlier schema lacks some."""
    there = set(inspect(connection).get_table_names())
    return [table for table in metadata.sorted_tables if table.name in there]


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
