"""Whatever the store acknowledged is there after a power cut, and the store opens by itself."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select

from grader.service.store.engine import SQLITE_FILE
from grader.service.store.store import open_store
from grader.service.store.store_backup import check
from grader.service.store.tables import audit, meta
from tests.grader.service.store.power import Disk, Step, record, steps_of
from tests.support.paths import ROOT

CUTS = 100


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Disk, list[Step]]:
    """A store, the disk before anything was written, and all that a busy process did to it."""
    folder = tmp_path_factory.mktemp("power") / "data"
    open_store(folder).close()
    files = {f"{folder / SQLITE_FILE}{end}": bytearray() for end in ("", "-wal")}
    files[str(folder / SQLITE_FILE)] = bytearray((folder / SQLITE_FILE).read_bytes())
    trace = folder.parent / "trace"
    command = [sys.executable, "-m", "tests.grader.service.store.busy", str(folder)]
    done = record(command, trace, {**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    return folder, Disk(files), steps_of(trace)


def acknowledged(steps: list[Step]) -> Iterator[str]:
    for step in steps:
        if step.data.startswith(b"acknowledged "):
            yield from (line.split()[1] for line in step.data.decode().splitlines())


@pytest.mark.slow
def test_what_was_acknowledged_survives_any_cut(recorded: tuple[Path, Disk, list[Step]], tmp_path: Path) -> None:
    folder, disk, steps = recorded
    random = Random(2026)
    cuts = sorted(random.sample(range(len(steps)), CUTS))
    lost_something = 0
    for number, step in enumerate(steps):
        disk.take(step)
        if number not in cuts:
            continue
        lost_something += bool(disk.since)
        found = disk.found_after_a_cut(random if cuts.index(number) % 2 else None)
        there = tmp_path / f"cut{number}"
        there.mkdir()
        for name, data in found.items():
            if data or not name.endswith("-wal"):
                (there / Path(name).name).write_bytes(data)
        store = open_store(there)
        names = store.read_now(lambda connection: connection.execute(select(meta.c.name)).scalars().all())
        noted = store.read_now(lambda connection: connection.execute(select(audit.c.subject)).scalars().all())
        assert set(acknowledged(steps[: number + 1])) <= set(names) == {*noted, "store", "created"}
        assert len(noted) == len(set(noted)) and not list(check(store.engine))
        store.close()
    # Otherwise nothing was put to the test.
    assert lost_something > CUTS // 4
    assert any(step.file == str(folder / SQLITE_FILE) and step.data for step in steps)


@pytest.mark.slow
def test_a_store_that_does_not_wait_for_the_disk_is_caught(tmp_path: Path) -> None:
    """The same cuts on SQLite with `synchronous = NORMAL` lose what was committed: the test can fail."""
    file = tmp_path / "careless.sqlite3"
    program = (
        "import os, sqlite3; c = sqlite3.connect(os.environ['FILE'], isolation_level=None);"
        "c.execute('PRAGMA journal_mode = WAL'); c.execute('PRAGMA synchronous = NORMAL');"
        "c.execute('CREATE TABLE t (n)');"
        "[(c.execute('INSERT INTO t VALUES (?)', (n,)), os.write(1, b'acknowledged %d\\n' % n)) for n in range(50)]"
    )
    trace = tmp_path / "trace"
    done = record([sys.executable, "-c", program], trace, {**os.environ, "FILE": str(file)})
    assert done.returncode == 0, done.stderr
    disk, steps = Disk({str(file): bytearray(), f"{file}-wal": bytearray()}), steps_of(trace)
    last = max(number for number, step in enumerate(steps) if step.data.startswith(b"acknowledged"))
    for step in steps[: last + 1]:
        disk.take(step)
    for name, data in disk.found_after_a_cut(None).items():
        Path(f"{name}-after").write_bytes(data)
    (tmp_path / "careless.sqlite3-after").rename(tmp_path / "after")
    (tmp_path / "careless.sqlite3-wal-after").rename(tmp_path / "after-wal")
    with sqlite3.connect(tmp_path / "after") as after:
        tables = after.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        assert not tables or after.execute("SELECT count(*) FROM t").fetchone()[0] < 50
    after.close()
