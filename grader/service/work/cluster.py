"""Bulk tasks on a Dask cluster: the same data in and out as with the workers of the service, so the same comes of them.

The cluster only makes it faster. What it does not do, whatever the reason, the workers of the service do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from grader.service.work.worker import OUT_OF_MEMORY, answered, from_bytes, to_bytes

RETRIES = 3
_log = logging.getLogger("plymark.cluster")


class NotDone(Exception):
    """The cluster has not done a task."""


class Cluster:
    def __init__(self, address: str, tasks: Sequence[str]) -> None:
        """UsageError where none answers, or it has another version of this program."""
        # Imported only here: the server loads nothing that solves unless it needs it.
        from solver.jobs import connected

        self._client, self.at_once = connected(address)
        self._tasks = tasks

    async def run(
        self, task: str, args: tuple[Any, ...], named_args: dict[str, Any], timeout: float
    ) -> tuple[str, Any]:
        """As a worker of the service answers it; NotDone otherwise. The time counts from now, as nobody here knows when
        the cluster begins."""
        if self._client.status != "running":
            raise NotDone
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()

        def end(_future: Any) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any longer
                loop.call_soon_threadsafe(ended.set)

        future = None
        try:
            asked = task, to_bytes((args, named_args))
            future = self._client.submit(there, self._tasks, *asked, pure=False, retries=RETRIES)
            future.add_done_callback(end)
            async with asyncio.timeout(timeout):
                await ended.wait()
                kind, value = from_bytes(await asyncio.to_thread(future.result))
        except Exception as error:  # a lost scheduler, a killed worker, too long: Dask has many words for it
            _log.warning("the cluster has not done %s (%s); it is done here", task, type(error).__name__)
            raise NotDone from None
        finally:
            if future is not None:
                # Which ends it, too, where nobody has begun it. To cancel it would be to wait for the scheduler.
                with suppress(Exception):
                    future.release()
        if kind == OUT_OF_MEMORY:
            raise NotDone
        return kind, value

    def close(self) -> None:
        with suppress(Exception):
            self._client.close(timeout=2)


def there(tasks: Sequence[str], name: str, arguments: bytes) -> bytes:
    """What a worker of the cluster does."""
    for each in tasks:
        import_module(each)
    return answered(tasks, name, arguments)
