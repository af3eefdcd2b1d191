"""Work on several processes, results in the order of the items. A process that dies or takes too long costs the item it
was at, and nothing else: what else it had not handed in is given to another.

An item at which a process died is tried once more, by itself: it may have been killed for another's sake.
"""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import pickle
import signal
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic
from weakref import WeakSet

from solver.jobs.work_results import Item, Outcome

try:
    import resource
except ImportError:  # where there is no such limit, memory is not limited
    resource = None  # type: ignore[assignment]

Handler = Callable[[bytes], bytes]
"""What a process does with each request."""
OUT_OF_TIME: int | None = getattr(signal, "SIGPROF", None)
"""The signal that ends a process which has used up its processor time; Windows has none."""
_SECONDS = struct.Struct("d")
"""Before each request: how much processor time there is for it."""


class ProcessEnded(Exception):
    """A worker process ended before it replied."""


class OutOfTime(ProcessEnded):
    """It had used up the time for a request."""


class WorkerProcess:
    """A worker process, and the way to it."""

    def __init__(self, process: BaseProcess, connection: Connection) -> None:
        self._process, self._connection = process, connection
        self.signs: tuple[Any, ...] = (connection, process.sentinel)
        """One of them is ready when it has replied or ended."""
        self.requests = 0
        """How many it was sent."""

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def is_idle(self) -> bool:
        """Whether it waits for a request: it has replied to the last one, and is there."""
        return not wait(self.signs, 0)

    def send(self, request: bytes, seconds: float = 0.0) -> None:
        """With so many seconds of processor time for it; 0 is no limit. That the process is dead is seen when its
        reply is received."""
        self.requests += 1
        with suppress(OSError):
            self._connection.send_bytes(_SECONDS.pack(seconds) + request)

    def receive(self) -> bytes:
        """Its reply, once it has replied or ended; OutOfTime or ProcessEnded if there is none."""
        with suppress(EOFError, OSError):
            if self._connection.poll():
                return self._connection.recv_bytes()
        raise OutOfTime if self._was_out_of_time() else ProcessEnded

    def ask(self, request: bytes, seconds: float, patience: float) -> bytes:
        """Its reply; OutOfTime or ProcessEnded otherwise. One that only waits is given up after `patience` times as
        long by the clock; where processor time cannot be limited, that is the limit."""
        self.send(request, seconds)
        if not wait(self.signs, seconds * patience):
            raise OutOfTime if OUT_OF_TIME is None else ProcessEnded
        return self.receive()

    def kill(self) -> None:
        with suppress(ValueError, OSError):
            self._process.kill()

    def end(self) -> None:
        """At once: it ignores everything milder, and holds nothing that would have to be put away."""
        with suppress(ValueError, OSError):
            self._process.kill()
            self._process.join()
        self._connection.close()

    def _was_out_of_time(self) -> bool:
        """Of a process that has ended, or is about to."""
        if OUT_OF_TIME is None:
            return False
        self._process.join(1.0)
        return self._process.exitcode == -OUT_OF_TIME


class ProcessPool:
    """Worker processes that are started alike; whoever uses them says what each does, and when it ends."""

    def __init__(self, preload: Sequence[str] = (), memory_bytes: int | None = None, nice: int = 0) -> None:
        """`preload`: modules that processes need. They are then forks of one that has loaded them and holds nothing of
        this one's, such as sockets and locks. `memory_bytes`: so much more than a process has at its start."""
        self.context: Any = _context_with(preload)
        self.is_closed = False
        self._memory_bytes, self._nice = memory_bytes, nice
        self._workers: set[WorkerProcess] = set()
        self._lock = threading.Lock()
        _pools.add(self)

    def start_worker(self, make_handler: Callable[[], Handler]) -> WorkerProcess:
        """`make_handler` is called in the process, before its memory is limited."""
        ours, theirs = self.context.Pipe()
        life = (theirs, make_handler, self._memory_bytes, self._nice)
        process = self.context.Process(target=_run_worker, args=life, name="plymark-worker")
        # Should the process that forks them have died, this starts another.
        _start_without_signals(process, self.context)
        theirs.close()
        worker = WorkerProcess(process, ours)
        with self._lock:
            self._workers.add(worker)
        return worker

    def end_worker(self, worker: WorkerProcess) -> None:
        with self._lock:
            self._workers.discard(worker)
        worker.end()

    def kill_all(self) -> None:
        """Whoever waits for one of them learns that it has ended."""
        self.is_closed = True
        with self._lock:
            workers = list(self._workers)
        for worker in workers:
            worker.kill()

    @property
    def pids(self) -> list[int]:
        with self._lock:
            return sorted(worker.pid for worker in self._workers if worker.pid is not None)


_pools: WeakSet[ProcessPool] = WeakSet()


@atexit.register
def _kill_workers() -> None:
    """Before multiprocessing's own farewell, which would wait for them."""
    for pool in list(_pools):
        pool.kill_all()


def wait_for_any(workers: Iterable[WorkerProcess], seconds: float | None) -> list[WorkerProcess]:
    """Those that have replied or ended, once there is one or the time is over."""
    waiting = list(workers)
    ready = set(wait([sign for worker in waiting for sign in worker.signs], seconds))
    return [worker for worker in waiting if not ready.isdisjoint(worker.signs)]


def _context_with(preload: Sequence[str]) -> Any:
    if not preload:
        return multiprocessing.get_context()
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    return context


def _start_without_signals(process: BaseProcess, context: Any) -> None:
    """A process started so never hears of these signals, nor do its children: were it ended by a service manager that
    signals every process of a group, all workers would seem dead. Those of this process are only held back
    meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        process.start()
        return
    if context.get_start_method() != "fork":
        # Started first: it would unblock what is blocked next.
        resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_worker(
    connection: Connection, make_handler: Callable[[], Handler], memory_bytes: int | None, nice: int
) -> None:
    """One request after another, until the process that asks says otherwise or dies."""
    # Ctrl-C and service managers signal every process of a group; the one that asks decides what becomes of its
    # workers.
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    handle = make_handler()
    # What is loaded now stays for good, and need not be walked again with every collection.
    gc.freeze()
    if memory_bytes is not None:
        _limit_memory(memory_bytes)
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            return
        _limit_processor_time(_SECONDS.unpack_from(message)[0])
        reply = handle(message[_SECONDS.size :])
        _limit_processor_time(0)
        connection.send_bytes(reply)


def _end_with_parent() -> None:
    """At once, and in whatever way it dies: what it asked for is of no use to anybody."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _limit_processor_time(seconds: float) -> None:
    """From now on, the system's and that of all threads; 0 is no limit. The system ends the process at the end of it,
    whatever it is at."""
    if OUT_OF_TIME is not None:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory(above: int) -> None:
    """That much more than the process has by now."""
    if resource is None:
        return
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + above
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


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
