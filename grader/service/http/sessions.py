"""Sessions, links and passwords: the cookie, how it is renewed, and from which pages a request that it signs
in may come.
"""

from __future__ import annotations

import asyncio
import hmac
import unicodedata
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from fastapi import Request, Response
from sqlalchemy import select, update

from grader.service.base.clock import SECOND
from grader.service.base.ids import hash_of
from grader.service.base.service_problems import ServiceProblem
from grader.service.base.settings import Settings
from grader.service.http.access import COOKIE
from grader.service.rules.times import LONGEST, expiry
from grader.service.store.tables import session
from grader.service.store.transaction import Transaction


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


def renew_session(tx: Transaction, hash_: str) -> None:
    found = tx.execute(select(session.c.created).where(session.c.hash == hash_)).first()
    if found is not None:
        later = expiry(found.created, tx.now)
        tx.execute(update(session).where(session.c.hash == hash_).values(seen=tx.now, expires=later))


SHORTEST = 10
"""Characters."""
AT_ONCE = 2
"""Each takes 64 MiB while it lasts."""


class Passwords:
    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(AT_ONCE, "plymark-password")
        self._nobody: str | None = None

    async def hashed(self, password: str) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.hash_now, password)

    async def is_right(self, hashed: str | None, password: str) -> bool:
        """For an account that does not exist, or has no password, the same work is done."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._matches, hashed, password)

    def hash_now(self, password: str) -> str:
        return self._hasher.hash(_bytes(password))

    def _matches(self, hashed: str | None, password: str) -> bool:
        if self._nobody is None:
            self._nobody = self._hasher.hash("nobody's")
        try:
            right = self._hasher.verify(hashed or self._nobody, _bytes(password))
        except (VerificationError, InvalidHashError):
            return False
        return right and hashed is not None


def _bytes(password: str) -> bytes:
    """However a keyboard composes its accents."""
    return unicodedata.normalize("NFC", password).encode()
