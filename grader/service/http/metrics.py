"""Figures for Prometheus: requests by route template, the workers, and gauges that other parts hang in."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence

from fastapi import FastAPI, Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from starlette.responses import Response

from grader.service.base.addresses import Proxies, is_loopback, was_forwarded
from grader.service.base.exchange import exchange_of
from grader.service.base.service_problems import general_problem
from grader.service.workers.lanes import LANES
from grader.service.workers.worker_pool import Workers

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
NO_ROUTE = "-"


class Metrics:
    """One for a process, with a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.in_flight = 0
        ProcessCollector(registry=self.registry)
        self.gauge("plymark_requests_in_flight", "Requests under way", lambda: self.in_flight)
        self._requests = Counter(
            "plymark_requests", "Requests answered", ("route", "method", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "plymark_request_seconds", "Time to answer", ("route",), buckets=SECONDS, registry=self.registry
        )
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._timers: dict[str, Histogram] = {}

    def gauge(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """A figure that is read when it is asked for, such as a queue's depth."""
        Gauge(name, meaning, registry=self.registry).set_function(read)

    def histogram(self, name: str, meaning: str, buckets: Sequence[float] = SECONDS) -> Histogram:
        """For figures that come one by one: `histogram(…).observe(0.2)`."""
        return Histogram(name, meaning, buckets=tuple(buckets), registry=self.registry)

    def counter(self, name: str, meaning: str, labels: Sequence[str] = ()) -> Counter:
        return Counter(name, meaning, tuple(labels), registry=self.registry)

    def answered(self, route: str | None, method: str, status: int, seconds: float) -> None:
        name, hundreds = route or NO_ROUTE, status // 100
        key = (name, method, hundreds)
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = self._requests.labels(name, method, f"{hundreds}xx")
            self._timers.setdefault(name, self._seconds.labels(name))
        counter.inc()
        self._timers[name].observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)


def add_metrics_route(app: FastAPI, metrics: Metrics, token: str | None, proxies: Proxies) -> None:
    """`/metrics`: for this machine itself, or with the token; for anybody else there is nothing here."""

    @app.get("/metrics", response_class=Response)
    async def figures(request: Request) -> Response:
        if not may_see_figures(request, token, proxies):
            raise general_problem(404)
        return Response(metrics.text(), media_type=CONTENT_TYPE)


def may_see_figures(request: Request, token: str | None, proxies: Proxies) -> bool:
    return _comes_from_here(request, proxies) or _has_token(request, token)


def _comes_from_here(request: Request, proxies: Proxies) -> bool:
    """By the connection itself. A proxy on this machine connects from here too, for people who are elsewhere."""
    peer = exchange_of(request.scope).peer
    return is_loopback(peer) and not proxies.trusts(peer) and not was_forwarded(request.scope)


def _has_token(request: Request, token: str | None) -> bool:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    return bool(token) and scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), str(token).encode())


def add_worker_metrics(metrics: Metrics, workers: Workers) -> None:
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
