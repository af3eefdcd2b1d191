"""Opaque ids and secrets, and the hashes that the store keeps of them."""

from __future__ import annotations

import hashlib
import secrets

ID_BYTES, SECRET_BYTES = 16, 32


def new_id() -> str:
    """128 random bits as text that fits a URL and starts with a letter or digit, never with a dash."""
    return secrets.token_hex(ID_BYTES)


def new_secret() -> str:
    """256 random bits: links, tokens and sessions. Only their hashes are stored."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_of(secret: str) -> str:
    """What the store keeps of a secret. It has 256 bits of its own, so a plain hash cannot be guessed back."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
