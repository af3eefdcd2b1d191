"""Work on a Dask cluster that is already running: the same work, the same order, the same bytes.

Chunks go to the cluster's workers. With files, they read the documents and write the results themselves, and only
names, problems and digests come back, or the results where nothing is written. A worker that dies costs nothing:
Dask gives its chunks to others, and what was written twice has the same bytes.
"""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, Generic

from solver.jobs.work_results import Item, Outcome
from solver.kernel.errors import UsageError, needs_extra

SHARES, AHEAD = 4, 4
"""Chunks that a thread of a worker gets at least, and those under way for each."""
RETRIES = 3
WAIT, LOOK = 10, 1.0
"""Seconds in which a scheduler must answer, and have a worker; and between two looks whether it is still there."""
KEPT = 32
"""Threads of a worker at most that keep what they have found out about their work."""


def results_from_cluster(
    work: Callable[[Item], Outcome],
    items: Iterable[Item],
    lost: Callable[[Item, str], Outcome],
    address: str,
    total: int,
    most_together: int,
    arrived: Callable[[Outcome], None] | None = None,
) -> Generator[Outcome, None, None]:
    """In the order of the items; UsageError where there is no such cluster. What work remembers, every thread of a
    worker has for itself."""
    client, threads = connected(address)
    with client:
        sending: Sending[Item, Outcome] = Sending(client, work, lost, arrived)
        size = max(1, min(most_together, total // (SHARES * threads)))
        yield from sending.results(_chunks(items, size), AHEAD * threads)


def work_through(packed: bytes, chunk: list[Any]) -> list[Any]:
    """What a worker of the cluster does."""
    return list(map(_unpacked(packed, threading.get_ident()), chunk))


@lru_cache(maxsize=KEPT)
def _unpacked(packed: bytes, _thread: int) -> Callable[[Any], Any]:
    work: Callable[[Any], Any] = pickle.loads(packed)
    return work


def connected(address: str) -> tuple[Any, int]:
    """A Dask client, and of all workers the threads; UsageError where there is no such cluster, or another version of
    this program."""
    with needs_extra("cluster"):
        # Imported only here: it belongs to an extra, and takes long.
        from distributed import Client
    try:
        client = Client(address, timeout=WAIT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        return client, _threads(client, address)
    except BaseException:
        client.close()
        raise


@dataclass(slots=True)
class _Sent(Generic[Item, Outcome]):
    chunk: list[Item]
    future: Any
    outcomes: list[Outcome] | None = None


class Sending(Generic[Item, Outcome]):
    """How chunks go to a cluster, and what comes back."""

    def __init__(
        self,
        client: Any,
        work: Callable[[Item], Outcome],
        lost: Callable[[Item, str], Outcome],
        arrived: Callable[[Outcome], None] | None,
    ) -> None:
        self._client, self._lost, self._arrived = client, lost, arrived
        # A task, not data: what a lost worker had is made again.
        self._packed = client.submit(bytes, pickle.dumps(work), pure=False, retries=RETRIES)
        self._waiting: deque[_Sent[Item, Outcome]] = deque()
        self._done: SimpleQueue[_Sent[Item, Outcome]] = SimpleQueue()

    def results(self, chunks: Iterator[list[Item]], ahead: int) -> Iterator[Outcome]:
        """In the order of the chunks, of which so many are under way."""
        try:
            while self._fill(chunks, ahead):
                self._collect()
                while self._waiting and (outcomes := self._waiting[0].outcomes) is not None:
                    self._waiting.popleft()
                    yield from outcomes
        finally:
            self._client.cancel([sent.future for sent in self._waiting], force=True)

    def _fill(self, chunks: Iterator[list[Item]], ahead: int) -> bool:
        for chunk in islice(chunks, ahead - len(self._waiting)):
            future = self._client.submit(work_through, self._packed, chunk, pure=False, retries=RETRIES)
            sent: _Sent[Item, Outcome] = _Sent(chunk, future)
            self._waiting.append(sent)
            future.add_done_callback(lambda _future, sent=sent: self._done.put(sent))
        return bool(self._waiting)

    def _collect(self) -> None:
        """Take a chunk that is done, once one is; OSError where the cluster is gone."""
        while True:
            with suppress(Empty):
                sent = self._done.get(timeout=LOOK)
                break
            self._require_cluster()
        sent.outcomes = self._outcomes_of(sent)
        if self._arrived is not None:
            for outcome in sent.outcomes:
                self._arrived(outcome)

    def _outcomes_of(self, sent: _Sent[Item, Outcome]) -> list[Outcome]:
        from distributed import KilledWorker

        try:
            outcomes: list[Outcome] = sent.future.result()
        except KilledWorker:
            # Some item of the chunk kills whoever takes it: which one, the next chunk need not wait to learn.
            return [self._lost(item, "crash") for item in sent.chunk]
        except CancelledError:
            self._require_cluster()
            raise
        return outcomes

    def _require_cluster(self) -> None:
        if self._client.status != "running":
            raise OSError("the cluster is gone: its scheduler does not answer any more")


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


def _threads(client: Any, address: str) -> int:
    """Of all workers, once it is sure that they have this program in this version."""
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except TimeoutError:
        raise UsageError(f"the cluster at {address} has no workers") from None
    ours, theirs = installed(), client.run(installed)
    for worker, found in sorted(theirs.items()):
        if found != ours:
            raise UsageError(f"the worker {worker} has Plymark {found or 'not installed'}, and this is {ours}")
    return sum(client.nthreads().values())


def installed() -> str:
    """The version of this program."""
    # Imported only here: it takes long to load, and only a cluster or an output folder asks for it.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("plymark")
    except PackageNotFoundError:
        return ""
