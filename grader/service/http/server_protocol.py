"""uvicorn's protocol with what it lacks: deadlines for headers, for idle and for slow readers, and limits of both.

Middleware sees a request only when its head is complete; what comes before that is decided here.
"""

from __future__ import annotations

import asyncio
import math
import socket
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from grader.service.base.exchange import ARRIVING, STREAMING
from grader.service.base.service_problems import MEDIA_TYPE, TITLES, general_problem, problem_bytes
from grader.service.http.connections import ConnectionLimits, ConnectionRegistry
from grader.service.http.metrics import Metrics

NEVER = math.inf


class OversizedHeader(Exception):
    """Ends the parser's work; it never leaves it."""


class BufferedTransport:
    """The transport as uvicorn sees it. Closing is the protocol's business, and an answer's head waits for the body
    that follows at once: one call of the system instead of two."""

    def __init__(self, transport: asyncio.Transport, protocol: GuardedProtocol) -> None:
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading
        self.get_extra_info = transport.get_extra_info
        self._transport, self._protocol = transport, protocol
        self._held = b""

    def write(self, data: bytes) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + data)
        elif data.startswith(b"HTTP/1.1 "):
            self._held = data
            self._protocol.loop.call_soon(self.flush)
        else:
            self._transport.write(data)

    def flush(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def close(self) -> None:
        self._protocol.hang_up()

    def is_closing(self) -> bool:
        return self._protocol.leaving or self._transport.is_closing()


class GuardedProtocol(HttpToolsProtocol):
    """One connection."""

    lobby: ConnectionRegistry

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.raw = transport
        self.leaving = False
        self.address: str | None = None
        self._limits = self.lobby.limits
        self._head_until = self.loop.time() + self._limits.header_seconds
        self._write_until = self._leave_until = NEVER
        self._in_head, self._head_octets, self._chunk = False, 0, 0
        self._unsent = self._dropped = 0
        self._refusal = 400
        self._wire = BufferedTransport(transport, self)
        super().connection_made(self._wire)  # type: ignore[arg-type]
        self.address = self.client[0] if self.client else None
        line = transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._limits.unsent_octets)
        if not self.lobby.enter(self, self.loop):
            self._refuse(503)

    def connection_lost(self, exc: Exception | None) -> None:
        self.leaving = True
        self.lobby.leave(self)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        if self.leaving:
            self._dropped += len(data)
            if self._dropped > self._limits.linger_octets:
                self.raw.abort()
            return
        if self._head_until == NEVER and (self.cycle is None or self.cycle.response_complete):
            self._head_until = self.loop.time() + self._limits.header_seconds
        was_in_head, self._chunk = self._in_head, len(data)
        super().data_received(data)
        if was_in_head and self._in_head and not self.leaving:
            self._head_octets += self._chunk
            if self._head_octets > self._limits.header_octets:
                self._refuse(431)

    def on_message_begin(self) -> None:
        self._in_head, self._head_octets = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if len(self.headers) > self._limits.header_count or self._is_head_too_large():
            self._refusal = 431
            raise OversizedHeader
        self._in_head, self._head_until = False, NEVER
        self.lobby.busy(self)
        super().on_headers_complete()
        self.scope[ARRIVING] = self.cycle  # type: ignore[literal-required]
        self.scope[STREAMING] = self.begin_stream  # type: ignore[literal-required]

    def begin_stream(self) -> None:
        """The answer has no end of its own, so nothing limits its length in time. It has a little room only, and the
        system gives up a client that is no longer there: nobody would notice otherwise."""
        self.raw.set_write_buffer_limits(high=self._limits.stream_octets)
        line = self.raw.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._limits.stream_octets)
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                milliseconds = int(self._limits.stream_seconds * 1000)
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)

    def on_response_complete(self) -> None:
        waits = not self.pipeline
        super().on_response_complete()
        if waits and not self.leaving:
            self.lobby.waits(self)
            if self._in_head:
                self._head_until = self.loop.time() + self._limits.header_seconds

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unsent = self.raw.get_write_buffer_size()
        self._write_until = self.loop.time() + self._limits.write_seconds

    def resume_writing(self) -> None:
        super().resume_writing()
        self._write_until = NEVER

    def send_400_response(self, _msg: str) -> None:
        """What the parser could not read, or what `on_headers_complete` did not want to."""
        self._refuse(self._refusal)

    def look(self, now: float) -> None:
        if now >= self._head_until:
            self._head_until = NEVER
            self.lobby.refused["slow headers"] += 1
            if self._in_head:
                self._refuse(408)
            else:
                self.hang_up()
        if now >= min(self._write_until, self._leave_until):
            self._give_up_or_wait(now)

    def make_way(self) -> None:
        self._wire.flush()
        if self.raw.get_write_buffer_size():
            self.hang_up()
        else:
            self.leaving = True
            self.raw.abort()

    def hang_up(self, sending: bool | None = None) -> None:
        """What was written is sent first. A client that is still sending is listened to for a little: were the
        connection cut under it, it would never see the answer."""
        if self.leaving:
            return
        self.leaving = True
        self._wire.flush()
        now = self.loop.time()
        self._head_until = self._write_until = NEVER
        self._unsent = self.raw.get_write_buffer_size()
        if (self._is_client_sending() if sending is None else sending) and self.raw.can_write_eof():
            self._leave_until = now + self._limits.linger_seconds
            self.flow.resume_reading()
            self.raw.write_eof()
        else:
            self._leave_until = now + self._limits.write_seconds
            self.raw.close()

    def _is_client_sending(self) -> bool:
        return self._in_head or (self.cycle is not None and self.cycle.more_body)

    def _give_up_or_wait(self, now: float) -> None:
        """Whoever has read enough since the last time is slow, not stalled."""
        unsent = self.raw.get_write_buffer_size()
        if unsent and self._unsent - unsent >= self._limits.write_octets:
            self._unsent = unsent
            if self.leaving:
                self._leave_until = now + self._limits.write_seconds
            else:
                self._write_until = now + self._limits.write_seconds
            return
        if unsent:
            self.lobby.refused["slow reader"] += 1
        self.leaving = True
        self.raw.abort()

    def _is_head_too_large(self) -> bool:
        most = self._limits.header_octets
        if self._head_octets + self._chunk <= most:
            return False
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > most

    def _refuse(self, status: int) -> None:
        """Answers for a request that never reached the app."""
        self.lobby.refused[str(status)] += 1
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.leaving = True
                self.raw.abort()
                return
        retry = {"Retry-After": "2"} if status == 503 else {}
        problem = general_problem(status, retry)
        body = problem_bytes(problem)
        lines = [
            f"HTTP/1.1 {status} {TITLES[status]}",
            f"content-type: {MEDIA_TYPE}",
            f"content-length: {len(body)}",
            "x-content-type-options: nosniff",
            "cache-control: no-store",
            "connection: close",
            *(f"{name.lower()}: {value}" for name, value in retry.items()),
        ]
        self._wire.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.hang_up(sending=status != 503)


def guarded_protocol(limits: ConnectionLimits) -> type[GuardedProtocol]:
    """A class for `uvicorn.Config(http=…)`, with a lobby of its own."""

    class Guarded(GuardedProtocol):
        lobby = ConnectionRegistry(limits)

    return Guarded


def uvicorn_options(limits: ConnectionLimits, metrics: Metrics | None = None) -> dict[str, Any]:
    """Arguments of `uvicorn.Config` that belong together: proxies, logs and headers are ours, not uvicorn's."""
    protocol = guarded_protocol(limits)
    if metrics is not None:
        present, refused = protocol.lobby.present, protocol.lobby.refused
        metrics.gauge("plymark_connections", "Connections open", lambda: len(present))
        metrics.gauge("plymark_connections_refused", "Refused or ended at a deadline so far", refused.total)
    return {
        "http": protocol,
        "ws": "none",
        "timeout_keep_alive": limits.idle_seconds,
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "log_config": None,
    }
