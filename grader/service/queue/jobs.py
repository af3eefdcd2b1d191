"""Bulk work: one job after another, each in chunks that workers do.

A chunk is the call of a task, so that it does not matter where it is worked on, nor how often. A job that
a server leaves behind is taken up again, by itself after a restart or by another server once its lease has run out.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from grader.service.clock import SECOND
from grader.service.problems import ServiceProblem
from grader.service.queue.waking import Bell
from grader.service.store import jobs
from grader.service.store.errors import StoreUnavailable
from grader.service.store.store import Store
from grader.service.work.lanes import BULK
from grader.service.work.pool import TRIES, WorkerLane, Workers
from grader.service.work.problems import Stopping, TaskFailed, WorkProblem

LEASE = 120 * SECOND
BEAT = 30.0
"""Seconds between signs of life."""
PAUSE = 5.0
"""Seconds between looks for what other servers have left."""
T = TypeVar("T")
OURS = "something went wrong inside the service; the log says what"
_log = logging.getLogger("plymark.jobs")


class JobStopped(Exception):
    """Somebody has stopped the job, or another server has it."""


@dataclass(frozen=True, slots=True)
class JobRun:
    """A job under way, as the function that does it sees it."""

    id: str
    payload: Mapping[str, Any]
    store: Store
    workers: Workers

    def bulk(self, timeout: float | None = None) -> WorkerLane:
        """For chunks; each is begun anew if its worker dies."""
        return self.workers.lane(BULK, timeout, TRIES)

    async def each(self, chunks: Iterable[T], do: Callable[[T], Awaitable[None]]) -> None:
        """All chunks, as many at a time as there are hands for them; the first that fails ends the others."""
        under_way: set[asyncio.Future[None]] = set()
        try:
            for chunk in chunks:
                if len(under_way) >= self.workers.at_once:
                    under_way = await _some(under_way)
                under_way.add(asyncio.ensure_future(do(chunk)))
            while under_way:
                under_way = await _some(under_way)
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def progress(self, done: int, of: int) -> None:
        """To be told after each chunk; JobStopped if there shall be no other."""
        if not await self.store.write(lambda tx: jobs.advance(tx, self.id, done, of, tx.now + LEASE)):
            raise JobStopped


async def _some(under_way: set[asyncio.Future[None]]) -> set[asyncio.Future[None]]:
    """Those that are left when one or more have ended."""
    done, left = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
    for each in done:
        each.result()
    return left


Kind = Callable[[JobRun], Awaitable[Any]]
"""Does a job, and gives its result as data for JSON. A ServiceProblem or WorkProblem ends it as failed, in words."""


class JobRunner:
    """One job at a time."""

    def __init__(self, store: Store, workers: Workers, kinds: Mapping[str, Kind]) -> None:
        self._store, self._workers, self._kinds = store, workers, kinds
        self._bell = Bell()
        self._running: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """There is a new job."""
        self._bell.ring()

    async def start(self) -> None:
        await self._store.write(jobs.take_up_again)
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """What is not done stays in the store; whatever chunks gave is not lost."""
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running
            self._running = None

    async def _run(self) -> None:
        while True:
            try:
                while await self._store.read(jobs.is_any_waiting) and await self._do_one():
                    pass
            except StoreUnavailable:
                _log.warning("the store is not there; jobs wait")
            except Exception:
                _log.exception("jobs were interrupted")
            await self._bell.wait(PAUSE)

    async def _do_one(self) -> bool:
        taken = await self._store.write(lambda tx: jobs.take(tx, tx.now + LEASE))
        if taken is None:
            return False
        run = JobRun(taken.id, json.loads(taken.payload), self._store, self._workers)
        beating = asyncio.create_task(self._beat(taken.id))
        try:
            result = await self._kinds[taken.kind](run)
            await self._store.write(lambda tx: jobs.end(tx, taken.id, "done", result=result))
        except JobStopped:
            pass
        except (Stopping, StoreUnavailable, asyncio.CancelledError) as left:
            with suppress(StoreUnavailable):
                await self._store.write(lambda tx: jobs.leave(tx, taken.id))
            if not isinstance(left, Stopping):
                raise
        except Exception as error:
            words = _words(error)
            if words == OURS:
                _log.exception("job %s failed", taken.id)
            await self._store.write(lambda tx: jobs.end(tx, taken.id, "failed", error=words))
        finally:
            beating.cancel()
        return True

    async def _beat(self, job_id: str) -> None:
        while True:
            await asyncio.sleep(BEAT)
            with suppress(StoreUnavailable):
                await self._store.write(lambda tx: jobs.prolong(tx, job_id, tx.now + LEASE))


def _words(error: Exception) -> str:
    told = isinstance(error, ServiceProblem | WorkProblem) and not isinstance(error, TaskFailed)
    return str(getattr(error, "detail", OURS)) if told else OURS
