"""Work on a Dask cluster that is already running: the same work, the same order, the same bytes.

Chunks go to the cluster's workers, which read the documents and write the results themselves; only names, problems and
digests come back, or the results where nothing is written. A worker that dies costs nothing: Dask gives its chunks to
others, and what was written twice has the same bytes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import Any

from solver.jobs.batch import lost
from solver.jobs.inputs import Source
from solver.jobs.work import Result, Timed, Work, work_through
from solver.kernel.errors import UsageError
from solver.kernel.extras import needs_extra

CHUNK, SHARES, AHEAD = 500, 4, 4
"""Files of a chunk at most, chunks that a worker gets at least, and those under way for each of its threads."""
RETRIES = 3
WAIT = 10
"""Seconds in which a scheduler must answer, and have a worker."""


def run_on_cluster(work: Work, found: Sequence[Source], address: str) -> Generator[Result, None, None]:
    """The results, in the order of the sources; UsageError where there is no such cluster."""
    if any(source.is_stdin for source in found):
        raise UsageError("--cluster reads files, and stdin is none")
    client, threads = connected(address)
    with client:
        size = max(1, min(CHUNK, len(found) // (SHARES * threads)))
        yield from _results(client, Timed(work), _chunks(found, size), AHEAD * threads)


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


def _results(client: Any, work: Work, chunks: Iterator[list[Source]], ahead: int) -> Iterator[Result]:
    waiting: deque[tuple[list[Source], Any]] = deque()
    sent = client.scatter(work, broadcast=True, hash=False)

    def send(number: int) -> None:
        for chunk in islice(chunks, number):
            waiting.append((chunk, client.submit(work_through, sent, chunk, pure=False, retries=RETRIES)))

    send(ahead)
    try:
        while waiting:
            chunk, future = waiting.popleft()
            yield from _made(chunk, future)
            send(1)
    finally:
        client.cancel([future for _, future in waiting])


def _made(chunk: list[Source], future: Any) -> list[Result]:
    from distributed import KilledWorker

    try:
        made: list[Result] = future.result()
    except KilledWorker:
        # Some file of the chunk kills whoever takes it: which one, the next chunk need not wait to learn.
        return [lost(source, "crash") for source in chunk]
    return made


def _chunks(found: Sequence[Source], size: int) -> Iterator[list[Source]]:
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
    # Imported only here: it takes longer to load than click, and only a cluster or an output folder asks for it.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("plymark")
    except PackageNotFoundError:
        return ""
