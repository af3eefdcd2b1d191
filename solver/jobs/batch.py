"""Many documents: on all cores, in input order, in constant memory; one bad file never stops the others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from solver.jobs.inputs import Source
from solver.jobs.work import FILES_PER_CHUNK, Result, Work, chunks_of, work_through

FEW = 2 * FILES_PER_CHUNK
"""Up to this many files one process is done before others have started."""


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
