"""One thread writes, and commits what has gathered in one go: many students share the wait for the disk.

A function that raises is undone by its savepoint and fails alone. If the commit itself fails, all of its group fail
with StoreUnavailable: nothing was acknowledged, and whoever tries again with the same key is safe.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from grader.service.store.audit import append
from grader.service.store.engine import is_lost
from grader.service.store.errors import StoreUnavailable
from grader.service.store.transaction import Transaction

T = TypeVar("T")
MOST_TOGETHER = 256
WORDS = "the service cannot store anything just now; nothing was lost, please try again"
_log = logging.getLogger("plymark.store")


@dataclass(slots=True)
class _Wanted:
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
        self._wanted: queue.SimpleQueue[_Wanted | None] = queue.SimpleQueue()
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
            self._wanted.put(_Wanted(function, future))
        return future

    async def write(self, function: Callable[[Transaction], T]) -> T:
        """A caller who goes away does not take back what is being written."""
        if self._stopped:
            raise StoreUnavailable(WORDS)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._wanted.put(_Wanted(function, future, loop))
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

    def _write(self, group: list[_Wanted]) -> None:
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
        waiting: dict[asyncio.AbstractEventLoop | None, list[_Wanted]] = {}
        for each in group:
            waiting.setdefault(each.loop, []).append(each)
        for loop, theirs in waiting.items():
            if loop is None:
                _resolve(theirs)
            elif not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, theirs)

    def _commit(self, group: list[_Wanted]) -> None:
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

    def _attempt(self, connection: Connection, wanted: _Wanted, say: Callable[[str], Any]) -> None:
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


def _resolve(group: list[_Wanted]) -> None:
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
