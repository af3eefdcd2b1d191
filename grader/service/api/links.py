"""Links that sign in."""

from __future__ import annotations

from grader.service.api.routing import ApiCall
from grader.service.edge.origin import origin_asked


def base_url(call: ApiCall) -> str:
    """How the caller reaches the service: the public URL, or what they asked for."""
    return call.service.settings.base or origin_asked(call.request)


def link_url(call: ApiCall, secret: str) -> str:
    return f"{base_url(call)}/in/{secret}"
