"""Variants in an order that a secret draws, a block at a time: each once in a block, and never twice in a row."""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from itertools import count

from solver.kernel import UsageError


def secret_key(secret: str | bytes) -> bytes:
    key = secret.encode() if isinstance(secret, str) else secret
    if not key:
        raise UsageError("variants are assigned by a secret; it is empty")
    return key


def block_order(key: bytes, folder: str, block: int, variants: Sequence[str], before: str) -> list[str]:
    """The variants as a block has them; drawn again as long as the first would be its neighbour's."""
    for draw in count():
        drawn = by_secret(key, variants, folder, block, draw)
        if drawn[0] != before or len(variants) == 1:
            return drawn
    raise AssertionError


def by_secret(key: bytes, variants: Sequence[str], *facts: object) -> list[str]:
    """In an order that the key draws for these facts, in whatever order they come."""
    return sorted(variants, key=lambda variant: _number(key, *facts, variant))


def places_dealt(variants: Sequence[str], secret: str | bytes, folder: str, places: int) -> list[str]:
    """What that many places are dealt, one after another."""
    if not variants:
        raise UsageError("there are no variants to assign")
    key, dealt = secret_key(secret), list[str]()
    while len(dealt) < places:
        before = dealt[-1] if dealt else ""
        dealt += block_order(key, folder, len(dealt) // len(variants), variants, before)
    return dealt[:places]


def _number(key: bytes, *facts: object) -> bytes:
    return hmac.digest(key, json.dumps(facts).encode(), "blake2b")
