"""Where the service listens, and the address that people type."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys

from solver.kernel import UsageError

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
