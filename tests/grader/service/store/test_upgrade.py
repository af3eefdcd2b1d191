"""A store and a backup of an older program are brought up to date by its steps, with nothing lost.

The step is the test's own: it makes a table, a column and a value, as steps do.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, select, text

from grader.service.base.service_problems import StoreRefused
from grader.service.features.hall.queries import LiveAnswer, all_answers, store_answer
from grader.service.store import schema_migration
from grader.service.store.schema_migration import newest, revision
from grader.service.store.store import BACKUPS, Store, open_store
from grader.service.store.store_backup import back_up, check, restore
from grader.service.store.tables import course, live, part, person, variant, version
from grader.service.store.tables import exercise as exercise_table
from grader.service.store.transaction import Transaction

STEP = """
import sqlalchemy as sa
from alembic import op

revision = "next"
down_revision = "{before}"


def upgrade() -> None:
    op.create_table("note", sa.Column("id", sa.Text(), primary_key=True), sa.Column("person", sa.Text()))
    op.add_column("person", sa.Column("nickname", sa.Text(), nullable=True))
    op.execute("UPDATE person SET nickname = upper(name)")
    op.execute("INSERT INTO note SELECT id, name FROM person")
    {last}
"""


@contextmanager
def next_program(tmp_path: Path, last: str = "") -> Iterator[None]:
    """A program with one step more."""
    steps = tmp_path / "steps"
    shutil.copytree(schema_migration.STEPS, steps, dirs_exist_ok=True)
    (steps / "versions" / "v_next.py").write_text(STEP.format(before=newest(), last=last))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema_migration, "STEPS", steps)
        yield


def put_live(tx: Transaction) -> None:
    tx.execute(person.insert(), {"id": "p1", "name": "Ana", "teaches": True, "created": 1})
    tx.execute(course.insert(), {"id": "c", "title": "C", "zone": "UTC", "language": "en", "created": 1})
    tx.execute(exercise_table.insert(), {"id": "e", "course": "c", "name": "e", "latest": 1, "created": 1})
    about = {"id": "v", "exercise": "e", "number": 1, "kind": "exercise", "raw": b"\0\xff", "sha256": ""}
    tx.execute(version.insert(), {**about, "created_by": "p1", "created": 1})
    tx.execute(part.insert(), {"id": "t", "version": "v", "number": 1})
    row = {"id": "w", "part": "t", "number": 1, "name": "e", "raw": b"", "sha256": "", "out_of": "1"}
    tx.execute(variant.insert(), row)
    state = {"open": True, "judged": False, "stage": 2, "revision": 3, "created_by": "p1", "created": 1}
    tx.execute(live.insert(), {"id": "l", "course": "c", "variant": "w", "code": "bcd", "language": "en", **state})
    store_answer(tx, LiveAnswer("l", "somebody", None, "", b"{}"))
    tx.audit("c", "noted", "l")


def nicknames(connection: Connection) -> list[tuple[str, ...]]:
    rows = "SELECT name, nickname, note.person FROM person JOIN note ON note.id = person.id"
    return [tuple(row) for row in connection.execute(text(rows))]


def is_whole(store: Store) -> None:
    assert not list(check(store.engine))
    assert store.read_now(lambda connection: all_answers(connection, "l")) == [("somebody", b"{}")]
    found = store.read_now(lambda connection: connection.execute(select(live)).one())
    assert (found.code, found.stage, found.revision, found.open, found.judged) == ("bcd", 2, 3, True, False)
    assert store.read_now(lambda connection: connection.execute(select(version.c.raw)).scalar_one()) == b"\0\xff"


def test_an_older_store_is_backed_up_and_brought_up_to_date(database: Callable[[], str | None], tmp_path: Path) -> None:
    url, data = database(), tmp_path / "data"
    store = open_store(data, url)
    store.write_now(put_live)
    store.close()
    before = newest()
    with next_program(tmp_path):
        store = open_store(data, url)
        assert store.read_now(revision) == "next"
        assert store.read_now(nicknames) == [("Ana", "ANA", "Ana")]
        is_whole(store)
        store.close()
        (backup,) = (data / BACKUPS).iterdir()
        open_store(data, url).close()
        assert list((data / BACKUPS).iterdir()) == [backup]
    with pytest.raises(StoreRefused, match="newer Plymark"):
        open_store(data, url)
    # Back to the program before, with the backup that was made.
    store = open_store(tmp_path / "back", database())
    restore(store.engine, backup)
    assert store.read_now(revision) == before
    is_whole(store)
    store.close()


def test_a_step_that_fails_leaves_the_store_as_it_was(database: Callable[[], str | None], tmp_path: Path) -> None:
    url, data = database(), tmp_path / "data"
    store = open_store(data, url)
    store.write_now(put_live)
    store.close()
    with next_program(tmp_path, 'raise RuntimeError("on purpose")'), pytest.raises(RuntimeError, match="on purpose"):
        open_store(data, url)
    store = open_store(data, url)
    assert not store.read_now(lambda connection: inspect(connection).has_table("note"))
    is_whole(store)
    store.close()


def test_an_older_backup_is_restored_and_brought_up_to_date(
    store: Store, database: Callable[[], str | None], tmp_path: Path
) -> None:
    store.write_now(put_live)
    back_up(store.engine, tmp_path / "backup")
    with next_program(tmp_path):
        for number, url in enumerate([database(), None]):
            other = open_store(tmp_path / f"other{number}", url)
            restore(other.engine, tmp_path / "backup")
            assert other.read_now(revision) == "next"
            assert other.read_now(nicknames) == [("Ana", "ANA", "Ana")]
            is_whole(other)
            back_up(other.engine, tmp_path / f"again{number}")
            other.close()
            again = open_store(tmp_path / f"restored{number}")
            restore(again.engine, tmp_path / f"again{number}")
            assert again.read_now(nicknames) == [("Ana", "ANA", "Ana")]
            again.close()
