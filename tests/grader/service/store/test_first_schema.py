"""A store and a backup of the first schema are taken up by this program, with nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, select
from sqlalchemy.engine import URL

from grader.service.store.backup import back_up, check, restore
from grader.service.store.engine import open_engine
from grader.service.store.live import LiveAnswer, all_answers, store_answer
from grader.service.store.migrating import migrate, newest, revision
from grader.service.store.opening import open_store
from grader.service.store.schema import course, live, part, person, variant, version
from grader.service.store.schema import exercise as exercise_table
from grader.service.store.store import Store
from grader.service.store.transaction import Transaction

ANA = {"id": "p1", "name": "Ana", "teaches": True, "created": 1}


def names(connection: Connection) -> list[str]:
    return list(connection.execute(select(person.c.name)).scalars())


def test_a_backup_of_the_first_schema_is_restored(database: Callable[[], str | None], tmp_path: Path) -> None:
    first = open_engine(URL.create("sqlite", database=str(tmp_path / "first")))
    migrate(first, "0001")
    with first.connect() as connection:
        connection.exec_driver_sql("BEGIN")
        connection.execute(person.insert(), ANA)
        connection.exec_driver_sql("COMMIT")
    back_up(first, tmp_path / "backup")
    first.dispose()
    store = open_store(tmp_path / "data", database())
    restore(store.engine, tmp_path / "backup")
    assert store.read_now(names) == ["Ana"]
    assert store.read_now(revision) == newest() and not list(check(store.engine))
    assert store.read_now(lambda connection: connection.execute(select(live)).all()) == []
    store.close()


def put_live(tx: Transaction) -> None:
    tx.execute(person.insert(), ANA)
    tx.execute(course.insert(), {"id": "c", "title": "C", "zone": "UTC", "language": "en", "created": 1})
    tx.execute(exercise_table.insert(), {"id": "e", "course": "c", "name": "e", "latest": 1, "created": 1})
    about = {"id": "v", "exercise": "e", "number": 1, "kind": "exercise", "raw": b"", "sha256": ""}
    tx.execute(version.insert(), {**about, "created_by": "p1", "created": 1})
    tx.execute(part.insert(), {"id": "t", "version": "v", "number": 1})
    row = {"id": "w", "part": "t", "number": 1, "name": "e", "raw": b"", "sha256": "", "out_of": "1"}
    tx.execute(variant.insert(), row)
    state = {"open": True, "judged": False, "stage": 2, "revision": 3, "created_by": "p1", "created": 1}
    tx.execute(live.insert(), {"id": "l", "course": "c", "variant": "w", "code": "bcd", "language": "en", **state})
    store_answer(tx, LiveAnswer("l", "somebody", None, "", b"{}"))


def test_a_backup_carries_live_exercises(store: Store, database: Callable[[], str | None], tmp_path: Path) -> None:
    store.write_now(put_live)
    back_up(store.engine, tmp_path / "backup")
    other = open_store(tmp_path / "other", database())
    restore(other.engine, tmp_path / "backup")
    assert other.read_now(lambda connection: all_answers(connection, "l")) == [("somebody", b"{}")]
    found = other.read_now(lambda connection: connection.execute(select(live)).one())
    assert (found.code, found.stage, found.revision, found.open) == ("bcd", 2, 3, True)
    other.close()
