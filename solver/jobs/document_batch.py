"""Many documents: on all cores, in input order, in constant memory; one bad file never stops the others.

Work is done on one document after another; a result says what became of each.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from solver.jobs.document_sources import Source
from solver.jobs.work_results import Item, Outcome, Result
from solver.kernel.errors import WHOLE_FILE, Problem, UsageError

FEW = 64
"""Up to this many items one process is done before others have started."""
SHARES = 8
"""A process gets its part of the items in at least so many chunks, as some take longer than others."""


@dataclass(frozen=True, slots=True)
class ThisProcess:
    """One item after another, here."""


@dataclass(frozen=True, slots=True)
class LocalProcesses:
    """So many processes of this machine."""

    count: int
    chunk_size: int
    """Items that a process gets together."""
    timeout: float | None = None
    """Seconds that one item may take."""


@dataclass(frozen=True, slots=True)
class DaskCluster:
    """A cluster that is already running."""

    address: str
    total: int
    """Items there are."""
    most_together: int
    """Items that a worker gets together at most."""


Executor = ThisProcess | LocalProcesses | DaskCluster


def local_executor(
    total: int, most_together: int, jobs: int | None = None, timeout: float | None = None
) -> ThisProcess | LocalProcesses:
    """For so many items. Without a number of `jobs`, as many processes as there are cores; few items need none. Only a
    process can be ended that takes longer than the `timeout`."""
    count = min(jobs or os.cpu_count() or 1, max(1, total))
    alone = count == 1 or (jobs is None and total <= FEW)
    if alone and timeout is None:
        return ThisProcess()
    return LocalProcesses(count, max(1, min(most_together, total // (SHARES * count))), timeout)


def map_in_order(
    work: Callable[[Item], Outcome],
    items: Iterable[Item],
    executor: Executor,
    lost: Callable[[Item, str], Outcome],
    arrived: Callable[[Outcome], None] | None = None,
) -> Generator[Outcome, None, None]:
    """What comes of each item, in their order; they are taken as results are. `work` is a function of a module, or an
    instance of one of its classes, so that other processes can be given it; it may remember what it has found out.
    `lost`: what becomes of an item that was given up, for `crash` or `timeout`. `arrived` gets each result as soon as
    it is there, which may be before its turn: what waits for its turn would be lost in a kill."""
    match executor:
        case ThisProcess():
            for item in items:
                result = work(item)
                if arrived is not None:
                    arrived(result)
                yield result
        case LocalProcesses(count, chunk_size, timeout):
            # Imported only here: a single game needs no processes, and should not wait for what they need.
            from solver.jobs.process_pool import ChunkedRun

            with closing(ChunkedRun(work, iter(items), lost, count, chunk_size, timeout, arrived)) as run:
                yield from run.results()
        case DaskCluster(address, total, most_together):
            # Nor a cluster.
            from solver.jobs.dask_cluster import results_from_cluster

            yield from results_from_cluster(work, items, lost, address, total, most_together, arrived)


MOST_HERE, MOST_ON_CLUSTER = 250, 500
"""Files that a process, or a worker of a cluster, gets together at most."""
LOST = {
    "crash": ("the worker process for this file crashed", "is there enough memory?"),
    "timeout": (
        "this file took longer than --timeout allows",
        "give it more time, or search it less deep with --depth",
    ),
}


def file_executor(
    sources: Sequence[Source], jobs: int | None = None, timeout: float | None = None, cluster: str | None = None
) -> Executor:
    """`timeout`: the seconds that one of them may take. `cluster`: the address of one that is to do it all."""
    reads_stdin = any(source.is_stdin for source in sources)
    if cluster is None:
        return ThisProcess() if reads_stdin else local_executor(len(sources), MOST_HERE, jobs, timeout)
    if reads_stdin:
        raise UsageError("--cluster reads files, and stdin is none")
    return DaskCluster(cluster, len(sources), MOST_ON_CLUSTER)


def lost_file(source: Source, why: str) -> Result:
    """What becomes of a file that was given up."""
    message, hint = LOST[why]
    return Result(source, problems=[Problem(WHOLE_FILE, why, message, hint)], total=1)
