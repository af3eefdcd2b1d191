"""A request that a cookie signs in and that changes something must come from our own pages."""

from __future__ import annotations

import hmac
from collections.abc import Collection

from fastapi import Request

from grader.service.problems import ServiceProblem


def origin_asked(request: Request) -> str:
    """The origin under which the client reached us; where no public URL is set, it is the only one allowed.

    A page of another name that leads to this machine has another Host, and the browser sends it no cookie of ours.
    """
    return f"{request.scope['scheme']}://{request.headers.get('host', '').lower()}"


def require_same_origin(request: Request, allowed: Collection[str]) -> None:
    """Refuses foreign, hidden and missing origins; what the browser says of the site must agree."""
    origins = request.headers.getlist("origin")
    site = request.headers.get("sec-fetch-site", "same-origin")
    if len(origins) != 1 or origins[0] not in allowed or site != "same-origin":
        raise ServiceProblem(403, "origin", "this must be sent from a page of this service")


def csrf_matches(expected: str, given: str | None) -> bool:
    """In a time that does not tell how much of it was right."""
    return bool(expected) and given is not None and hmac.compare_digest(expected.encode(), given.encode())
