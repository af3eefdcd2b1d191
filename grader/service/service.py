"""What every route works with: the settings, the store, the workers."""

from __future__ import annotations

from dataclasses import dataclass

from grader.service.edge.rates import Rates
from grader.service.settings import Settings
from grader.service.store.store import Store
from grader.service.work.pool import Workers


@dataclass(frozen=True, slots=True)
class Service:
    settings: Settings
    store: Store
    workers: Workers
    rates: Rates
