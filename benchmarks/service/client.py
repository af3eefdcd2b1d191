"""A client that costs little: requests are bytes made beforehand, connections stay open, answers are read by length."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Load:
    """What a run of requests took."""

    seconds: float = 0.0
    taken: list[float] = field(default_factory=list)
    """Of each request."""
    statuses: dict[int, int] = field(default_factory=dict)
    bodies: list[bytes] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        return len(self.taken) / self.seconds

    def percentile(self, share: float) -> float:
        ordered = sorted(self.taken)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def request(method: str, path: str, token: str = "", body: Any = None, **headers: str) -> bytes:
    raw = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(raw)}"]
    lines += [f"Authorization: Bearer {token}"] if token else []
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + raw


class Connection:
    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, wanted: bytes) -> tuple[int, bytes]:
        if self._writer is None or self._reader is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writer.write(wanted)
        head = await self._reader.readuntil(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        length = next((int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:")), 0)
        body = await self._reader.readexactly(length) if length else b""
        if b"connection: close" in lines:
            self.close()
        return int(head[9:12]), body

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


async def send(port: int, requests: Sequence[bytes], connections: int, keep: bool = False) -> Load:
    """All requests, as fast as so many connections can, each waiting for its answer."""
    load, waiting = Load(), iter(requests)

    async def work() -> None:
        connection = Connection(port)
        for wanted in waiting:
            began = time.perf_counter()
            status, body = await connection.ask(wanted)
            load.taken.append(time.perf_counter() - began)
            load.statuses[status] = load.statuses.get(status, 0) + 1
            if keep:
                load.bodies.append(body)
        connection.close()

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(connections)))
    load.seconds = time.perf_counter() - began
    return load
