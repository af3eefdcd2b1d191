"""What became of submissions, stored many at a time: the grades of a class are computed in one go."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from grader.service.store.errors import StoreUnavailable
from grader.service.store.reports import Earned, ToMark, record
from grader.service.store.store import Store

Found = tuple[ToMark, Sequence[Earned]]
_log = logging.getLogger("plymark.marking")


class Records:
    """Whoever puts something waits until it is durable, together with what others have put meanwhile."""

    def __init__(self, store: Store, gathering: float) -> None:
        self._store, self._gathering = store, gathering
        self._waiting: list[Found] = []
        self._next: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    async def put(self, task: ToMark, earned: Sequence[Earned]) -> None:
        self._waiting.append((task, earned))
        if self._next is None:
            self._next = asyncio.create_task(self._write())
        await asyncio.shield(self._next)

    async def _write(self) -> None:
        await asyncio.sleep(self._gathering)
        async with self._writing:
            found, self._waiting, self._next = self._waiting, [], None
            try:
                await self._store.write(lambda tx: record(tx, found))
            except StoreUnavailable:
                raise
            except Exception:
                if len(found) == 1:
                    raise
                _log.exception("%d together could not be stored; each is tried alone", len(found))
                await self._each(found)

    async def _each(self, found: Sequence[Found]) -> None:
        for one in found:
            try:
                await self._store.write(lambda tx, one=one: record(tx, [one]))  # type: ignore[misc]
            except StoreUnavailable:
                raise
            except Exception:
                # Its lease runs out, and it is marked again.
                _log.exception("what became of submission %s could not be stored", one[0].submission)
