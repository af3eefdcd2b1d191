"""Work on several processes, results in the order of the items. A process that dies or takes too long costs the item it
was at, and nothing else: what else it had not handed in is given to another.

An item at which a process died is tried once more, by itself: it may have been killed for another's sake.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Generic

from solver.jobs.pool import Handler, ProcessEnded, ProcessPool, WorkerProcess, wait_for_any
from solver.jobs.work import Item, Outcome

AHEAD = 3
"""Chunks under way for each process: results wait for those before them."""
LOOK, NOBODY = 0.2, -1
"""Seconds at most between two looks at how long processes are at their items; the item of one that has none."""
GRACE = 5.0
"""Seconds in which a process may finish its item when a run is stopped."""

DIED, TIMED_OUT = "crash", "timeout"


class _Chunk(Generic[Item, Outcome]):
    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self.outcomes: dict[int, Outcome] = {}
        self.suspects: set[int] = set()
        """At which a process died once."""


@dataclass(slots=True)
class _Share(Generic[Item, Outcome]):
    """Some items of a chunk, by their places."""

    chunk: _Chunk[Item, Outcome]
    places: list[int]


class ChunkedRun(Generic[Item, Outcome]):
    """Items that go to processes in chunks; `close` at the end."""

    def __init__(
        self,
        work: Callable[[Item], Outcome],
        items: Iterator[Item],
        lost: Callable[[Item, str], Outcome],
        count: int,
        chunk_size: int,
        timeout: float | None = None,
        arrived: Callable[[Outcome], None] | None = None,
    ) -> None:
        self._work, self._items, self._lost, self._arrived = work, items, lost, arrived
        self._count, self._chunk_size, self._timeout = count, chunk_size, timeout
        self._pool = ProcessPool()
        self._idle: list[WorkerProcess] = []
        self._busy: dict[WorkerProcess, _Share[Item, Outcome]] = {}
        self._progress: dict[WorkerProcess, Any] = {}
        """Shared with each process: the place of the item under way, when it was begun, and whether to stop after
        it."""
        self._under_way: deque[_Chunk[Item, Outcome]] = deque()
        self._waiting: deque[_Share[Item, Outcome]] = deque()

    def results(self) -> Iterator[Outcome]:
        """In the order of the items; only a few chunks are under way at a time."""
        while self._fill() or self._under_way:
            self._hand_out()
            self._collect()
            while self._under_way and len(self._under_way[0].outcomes) == len(self._under_way[0].items):
                chunk = self._under_way.popleft()
                yield from (chunk.outcomes[place] for place in range(len(chunk.items)))

    def close(self) -> None:
        """Let every process finish its item, so that no file is left half-written, and end it."""
        for progress in self._progress.values():
            progress[2] = 1.0
        until = time.monotonic() + GRACE
        while self._busy and (seconds := until - time.monotonic()) > 0:
            for worker in wait_for_any(self._busy, seconds):
                del self._busy[worker]
        for worker in list(self._progress):
            self._end(worker)

    def _fill(self) -> bool:
        while len(self._under_way) < AHEAD * self._count:
            chunk: _Chunk[Item, Outcome] = _Chunk(list(islice(self._items, self._chunk_size)))
            if not chunk.items:
                return False
            self._under_way.append(chunk)
            self._waiting.append(_Share(chunk, list(range(len(chunk.items)))))
        return True

    def _hand_out(self) -> None:
        while self._waiting and (self._idle or len(self._progress) < self._count):
            worker, share = self._idle.pop() if self._idle else self._start(), self._waiting.popleft()
            self._busy[worker] = share
            self._progress[worker][0] = NOBODY
            items = [share.chunk.items[place] for place in share.places]
            worker.send(pickle.dumps(items, pickle.HIGHEST_PROTOCOL))

    def _collect(self) -> None:
        timeout = self._timeout
        for worker in wait_for_any(self._busy, None if timeout is None else min(LOOK, max(timeout / 4, 0.01))):
            try:
                reply = worker.receive()
            except ProcessEnded:
                self._lose(worker, DIED)
            else:
                self._take(worker, pickle.loads(reply))
        for worker in list(self._busy) if timeout is not None else ():
            place, begun, _ = self._progress[worker]
            if place != NOBODY and time.monotonic() - begun > timeout:
                self._lose(worker, TIMED_OUT)

    def _take(self, worker: WorkerProcess, outcomes: list[Outcome]) -> None:
        share = self._busy.pop(worker)
        self._idle.append(worker)
        share.chunk.outcomes.update(zip(share.places, outcomes, strict=True))
        if self._arrived is not None:
            for outcome in outcomes:
                self._arrived(outcome)

    def _lose(self, worker: WorkerProcess, why: str) -> None:
        """Give up the item that a process was at, or try it again alone; the rest goes to another process."""
        share, at = self._busy.pop(worker), max(0, int(self._progress[worker][0]))
        self._end(worker)
        chunk, place = share.chunk, share.places[at]
        rest = share.places[:at] + share.places[at + 1 :]
        if why == TIMED_OUT or place in chunk.suspects:
            chunk.outcomes[place] = self._lost(chunk.items[place], why)
        else:
            chunk.suspects.add(place)
            self._waiting.appendleft(_Share(chunk, [place]))
        if rest:
            self._waiting.appendleft(_Share(chunk, rest))

    def _start(self) -> WorkerProcess:
        progress = self._pool.context.RawArray("d", [NOBODY, 0.0, 0.0])
        worker = self._pool.start_worker(partial(_chunk_handler, self._work, progress))
        self._progress[worker] = progress
        return worker

    def _end(self, worker: WorkerProcess) -> None:
        del self._progress[worker]
        self._pool.end_worker(worker)


def _chunk_handler(work: Callable[[Any], Any], progress: Any) -> Handler:
    return partial(_work_through, work, progress)


def _work_through(work: Callable[[Any], Any], progress: Any, request: bytes) -> bytes:
    outcomes = []
    for place, item in enumerate(pickle.loads(request)):
        if progress[2]:
            break
        progress[1] = time.monotonic()
        progress[0] = place
        outcomes.append(work(item))
    progress[0] = NOBODY
    return pickle.dumps(outcomes, pickle.HIGHEST_PROTOCOL)
