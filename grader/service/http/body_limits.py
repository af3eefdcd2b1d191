"""Bodies are limited while they arrive: in size, whatever Content-Length claims, and in time.

Nothing is looked at before the route asks for the body, so that whoever may not call is refused first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from fastapi import Request

from grader.service.base.exchange import ARRIVING, BodyLimit, exchange_of, route_template
from grader.service.base.service_problems import ServiceProblem, general_problem

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

KIB = 1024
USUAL = BodyLimit(256 * KIB)
ANSWER = BodyLimit(64 * KIB)
"""Answers and drafts."""
UPLOAD = BodyLimit(16 * KIB * KIB, seconds=120.0)
"""What a teacher uploads, perhaps over a slow line."""
ON_ITS_WAY = 0.05
"""Seconds: many clients send a body right behind its headers."""

Table = Mapping[tuple[str, str], BodyLimit]
"""Limits by method and route template, such as `("PUT", "/api/attempts/{t}/draft")`."""


def body_limit(limit: BodyLimit) -> Callable[[Request], Awaitable[None]]:
    """A dependency of routes that have another limit: `dependencies=[Depends(body_limit(ANSWER))]`.

    It must run before the body is read: the route takes a `Request` and awaits `request.body()` itself.
    """

    async def set_limit(request: Request) -> None:
        exchange_of(request.scope).body_limit = limit

    return set_limit


class BodyGate:
    """Stands between the server's `receive` and the route's, for one request."""

    __slots__ = ("_deadline", "_left", "_limit", "_receive", "_scope", "_table", "_usual", "ended", "refused")

    def __init__(self, scope: Message, receive: Receive, usual: BodyLimit, table: Table) -> None:
        self._scope, self._receive, self._usual, self._table = scope, receive, usual, table
        self._limit: BodyLimit | None = None
        self._deadline = 0.0
        self._left = 0
        self.refused: ServiceProblem | None = None
        """Why, if the body was refused; it is the answer, whatever the route makes of it."""
        self.ended = not has_body(scope)
        """Whether all of it was read."""

    async def receive(self) -> Message:
        if self.ended:
            return await self._receive()
        if self.refused is not None:
            raise self.refused
        if self._limit is None:
            self._begin()
        message = await (self._in_time() if self._still_arriving() else self._receive())
        if message["type"] != "http.request":
            return message
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise self._too_large()
        self.ended = not message.get("more_body", False)
        return message

    def _still_arriving(self) -> bool:
        """Most bodies are here before anybody asks, and need no timer."""
        body = self._scope.get(ARRIVING)
        return body is None or body.more_body

    async def _in_time(self) -> Message:
        try:
            async with asyncio.timeout_at(self._deadline):
                return await self._receive()
        except TimeoutError:
            raise self._refusal(general_problem(408)) from None

    async def is_all_here(self) -> bool:
        """Whether a short body that nobody asked for arrives all the same: the connection can then go on."""
        claimed = content_length(self._scope)
        if self.refused or claimed is None or claimed > self._usual.octets or _expects_word(self._scope):
            return False
        try:
            async with asyncio.timeout(ON_ITS_WAY):
                while not self.ended:
                    self.ended = not (await self._receive()).get("more_body", False)
        except TimeoutError:
            return False
        return True

    def _begin(self) -> None:
        chosen = exchange_of(self._scope).body_limit
        if chosen is None and self._table:
            chosen = self._table.get((self._scope["method"], route_template(self._scope) or ""))
        self._limit = chosen or self._usual
        self._left = self._limit.octets
        self._deadline = asyncio.get_running_loop().time() + self._limit.seconds
        claimed = content_length(self._scope)
        if claimed is not None and claimed > self._left:
            raise self._too_large()

    def _too_large(self) -> ServiceProblem:
        assert self._limit is not None
        return self._refusal(
            ServiceProblem(
                413, "too-large", f"the body has more than {self._limit.octets // KIB:,} KiB, the limit here"
            )
        )

    def _refusal(self, problem: ServiceProblem) -> ServiceProblem:
        if self.refused is None:
            self.refused = problem
        return self.refused


def content_length(scope: Message) -> int | None:
    """As claimed; None for a body in chunks, and for what is no number."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() and len(value) < 20 else None
    return None


def has_body(scope: Message) -> bool:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return bool(value.strip(b"0"))
        if name == b"transfer-encoding":
            return True
    return False


def _expects_word(scope: Message) -> bool:
    """Whether the client waits to be told that it should send the body."""
    return any(name == b"expect" for name, _ in scope["headers"])
