"""The workers, as the web process sees them; and the Dask cluster that may do bulk tasks in their place.

Each worker is a process with a pipe of its own, tended by a thread. Workers share nothing, no lock and no queue, so
one that dies costs no more than the task it had; its thread starts another.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from grader.service.workers.lanes import BULK, LANES, MARKING, STATELESS, Job, Lanes
from grader.service.workers.work_problems import (
    OutOfMemory,
    Refused,
    Stopping,
    TaskFailed,
    TimedOut,
    WorkerDied,
    WorkProblem,
)
from grader.service.workers.worker_process import (
    DONE,
    OUT_OF_MEMORY,
    REFUSED,
    from_bytes,
    name_of,
    run_task,
    task_handler,
    to_bytes,
)
from solver.jobs import OUT_OF_TIME, OutOfTime, ProcessEnded, ProcessPool, WorkerProcess

RETRIES = 3
_log = logging.getLogger("plymark.cluster")


class NotDone(Exception):
    """The cluster has not done a task."""


class Cluster:
    def __init__(self, address: str, tasks: Sequence[str]) -> None:
        """UsageError where none answers, or it has another version of this program."""
        # Imported only here: the server loads nothing that solves unless it needs it.
        from solver.jobs import connected

        self._client, self.at_once = connected(address)
        self._tasks = tasks

    async def run(
        self, task: str, args: tuple[Any, ...], named_args: dict[str, Any], timeout: float
    ) -> tuple[str, Any]:
        """As a worker of the service answers it; NotDone otherwise. The time counts from now, as nobody here knows when
        the cluster begins."""
        if self._client.status != "running":
            raise NotDone
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()

        def end(_future: Any) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any longer
                loop.call_soon_threadsafe(ended.set)

        future = None
        try:
            asked = task, to_bytes((args, named_args))
            future = self._client.submit(run_task_on_cluster, self._tasks, *asked, pure=False, retries=RETRIES)
            future.add_done_callback(end)
            async with asyncio.timeout(timeout):
                await ended.wait()
                kind, value = from_bytes(await asyncio.to_thread(future.result))
        except Exception as error:  # a lost scheduler, a killed worker, too long: Dask has many words for it
            _log.warning("the cluster has not done %s (%s); it is done here", task, type(error).__name__)
            raise NotDone from None
        finally:
            if future is not None:
                # Which ends it, too, where nobody has begun it. To cancel it would be to wait for the scheduler.
                with suppress(Exception):
                    future.release()
        if kind == OUT_OF_MEMORY:
            raise NotDone
        return kind, value

    def close(self) -> None:
        with suppress(Exception):
            self._client.close(timeout=2)


def run_task_on_cluster(tasks: Sequence[str], name: str, arguments: bytes) -> bytes:
    """What a worker of the cluster does."""
    for each in tasks:
        import_module(each)
    return run_task(tasks, name, arguments)


P = ParamSpec("P")
R = TypeVar("R")
OUR_TASKS = ("grader.service.tasks",)
MEMORY_BYTES = 1024**3
NICE = 5
"""Storing what is handed in goes before marking it, where there are too few processors for both."""
MOST_WAITING = 64
TASKS_OF_A_LIFE = 500
TRIES = 3
"""How often a task is begun before it counts as one that cannot be done."""
PAUSE = 0.2
"""Seconds before a process is asked for again, where there was no room for one."""
SECONDS = {STATELESS: 10.0, MARKING: 10.0, BULK: 60.0}
"""Of processor time that a worker has for a task unless it is told otherwise: the same on a busy machine."""
PATIENCE = 30.0 if OUT_OF_TIME is not None else 1.0
"""So many times as long a worker may be at a task by the clock: then it waits for something that never comes. Where
processor time cannot be limited, this limits it."""


@dataclass(frozen=True, slots=True)
class WorkCounts:
    """For metrics."""

    waiting: dict[str, int]
    """By lane, as all of these are but deaths."""
    running: dict[str, int]
    done: dict[str, int]
    timeouts: dict[str, int]
    out_of_memory: dict[str, int]
    deaths: int
    """Of workers that nobody ended."""


@dataclass(slots=True)
class _Tallies:
    done: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LANES, 0))
    timeouts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LANES, 0))
    out_of_memory: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LANES, 0))
    deaths: int = 0


class Workers:
    """So many processes for the tasks of some packages and modules. `start` first; `stop` at the end."""

    def __init__(
        self,
        count: int,
        memory_bytes: int | None = MEMORY_BYTES,
        most_waiting: int = MOST_WAITING,
        tasks_of_a_life: int = TASKS_OF_A_LIFE,
        tasks: Sequence[str] = OUR_TASKS,
        patience: float = PATIENCE,
    ) -> None:
        self.count = count
        self.cluster: Cluster | None = None
        """Where bulk tasks are tried first."""
        self._processes = ProcessPool(preload=tasks, memory_bytes=memory_bytes, nice=NICE)
        self._handler = partial(task_handler, tasks)
        self._tasks_of_a_life, self._patience = tasks_of_a_life, patience
        self._lanes = Lanes(count, most_waiting)
        self._tallies, self._lock = _Tallies(), threading.Lock()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Returns when the processes are there; what they load, they load meanwhile. To be called before the server
        binds its socket or locks its folder, so that they cannot hold either."""
        for number in range(self.count):
            worker = self._processes.start_worker(self._handler)
            thread = threading.Thread(target=self._run_worker, args=(worker,), name=f"worker-{number + 1}", daemon=True)
            self._threads.append(thread)
            thread.start()

    async def run(self, task: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What a task makes of its arguments, in the lane `stateless`; a WorkProblem otherwise."""
        return await self.lane(STATELESS).run(task, *args, **kwargs)

    def lane(self, name: str, timeout: float | None = None, tries: int = 1) -> WorkerLane:
        """The way to ask for a task in another lane, or with another time; `tries` says how often it is begun if a
        worker dies over it."""
        return WorkerLane(self, name, SECONDS[name] if timeout is None else timeout, tries)

    async def perform(
        self, task: str, args: tuple[Any, ...], named_args: dict[str, Any], lane: str, timeout: float
    ) -> Any:
        """Whoever stops waiting for a task that no worker has begun takes it out of the queue."""
        if lane == BULK and self.cluster is not None:
            with suppress(NotDone):
                return self._told(lane, *await self.cluster.run(task, args, named_args, timeout))
        loop = asyncio.get_running_loop()
        settled: asyncio.Future[Any] = loop.create_future()

        def settle(outcome: Any) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any longer
                loop.call_soon_threadsafe(_settle, settled, outcome)

        job = Job(task, args, named_args, lane, timeout, settle)
        self._lanes.put(job)
        try:
            return await settled
        except asyncio.CancelledError:
            self._lanes.drop(job)
            raise

    async def stop(self, grace: float = 10.0) -> None:
        """Nothing more is begun; what is under way has the grace to end. What waited fails as Stopping."""
        for job in self._lanes.close():
            job.settle(Stopping())
        until = time.monotonic() + grace
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < until:
            await asyncio.sleep(0.01)
        self._processes.kill_all()
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    @property
    def at_once(self) -> int:
        """How many bulk tasks can be under way."""
        return self._lanes.most_bulk if self.cluster is None else self.cluster.at_once

    @property
    def pids(self) -> list[int]:
        return self._processes.pids

    def counts(self) -> WorkCounts:
        waiting, running = self._lanes.counts()
        with self._lock:
            tallies = self._tallies
            by_lane = (dict(tallies.done), dict(tallies.timeouts), dict(tallies.out_of_memory))
            return WorkCounts(waiting, running, *by_lane, tallies.deaths)

    # In threads, one for each worker.

    def _run_worker(self, worker: WorkerProcess | None) -> None:
        while (job := self._lanes.take()) is not None:
            if worker is not None and not worker.is_idle():
                # Killed while it had nothing to do.
                self._tally("deaths")
                self._processes.end_worker(worker)
                worker = None
            worker = worker or self._try_to_start_worker()
            outcome = self._outcome(worker, job)
            # Counted before anybody hears of it, so that whoever does finds it counted.
            self._lanes.done(job)
            job.settle(outcome)
            spent = isinstance(outcome, WorkerDied | TimedOut | OutOfMemory)
            if worker is not None and (spent or worker.requests >= self._tasks_of_a_life):
                self._processes.end_worker(worker)
                worker = None
            if worker is None and not self._processes.is_closed:
                worker = self._try_to_start_worker()
        if worker is not None:
            self._processes.end_worker(worker)

    def _outcome(self, worker: WorkerProcess | None, job: Job) -> Any:
        """The result, boxed, or the exception."""
        if worker is None:
            return WorkerDied()
        try:
            kind, value = from_bytes(
                worker.ask(to_bytes((job.task, to_bytes((job.args, job.named_args)))), job.timeout, self._patience)
            )
        except ProcessEnded as ended:
            if self._processes.is_closed:
                return Stopping()
            out_of_time = isinstance(ended, OutOfTime)
            self._tally("timeouts" if out_of_time else "deaths", job.lane)
            return TimedOut() if out_of_time else WorkerDied()
        except Exception as error:
            # What came, or was to be sent, is neither plain data nor a message.
            return TaskFailed(f"{job.task}: {type(error).__name__}")
        if kind == OUT_OF_MEMORY:
            self._tally("out_of_memory", job.lane)
            return OutOfMemory()
        try:
            return (self._told(job.lane, kind, value),)
        except WorkProblem as problem:
            return problem

    def _told(self, lane: str, kind: str, value: Any) -> Any:
        """What a task has made; the problem it tells of otherwise."""
        self._tally("done", lane)
        if kind == REFUSED:
            raise Refused(*value)
        if kind != DONE:
            raise TaskFailed(value)
        return value

    def _tally(self, what: str, lane: str = "") -> None:
        with self._lock:
            if what == "deaths":
                self._tallies.deaths += 1
            else:
                getattr(self._tallies, what)[lane] += 1

    def _try_to_start_worker(self) -> WorkerProcess | None:
        """None where the system has no room for a process; the next task asks again."""
        try:
            return self._processes.start_worker(self._handler)
        except (OSError, EOFError):
            time.sleep(PAUSE)
            return None


@dataclass(frozen=True, slots=True)
class WorkerLane:
    """The workers, as they are asked for tasks of one kind."""

    workers: Workers
    name: str
    timeout: float
    """Seconds of processor time."""
    tries: int

    async def run(self, task: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What a task makes of its arguments; a WorkProblem otherwise."""
        left = self.tries
        while True:
            left -= 1
            try:
                result: R = await self.workers.perform(name_of(task), args, kwargs, self.name, self.timeout)
            except WorkerDied:
                if not left:
                    raise
            else:
                return result


def _settle(settled: asyncio.Future[Any], outcome: Any) -> None:
    if settled.done():
        return
    if isinstance(outcome, WorkProblem):
        settled.set_exception(outcome)
    else:
        settled.set_result(outcome[0])


def default_count() -> int:
    """As many as there are cores that this process may use, but for one that the web process has to itself."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)
