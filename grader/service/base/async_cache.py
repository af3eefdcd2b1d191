"""What is made once for many who wait for it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class AsyncCache(Generic[T]):
    """The values that were asked for last, by key. Each is made once at a time: whoever asks for what is being made
    waits for it, and what failed is made anew by the next who asks."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tasks: OrderedDict[Hashable, asyncio.Task[T]] = OrderedDict()

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.ensure_future(_run(make))
            task.add_done_callback(lambda done: self._drop_failed(key, done))
            if len(self._tasks) > self._most:
                self._tasks.popitem(last=False)
        else:
            self._tasks.move_to_end(key)
        # One who goes away does not take it from the others.
        return await asyncio.shield(task)

    def _drop_failed(self, key: Hashable, done: asyncio.Task[T]) -> None:
        if (done.cancelled() or done.exception() is not None) and self._tasks.get(key) is done:
            del self._tasks[key]


async def _run(make: Callable[[], Awaitable[T]]) -> T:
    return await make()
