"""The store on both databases: groups, savepoints, the audit log, backups and migrations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import IntegrityError

from grader.service.base.service_problems import StoreRefused
from grader.service.store.engine import database_url
from grader.service.store.store import BACKUPS, Store, open_store
from grader.service.store.store_backup import back_up, check, restore
from grader.service.store.tables import audit, meta, metadata
from grader.service.store.transaction import Transaction, broken_at
from tests.grader.service.store.databases import postgresql


def put(name: str) -> Callable[[Transaction], str]:
    def write(tx: Transaction) -> str:
        tx.execute(meta.insert(), {"name": name, "value": name})
        tx.audit("w1", "noted", name, number=len(name))
        return name

    return write


def names(connection: Connection) -> set[str]:
    return set(connection.execute(select(meta.c.name)).scalars())


def test_what_is_written_together_is_all_there(store: Store) -> None:
    async def run() -> list[str]:
        return await asyncio.gather(*(store.write(put(f"n{number}")) for number in range(300)))

    assert asyncio.run(run()) == [f"n{number}" for number in range(300)]
    assert {f"n{number}" for number in range(300)} <= store.read_now(names)
    assert store.read_now(broken_at) is None
    assert (
        store.read_now(lambda connection: connection.execute(select(func.count()).select_from(audit)).scalar()) == 300
    )


def test_what_fails_fails_alone(store: Store) -> None:
    """A row that exists already, a function that raises after writing, and an audit entry of what failed."""

    def fails(tx: Transaction) -> None:
        put("half")(tx)
        raise KeyError("on purpose")

    async def run() -> list[object]:
        wanted = [put("a"), put("a"), put("b"), fails, put("c")]
        return await asyncio.gather(*(store.write(each) for each in wanted), return_exceptions=True)

    first, again, second, failed, third = asyncio.run(run())
    assert (first, second, third) == ("a", "b", "c")
    assert isinstance(again, IntegrityError) and isinstance(failed, KeyError)
    found = store.read_now(names)
    assert {"a", "b", "c"} <= found and "half" not in found
    entries = store.read_now(lambda connection: connection.execute(select(audit.c.subject)).scalars().all())
    assert sorted(entries) == ["a", "b", "c"] and store.read_now(broken_at) is None


@pytest.mark.parametrize("changed", ["what", "detail", "previous"])
def test_a_changed_entry_breaks_the_chain(store: Store, changed: str) -> None:
    for name in "abc":
        store.write_now(put(name))
    store.write_now(lambda tx: tx.execute(update(audit).where(audit.c.number == 2).values({changed: "x"})))
    assert store.read_now(broken_at) == 2
    assert list(check(store.engine)) == ["the audit log does not follow from itself at entry 2"]


def test_a_missing_entry_breaks_the_chain(store: Store) -> None:
    for name in "abc":
        store.write_now(put(name))
    store.write_now(lambda tx: tx.execute(audit.delete().where(audit.c.number == 2)))
    assert store.read_now(broken_at) == 2


def test_a_backup_is_restored_into_either_database(
    store: Store, database: Callable[[], str | None], tmp_path: Path
) -> None:
    for name in "abc":
        store.write_now(put(name))
    back_up(store.engine, tmp_path / "backup")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backup", "data"]
    with pytest.raises(StoreRefused, match="never overwrites"):
        back_up(store.engine, tmp_path / "backup")
    for number, url in enumerate([database(), None]):
        other = open_store(tmp_path / f"other{number}", url)
        restore(other.engine, tmp_path / "backup")
        assert other.read_now(names) == store.read_now(names) and not list(check(other.engine))
        other.write_now(put("later"))
        assert other.read_now(broken_at) is None
        with pytest.raises(StoreRefused, match="not empty"):
            restore(other.engine, tmp_path / "backup")
        other.close()


def test_what_is_no_backup_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="not a file"):
        restore(store.engine, tmp_path / "nothing")
    (tmp_path / "text").write_text("nothing of ours" * 1000)
    with pytest.raises(StoreRefused, match="not a backup"):
        restore(store.engine, tmp_path / "text")


def test_the_steps_lead_to_the_schema(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_store_of_a_newer_program_is_left_alone(database: Callable[[], str | None], tmp_path: Path) -> None:
    url = database()
    store = open_store(tmp_path, url)
    with store.engine.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    with pytest.raises(StoreRefused, match="newer Plymark"):
        open_store(tmp_path, url)
    assert not (tmp_path / BACKUPS).exists()


@pytest.mark.slow
def test_a_database_that_forgets_is_refused(tmp_path: Path) -> None:
    with postgresql(fsync=False) as server, pytest.raises(StoreRefused, match="fsync off"):
        open_store(tmp_path, server.url)


@pytest.mark.parametrize("url", ["", "nonsense", "mysql://here/plymark", "sqlite://"])
def test_other_databases_are_refused_with_words(url: str) -> None:
    with pytest.raises(StoreRefused, match=r"URL|supported"):
        database_url(url)


def test_a_folder_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreRefused, match="cannot be used"):
        open_store(tmp_path / "file")


def test_a_database_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="cannot be opened") as refused:
        open_store(tmp_path / "data", f"postgresql://postgres@/nowhere?host={tmp_path}")
    assert "\n" not in str(refused.value)
