"""Things that take long to make and are asked for again: the last ones are kept, and each is made once at a time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class MadeOnce(Generic[T]):
    """By key. Whoever asks for what is being made waits for it; what failed is made anew by the next who asks."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, asyncio.Task[T]] = OrderedDict()

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        making = self._kept.get(key)
        if making is None:
            making = self._kept[key] = asyncio.ensure_future(_made(make))
            making.add_done_callback(lambda done: self._drop_failed(key, done))
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        # One who goes away does not take it from the others.
        return await asyncio.shield(making)

    def _drop_failed(self, key: Hashable, done: asyncio.Task[T]) -> None:
        if (done.cancelled() or done.exception() is not None) and self._kept.get(key) is done:
            del self._kept[key]


async def _made(make: Callable[[], Awaitable[T]]) -> T:
    return await make()
