"""Many documents: on all cores, in input order, in constant memory; one bad file never stops the others."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import islice

from solver.errors import DocumentError
from solver.problems import WHOLE_FILE, Problem
from solver.sources import Source

FILES_PER_CHUNK = 32
FEW = 2 * FILES_PER_CHUNK
"""Up to this many files one process is done before others have started."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one document: output, or problems, or nothing if it was not of the kind asked for."""

    source: Source
    output: bytes = b""
    problems: Sequence[Problem] = field(default=())
    total: int = 0
    skipped: bool = False


Work = Callable[[Source], Result]
"""A function of a module, so that other processes can be given it."""


def failed(source: Source, error: DocumentError) -> Result:
    return Result(source, problems=error.problems, total=error.total)


def run(work: Work, found: Sequence[Source], jobs: int | None = None) -> Iterator[Result]:
    """The results, in the order of the sources."""
    workers = min(jobs or os.cpu_count() or 1, max(1, len(found) // FILES_PER_CHUNK))
    if workers == 1 or (jobs is None and len(found) <= FEW) or any(source.is_stdin for source in found):
        return _here(work, found)
    return _in_processes(work, found, workers)


def _here(work: Work, found: Iterable[Source]) -> Iterator[Result]:
    for chunk in _chunks(found):
        yield from _work_through(work, chunk)


def _in_processes(work: Work, found: Sequence[Source], workers: int) -> Iterator[Result]:
    chunks = _chunks(found)
    with ProcessPoolExecutor(workers) as pool:
        waiting: deque[tuple[list[Source], Future[list[Result]]]] = deque()
        try:
            for chunk in islice(chunks, 3 * workers):
                waiting.append((chunk, pool.submit(_work_through, work, chunk)))
            while waiting:
                chunk, future = waiting.popleft()
                yield from future.result()
                for more in islice(chunks, 1):
                    waiting.append((more, pool.submit(_work_through, work, more)))
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


def _work_through(work: Work, chunk: list[Source]) -> list[Result]:
    # Cyclic garbage collection would walk every fresh tree again and again; it waits until the chunk is done.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return [work(source) for source in chunk]
    finally:
        if was_enabled:
            gc.enable()


def _chunks(found: Iterable[Source]) -> Iterator[list[Source]]:
    rest = iter(found)
    while chunk := list(islice(rest, FILES_PER_CHUNK)):
        yield chunk
