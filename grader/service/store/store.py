"""The store as the rest of the service holds it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from grader.service.store.engine import READERS
from grader.service.store.errors import StoreUnavailable
from grader.service.store.transaction import Transaction
from grader.service.store.writer import WORDS, Writer

T = TypeVar("T")
CROWD = 8


class Store:
    def __init__(self, engine: Engine, committed: Callable[[int], None] = lambda _count: None) -> None:
        self.engine = engine
        self._writer = Writer(engine, committed)
        self._readers = ThreadPoolExecutor(READERS, "plymark-reader")
        self._at_hand: Connection | None = None
        self._is_local = engine.dialect.name == "sqlite"

    async def read(self, function: Callable[[Connection], T]) -> T:
        """What a function finds in the database, off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self.read_now, function)

    async def glance(self, function: Callable[[Connection], T]) -> T:
        """`read` for what takes less time than to ask another thread for it: a few rows by their keys. With SQLite,
        whose readers wait for nobody, it is done at once, on a connection that stays open for it."""
        if not self._is_local:
            return await self.read(function)
        try:
            if self._at_hand is None:
                self._at_hand = self.engine.connect()
            return function(self._at_hand)
        except (DBAPIError, PoolTimeout) as error:
            self._let_go()
            raise StoreUnavailable(WORDS) from error

    def _let_go(self) -> None:
        held, self._at_hand = self._at_hand, None
        if held is not None:
            held.close()

    def read_now(self, function: Callable[[Connection], T]) -> T:
        try:
            with self.engine.connect() as connection:
                return function(connection)
        except (DBAPIError, PoolTimeout) as error:
            raise StoreUnavailable(WORDS) from error

    async def write(self, function: Callable[[Transaction], T]) -> T:
        """Returns once what the function wrote is durable. The function may run on any thread, and must not wait."""
        return await self._writer.write(function)

    @property
    def is_crowded(self) -> bool:
        """Whether many wait for the disk at once."""
        return self._writer.together >= CROWD

    def write_now(self, function: Callable[[Transaction], T]) -> T:
        return self._writer.submit(function).result()

    def close(self) -> None:
        """What is waiting to be written is written first."""
        self._writer.stop()
        self._readers.shutdown()
        self._let_go()
        self.engine.dispose()
