"""Takes what was handed in to the workers, and what it earned to the store.

The queue is the store's: a submission waits in its own row, so that nothing is lost with this process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from grader.service import tasks
from grader.service.base.async_cache import AsyncCache
from grader.service.base.clock import SECOND
from grader.service.base.program import PROGRAM
from grader.service.base.service_problems import StoreUnavailable
from grader.service.features.exercises.queries import raw_of
from grader.service.features.review.queries import AppliedMarks, by_hand_sha256
from grader.service.features.submissions import queries as submissions_queries
from grader.service.features.submissions.queries import Earned, PendingPart, record
from grader.service.store.store import Store
from grader.service.workers.lanes import MARKING, WakeEvent
from grader.service.workers.task_results import MarkingResult
from grader.service.workers.work_problems import Stopping, WorkProblem
from grader.service.workers.worker_pool import TRIES, Workers

MarkedPart = tuple[PendingPart, Sequence[Earned]]
_log = logging.getLogger("plymark.marking")


class ResultRecorder:
    """Whoever puts something waits until it is durable, together with what others have put meanwhile."""

    def __init__(self, store: Store, gathering: float) -> None:
        self._store, self._gathering = store, gathering
        self._waiting: list[MarkedPart] = []
        self._next: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    async def put(self, task: PendingPart, earned: Sequence[Earned]) -> None:
        self._waiting.append((task, earned))
        if self._next is None:
            self._next = asyncio.create_task(self._write())
        await asyncio.shield(self._next)

    async def _write(self) -> None:
        await asyncio.sleep(self._gathering)
        async with self._writing:
            results, self._waiting, self._next = self._waiting, [], None
            try:
                await self._store.write(lambda tx: record(tx, results))
            except StoreUnavailable:
                raise
            except Exception:
                if len(results) == 1:
                    raise
                _log.exception("%d together could not be stored; each is tried alone", len(results))
                await self._each(results)

    async def _each(self, results: Sequence[MarkedPart]) -> None:
        for one in results:
            try:
                await self._store.write(lambda tx, one=one: record(tx, [one]))  # type: ignore[misc]
            except StoreUnavailable:
                raise
            except Exception:
                # Its lease runs out, and it is marked again.
                _log.exception("what became of submission %s could not be stored", one[0].submission)


LEASE = 120 * SECOND
FOR_A_WORKER = 64
"""So many are under way for each worker: some wait for the disk meanwhile."""
GATHERING = 0.05
"""Seconds before a hand is laid on what has come: what comes together is taken and stored together."""
LONGEST_GATHERING = 1.0
PAUSE = 2.0
"""Seconds between looks for what is to be tried again, or was left by others."""
MOST_KEPT = 1_000


class MarkingQueue:
    def __init__(self, store: Store, workers: Workers) -> None:
        self._store, self._workers = store, workers.lane(MARKING, tries=TRIES)
        self._bell = WakeEvent()
        self._most = max(1, workers.count) * FOR_A_WORKER
        self._marked: AsyncCache[MarkingResult] = AsyncCache(MOST_KEPT)
        self._variants: AsyncCache[bytes] = AsyncCache(MOST_KEPT)
        self._under_way: dict[asyncio.Task[None], tuple[str, int]] = {}
        self._records = ResultRecorder(store, GATHERING)
        self._running: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Something was handed in, or decided."""
        self._bell.ring()

    @property
    def under_way(self) -> int:
        return len(self._under_way)

    async def start(self) -> None:
        await self._store.write(submissions_queries.take_up_again)
        self._running = asyncio.create_task(self._run())

    async def stop(self, grace: float = 10.0) -> None:
        """What is under way may end within the grace; the rest stays in the queue."""
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running
            self._running = None
        if self._under_way:
            await asyncio.wait(list(self._under_way), timeout=grace)
        left = dict(self._under_way)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(list(left))
            with suppress(StoreUnavailable):
                await self._store.write(lambda tx: submissions_queries.give_back(tx, left.values()))

    async def tell_again(self, submission: str) -> list[bytes]:
        """What is told of each part, worked out anew from the answer: what was stored of it cannot be read. Marks that
        were given stay."""
        told = []
        for task in await self._store.read(
            lambda connection: submissions_queries.parts_to_mark(connection, submission)
        ):
            last = (await self._mark(task))[-1]
            given = await self._store.write(partial(submissions_queries.put_told_again, task=task, earned=last))
            _log.info("the report of submission %s, part %s, was worked out again", submission, task.part)
            if given is not None:
                words = "submission %s, part %s: by today's rules it earns %s; the marks that were given, %s, stay"
                _log.warning(words, submission, task.part, last.result.marks, given)
            told.append(last.result.feedback)
        return told

    async def _run(self) -> None:
        while True:
            try:
                while len(self._under_way) <= self._most // 2 and await self._take():
                    pass
            except StoreUnavailable:
                _log.warning("the store is not there; marking waits")
            except Exception:
                _log.exception("marking was interrupted")
            await self._bell.wait(PAUSE)
            await self._gather()

    async def _gather(self) -> None:
        """Acknowledging comes first: while a class hands in at the same moment, marking stands back for a while."""
        await asyncio.sleep(GATHERING)
        waited = GATHERING
        while self._store.is_crowded and waited < LONGEST_GATHERING:
            await asyncio.sleep(GATHERING)
            waited += GATHERING

    async def _take(self) -> int:
        if not await self._store.read(submissions_queries.is_any_to_mark):
            return 0
        room = self._most - len(self._under_way)
        # Once begun it is waited for: what is leased is also worked on.
        taking = asyncio.ensure_future(
            self._store.write(lambda tx: submissions_queries.take_to_mark(tx, room, tx.now + LEASE))
        )
        try:
            taken = await asyncio.shield(taking)
        except asyncio.CancelledError:
            with suppress(StoreUnavailable):
                left = [(each.submission, each.part) for each in await taking]
                await self._store.write(lambda tx: submissions_queries.give_back(tx, left))
            raise
        for each in taken:
            task = asyncio.create_task(self._do(each))
            self._under_way[task] = (each.submission, each.part)
            task.add_done_callback(self._done)
        return len(taken)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._under_way.pop(task, None)
        self._bell.ring()

    async def _do(self, task: PendingPart) -> None:
        try:
            await self._records.put(task, await self._mark(task))
        except Stopping:
            with suppress(StoreUnavailable):
                await self._store.write(lambda tx: submissions_queries.give_back(tx, [(task.submission, task.part)]))
        except WorkProblem as problem:
            _log.warning("submission %s could not be marked: %s (%s)", task.submission, problem.code, problem.detail)
            code = problem.code
            with suppress(StoreUnavailable):
                await self._store.write(lambda tx: submissions_queries.record_failure(tx, task, code))
        except StoreUnavailable:
            # Its lease runs out, and it is marked again.
            _log.warning("what became of submission %s could not be stored", task.submission)
        except Exception:
            _log.exception("submission %s could not be marked", task.submission)
            with suppress(StoreUnavailable):
                await self._store.write(lambda tx: submissions_queries.record_failure(tx, task, "internal"))

    async def _mark(self, task: PendingPart) -> list[Earned]:
        """The report by the rules alone, and then the one with what was decided by hand, if that is something."""
        plain = Earned(await self._result(task, ()), PROGRAM, "")
        applied = task.by_hand.applying_to(plain.result.review)
        if not applied:
            return [plain]
        return [plain, Earned(await self._result(task, applied), PROGRAM, by_hand_sha256(applied))]

    async def _result(self, task: PendingPart, applied: Sequence[AppliedMarks]) -> MarkingResult:
        key = (task.variant_sha256, task.sha256, task.language, by_hand_sha256(applied))
        return await self._marked.get(key, lambda: self._ask(task, applied))

    async def _ask(self, task: PendingPart, applied: Sequence[AppliedMarks]) -> MarkingResult:
        variant = await self._variants.get(
            task.variant_sha256, lambda: self._store.read(lambda found: raw_of(found, task.variant))
        )
        by_hand = [dict(each) for each in applied]
        return await self._workers.run(tasks.mark, variant, task.raw, task.language, by_hand)
