"""One request and its response, as the server, the middleware and the routes share them: kept in the ASGI scope."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

KEY = "plymark.exchange"
ARRIVING = "plymark.arriving"
"""In the scope, where the server's protocol is ours: an object whose `more_body` says whether the body has ended."""
STREAMING = "plymark.streaming"
"""In the scope, where the protocol is ours: called by an answer that goes on for as long as the client stays."""

_numbers = Random()


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """How large a body may be, and how long it may take."""

    octets: int
    seconds: float = 10.0


def new_request_id() -> str:
    """Tells requests apart; it need not be hard to guess."""
    return f"{_numbers.getrandbits(96):024x}"


@dataclass(slots=True)
class Exchange:
    request_id: str = field(default_factory=new_request_id)
    peer: str | None = None
    """The address at the other end of the connection, whatever headers say."""
    client: str | None = None
    """The address the request came from, by trusted proxies' word."""
    person: str | None = None
    """The opaque id of whoever is signed in, for the log."""
    body_limit: BodyLimit | None = None
    """Of the route, if it is not the usual one."""
    nonce: str | None = None
    """Of the page's styles, if it asked for one."""


def exchange_of(scope: MutableMapping[str, Any]) -> Exchange:
    """That of a request: `exchange_of(request.scope)`."""
    found = scope.get(KEY)
    if not isinstance(found, Exchange):
        found = scope[KEY] = Exchange()
    return found


def route_template(scope: MutableMapping[str, Any]) -> str | None:
    """`/api/courses/{c}`, once the request has been routed; never what stands in the place of `{c}`."""
    included = (scope.get("fastapi") or {}).get("effective_route_context")
    found = getattr(included, "path_format", None) or getattr(scope.get("route"), "path", None)
    return str(found) if found else None
