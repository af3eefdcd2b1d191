"""The outermost layer of the app: every request passes here once, and every response once, with the headers
that tell a browser what it may do.

Pure ASGI, one object a request.
"""

from __future__ import annotations

import secrets
from asyncio import sleep
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from fastapi import Request
from starlette.requests import ClientDisconnect

from grader.service.base.addresses import Proxies
from grader.service.base.exchange import BodyLimit, Exchange, exchange_of, route_template
from grader.service.base.service_problems import MEDIA_TYPE, ServiceProblem, problem_bytes, unexpected
from grader.service.http.body_limits import USUAL, BodyGate, Message, Receive, Table
from grader.service.http.logs import RequestLines, log_crash
from grader.service.http.metrics import NO_ROUTE, Metrics

Headers = list[tuple[bytes, bytes]]

HALF_A_YEAR = 15_768_000
PERMISSIONS = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"


def style_nonce(request: Request) -> str:
    """For the `nonce` of the page's own style elements; a new one each answer, and allowed only if asked for."""
    exchange = exchange_of(request.scope)
    if exchange.nonce is None:
        exchange.nonce = secrets.token_urlsafe(16)
    return exchange.nonce


class SecurityHeaders:
    """Adds to each answer what its kind needs; what the route has set itself stays."""

    def __init__(self, https: bool = False, frame_ancestors: Sequence[str] = ()) -> None:
        """`frame_ancestors`: origins of pages that may show ours inside them."""
        framing = "frame-ancestors " + (" ".join(frame_ancestors) or "'none'")
        self._framing = framing.encode()
        self._page = (
            "default-src 'none'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
            f"form-action 'self'; base-uri 'none'; {framing}; style-src 'self'"
        ).encode()
        self._data_policy = b"default-src 'none'; " + self._framing
        self._picture_policy = b"default-src 'none'; style-src 'unsafe-inline'; sandbox; " + self._framing
        self._always: Headers = [
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]
        if https:
            self._always.append((b"strict-transport-security", f"max-age={HALF_A_YEAR}".encode()))
        self._pages: Headers = [
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"permissions-policy", PERMISSIONS.encode()),
        ]

    def add(self, headers: Headers, exchange: Exchange) -> None:
        kind, cached, own_policy = b"", False, False
        for name, value in headers:
            if name == b"content-type":
                kind = value
            elif name == b"cache-control":
                cached = True
            elif name == b"content-security-policy":
                own_policy = True
        headers += self._always
        headers.append((b"x-request-id", exchange.request_id.encode()))
        if not cached:
            headers.append((b"cache-control", b"no-store"))
        if not own_policy:
            headers.append((b"content-security-policy", self._policy(kind, exchange)))
        if kind.startswith(b"text/html"):
            headers += self._pages

    def _policy(self, kind: bytes, exchange: Exchange) -> bytes:
        if kind.startswith(b"text/html"):
            return self._page + (b" 'nonce-%s'" % exchange.nonce.encode() if exchange.nonce else b"")
        return self._picture_policy if kind.startswith(b"image/svg") else self._data_policy


Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

GONE = 499
"""In logs and figures: the client left before it was answered."""


@dataclass(frozen=True, slots=True)
class MiddlewareSettings:
    proxies: Proxies = field(default_factory=Proxies)
    headers: SecurityHeaders = field(default_factory=SecurityHeaders)
    metrics: Metrics = field(default_factory=Metrics)
    usual_body: BodyLimit = USUAL
    bodies: Table = field(default_factory=dict)


class RequestMiddleware:
    """Wraps an app: `uvicorn.Config(Front(app, settings), …)`. Logs must have been configured."""

    def __init__(self, app: App, settings: MiddlewareSettings | None = None) -> None:
        self._app, self._settings = app, settings or MiddlewareSettings()
        self._lines = RequestLines()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            self._lines.flush()
            return
        began, settings = perf_counter(), self._settings
        exchange = settings.proxies.resolve(scope)
        gate = BodyGate(scope, receive, settings.usual_body, settings.bodies)
        passage = ResponseSender(gate, send, exchange, settings.headers)
        settings.metrics.in_flight += 1
        try:
            await self._app(scope, gate.receive, passage.send)
        except ClientDisconnect:
            passage.status = GONE
        except ServiceProblem as problem:
            await passage.answer(problem)
        except Exception as crash:
            self._lines.flush()
            log_crash(scope, crash)
            await passage.answer(unexpected(exchange.request_id))
        finally:
            settings.metrics.in_flight -= 1
            self._finish(scope, exchange, passage, perf_counter() - began)

    def _finish(self, scope: Message, exchange: Exchange, passage: ResponseSender, seconds: float) -> None:
        route, method, status = route_template(scope), scope["method"], passage.status or GONE
        self._settings.metrics.answered(route, method, status, seconds)
        self._lines.add(
            method=method,
            route=route or NO_ROUTE,
            status=status,
            ms=round(seconds * 1000, 2),
            octets=passage.octets,
            request=exchange.request_id,
            person=exchange.person,
        )


class ResponseSender:
    """An answer on its way out."""

    __slots__ = ("_exchange", "_gate", "_headers", "_replaced", "_send", "octets", "status")

    def __init__(self, gate: BodyGate, send: Send, exchange: Exchange, headers: SecurityHeaders) -> None:
        self._gate, self._send, self._exchange, self._headers = gate, send, exchange, headers
        self._replaced = False
        self.status = 0
        """0 until the answer has begun."""
        self.octets = 0

    async def send(self, message: Message) -> None:
        if self._replaced:
            return
        if message["type"] == "http.response.start":
            refused = self._gate.refused
            if refused is not None and message["status"] != refused.status:
                await self.answer(refused)
                return
            await self._start(message)
            return
        self.octets += len(message.get("body", b""))
        await self._send(message)
        if message.get("more_body"):
            await sleep(0)  # the system's buffers may take much: others have their turn between two parts

    async def answer(self, problem: ServiceProblem) -> None:
        """Instead of anything that has not begun yet; a refused body is the reason for whatever came of it."""
        if self.status:
            return
        self._replaced = True
        problem = self._gate.refused or problem
        body = problem_bytes(problem)
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
        headers += [(name.lower().encode(), value.encode("latin-1")) for name, value in problem.headers.items()]
        await self._start({"type": "http.response.start", "status": problem.status, "headers": headers})
        self.octets = len(body)
        await self._send({"type": "http.response.body", "body": body})

    async def _start(self, message: Message) -> None:
        headers = list(message.get("headers", ()))
        self._headers.add(headers, self._exchange)
        if not self._gate.ended and not await self._gate.is_all_here():
            headers.append((b"connection", b"close"))
        self.status = message["status"]
        message["headers"] = headers
        await self._send(message)
