"""Links that sign in."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from grader.service.api.routing import ApiCall
from grader.service.edge.origin import origin_asked


def base_url(call: ApiCall) -> str:
    """How the caller reaches the service: the public URL, or what they asked for."""
    return call.service.settings.base or origin_asked(call.request)


def link_url(call: ApiCall, secret: str) -> str:
    return f"{base_url(call)}/in/{secret}"


def only_here(call: ApiCall) -> bool:
    """Whether the address of the service leads to nothing on any other machine."""
    host = urlsplit(base_url(call)).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
