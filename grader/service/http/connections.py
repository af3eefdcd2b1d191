"""All connections of a process: how many it can hold, how many there may be, and a look at each a few times
a second.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

if sys.platform != "win32":
    import resource

WANTED = 16_384
FOR_OTHERS = 256
"""Files, workers' pipes and the database."""
NO_LIMIT_KNOWN = 4_096


def connection_room() -> int:
    """Raises the soft limit as far as it may go and needs to, and says how many connections fit."""
    if sys.platform == "win32":
        return NO_LIMIT_KNOWN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return max(64, (WANTED if soft == resource.RLIM_INFINITY else min(soft, WANTED)) - FOR_OTHERS)


KIB = 1024


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    header_seconds: float = 5.0
    """From the connection, or the first byte of a further request, to the end of its headers."""
    idle_seconds: float = 30.0
    """Between requests."""
    write_seconds: float = 10.0
    """In which a client that was sent much must have read at least `write_octets` of it."""
    write_octets: int = 16 * KIB
    unsent_octets: int = 256 * KIB
    """What the system may hold for a client that does not read; on its own it would take megabytes."""
    linger_seconds: float = 2.0
    """For which a client whose body was refused is listened to, so that it sees the answer."""
    linger_octets: int = 1024 * KIB
    stream_seconds: float = 30.0
    """After which a client of a stream that has taken nothing of what was sent is dead, if the system can tell."""
    stream_octets: int = 64 * KIB
    """What may wait for such a client before it counts as slow."""
    header_octets: int = 32 * KIB
    header_count: int = 100
    per_address: int = 3_000
    """500 browsers behind one address, with six connections each."""
    in_all: int = 4_096
    sweep_seconds: float = 0.25
    exempt: Callable[[str | None], bool] = lambda address: address is None
    """Addresses that may have any number: proxies, through which everybody comes."""


class Connection(Protocol):
    """What the lobby asks of each."""

    address: str | None

    def look(self, now: float) -> None:
        """Ends itself if one of its deadlines has passed."""

    def make_way(self) -> None:
        """Ends itself for another's sake."""


class ConnectionRegistry:
    """Who is connected. When it is full, the one that has waited longest without a request makes room."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.present: dict[Connection, None] = {}
        self.refused = Counter[str]()
        """By reason, for the figures."""
        self._waiting: dict[Connection, None] = {}
        """Those without a request under way, in the order in which they began to wait."""
        self._by_address = Counter[str | None]()
        self._sweeper: asyncio.TimerHandle | None = None

    def enter(self, connection: Connection, loop: asyncio.AbstractEventLoop) -> bool:
        """False if there is no room for it, nor anybody to send away."""
        address = connection.address
        if len(self.present) >= self.limits.in_all and not self._send_away(None):
            self.refused["full"] += 1
            return False
        crowded = self._by_address[address] >= self.limits.per_address and not self.limits.exempt(address)
        if crowded and not self._send_away(connection):
            self.refused["address"] += 1
            return False
        self.present[connection] = self._waiting[connection] = None
        self._by_address[address] += 1
        if self._sweeper is None:
            self._sweeper = loop.call_later(self.limits.sweep_seconds, self._sweep, loop)
        return True

    def leave(self, connection: Connection) -> None:
        self._waiting.pop(connection, None)
        if connection in self.present:
            del self.present[connection]
            self._by_address[connection.address] -= 1
            if not self._by_address[connection.address]:
                del self._by_address[connection.address]

    def busy(self, connection: Connection) -> None:
        self._waiting.pop(connection, None)

    def waits(self, connection: Connection) -> None:
        if connection in self.present:
            self._waiting[connection] = None

    def _send_away(self, newcomer: Connection | None) -> bool:
        """Somebody who waits, of the newcomer's address if one is given."""
        for each in self._waiting:
            if newcomer is None or each.address == newcomer.address:
                self.refused["sent away"] += 1
                self.busy(each)
                each.make_way()
                return True
        return False

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for connection in tuple(self.present):
            connection.look(now)
        rest = self.limits.sweep_seconds
        self._sweeper = loop.call_later(rest, self._sweep, loop) if self.present else None
