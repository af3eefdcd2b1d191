"""The time, in the one unit that the service counts in: microseconds since 1970, UTC."""

from __future__ import annotations

import time

SECOND = 1_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3_600 * SECOND, 86_400 * SECOND


def now() -> int:
    return time.time_ns() // 1_000
