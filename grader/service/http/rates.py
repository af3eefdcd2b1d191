"""How often somebody may ask: so many a second for long, and more at once after a pause. Guesses at passwords are
counted in the store, so that a restart gives nobody another ten tries.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import delete, select, update

from grader.service.base.addresses import plain_address
from grader.service.base.clock import SECOND
from grader.service.base.ids import hash_of
from grader.service.base.service_problems import ServiceProblem
from grader.service.store.store import Store
from grader.service.store.tables import guess
from grader.service.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Rate:
    per_second: float
    at_once: int


ACCOUNT = Rate(20, 200)
"""Of one who is signed in, with all devices."""
ADDRESS = Rate(100, 3_000)
"""Where nobody is signed in: 500 who join from one school need a page, its files and a form each within a minute."""
JOINING = Rate(10, 500)
"""New members from one address: a whole lecture hall at once, and not for ever."""
ANSWERING = Rate(1, 30)
"""Answers of one who takes part in a live exercise."""
GUESSES = Rate(1 / 30, 10)
"""Wrong passwords for one account from one address."""
GUESSES_OF_ACCOUNT = Rate(1 / 10, 100)
"""From wherever they come: so many that a stranger cannot easily lock somebody out."""
GUESSES_OF_ADDRESS = Rate(1, 500)
"""For whatever account; a lecture hall may sign in at once."""

MOST_KEYS = 100_000


def taken(until: float | None, rate: Rate, now: float) -> tuple[float, float]:
    """One more at `now`: what to keep instead of `until`, and 0 or the seconds to wait for it (then keep `until`)."""
    before = now if until is None else max(until, now)
    after = before + 1 / rate.per_second
    wait = after - now - rate.at_once / rate.per_second
    return (before, wait) if wait > 1e-6 else (after, 0.0)


def given_back(until: float, rate: Rate) -> float:
    return until - 1 / rate.per_second


class RateKeeper(Protocol):
    """Keeps rates by key. What a store offers for limits that outlive a restart; it calls `taken` and `given_back`."""

    async def take(self, key: str, rate: Rate) -> float:
        """0, or the seconds to wait."""

    async def give_back(self, key: str, rate: Rate) -> None: ...


class MemoryRates:
    """Keeps rates in this process; forgets those that are at rest when there are too many."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most_keys: int = MOST_KEYS) -> None:
        self._clock, self._most = clock, most_keys
        self._until: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._until)

    def take_now(self, key: str, rate: Rate) -> float:
        now = self._clock()
        kept, wait = taken(self._until.get(key), rate, now)
        if not wait:
            if len(self._until) >= self._most and key not in self._until:
                self._make_room(now)
            self._until[key] = kept
        return wait

    async def take(self, key: str, rate: Rate) -> float:
        return self.take_now(key, rate)

    async def give_back(self, key: str, rate: Rate) -> None:
        if key in self._until:
            self._until[key] = given_back(self._until[key], rate)

    def _make_room(self, now: float) -> None:
        """Those at rest go; if none is, those that are nearest to it."""
        self._until = {key: until for key, until in self._until.items() if until > now}
        if len(self._until) >= self._most:
            nearest = sorted(self._until, key=self._until.__getitem__)[: self._most // 4 + 1]
            for key in nearest:
                del self._until[key]


class Rates:
    """The service's limits; each method raises 429 with Retry-After, or lets pass."""

    def __init__(self, memory: MemoryRates | None = None, guesses: RateKeeper | None = None) -> None:
        self._memory = MemoryRates() if memory is None else memory
        self._guesses: RateKeeper = self._memory if guesses is None else guesses

    def account(self, person: str) -> None:
        """Each request of somebody who is signed in."""
        self._pass(f"account {person}", ACCOUNT)

    def address(self, address: str | None) -> None:
        """Each request where nobody is signed in."""
        self._pass(f"address {network_of(address)}", ADDRESS)

    def joining(self, address: str | None) -> None:
        self._pass(f"joining {network_of(address)}", JOINING)

    def answering(self, who: str) -> None:
        self._pass(f"answering {who}", ANSWERING)

    async def password(self, account: str, address: str | None) -> None:
        """Before a password is checked. What is not given back by `password_was_right` was a guess."""
        asked: list[tuple[str, Rate]] = []
        for key, rate in _guess_keys(account, address):
            wait = await self._guesses.take(key, rate)
            if wait:
                for earlier in asked:
                    await self._guesses.give_back(*earlier)
                raise too_often(wait)
            asked.append((key, rate))

    async def password_was_right(self, account: str, address: str | None) -> None:
        for key, rate in _guess_keys(account, address):
            await self._guesses.give_back(key, rate)

    def _pass(self, key: str, rate: Rate) -> None:
        wait = self._memory.take_now(key, rate)
        if wait:
            raise too_often(wait)


def too_often(wait: float) -> ServiceProblem:
    seconds = max(1, math.ceil(wait))
    after = "a second" if seconds == 1 else f"{seconds} seconds"
    return ServiceProblem(429, "rate", f"too many requests; go on after {after}", headers={"Retry-After": str(seconds)})


def network_of(address: str | None) -> str:
    """Whom an address stands for: with IPv6 everybody has 2⁶⁴ of them."""
    parsed = plain_address(address) if address else None
    if parsed is None:
        return "-"
    return str(parsed) if parsed.version == 4 else f"{int(parsed) >> 64:x}/64"


def _guess_keys(account: str, address: str | None) -> list[tuple[str, Rate]]:
    network = network_of(address)
    return [
        (f"guess of {account} from {network}", GUESSES),
        (f"guesses of {account}", GUESSES_OF_ACCOUNT),
        (f"guesses from {network}", GUESSES_OF_ADDRESS),
    ]


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
    until = tx.execute(select(guess.c.until).where(guess.c.key == key)).scalar_one_or_none()
    kept, wait = taken(None if until is None else until / SECOND, rate, tx.now / SECOND)
    if wait:
        return wait
    if until is None:
        tx.execute(guess.insert(), {"key": key, "until": round(kept * SECOND)})
    else:
        _change(tx, key, lambda _until: kept)
    return 0.0


def _change(tx: Transaction, key: str, change: Callable[[float], float]) -> None:
    until = tx.execute(select(guess.c.until).where(guess.c.key == key)).scalar_one_or_none()
    if until is not None:
        tx.execute(update(guess).where(guess.c.key == key).values(until=round(change(until / SECOND) * SECOND)))
