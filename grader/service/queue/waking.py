"""A bell: whoever waits for work hears that there is some."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Bell:
    """Rung on the event loop's thread; a ring while nobody waits is heard by the next who does."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, seconds: float | None = None) -> None:
        """Until it rings, or that long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        self._rung.clear()
