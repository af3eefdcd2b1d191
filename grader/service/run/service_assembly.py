"""A service put together: what its routes work with, and what goes on behind them; jobs by name."""

from __future__ import annotations

from grader.service.base.addresses import Proxies
from grader.service.base.settings import Settings
from grader.service.features.attempts.queries import refuse_during_attempt
from grader.service.features.hall.live_rooms import Hall
from grader.service.features.jobs.job_runner import JobRunner, Kind, generate
from grader.service.features.jobs.queries import GENERATION
from grader.service.features.regrades.queries import KIND as REGRADE
from grader.service.features.regrades.regrade_job import regrade
from grader.service.features.submissions.marking_queue import MarkingQueue
from grader.service.http.metrics import Metrics
from grader.service.http.rates import Rates
from grader.service.http.service import Service
from grader.service.store.store import Store
from grader.service.workers.worker_pool import Workers

KINDS: dict[str, Kind] = {GENERATION: generate, REGRADE: regrade}
"""Jobs by name."""


def make_service(
    settings: Settings,
    store: Store,
    workers: Workers,
    rates: Rates,
    metrics: Metrics | None = None,
    proxies: Proxies | None = None,
) -> Service:
    return Service(
        settings,
        store,
        workers,
        rates,
        MarkingQueue(store, workers),
        JobRunner(store, workers, KINDS),
        Hall(store, workers),
        refuse_during_attempt,
        metrics or Metrics(),
        proxies or Proxies(),
    )
