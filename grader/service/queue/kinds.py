"""A service put together: what its routes work with, and what goes on behind them."""

from __future__ import annotations

from grader.service.edge.metrics import Metrics
from grader.service.edge.proxies import Proxies
from grader.service.edge.rates import Rates
from grader.service.hall.rooms import Hall
from grader.service.queue import generating
from grader.service.queue.jobs import JobRunner, Kind
from grader.service.queue.marking import MarkingQueue
from grader.service.queue.regrading import regrade
from grader.service.service import Service
from grader.service.settings import Settings
from grader.service.store.regrades import KIND as REGRADE
from grader.service.store.store import Store
from grader.service.work.pool import Workers

KINDS: dict[str, Kind] = {generating.KIND: generating.generate, REGRADE: regrade}
"""Jobs by name."""


def make_service(
    settings: Settings,
    store: Store,
    workers: Workers,
    rates: Rates,
    metrics: Metrics | None = None,
    proxies: Proxies | None = None,
) -> Service:
    marking, jobs, hall = MarkingQueue(store, workers), JobRunner(store, workers, KINDS), Hall(store, workers)
    return Service(settings, store, workers, rates, marking, jobs, hall, metrics or Metrics(), proxies or Proxies())
