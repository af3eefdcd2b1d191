"""The tasks of the service's workers, which speak the pseudo-language: a worker imports this in its own process."""

from grader.service.work.tasks.registry import TASKS
from tests.support.pseudo import pseudo_language

__all__ = ["TASKS"]

_AS_LONG_AS_THE_WORKER_LIVES = pseudo_language()
_AS_LONG_AS_THE_WORKER_LIVES.__enter__()
