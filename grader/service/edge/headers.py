"""Headers that tell a browser what an answer may do: by default nothing."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from fastapi import Request

from grader.service.edge.exchange import Exchange, exchange_of

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
