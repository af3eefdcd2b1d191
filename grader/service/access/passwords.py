"""Passwords: argon2 with its library's own settings, off the event loop."""

from __future__ import annotations

import asyncio
import unicodedata
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

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
