"""What every route works with: the settings, the store, the workers, and what goes on behind them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from sqlalchemy import Connection

from grader.service import tasks
from grader.service.base.addresses import Proxies
from grader.service.base.async_cache import AsyncCache
from grader.service.base.settings import Settings
from grader.service.http.metrics import Metrics
from grader.service.http.rates import Rates
from grader.service.http.sessions import Passwords
from grader.service.store.store import Store
from grader.service.workers.worker_pool import Workers

MOST_POSED, MOST_WORDED, MOST_PAGES = 256, 1_000, 32


class BackgroundJobs(Protocol):
    """Bulk work that nobody waits for; `wake` says that there is some."""

    def wake(self) -> None: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class BackgroundMarking(Protocol):
    """What marks what was handed in."""

    @property
    def under_way(self) -> int: ...
    def wake(self) -> None: ...
    async def start(self) -> None: ...
    async def stop(self, grace: float = 10.0) -> None: ...
    async def tell_again(self, submission: str) -> list[bytes]: ...


class LectureHall(Protocol):
    """Live exercises that are going on."""

    async def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Service:
    settings: Settings
    store: Store
    workers: Workers
    rates: Rates
    marking: BackgroundMarking
    jobs: BackgroundJobs
    hall: LectureHall
    refuse_during_attempt: Callable[[Connection, str], None]
    """ServiceProblem while a person is in a timed attempt."""
    metrics: Metrics = field(default_factory=Metrics)
    proxies: Proxies = field(default_factory=Proxies)
    passwords: Passwords = field(default_factory=Passwords)
    posed: AsyncCache[tasks.PosedExercise] = field(default_factory=lambda: AsyncCache(MOST_POSED), init=False)
    """Exercises as students get them, by variant and language."""
    pictures: AsyncCache[tasks.AnswerPictures] = field(default_factory=lambda: AsyncCache(MOST_POSED), init=False)
    """Answers beside their keys, by variant, answer, report and language."""
    steps: AsyncCache[bytes] = field(default_factory=lambda: AsyncCache(MOST_PAGES), init=False)
    """Searches step by step, by variant and language."""
    class_overviews: AsyncCache[tasks.ClassOverview] = field(default_factory=lambda: AsyncCache(MOST_PAGES), init=False)
    """By assignment, what counts and language."""
    worded: AsyncCache[bytes] = field(default_factory=lambda: AsyncCache(MOST_WORDED), init=False)
    """Reports in words, by report, level, language and student."""

    async def start(self) -> None:
        """Takes up marking and jobs, those too that a server before has left."""
        await self.marking.start()
        await self.jobs.start()

    async def stop(self, grace: float = 10.0) -> None:
        """Ends both. It needs the store and the workers, which whoever opened them closes afterwards."""
        await self.hall.stop()
        await self.jobs.stop()
        await self.marking.stop(grace)
