"""For the service's workers, which speak the pseudo-language: a worker imports this in its own process."""

from tests.support.in_workers import require_worker
from tests.support.pseudo import pseudo_language

require_worker()
_AS_LONG_AS_THE_WORKER_LIVES = pseudo_language()
_AS_LONG_AS_THE_WORKER_LIVES.__enter__()
