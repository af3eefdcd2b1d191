"""A batch on several processes; a process that dies loses its own file only."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from solver.jobs.inputs import Source
from solver.jobs.work import Result, Work, chunks_of, work_through
from solver.kernel.problems import WHOLE_FILE, Problem


def run_in_processes(work: Work, found: Sequence[Source], workers: int) -> Iterator[Result]:
    """The results in the order of the sources; only a few chunks are under way at a time."""
    chunks = chunks_of(found)
    with ProcessPoolExecutor(workers) as pool:
        waiting: deque[tuple[list[Source], Future[list[Result]]]] = deque()
        try:
            for chunk in islice(chunks, 3 * workers):
                waiting.append((chunk, pool.submit(work_through, work, chunk)))
            while waiting:
                chunk, future = waiting.popleft()
                yield from future.result()
                for more in islice(chunks, 1):
                    waiting.append((more, pool.submit(work_through, work, more)))
            return
        except BrokenProcessPool:
            unfinished = [chunk, *(each for each, _ in waiting), *chunks]
    # A process died, killed by the system or by a fault: go on with a process for each file, to lose that file only.
    for source in (source for each in unfinished for source in each):
        yield _isolated(work, source)


def _isolated(work: Work, source: Source) -> Result:
    with ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(work, source).result()
        except BrokenProcessPool:
            problem = Problem(
                WHOLE_FILE, "crash", "the process that worked on this file died", "is there enough memory?"
            )
            return Result(source, problems=[problem], total=1)
