"""A store in trouble: killed, full, read-only, cut off. Nothing acknowledged is lost, and it goes on by itself."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, select

from grader.service.base.service_problems import StoreUnavailable
from grader.service.store.store import Store, open_store
from grader.service.store.store_backup import check
from grader.service.store.tables import audit, meta
from grader.service.store.transaction import Transaction
from tests.grader.service.store.busy import CLIENTS
from tests.grader.service.store.databases import PostgreSQL, postgresql
from tests.support.paths import ROOT


def put(name: str, size: int = 1) -> Any:
    def write(tx: Transaction) -> str:
        tx.execute(meta.insert(), {"name": name, "value": "x" * size})
        tx.audit(None, "noted", name)
        return name

    return write


def names(store: Store) -> list[str]:
    return list(store.read_now(lambda connection: connection.execute(select(meta.c.name)).scalars().all()))


def whole(store: Store) -> bool:
    noted = store.read_now(lambda connection: connection.execute(select(audit.c.subject)).scalars().all())
    return sorted([*noted, "store", "created"]) == sorted(names(store)) and not list(check(store.engine))


def busy(folder: Path, url: str | None, writes: int, said: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.grader.service.store.busy", str(folder), url or "", str(writes)]
    with said.open("ab") as out:
        return subprocess.Popen(command, stdout=out, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})


def kills(folder: Path, url: str | None, times: int, writes: int) -> None:
    """A busy process killed again and again while it writes, then left to finish."""
    random, said = Random(7), folder.parent / "said"
    folder.mkdir(parents=True, exist_ok=True)
    said.touch()
    for _ in range(times):
        process, before = busy(folder, url, writes, said), said.stat().st_size
        while said.stat().st_size < before + 200 and process.poll() is None:
            time.sleep(0.005)
        time.sleep(random.random() / 10)
        process.kill()
        process.wait()
    assert busy(folder, url, writes, said).wait() == 0
    acknowledged = {line.split()[1] for line in said.read_text().splitlines() if line.endswith(tuple("0123456789"))}
    store = open_store(folder, url)
    found = names(store)
    assert len(acknowledged) == CLIENTS * writes and acknowledged <= set(found) and len(found) == len(set(found))
    assert whole(store)
    store.close()


@pytest.mark.slow
def test_a_killed_process_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    kills(tmp_path / "data", None, 3, 40)


@pytest.mark.soak
def test_twenty_kills(tmp_path: Path) -> None:
    kills(tmp_path / "data", None, 20, 300)


@pytest.mark.slow
def test_a_killed_process_on_postgresql(server: PostgreSQL, tmp_path: Path) -> None:
    kills(tmp_path / "data", server.database("killed"), 2, 30)


def killed_servers(times: int, tmp_path: Path) -> None:
    """PostgreSQL killed under a process that goes on trying."""
    with postgresql() as server:
        said, folder = tmp_path / "said", tmp_path / "data"
        process = busy(folder, server.url, 60 * times, said)
        for _ in range(times):
            before = said.stat().st_size
            while said.stat().st_size < before + 2_000 and process.poll() is None:
                time.sleep(0.005)
            server.kill()
            server.start()
        assert process.wait() == 0
        acknowledged = {line.split()[1] for line in said.read_text().splitlines()}
        store = open_store(folder, server.url)
        assert len(acknowledged) == CLIENTS * 60 * times and acknowledged <= set(names(store)) and whole(store)
        store.close()


@pytest.mark.slow
def test_a_killed_database_server(tmp_path: Path) -> None:
    killed_servers(1, tmp_path)


@pytest.mark.soak
def test_five_killed_database_servers(tmp_path: Path) -> None:
    killed_servers(5, tmp_path)


class Trouble:
    """Gives every new connection of a SQLite store a handicap, until it is over."""

    def __init__(self, store: Store, pragma: str) -> None:
        self._pragma: str | None = pragma
        self._store = store
        event.listen(store.engine, "connect", self._hinder)
        with pytest.raises(RuntimeError):
            store.write_now(self._begin)

    def over(self) -> None:
        self._pragma = None

    def _hinder(self, connection: Any, _record: Any) -> None:
        if self._pragma:
            connection.execute(self._pragma).close()

    def _begin(self, tx: Transaction) -> None:
        """The connection that is open already has it, too."""
        assert self._pragma
        tx.connection.exec_driver_sql(self._pragma)
        raise RuntimeError


@pytest.mark.parametrize("pragma", ["PRAGMA max_page_count = 1", "PRAGMA query_only = ON"])
def test_a_full_or_read_only_disk_refuses_and_recovers(tmp_path: Path, pragma: str) -> None:
    """SQLite never makes a file smaller than it is: a limit of one page means that there is no room for another."""
    store = open_store(tmp_path / "data")
    store.write_now(put("before"))
    trouble = Trouble(store, pragma)
    for number in range(3):
        with pytest.raises(StoreUnavailable, match="nothing was lost"):
            store.write_now(put(f"refused{number}", size=100_000))
    assert "before" in names(store)
    trouble.over()
    with pytest.raises(StoreUnavailable):
        store.write_now(put("last", size=100_000))
    store.write_now(put("after", size=100_000))
    assert sorted(names(store)) == ["after", "before", "created", "store"] and whole(store)
    store.close()


@pytest.mark.slow
def test_a_database_server_that_is_away_for_a_while(tmp_path: Path) -> None:
    with postgresql() as server:
        store = open_store(tmp_path / "data", server.url)
        store.write_now(put("before"))
        server.stop()
        with pytest.raises(StoreUnavailable):
            store.write_now(put("meanwhile"))
        with pytest.raises(StoreUnavailable):
            names(store)
        server.start()
        for attempt in range(50):
            try:
                store.write_now(put("after"))
                break
            except StoreUnavailable:
                assert attempt < 49
                time.sleep(0.1)
        assert sorted(names(store)) == ["after", "before", "created", "store"] and whole(store)
        store.close()
