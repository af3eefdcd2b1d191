"""Server-sent events: what is so now, again whenever it changes. Whoever comes back needs no history."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import orjson
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from grader.service.base.exchange import STREAMING
from grader.service.base.service_problems import ServiceProblem, StoreUnavailable
from grader.service.features.hall.live_rooms import MOST_STREAMS, STREAMS_OF_ONE, Hall, LiveRoom
from grader.service.workers.lanes import WakeEvent
from grader.service.workers.work_problems import WorkProblem

HEARTBEAT = 15.0
"""Seconds after which a line that means nothing keeps proxies from hanging up."""
AT_MOST_EVERY = 0.25
RETRY = b"retry: 2000\n\n"
HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
_log = logging.getLogger("plymark.hall")
Make = Callable[[], Awaitable[tuple[str, Mapping[str, Any]]]]
"""An id of what is so now, and what that is."""


class EventStream(Response):
    """Until the client leaves or the service ends."""

    media_type = "text/event-stream"

    def __init__(self, hall: Hall, room: LiveRoom, make: Make, who: str | None, seen: str) -> None:
        """`who` is on a phone; None is a projector. `seen` is the id that the client has seen last."""
        if hall.streams >= MOST_STREAMS or (who is not None and room.here[who] >= STREAMS_OF_ONE):
            raise ServiceProblem(503, "busy", "too many are connected", headers={"Retry-After": "10"})
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._hall, self._room, self._make, self._who, self._seen = hall, room, make, who, seen
        self._bell = WakeEvent()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begin = scope.get(STREAMING)
        if begin is not None:
            begin()
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        self._enter()
        both = {asyncio.create_task(self._talk(send)), asyncio.create_task(_gone(receive))}
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            self._leave()
        for task in done:
            task.result()
        await send({"type": "http.response.body", "body": b""})

    def _enter(self) -> None:
        self._hall.enter(self._bell)
        if self._who is None:
            self._room.projectors.add(self._bell)
        else:
            self._room.phones.add(self._bell)
            self._room.here[self._who] += 1
            self._room.ring()

    def _leave(self) -> None:
        self._hall.leave(self._bell)
        self._room.projectors.discard(self._bell)
        self._room.phones.discard(self._bell)
        if self._who is not None:
            self._room.here[self._who] -= 1
            if self._room.here[self._who] <= 0:
                del self._room.here[self._who]
            self._room.ring()

    async def _talk(self, send: Send) -> None:
        said = RETRY
        while not self._hall.closing:
            said += await self._news()
            await send({"type": "http.response.body", "body": said or b": here\n\n", "more_body": True})
            said = b""
            await asyncio.sleep(AT_MOST_EVERY)
            await self._bell.wait(HEARTBEAT)

    async def _news(self) -> bytes:
        """Nothing where nothing is new, or where it cannot be told just now: it is tried again with the next beat."""
        try:
            number, state = await self._make()
        except (WorkProblem, StoreUnavailable) as problem:
            _log.warning("a stream could not be told what is new: %s", type(problem).__name__)
            return b""
        if number == self._seen:
            return b""
        self._seen = number
        return b"id: %s\nevent: state\ndata: %s\n\n" % (number.encode(), orjson.dumps(state))


async def _gone(receive: Receive) -> None:
    message: Message = {"type": "http.request"}
    while message["type"] != "http.disconnect":
        message = await receive()
