"""Statements that go to the driver as they are do what SQLAlchemy would do with them."""

from __future__ import annotations

import pytest
from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from grader.service.store.prepared_statements import PreparedStatement
from grader.service.store.store import Store
from grader.service.store.tables import person
from grader.service.store.transaction import Transaction

_insert = PreparedStatement(person.insert())
_by_name = select(person).where(person.c.name == bindparam("wanted"))
_named = PreparedStatement(_by_name)
_rename = PreparedStatement(update(person).where(person.c.id == bindparam("one")).values(name=bindparam("name")))


def row(number: int) -> dict[str, object]:
    filled = {column.name: None for column in person.c}
    needed = {"id": f"p{number}", "name": "Ada", "teaches": number % 2 == 1, "created": 2**40 + number}
    return {**filled, **needed}


def test_rows_are_as_sqlalchemy_gives_them(store: Store) -> None:
    def work(tx: Transaction) -> None:
        _insert.run_each(tx.connection, [row(1), row(2)])
        expected = [tuple(each) for each in tx.execute(_by_name, {"wanted": "Ada"})]
        found = _named.all(tx.connection, wanted="Ada")
        assert [tuple(each) for each in found] == expected and len(found) == 2
        # Truth is truth, not 1, whatever the database keeps.
        assert [type(each.teaches) for each in found] == [bool, bool]
        assert _named.first(tx.connection, wanted="Ada") == found[0]
        assert _named.first(tx.connection, wanted="Grace") is None
        assert _rename.run(tx.connection, {"one": "p1", "name": "Grace"}) == 1
        assert _rename.run(tx.connection, {"one": "nobody", "name": "Grace"}) == 0

    store.write_now(work)
    assert store.read_now(lambda connection: _named.first(connection, wanted="Grace")).id == "p1"


def test_a_row_that_is_there_already_fails_alone(store: Store) -> None:
    store.write_now(lambda tx: _insert.run(tx.connection, row(1)))
    with pytest.raises(IntegrityError):
        store.write_now(lambda tx: _insert.run_each(tx.connection, [row(2), row(1)]))
    assert [each.id for each in store.read_now(lambda connection: _named.all(connection, wanted="Ada"))] == ["p1"]


def test_what_is_read_again_is_read_anew(store: Store) -> None:
    """A reader that stays open sees what was committed since."""
    with store.engine.connect() as connection:
        for number in range(1, 4):
            store.write_now(lambda tx, number=number: _insert.run(tx.connection, row(number)))  # type: ignore[misc]
            assert _named.first(connection, wanted="Ada") is not None
            assert len(_named.all(connection, wanted="Ada")) == number


def test_columns_of_one_name_are_reached_by_position(store: Store) -> None:
    other = person.alias()
    pairs = PreparedStatement(select(person.c.id, other.c.id).where(person.c.id < other.c.id))
    store.write_now(lambda tx: _insert.run_each(tx.connection, [row(1), row(2)]))
    assert [tuple(each) for each in store.read_now(pairs.all)] == [("p1", "p2")]


def test_errors_are_sqlalchemys(store: Store) -> None:
    wrong = PreparedStatement(select(person.c.id).prefix_with("NONSENSE"))
    with store.engine.connect() as connection, pytest.raises(DBAPIError):
        wrong.all(connection)
