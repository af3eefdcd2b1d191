"""Where the service listens, the address that people type, and whose word counts on where a request came from.

`X-Forwarded-For`, `-Proto`, `-Host` and `X-Request-Id` are believed only if they come from a proxy that is trusted.
"""

from __future__ import annotations

import errno
import ipaddress
import re
import socket
import sys
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from grader.service.base.exchange import KEY, Exchange
from solver.kernel import LruCache, UsageError, quoted

BACKLOG = 2_048
ELSEWHERE = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))
"""Addresses that are nobody's: asking for the way to them sends nothing, and says at which of ours it begins."""


def listening_socket(host: str, port: int) -> socket.socket:
    """UsageError for a port that is taken or a host that is not this machine."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror:
        raise UsageError(f"--host {host} is no address of this machine") from None
    family, _, _, _, address = found[0]
    try:
        return socket.create_server(address[:2], family=family, backlog=BACKLOG, dualstack_ipv6=host == "::")
    except OSError as error:
        raise UsageError(_words(error, host, port)) from None


def url_of(listening: socket.socket) -> str:
    """The address that others use, where the service listens on all of them."""
    host, port = listening.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = own_address() or socket.gethostname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_for_others(listening: socket.socket) -> bool:
    return not ipaddress.ip_address(listening.getsockname()[0]).is_loopback


def own_address() -> str | None:
    """In the local network; None where there is none."""
    for somewhere, family in ELSEWHERE:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            try:
                asking.connect((somewhere, 9))
                return str(asking.getsockname()[0])
            except OSError:
                continue
    return None


def _words(error: OSError, host: str, port: int) -> str:
    # create_server's own message repeats the address; Windows has numbers of its own.
    if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", None)):
        return f"port {port} is taken by another program; choose another with --port, or 0 for any that is free"
    if error.errno in (errno.EACCES, getattr(errno, "WSAEACCES", None)):
        return f"port {port} is not for everybody on this system; choose one from 1024 up with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host} is no address of this machine"
    return f"the service cannot listen at {host}, port {port}: {error.strerror or sys.platform}"


Scope = MutableMapping[str, Any]
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

UNIX = "unix"
"""In the list of proxies: whoever connects to a socket of this machine's file system."""
MOST_REMEMBERED = 10_000

FORWARDING = frozenset(
    [b"forwarded", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip"]
)
HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9]([A-Za-z0-9.-]{0,252}))(:[0-9]{1,5})?")
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """What people type: `https://school.example/plymark`."""

    origin: str
    """Scheme, host and port: as a browser's Origin header has it."""
    prefix: str
    """The path, without a slash at the end."""

    @property
    def https(self) -> bool:
        return self.origin.startswith("https:")

    def __str__(self) -> str:
        return self.origin + self.prefix


def public_url(text: str) -> PublicUrl:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    fits = parts.scheme in ("http", "https") and HOST.fullmatch(parts.netloc) and not parts.query and not parts.fragment
    if not fits or re.search(r"[^A-Za-z0-9._~/-]|//", parts.path):
        raise UsageError(f"the public URL is {quoted(text)}; write it like https://school.example/plymark")
    usual = {"http": 80, "https": 443}[parts.scheme]
    host = parts.netloc.lower().removesuffix(f":{port}") if port == usual else parts.netloc.lower()
    return PublicUrl(f"{parts.scheme}://{host}", parts.path.rstrip("/"))


class Proxies:
    """Finds out, request by request, where it came from and what was asked for."""

    def __init__(self, trusted: Sequence[str] = (), prefix: str = "") -> None:
        self._unix = UNIX in trusted
        self._networks = [_network(each) for each in trusted if each != UNIX]
        self._trusted: LruCache[str, bool] = LruCache(MOST_REMEMBERED)
        self._prefix = prefix

    def trusts(self, address: str | None) -> bool:
        """Whether `address`, None for a socket in the file system, is a proxy of ours."""
        if address is None:
            return self._unix
        if not self._networks:
            return False
        return self._trusted.get(address, lambda: self._is_in_networks(address))

    def _is_in_networks(self, address: str) -> bool:
        parsed = plain_address(address)
        return parsed is not None and any(parsed in network for network in self._networks)

    def resolve(self, scope: Scope) -> Exchange:
        """The request's exchange; the scope then says what the client asked for, not what the proxy did."""
        peer = scope["client"][0] if scope.get("client") else None
        exchange = scope[KEY] = Exchange(peer=peer, client=peer)
        if self._prefix:
            scope["root_path"] = self._prefix
            if scope["path"] != self._prefix and not scope["path"].startswith(self._prefix + "/"):
                scope["path"] = self._prefix + scope["path"]
                scope["raw_path"] = self._prefix.encode() + (scope.get("raw_path") or b"")
        if self.trusts(peer):
            self._believe(scope, exchange)
        return exchange

    def _believe(self, scope: Scope, exchange: Exchange) -> None:
        said: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            if name in FORWARDING or name == b"x-request-id":
                said.setdefault(name, []).extend(each.strip() for each in value.decode("latin-1").split(","))
        exchange.client = self._origin_of(said.get(b"x-forwarded-for", []), exchange.peer)
        if exchange.client is not None:
            scope["client"] = (exchange.client, 0)
        scheme = said.get(b"x-forwarded-proto", [""])[-1].lower()
        if scheme in ("http", "https"):
            scope["scheme"] = scheme
        host = said.get(b"x-forwarded-host", [""])[-1]
        if HOST.fullmatch(host):
            others = [each for each in scope["headers"] if each[0] != b"host"]
            scope["headers"] = [(b"host", host.encode("latin-1")), *others]
        number = said.get(b"x-request-id", [""])[-1]
        if REQUEST_ID.fullmatch(number):
            exchange.request_id = number

    def _origin_of(self, chain: Sequence[str], peer: str | None) -> str | None:
        """From the nearest on, the first address that is no proxy of ours: what stands before it, anybody can write."""
        client = peer
        for each in reversed(chain):
            address = plain_address(_without_port(each))
            if address is None:
                break
            client = str(address)
            if not self.trusts(client):
                break
        return client


def plain_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An IPv4 address stays one when a socket of both kinds writes it as IPv6."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_loopback(address: str | None) -> bool:
    parsed = plain_address(address) if address else None
    return parsed is not None and parsed.is_loopback


def was_forwarded(scope: Scope) -> bool:
    """Whether any proxy, trusted or not, says that it passed the request on."""
    return any(name in FORWARDING for name, _ in scope["headers"])


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise UsageError(
            f'{quoted(text)} is no proxy; write an address, a network like 10.0.0.0/8, or "{UNIX}"'
        ) from None
