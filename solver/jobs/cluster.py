"""Work on a Dask cluster that is already running: the same work, the same order, the same bytes.

Chunks go to the cluster's workers. With files, they read the documents and write the results themselves, and only
names, problems and digests come back, or the results where nothing is written. A worker that dies costs nothing: Dask
gives its chunks to others, and what was written twice has the same bytes.
"""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, Generic

from solver.jobs.batch import lost
from solver.jobs.inputs import Source
from solver.jobs.work import Item, Made, Result, Timed, Work, in_turn
from solver.jobs.writing import Writing
from solver.kernel.errors import UsageError
from solver.kernel.extras import needs_extra

CHUNK, SHARES, AHEAD = 500, 4, 4
"""Files of a chunk at most, chunks that a worker gets at least, and those under way for each of its threads."""
ANSWERS = 100
"""The same at most of what comes back whole."""
RETRIES = 3
WAIT, LOOK = 10, 1.0
"""Seconds in which a scheduler must answer, and have a worker; and between two looks whether it is still there."""
KEPT = 32
"""Threads of a worker at most that keep what they have found out about their work."""


def run_on_cluster(
    work: Work, found: Sequence[Source], address: str, arrived: Callable[[Result], None] | None = None
) -> Generator[Result, None, None]:
    """The results, in the order of the sources; UsageError where there is no such cluster. `arrived` as in a run
    here."""
    if any(source.is_stdin for source in found):
        raise UsageError("--cluster reads files, and stdin is none")
    client, threads = connected(address)
    with client:

        def send(chunk: list[Source]) -> Any:
            its = work.only(chunk) if isinstance(work, Writing) else work
            return client.submit(through, Timed(its), chunk, pure=False, retries=RETRIES)

        sending: Sending[Source, Result] = Sending(client, send, lost, arrived)
        yield from sending.results(_chunks(found, _size(CHUNK, len(found), threads)), AHEAD * threads)


def each_on_cluster(
    work: Callable[[Item], Made], lost: Callable[[Item, str], Made], items: Iterable[Item], total: int, address: str
) -> Generator[Made, None, None]:
    """What comes of each item, in their order, by work that may remember what it has found out: every thread of a
    worker has its own."""
    client, threads = connected(address)
    with client:
        # A task, not data: what a lost worker had is made again.
        packed = client.submit(bytes, pickle.dumps(work), pure=False, retries=RETRIES)

        def send(chunk: list[Item]) -> Any:
            return client.submit(through_kept, packed, chunk, pure=False, retries=RETRIES)

        sending: Sending[Item, Made] = Sending(client, send, lost)
        yield from sending.results(_chunks(items, _size(ANSWERS, total, threads)), AHEAD * threads)


def through(work: Callable[[Item], Made], chunk: list[Item]) -> list[Made]:
    """What a worker of the cluster does."""
    return list(in_turn(work, chunk))


def through_kept(packed: bytes, chunk: list[Any]) -> list[Any]:
    """The same, by what this thread has kept of the last chunk."""
    return list(in_turn(_unpacked(packed, threading.get_ident()), chunk))


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
class _Sent(Generic[Item, Made]):
    chunk: list[Item]
    future: Any
    made: list[Made] | None = None


class Sending(Generic[Item, Made]):
    """How chunks go to a cluster, and what comes back."""

    def __init__(
        self,
        client: Any,
        send: Callable[[list[Item]], Any],
        lost: Callable[[Item, str], Made],
        arrived: Callable[[Made], None] | None = None,
    ) -> None:
        """`send` gives the future of a list as long as the chunk."""
        self._client, self._send, self._lost, self._arrived = client, send, lost, arrived
        self._waiting: deque[_Sent[Item, Made]] = deque()
        self._done: SimpleQueue[_Sent[Item, Made]] = SimpleQueue()

    def results(self, chunks: Iterator[list[Item]], ahead: int) -> Iterator[Made]:
        """In the order of the chunks, of which so many are under way."""
        try:
            while self._fill(chunks, ahead):
                self._collect()
                while self._waiting and (made := self._waiting[0].made) is not None:
                    self._waiting.popleft()
                    yield from made
        finally:
            self._client.cancel([sent.future for sent in self._waiting], force=True)

    def _fill(self, chunks: Iterator[list[Item]], ahead: int) -> bool:
        for chunk in islice(chunks, ahead - len(self._waiting)):
            sent: _Sent[Item, Made] = _Sent(chunk, self._send(chunk))
            self._waiting.append(sent)
            sent.future.add_done_callback(lambda _future, sent=sent: self._done.put(sent))
        return bool(self._waiting)

    def _collect(self) -> None:
        """Take a chunk that is done, once one is; OSError where the cluster is gone."""
        while True:
            with suppress(Empty):
                sent = self._done.get(timeout=LOOK)
                break
            self._require_cluster()
        sent.made = self._made(sent)
        if self._arrived is not None:
            for made in sent.made:
                self._arrived(made)

    def _made(self, sent: _Sent[Item, Made]) -> list[Made]:
        from distributed import KilledWorker

        try:
            made: list[Made] = sent.future.result()
        except KilledWorker:
            # Some item of the chunk kills whoever takes it: which one, the next chunk need not wait to learn.
            return [self._lost(item, "crash") for item in sent.chunk]
        except CancelledError:
            self._require_cluster()
            raise
        return made

    def _require_cluster(self) -> None:
        if self._client.status != "running":
            raise OSError("the cluster is gone: its scheduler does not answer any more")


def _size(most: int, total: int, threads: int) -> int:
    return max(1, min(most, total // (SHARES * threads)))


def _chunks(found: Iterable[Item], size: int) -> Iterator[list[Item]]:
    rest = iter(found)
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
