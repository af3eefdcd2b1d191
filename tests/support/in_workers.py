"""For modules that change the tasks of a worker: nothing else may import them."""

from multiprocessing import current_process


def require_worker() -> None:
    """ImportError elsewhere, which what workers are forked from passes over: it would hand the change on to the
    workers of other tests."""
    if current_process().name == "MainProcess":
        raise ImportError("only for workers")
