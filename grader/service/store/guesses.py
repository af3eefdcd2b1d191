"""Rates of guessing passwords, kept in the store: a restart gives nobody another ten tries."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import delete, select, update

from grader.service.clock import SECOND
from grader.service.edge.rates import Rate, given_back, taken
from grader.service.ids import hash_of
from grader.service.store.schema import guess
from grader.service.store.store import Store
from grader.service.store.transaction import Transaction


class StoredGuesses:
    """Keys are stored as hashes: they hold names and addresses."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def take(self, key: str, rate: Rate) -> float:
        return await self._store.write(lambda tx: _take(tx, hash_of(key), rate))

    async def give_back(self, key: str, rate: Rate) -> None:
        await self._store.write(lambda tx: _change(tx, hash_of(key), lambda until: given_back(until, rate)))


def _take(tx: Transaction, key: str, rate: Rate) -> float:
    tx.execute(delete(guess).where(guess.c.until <= tx.now))
    found = tx.execute(select(guess.c.until).where(guess.c.key == key)).scalar_one_or_none()
    kept, wait = taken(None if found is None else found / SECOND, rate, tx.now / SECOND)
    if wait:
        return wait
    if found is None:
        tx.execute(guess.insert(), {"key": key, "until": round(kept * SECOND)})
    else:
        _change(tx, key, lambda _until: kept)
    return 0.0


def _change(tx: Transaction, key: str, change: Callable[[float], float]) -> None:
    found = tx.execute(select(guess.c.until).where(guess.c.key == key)).scalar_one_or_none()
    if found is not None:
        tx.execute(update(guess).where(guess.c.key == key).values(until=round(change(found / SECOND) * SECOND)))
