"""The store as the rest of the service holds it: opened and brought up to date, read by many, written by one thread.

The thread commits what has gathered in one go, so that many students share the wait for the disk. A function that
raises is undone by its savepoint alone.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from grader.service.base.clock import now
from grader.service.base.service_problems import StoreRefused, StoreUnavailable
from grader.service.store.engine import READERS, database_url, is_lost, open_engine, require_durable, sqlite_url
from grader.service.store.schema_migration import is_current, migrate, revision
from grader.service.store.store_backup import back_up
from grader.service.store.transaction import Transaction, append

T = TypeVar("T")
MOST_TOGETHER = 256
WORDS = "the service cannot store anything just now; nothing was lost, please try again"
_log = logging.getLogger("plymark.store")


@dataclass(slots=True)
class _PendingWrite:
    function: Callable[[Transaction], Any]
    future: Future[Any] | asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop | None = None
    """Whose future it is, if it is one of asyncio's."""
    outcome: Any = None
    error: BaseException | None = None
    transaction: Transaction | None = None


class Writer:
    def __init__(self, engine: Engine, committed: Callable[[int], None] = lambda _count: None) -> None:
        self._engine, self._committed = engine, committed
        self._wanted: queue.SimpleQueue[_PendingWrite | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._stopped = False
        self.together = 0
        """How many the last commit carried."""
        self._thread = threading.Thread(target=self._run, name="plymark-writer", daemon=True)
        self._thread.start()

    def submit(self, function: Callable[[Transaction], T]) -> Future[T]:
        """The future is done when what the function wrote is durable."""
        future: Future[T] = Future()
        if self._stopped:
            future.set_exception(StoreUnavailable(WORDS))
        else:
            self._wanted.put(_PendingWrite(function, future))
        return future

    async def write(self, function: Callable[[Transaction], T]) -> T:
        """A caller who goes away does not take back what is being written."""
        if self._stopped:
            raise StoreUnavailable(WORDS)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._wanted.put(_PendingWrite(function, future, loop))
        return await future

    def stop(self) -> None:
        """Writes what is waiting, then ends."""
        self._stopped = True
        self._wanted.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            first = self._wanted.get()
            group = [] if first is None else [first]
            ended = first is None
            while len(group) < MOST_TOGETHER:
                try:
                    following = self._wanted.get_nowait()
                except queue.Empty:
                    break
                if following is None:
                    ended = True
                else:
                    group.append(following)
            if group:
                self._write(group)
            if ended and self._wanted.empty():
                self._close()
                return

    def _write(self, group: list[_PendingWrite]) -> None:
        try:
            self._commit(group)
        except BaseException as error:  # whatever it is, somebody waits for an answer
            _log.error("a group of %d could not be committed: %s", len(group), type(error).__name__)
            self._close()
            for each in group:
                each.error = each.error or _unavailable(error)
        else:
            self.together = len(group)
            self._committed(len(group))
        waiting: dict[asyncio.AbstractEventLoop | None, list[_PendingWrite]] = {}
        for each in group:
            waiting.setdefault(each.loop, []).append(each)
        for loop, theirs in waiting.items():
            if loop is None:
                _resolve(theirs)
            elif not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, theirs)

    def _commit(self, group: list[_PendingWrite]) -> None:
        connection = self._open()
        say = connection.connection.driver_connection.execute  # type: ignore[union-attr]  # both drivers have it
        say("BEGIN IMMEDIATE" if connection.dialect.name == "sqlite" else "BEGIN")
        for each in group:
            self._attempt(connection, each, say)
        entries = [
            entry for each in group if each.error is None and each.transaction for entry in each.transaction.entries
        ]
        if entries:
            append(connection, entries)
        say("COMMIT")

    def _attempt(self, connection: Connection, wanted: _PendingWrite, say: Callable[[str], Any]) -> None:
        wanted.transaction = Transaction(connection)
        say("SAVEPOINT one")
        try:
            wanted.outcome = wanted.function(wanted.transaction)
        except BaseException as error:
            if is_lost(error):
                raise
            # A full disk makes SQLite undo the whole transaction: then the savepoint is gone, and this raises.
            say("ROLLBACK TO SAVEPOINT one")
            wanted.error = _unavailable(error) if isinstance(error, DBAPIError) and _is_trouble(error) else error
        say("RELEASE SAVEPOINT one")

    def _open(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _close(self) -> None:
        """The next group starts on a new connection: whatever this one was in the middle of is undone."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.invalidate()
                connection.close()
            except Exception as error:
                _log.warning("a connection could not be closed: %s", type(error).__name__)


def _resolve(group: list[_PendingWrite]) -> None:
    for each in group:
        if each.future.cancelled():
            continue
        if each.error is not None:
            each.future.set_exception(each.error)
        else:
            each.future.set_result(each.outcome)


def _is_trouble(error: DBAPIError) -> bool:
    """Whether the database is in trouble, not the statement."""
    return type(error).__name__ in ("OperationalError", "InternalError", "InterfaceError")


def _unavailable(error: BaseException) -> BaseException:
    unavailable = StoreUnavailable(WORDS)
    unavailable.__cause__ = error
    return unavailable


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


BACKUPS = "backups"


def open_store(
    data: Path, database: str | None = None, committed: Callable[[int], None] = lambda _count: None
) -> Store:
    """Makes the folder if it is new; a store of an older program is backed up, then brought up to date."""
    make_folder(data)
    engine = open_engine(database_url(database) if database else sqlite_url(data))
    try:
        with engine.connect() as connection:
            require_durable(connection)
            current, before = is_current(connection), revision(connection)
        if not current:
            if before is not None:
                (data / BACKUPS).mkdir(exist_ok=True)
                back_up(engine, data / BACKUPS / f"before-upgrade-{before}-{now()}.sqlite3")
            migrate(engine)
    except (OperationalError, DBAPIError) as error:
        engine.dispose()
        raise StoreRefused(f"the database cannot be opened: {_first_line(error)}") from error
    except BaseException:
        engine.dispose()
        raise
    return Store(engine, committed)


def make_folder(data: Path) -> bool:
    """Whether it is new, or has nothing in it. What is in it is nobody else's business."""
    try:
        new = not data.exists() or not any(data.iterdir())
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(data, os.W_OK):
            raise StoreRefused(f"{data} cannot be written; choose another folder with --data")
    except OSError as error:
        raise StoreRefused(f"the folder {data} cannot be used: {error.strerror or error}") from None
    return new


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).strip().splitlines()[0]
