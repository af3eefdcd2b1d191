"""Many documents: by whom they are worked on, and what becomes of one that was given up."""

from __future__ import annotations

from collections.abc import Sequence

from solver.jobs.executors import DaskCluster, Executor, ThisProcess, local_executor
from solver.jobs.inputs import Source
from solver.jobs.work import Result
from solver.kernel.errors import UsageError
from solver.kernel.problems import WHOLE_FILE, Problem

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
    found: Sequence[Source], jobs: int | None = None, timeout: float | None = None, cluster: str | None = None
) -> Executor:
    """`timeout`: the seconds that one of them may take. `cluster`: the address of one that is to do it all."""
    reads_stdin = any(source.is_stdin for source in found)
    if cluster is None:
        return ThisProcess() if reads_stdin else local_executor(len(found), MOST_HERE, jobs, timeout)
    if reads_stdin:
        raise UsageError("--cluster reads files, and stdin is none")
    return DaskCluster(cluster, len(found), MOST_ON_CLUSTER)


def lost_file(source: Source, why: str) -> Result:
    """What becomes of a file that was given up."""
    message, hint = LOST[why]
    return Result(source, problems=[Problem(WHOLE_FILE, why, message, hint)], total=1)
