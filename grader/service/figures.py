"""Figures of the workers."""

from __future__ import annotations

from grader.service.edge.metrics import Metrics
from grader.service.work.lanes import LANES
from grader.service.work.pool import Workers


def count_work(metrics: Metrics, workers: Workers) -> None:
    metrics.gauge("plymark_workers", "Processes that work", lambda: len(workers.pids))
    metrics.gauge("plymark_worker_deaths", "Workers that nobody ended, so far", lambda: workers.counts().deaths)
    for lane in LANES:
        _count_lane(metrics, workers, lane)


def _count_lane(metrics: Metrics, workers: Workers, lane: str) -> None:
    name = f"plymark_{lane}"
    metrics.gauge(f"{name}_waiting", "Tasks that no worker has begun", lambda: workers.counts().waiting[lane])
    metrics.gauge(f"{name}_running", "Tasks under way", lambda: workers.counts().running[lane])
    metrics.gauge(f"{name}_done", "Tasks done so far", lambda: workers.counts().done[lane])
    metrics.gauge(f"{name}_timeouts", "Tasks that took too long, so far", lambda: workers.counts().timeouts[lane])
