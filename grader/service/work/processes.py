"""The processes of workers: how they are started so that they hold nothing of the server's, spoken to, and ended."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from grader.service.work.lanes import Job
from grader.service.work.problems import TimedOut, WorkerDied
from grader.service.work.worker import OUT_OF_TIME, from_bytes, to_bytes, work


@dataclass(eq=False, slots=True)
class Hand:
    """A worker's process and the way to it."""

    process: BaseProcess
    connection: Connection
    tasks: int = 0

    def is_there(self) -> bool:
        """Whether it waits for a task: one that died has closed its end."""
        return not wait([self.connection, self.process.sentinel], 0)

    def end(self) -> None:
        """At once: it ignores everything milder, and holds nothing that would have to be put away."""
        with suppress(ValueError, OSError):
            self.process.kill()
            self.process.join()
        self.connection.close()

    def do(self, job: Job, patience: float) -> Any:
        """The worker's answer; TimedOut where it has used up its processor time, WorkerDied where it ended otherwise.
        One that only waits is given up after `patience` times as long."""
        try:
            self.tasks += 1
            self.connection.send_bytes(to_bytes((job.task, to_bytes((job.args, job.named_args)), job.timeout)))
            ready = wait([self.connection, self.process.sentinel], job.timeout * patience)
            if not ready:
                raise TimedOut if OUT_OF_TIME is None else WorkerDied
            if self.connection in ready:
                return from_bytes(self.connection.recv_bytes())
        except (EOFError, OSError):
            pass
        raise TimedOut if self._ran_out_of_time() else WorkerDied

    def _ran_out_of_time(self) -> bool:
        """Of a process that has ended, or is about to."""
        if OUT_OF_TIME is None:
            return False
        self.process.join(1.0)
        return self.process.exitcode == -OUT_OF_TIME


def hired(context: Any, tasks: Sequence[str], memory_bytes: int | None) -> Hand:
    """A new worker for the tasks of some packages and modules."""
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, tasks, memory_bytes), name="plymark-worker")
    # Should the process that forks them have died, this starts another.
    _without_signals(process.start)
    theirs.close()
    return Hand(process, ours)


def start_method(tasks: Sequence[str]) -> Any:
    """How processes are started: as forks of one that has loaded the tasks and holds nothing of the server's, or, where
    the system has no such thing, afresh."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(tasks))
    # Started first: it would unblock what is blocked next.
    resource_tracker.ensure_running()
    _without_signals(forkserver.ensure_running)
    return context


def _without_signals(start: Callable[[], None]) -> None:
    """A process started so never hears of these signals, nor do its children: were it ended by a service manager that
    signals every process of a group, all workers would seem dead. The server's own are only held back meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        start()
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
