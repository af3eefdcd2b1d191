"""Bulk work: one job after another, each in chunks that workers do; among them exercises generated from a recipe.

A chunk is plain data in and plain data out, so that it does not matter where it is done.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from grader.service import tasks
from grader.service.base.service_problems import ServiceProblem, StoreUnavailable
from grader.service.features.jobs import queries as jobs_queries
from grader.service.features.jobs.queries import LEASE, JobRun, JobStopped
from grader.service.store.store import Store
from grader.service.workers.lanes import WakeEvent
from grader.service.workers.work_problems import Stopping, TaskFailed, WorkProblem
from grader.service.workers.worker_pool import Workers

BEAT = 30.0
"""Seconds between signs of life."""
PAUSE = 5.0
"""Seconds between looks for what other servers have left."""

OURS = "something went wrong inside the service; the log says what"
_log = logging.getLogger("plymark.jobs")

Kind = Callable[[JobRun], Awaitable[Any]]
"""Does a job, and gives its result as data for JSON. A ServiceProblem or WorkProblem ends it as failed, in words."""


class JobRunner:
    """One job at a time."""

    def __init__(self, store: Store, workers: Workers, kinds: Mapping[str, Kind]) -> None:
        self._store, self._workers, self._kinds = store, workers, kinds
        self._bell = WakeEvent()
        self._running: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """There is a new job."""
        self._bell.ring()

    async def start(self) -> None:
        await self._store.write(jobs_queries.take_up_again)
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """What is not done stays in the store; whatever chunks gave is not lost."""
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running
            self._running = None

    async def _run(self) -> None:
        while True:
            try:
                while await self._store.read(jobs_queries.is_any_waiting) and await self._do_one():
                    pass
            except StoreUnavailable:
                _log.warning("the store is not there; jobs wait")
            except Exception:
                _log.exception("jobs were interrupted")
            await self._bell.wait(PAUSE)

    async def _do_one(self) -> bool:
        taken = await self._store.write(lambda tx: jobs_queries.take(tx, tx.now + LEASE))
        if taken is None:
            return False
        run = JobRun(taken.id, json.loads(taken.payload), self._store, self._workers)
        beating = asyncio.create_task(self._beat(taken.id))
        try:
            result = await self._kinds[taken.kind](run)
            await self._store.write(lambda tx: jobs_queries.end(tx, taken.id, "done", result=result))
        except JobStopped:
            pass
        except (Stopping, StoreUnavailable, asyncio.CancelledError) as left:
            with suppress(StoreUnavailable):
                await self._store.write(lambda tx: jobs_queries.leave(tx, taken.id))
            if not isinstance(left, Stopping):
                raise
        except Exception as error:
            words = _words(error)
            if words == OURS:
                _log.exception("job %s failed", taken.id)
            await self._store.write(lambda tx: jobs_queries.end(tx, taken.id, "failed", error=words))
        finally:
            beating.cancel()
        return True

    async def _beat(self, job_id: str) -> None:
        while True:
            await asyncio.sleep(BEAT)
            with suppress(StoreUnavailable):
                await self._store.write(lambda tx: jobs_queries.prolong(tx, job_id, tx.now + LEASE))


def _words(error: Exception) -> str:
    told = isinstance(error, ServiceProblem | WorkProblem) and not isinstance(error, TaskFailed)
    return str(getattr(error, "detail", OURS)) if told else OURS


GENERATION_SECONDS = 120.0


async def generate(run: JobRun) -> Any:
    """`{seed, exercises}`, as the route answers it for a few."""
    given = run.payload
    await run.progress(0, given["count"])
    recipe = base64.b64decode(given["recipe"])
    generated = await run.bulk(GENERATION_SECONDS).run(tasks.generate, recipe, given["count"], given["seed"])
    await run.progress(given["count"], given["count"])
    # A decimal as text means the same, and keeps its spelling.
    return json.loads(generated, parse_float=str)
