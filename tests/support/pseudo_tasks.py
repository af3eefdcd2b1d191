"""For the service's workers, which speak the pseudo-language: a worker imports this in its own process."""

from multiprocessing import current_process

from tests.support.pseudo import pseudo_language

if current_process().name == "MainProcess":
    # What workers are forked from would hand the language on to those of other tests.
    raise ImportError("only for workers")
_AS_LONG_AS_THE_WORKER_LIVES = pseudo_language()
_AS_LONG_AS_THE_WORKER_LIVES.__enter__()
