"""Many PDFs at the same time, on several processes. Results come in order, and only a few are under way."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context

from grader.delivery.papers.typst_paper import Manuscript, Pressed, press
from solver.kernel import UsageError

FILES_A_PROCESS = 5
"""Typst remembers what it has set, about 90 MB a file: a process ends before that is felt."""


def pressed(manuscripts: Iterable[Manuscript], workers: int) -> Iterator[Pressed]:
    """Without workers, in this process, which then grows with the number of files."""
    if not workers:
        yield from map(press, manuscripts)
        return
    others = set(active_children())
    # Started afresh: what Typst leaves behind in a process does not survive a fork.
    with ProcessPoolExecutor(
        workers,
        get_context("spawn"),
        initializer=_leave_stopping_to_the_parent,
        max_tasks_per_child=FILES_A_PROCESS,
    ) as pool:
        waiting: deque[Future[Pressed]] = deque()
        try:
            for manuscript in manuscripts:
                waiting.append(pool.submit(press, manuscript))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise UsageError("a process that made a PDF died; is there enough memory? Try --jobs 1") from None
        except BaseException:
            # Stopped: nobody waits for what is under way.
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(active_children()) - others:
                process.terminate()
            raise


def _leave_stopping_to_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal; here it would only print where it struck."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
