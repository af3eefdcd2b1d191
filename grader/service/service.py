"""What every route works with: the settings, the store, the workers, and what goes on behind them."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.service.access.passwords import Passwords
from grader.service.caching import AsyncCache
from grader.service.edge.metrics import Metrics
from grader.service.edge.proxies import Proxies
from grader.service.edge.rates import Rates
from grader.service.hall.rooms import Hall
from grader.service.queue.jobs import JobRunner
from grader.service.queue.kinds import KINDS
from grader.service.queue.marking import MarkingQueue
from grader.service.settings import Settings
from grader.service.store.store import Store
from grader.service.work import tasks
from grader.service.work.pool import Workers

MOST_POSED, MOST_WORDED, MOST_PAGES = 256, 1_000, 32


@dataclass(frozen=True, slots=True)
class Service:
    settings: Settings
    store: Store
    workers: Workers
    rates: Rates
    metrics: Metrics = field(default_factory=Metrics)
    proxies: Proxies = field(default_factory=Proxies)
    passwords: Passwords = field(default_factory=Passwords)
    marking: MarkingQueue = field(init=False)
    jobs: JobRunner = field(init=False)
    hall: Hall = field(init=False)
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "marking", MarkingQueue(self.store, self.workers))
        object.__setattr__(self, "jobs", JobRunner(self.store, self.workers, KINDS))
        object.__setattr__(self, "hall", Hall(self.store, self.workers))

    async def start(self) -> None:
        """Takes up marking and jobs, those too that a server before has left."""
        await self.marking.start()
        await self.jobs.start()

    async def stop(self, grace: float = 10.0) -> None:
        """Ends both. It needs the store and the workers, which whoever opened them closes afterwards."""
        await self.hall.stop()
        await self.jobs.stop()
        await self.marking.stop(grace)
