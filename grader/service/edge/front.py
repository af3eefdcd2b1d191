"""The outermost layer of the app: every request passes here once, and every answer once.

Pure ASGI, one object a request: the body's gate on the way in; headers, figures and the log's line on the way out.
"""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import perf_counter

from starlette.requests import ClientDisconnect

from grader.service.edge.bodies import USUAL, BodyGate, Message, Receive, Table
from grader.service.edge.exchange import BodyLimit, Exchange, route_template
from grader.service.edge.headers import SecurityHeaders
from grader.service.edge.logs import RequestLines, log_crash
from grader.service.edge.metrics import NO_ROUTE, Metrics
from grader.service.edge.proxies import Proxies
from grader.service.problems import MEDIA_TYPE, ServiceProblem, problem_bytes, unexpected

Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

GONE = 499
"""In logs and figures: the client left before it was answered."""


@dataclass(frozen=True, slots=True)
class FrontSettings:
    proxies: Proxies = field(default_factory=Proxies)
    headers: SecurityHeaders = field(default_factory=SecurityHeaders)
    metrics: Metrics = field(default_factory=Metrics)
    usual_body: BodyLimit = USUAL
    bodies: Table = field(default_factory=dict)


class Front:
    """Wraps an app: `uvicorn.Config(Front(app, settings), …)`. Logs must have been configured."""

    def __init__(self, app: App, settings: FrontSettings | None = None) -> None:
        self._app, self._settings = app, settings or FrontSettings()
        self._lines = RequestLines()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            self._lines.flush()
            return
        began, settings = perf_counter(), self._settings
        exchange = settings.proxies.resolve(scope)
        gate = BodyGate(scope, receive, settings.usual_body, settings.bodies)
        passage = Passage(gate, send, exchange, settings.headers)
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

    def _finish(self, scope: Message, exchange: Exchange, passage: Passage, seconds: float) -> None:
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


class Passage:
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
