"""The cookie of a session, and which pages may ask a browser to set it."""

from __future__ import annotations

from fastapi import Request, Response

from grader.service.access.credentials import COOKIE
from grader.service.clock import SECOND
from grader.service.edge.origin import origin_asked, require_same_origin
from grader.service.ids import hash_of
from grader.service.rules.lifetimes import LONGEST
from grader.service.settings import Settings

IN = "/in/"


def set_cookie(response: Response, settings: Settings, secret: str) -> None:
    """Scripts cannot read it; other sites' forms do not send it."""
    response.set_cookie(
        COOKIE,
        secret,
        max_age=LONGEST // SECOND,
        path=settings.path or "/",
        secure=settings.secure,
        httponly=True,
        samesite="lax",
    )


def clear_cookie(response: Response, settings: Settings) -> None:
    response.delete_cookie(COOKIE, settings.path or "/", secure=settings.secure, httponly=True, samesite="lax")


def cookie_hash(request: Request) -> str | None:
    """Of the session that the browser had before, if any."""
    secret = request.cookies.get(COOKIE)
    return hash_of(secret) if secret else None


def link_hash(link: str) -> str:
    """Of a token or of the whole address that ends with it."""
    return hash_of(link.strip().rpartition(IN)[2])


def own_origins(request: Request, settings: Settings) -> set[str]:
    """Where our pages are: at the public URL, or wherever the browser found us."""
    base = settings.base
    return {base[: len(base) - len(settings.path)] if base else origin_asked(request)}


def refuse_foreign_page(request: Request, settings: Settings) -> None:
    """Another site may not sign its visitors in here as somebody else; a program without pages says nothing of any."""
    if "origin" in request.headers or "sec-fetch-site" in request.headers:
        require_same_origin(request, own_origins(request, settings))
