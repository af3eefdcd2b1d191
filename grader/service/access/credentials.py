"""What a request shows of who is calling: a bearer token, or the cookie of a session."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from grader.service.ids import hash_of
from grader.service.problems import ServiceProblem

COOKIE = "plymark_session"
CSRF_HEADER = "x-csrf-token"
LONGEST = 200
"""Characters of a secret."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The hash of a secret, and whether the browser sent it by itself."""

    hash: str
    cookie: bool


def shown(request: Request) -> Shown | None:
    """401 for a header that is no bearer token: whoever sends one means to be somebody."""
    header = request.headers.get("authorization")
    if header is not None:
        kind, _, secret = header.partition(" ")
        secret = secret.strip()
        if kind.lower() != "bearer" or not secret or len(secret) > LONGEST:
            raise unknown_credential()
        return Shown(hash_of(secret), cookie=False)
    secret = request.cookies.get(COOKIE, "")
    return Shown(hash_of(secret), cookie=True) if 0 < len(secret) <= LONGEST else None


def unknown_credential() -> ServiceProblem:
    detail = "sign in first, or send a token that is valid"
    return ServiceProblem(401, "credential", detail, headers={"WWW-Authenticate": 'Bearer realm="plymark"'})
