"""How long a session lasts: a fortnight after it was last used, two months in all."""

from __future__ import annotations

from grader.service.clock import DAY, HOUR

IDLE, LONGEST = 14 * DAY, 60 * DAY


def expiry(created: int, now: int) -> int:
    """When a session that is used now will have run out."""
    return min(created + LONGEST, now + IDLE)


def is_renewal_due(created: int, expires: int, now: int) -> bool:
    """Not with every request: each time is a write."""
    return expiry(created, now) - expires >= HOUR
