"""A service from its start to its end.

Settings are checked, the folder is locked, workers are started, the store is opened, and only then the socket is
bound: whoever can connect is answered. At the end nothing new is begun, and what is under way has ten seconds.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import segno
import uvicorn

from grader.service.base.addresses import is_for_others, listening_socket, url_of
from grader.service.base.service_problems import StoreRefused
from grader.service.base.settings import Settings, validate_settings
from grader.service.features.accounts.queries import first_link
from grader.service.features.exercises.queries import guessable_versions
from grader.service.http.connections import ConnectionLimits, connection_room
from grader.service.http.logs import configure_logs, service_log
from grader.service.http.metrics import Metrics, add_worker_metrics
from grader.service.http.rates import Rates, StoredGuesses
from grader.service.http.request_middleware import MiddlewareSettings, RequestMiddleware, SecurityHeaders
from grader.service.http.server_protocol import uvicorn_options
from grader.service.http.service import Service
from grader.service.run.app import make_app
from grader.service.run.demo import fill_demo
from grader.service.run.service_assembly import make_service
from grader.service.store.engine import DataLock
from grader.service.store.store import make_folder, open_store
from grader.service.workers.worker_pool import OUR_TASKS, Cluster, Workers, default_count
from solver.kernel import UsageError


@dataclass(frozen=True, slots=True)
class Announcement:
    url: str
    link: str | None
    """The secret of the teacher's link, while no teacher has arrived."""
    data: Path
    new: bool
    for_others: bool
    """Whether other machines can connect."""

    def make(self) -> None:
        """The address and the link on stdout, for programs too; what is for people alone on stderr."""
        print(f"Data: {self.data.resolve()} ({'new' if self.new else 'as it was'})", file=sys.stderr)
        print(f"Plymark is running at {self.url}", flush=True)
        if self.link is not None:
            print(f"Teacher's link (works once): {self.url}/in/{self.link}", flush=True)
        if self.for_others and sys.stderr.isatty():
            segno.make(self.url, micro=False).terminal(sys.stderr, compact=True)


GRACE = 9
"""Seconds that requests and marking under way have to end; another is left for what comes after them."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def serve(settings: Settings) -> int:
    """Until a signal ends it; the exit code."""
    try:
        settings = validate_settings(settings)
        new = make_folder(settings.data)
        with DataLock(settings.data) as lock:
            configure_logs()
            asyncio.run(_serve(settings, lock, new))
    except (StoreRefused, UsageError) as refused:
        print(f"plymark: {refused}", file=sys.stderr)
        return 1
    return 0


async def _serve(settings: Settings, lock: DataLock, new: bool) -> None:
    async with run_service(settings) as service:
        listening = listening_socket(settings.host, settings.port)
        url = settings.base or url_of(listening)
        lock.say(url)
        if settings.demo:
            await fill_demo(service)
        if guessable := await service.store.read(guessable_versions):
            service_log().warning("variants can be guessed", exercises=[each.id for each in guessable])
        link = await service.store.write(first_link)
        said = Announcement(url, link, settings.data, new, is_for_others(listening))
        await SignalledServer(service, said).serve([listening])


@asynccontextmanager
async def run_service(settings: Settings) -> AsyncIterator[Service]:
    """Workers and store, closed in turn at the end."""
    workers = Workers(settings.workers or default_count())
    workers.start()
    async with AsyncExitStack() as closing:
        closing.push_async_callback(workers.stop, grace=0)
        if settings.cluster is not None:
            workers.cluster = await asyncio.to_thread(cluster_at, settings.cluster)
        if workers.cluster is not None:
            closing.callback(workers.cluster.close)
        metrics = Metrics()
        together = metrics.histogram("plymark_commit_writes", "Writes committed together", (1, 2, 4, 8, 16, 32, 64))
        store = await asyncio.to_thread(open_store, settings.data, settings.database, together.observe)
        closing.callback(store.close)
        add_worker_metrics(metrics, workers)
        yield make_service(settings, store, workers, Rates(guesses=StoredGuesses(store)), metrics, settings.proxies())


def cluster_at(address: str) -> Cluster | None:
    """For bulk work; a service without it is slower, but better than none."""
    try:
        return Cluster(address, OUR_TASKS)
    except UsageError as refused:
        print(f"plymark: {refused}; bulk work is done here", file=sys.stderr)
        return None


class SignalledServer(uvicorn.Server):
    """Ends well with the first signal, and at once with the second."""

    def __init__(self, service: Service, said: Announcement) -> None:
        super().__init__(_config(service))
        self._service, self._said = service, said

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self._service.start()
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what is there now stays: collecting need not look at it again
        self._said.make()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await asyncio.gather(super().shutdown(sockets), self._service.stop(GRACE))

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """uvicorn's own sends itself the signal again at the end, which would not be a good one."""
        before = {each: signal.signal(each, self._hear) for each in SIGNALS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + number)
        self.should_exit = True


def _config(service: Service) -> uvicorn.Config:
    settings, proxies = service.settings, service.proxies
    front = MiddlewareSettings(proxies, SecurityHeaders(settings.secure), service.metrics)
    limits = ConnectionLimits(in_all=connection_room(), exempt=proxies.trusts)
    return uvicorn.Config(
        RequestMiddleware(make_app(service), front),
        **uvicorn_options(limits, service.metrics),
        loop="asyncio",
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=GRACE,
    )
