"""What waits for a worker and whose turn it is; and the event by which whoever waits for work hears that
there is some.

`marking` goes before `stateless`, and both before `bulk`, which has its turn all the same.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from grader.service.workers.work_problems import Busy, Stopping


class WakeEvent:
    """Rung on the event loop's thread; a ring while nobody waits is heard by the next who does."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, seconds: float | None = None) -> None:
        """Until it rings, or that long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        self._rung.clear()


STATELESS, MARKING, BULK = LANES = ("stateless", "marking", "bulk")
IN_A_ROW = 3
"""So many tasks of marking are taken before a stateless one that waits."""


@dataclass(eq=False, slots=True)
class Job:
    """A task for a worker."""

    task: str
    args: tuple[Any, ...]
    named_args: dict[str, Any]
    lane: str
    timeout: float
    """Seconds of processor time that a worker has for it."""
    settle: Any = field(repr=False, default=None)
    """Called once, in whatever thread, with the result or the exception."""


class Lanes:
    """Queues that many threads take from."""

    def __init__(self, workers: int, most_waiting: int) -> None:
        self._waiting: dict[str, deque[Job]] = {lane: deque() for lane in LANES}
        self._running = dict.fromkeys(LANES, 0)
        self._most_waiting, self.most_bulk = most_waiting, max(1, workers - 1)
        self._in_a_row = 0
        self._changed = threading.Condition()
        self._closed = False

    def put(self, job: Job) -> None:
        """Busy where too many wait in the stateless lane: the others take all that come."""
        with self._changed:
            if self._closed:
                raise Stopping
            if job.lane == STATELESS and len(self._waiting[STATELESS]) >= self._most_waiting:
                raise Busy
            self._waiting[job.lane].append(job)
            self._changed.notify()

    def take(self) -> Job | None:
        """The next task, once there is one; None when the lanes are closed."""
        with self._changed:
            while not self._closed:
                lane = self._next()
                if lane is not None:
                    self._in_a_row = self._in_a_row + 1 if lane == MARKING else 0
                    self._running[lane] += 1
                    return self._waiting[lane].popleft()
                self._changed.wait()
            return None

    def done(self, job: Job) -> None:
        with self._changed:
            self._running[job.lane] -= 1
            # Bulk work may wait for just this.
            self._changed.notify()

    def drop(self, job: Job) -> None:
        """Nobody waits for it any longer; one that a worker has begun goes on."""
        with self._changed:
            if job in self._waiting[job.lane]:
                self._waiting[job.lane].remove(job)

    def close(self) -> list[Job]:
        """Nothing is taken from now on; what waited."""
        with self._changed:
            self._closed = True
            left = [job for lane in self._waiting.values() for job in lane]
            for lane in self._waiting.values():
                lane.clear()
            self._changed.notify_all()
            return left

    def counts(self) -> tuple[dict[str, int], dict[str, int]]:
        """How many wait in each lane, and how many are worked on."""
        with self._changed:
            return {lane: len(jobs) for lane, jobs in self._waiting.items()}, dict(self._running)

    def _next(self) -> str | None:
        marking, stateless = bool(self._waiting[MARKING]), bool(self._waiting[STATELESS])
        if marking and not (stateless and self._in_a_row >= IN_A_ROW):
            return MARKING
        if stateless:
            return STATELESS
        return BULK if self._waiting[BULK] and self._running[BULK] < self.most_bulk else None
