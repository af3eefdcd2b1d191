"""Work on several processes, results in the order of the items. A process that dies or takes too long costs the item it
was at, and nothing else: what else it had not handed in is given to another.

An item at which a process died is tried once more, by itself: it may have been killed for another's sake.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")

AHEAD = 3
"""Chunks under way for each process: results wait for those before them."""
LOOK, NOBODY = 0.2, -1
"""Seconds between two looks at processes that say nothing; the item of a process that has none."""
GRACE = 5.0
"""Seconds in which a process may finish its item when a run is stopped."""

DIED, TIMED_OUT = "crash", "timeout"


@dataclass(frozen=True, slots=True)
class Pooled(Generic[Item, Made]):
    """What is to be done, and by how many."""

    work: Callable[[Item], Made]
    """A function of a module, or an instance of one of its classes, so that other processes can be given it."""
    lost: Callable[[Item, str], Made]
    """What becomes of an item that was given up: `crash` or `timeout`."""
    workers: int
    chunk: int
    timeout: float | None = None
    """Seconds for one item."""
    arrived: Callable[[Made], None] | None = None
    """Gets each result as soon as it is there: those that wait for their turn would be lost in a kill."""

    def results(self, items: Iterable[Item]) -> Iterator[Made]:
        """In the order of the items; only a few chunks are under way at a time."""
        pool = _Pool(self, iter(items))
        try:
            yield from pool.results()
        finally:
            pool.close()


class _Chunk(Generic[Item, Made]):
    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self.made: dict[int, Made] = {}
        self.suspects: set[int] = set()
        """At which a process died once."""


@dataclass(slots=True)
class _Share(Generic[Item, Made]):
    """Some items of a chunk, by their places."""

    chunk: _Chunk[Item, Made]
    places: list[int]


class _Worker(Generic[Item, Made]):
    def __init__(self, work: Callable[[Item], Made]) -> None:
        context = multiprocessing.get_context()
        self.pipe, theirs = context.Pipe()
        self.at = context.RawArray("d", [NOBODY, 0.0, 0.0])
        """The place of the item under way, when it was begun, and whether to stop after it."""
        self.process = context.Process(target=_serve, args=(theirs, self.at, work), daemon=True)
        self.process.start()
        theirs.close()
        self.part: _Share[Item, Made] | None = None

    def give(self, part: _Share[Item, Made]) -> None:
        self.part = part
        self.at[0] = NOBODY
        try:
            self.pipe.send([part.chunk.items[place] for place in part.places])
        except (BrokenPipeError, ConnectionResetError):
            """It died between two parts: that is seen when its results are asked for."""

    def stuck(self, timeout: float | None) -> bool:
        return timeout is not None and self.at[0] != NOBODY and time.monotonic() - self.at[1] > timeout

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _Pool(Generic[Item, Made]):
    def __init__(self, asked: Pooled[Item, Made], items: Iterator[Item]) -> None:
        self.asked, self.items = asked, items
        self.workers: list[_Worker[Item, Made]] = []
        self.under_way: deque[_Chunk[Item, Made]] = deque()
        self.waiting: deque[_Share[Item, Made]] = deque()

    def results(self) -> Iterator[Made]:
        while self._fill() or self.under_way:
            self._hand_out()
            self._collect()
            while self.under_way and len(self.under_way[0].made) == len(self.under_way[0].items):
                chunk = self.under_way.popleft()
                yield from (chunk.made[place] for place in range(len(chunk.items)))

    def _fill(self) -> bool:
        while len(self.under_way) < AHEAD * self.asked.workers:
            chunk: _Chunk[Item, Made] = _Chunk(list(islice(self.items, self.asked.chunk)))
            if not chunk.items:
                return False
            self.under_way.append(chunk)
            self.waiting.append(_Share(chunk, list(range(len(chunk.items)))))
        return True

    def _hand_out(self) -> None:
        idle = [worker for worker in self.workers if worker.part is None]
        while self.waiting and (idle or len(self.workers) < self.asked.workers):
            if not idle:
                self.workers.append(_Worker(self.asked.work))
                idle.append(self.workers[-1])
            idle.pop().give(self.waiting.popleft())

    def _collect(self) -> None:
        busy = {worker.pipe: worker for worker in self.workers if worker.part is not None}
        look = LOOK if self.asked.timeout is None else min(LOOK, max(self.asked.timeout / 4, 0.01))
        for pipe in wait(list(busy), look):
            assert isinstance(pipe, Connection)
            worker = busy.pop(pipe)
            try:
                self._take(worker, pipe.recv())
            except (EOFError, ConnectionResetError):
                self._lose(worker, DIED)
        for worker in busy.values():
            if worker.stuck(self.asked.timeout):
                self._lose(worker, TIMED_OUT)
            elif not worker.process.is_alive() and not worker.pipe.poll():
                self._lose(worker, DIED)

    def _take(self, worker: _Worker[Item, Made], made: list[Made]) -> None:
        part, worker.part = worker.part, None
        assert part is not None
        part.chunk.made.update(zip(part.places, made, strict=True))
        if self.asked.arrived is not None:
            for each in made:
                self.asked.arrived(each)

    def _lose(self, worker: _Worker[Item, Made], why: str) -> None:
        """Give up the item that a process was at, or try it again alone; the rest goes to another process."""
        worker.end()
        self.workers.remove(worker)
        part = worker.part
        assert part is not None
        chunk, at = part.chunk, max(0, int(worker.at[0]))
        place = part.places[at]
        rest = part.places[:at] + part.places[at + 1 :]
        if why == TIMED_OUT or place in chunk.suspects:
            chunk.made[place] = self.asked.lost(chunk.items[place], why)
        else:
            chunk.suspects.add(place)
            self.waiting.appendleft(_Share(chunk, [place]))
        if rest:
            self.waiting.appendleft(_Share(chunk, rest))

    def close(self) -> None:
        """Let every process finish its item, so that no file is left half-written, and end it."""
        for worker in self.workers:
            worker.at[2] = 1.0
        until = time.monotonic() + GRACE
        for worker in self.workers:
            # A large answer would wait for a reader.
            while worker.part is not None and time.monotonic() < until and not worker.pipe.poll(0.02):
                if not worker.process.is_alive():
                    break
            worker.end()
        self.workers.clear()


def _serve(pipe: Connection, at: Any, work: Callable[[Any], Any]) -> None:
    """What a process does: it ends when the one that started it is gone, in whatever way."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Not always the one that asked for it: there may be a server in between, which ends with it.
    parent, asked_by = os.getppid(), multiprocessing.parent_process()
    while True:
        while not pipe.poll(1.0):
            if os.getppid() != parent or (asked_by is not None and not asked_by.is_alive()):
                return
        try:
            items = pipe.recv()
        except EOFError:
            return
        made = []
        for place, item in enumerate(items):
            if at[2] or os.getppid() != parent:
                return
            at[1] = time.monotonic()
            at[0] = place
            made.append(work(item))
        at[0] = NOBODY
        try:
            pipe.send(made)
        except (BrokenPipeError, ConnectionResetError):
            return
