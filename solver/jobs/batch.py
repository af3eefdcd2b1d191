"""Many documents: on all cores, in input order, in constant memory; one bad file never stops the others."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from solver.jobs.inputs import Source
from solver.kernel.errors import DocumentError
from solver.kernel.problems import Problem

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
        for chunk in chunks_of(found):
            yield from work_through(work, chunk)
        return
    # Imported only here: a single game needs no processes, and should not wait for what they need.
    from solver.jobs.processes import run_in_processes

    yield from run_in_processes(work, found, workers)


def work_through(work: Work, chunk: list[Source]) -> list[Result]:
    # Cyclic garbage collection would walk every fresh tree again and again; it waits until the chunk is done.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return [work(source) for source in chunk]
    finally:
        if was_enabled:
            gc.enable()


def chunks_of(found: Iterable[Source]) -> Iterator[list[Source]]:
    rest = iter(found)
    while chunk := list(islice(rest, FILES_PER_CHUNK)):
        yield chunk
