"""Many documents: on all cores, in input order, in constant memory; one bad file never stops the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence

from solver.jobs.inputs import Source
from solver.jobs.work import FILES_PER_CHUNK, Result, Timed, Work, chunks_of, in_turn
from solver.kernel.problems import WHOLE_FILE, Problem

FEW = 64
"""Up to this many files one process is done before others have started."""
SHARES = 8
"""A process gets its part of the files in at least so many chunks, as some files take longer than others."""
LOST = {
    "crash": ("the worker process for this file crashed", "is there enough memory?"),
    "timeout": (
        "this file took longer than --timeout allows",
        "give it more time, or search it less deep with --depth",
    ),
}


def run(
    work: Work,
    found: Sequence[Source],
    jobs: int | None = None,
    timeout: float | None = None,
    arrived: Callable[[Result], None] | None = None,
) -> Generator[Result, None, None]:
    """The results, in the order of the sources. `timeout`: the seconds that one of them may take. `arrived` gets each
    as soon as it is there, which may be before its turn."""
    work = Timed(work) if len(found) > 1 else work
    workers = min(jobs or os.cpu_count() or 1, max(1, len(found)))
    alone = workers == 1 or (jobs is None and len(found) <= FEW)
    if any(source.is_stdin for source in found) or (alone and timeout is None):
        for chunk in chunks_of(found):
            for result in in_turn(work, chunk):
                if arrived is not None:
                    arrived(result)
                yield result
        return
    # Imported only here: a single game needs no processes, and should not wait for what they need.
    from solver.jobs.pool import Pooled

    chunk_size = max(1, min(FILES_PER_CHUNK, len(found) // (SHARES * workers)))
    yield from Pooled(work, lost, workers, chunk_size, timeout, arrived).results(found)


def lost(source: Source, why: str) -> Result:
    """What becomes of a file that was given up."""
    message, hint = LOST[why]
    return Result(source, problems=[Problem(WHOLE_FILE, why, message, hint)], total=1)
