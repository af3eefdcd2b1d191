"""Accounts, sessions and guesses, on each database."""

from __future__ import annotations

import asyncio
from typing import Any

from grader.service.base.ids import hash_of
from grader.service.features.accounts import queries as accounts_queries
from grader.service.features.accounts.queries import new_link, new_person
from grader.service.http import sessions
from grader.service.http.rates import Rate, StoredGuesses
from grader.service.store.store import Store
from grader.service.store.tables import session


def enter(store: Store, link: str | None) -> bool:
    """Whether the link still works."""
    return store.write_now(lambda tx: accounts_queries.enter_by_link(tx, hash_of(str(link)), None)) is not None


def teacher(store: Store, name: str) -> str | None:
    return store.write_now(lambda tx: accounts_queries.teacher_named(tx, name))


def test_the_first_teacher(store: Store) -> None:
    links = [store.write_now(accounts_queries.first_link) for _ in range(2)]
    assert [enter(store, link) for link in links] == [False, True]
    assert store.write_now(accounts_queries.first_link) is None
    (only,) = store.read_now(accounts_queries.teachers)
    again = store.write_now(lambda tx: accounts_queries.once_link(tx, only.id))
    assert [enter(store, again) for _ in range(2)] == [True, False]


def test_teachers_by_name(store: Store) -> None:
    made = [teacher(store, name) for name in ("Ada", " ADA ", "Bo")]
    assert made[0] == made[1] != made[2]
    store.write_now(lambda tx: [new_person(tx, "Cy", teaches=True) for _ in range(2)])
    assert teacher(store, "Cy") is None


def test_a_student_with_the_login_of_a_teacher(store: Store) -> None:
    """Stays a student: a token for that name is another person's."""
    student = store.write_now(lambda tx: new_person(tx, "Ada", login="ada"))
    assert teacher(store, "ada") not in (None, student)


def test_sessions(store: Store) -> None:
    person = store.write_now(lambda tx: new_person(tx, "Sue"))
    link = store.write_now(lambda tx: new_link(tx, person))
    first = store.write_now(lambda tx: accounts_queries.enter_by_link(tx, hash_of(link), None))
    assert first is not None
    before = hash_of(first.secret)
    second = store.write_now(lambda tx: accounts_queries.begin_session(tx, person, before, "password"))
    assert rows(store)[before].revoked is not None
    kept = hash_of(second.secret)
    third = store.write_now(lambda tx: accounts_queries.begin_session(tx, person, None, "password"))
    assert store.write_now(lambda tx: accounts_queries.set_password(tx, person, "sue", "hash", kept))
    assert rows(store)[kept].revoked is None
    assert rows(store)[hash_of(third.secret)].revoked is not None
    other = store.write_now(lambda tx: new_person(tx, "Other"))
    assert not store.write_now(lambda tx: accounts_queries.set_password(tx, other, "sue", "hash"))
    store.write_now(lambda tx: sessions.renew_session(tx, kept))
    assert rows(store)[kept].expires >= rows(store)[before].expires


def test_guesses_are_kept(store: Store) -> None:
    rate = Rate(0.001, 2)

    async def take(times: int) -> list[bool]:
        return [bool(await StoredGuesses(store).take("key", rate)) for _ in range(times)]

    assert asyncio.run(take(3)) == [False, False, True]
    asyncio.run(StoredGuesses(store).give_back("key", rate))
    assert asyncio.run(take(2)) == [False, True]


def rows(store: Store) -> dict[str, Any]:
    return {row.hash: row for row in store.read_now(lambda connection: connection.execute(session.select()).all())}
